//! `taut recover`: completes a recording that was not ended.

use crate::args::{Common, Recover};
use crate::failure::failure;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::time::Duration;
#[cfg(target_os = "linux")]
use taut_app::recover::wait_until_ended;
use taut_app::recover::{Recoverable, check_ended};
use taut_console::input::Input;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Outputs};
use taut_console::printing::folded;
use taut_console::traces::{name, open, report_damage};
use taut_schemas::{counted, grouped};
use taut_traces::{Trace, WriteSummary};

/// Completes the trace, in place or in another file.
pub fn run(recover: &Recover, common: Common) -> Outcome {
    let path = recover.file.as_path();
    if !matches!(Input::from_path(path), Input::File) {
        return Err(Failure::usage(format!("{}: expected a file, beside which FILE.live may be", name(path))));
    }
    check_ended(path).map_err(failure)?;
    let trace = open(path)?;
    let recoverable = Recoverable::new(&trace);
    if recoverable.is_complete() && recover.output.is_none() {
        recoverable.clear(path, &name(path)).map_err(failure)?;
        let summary = Summary { target: path, written: None, outputs: &Outputs::default() };
        return summary.print(path, &trace, &recoverable, common);
    }
    recoverable.check_version(&name(path)).map_err(failure)?;
    let inputs = recover.output.iter().map(|_| path);
    let mut outputs = Outputs::new(inputs, common.force);
    let mut output = match &recover.output {
        Some(output) => outputs.open(output, Kind::Trace)?,
        None => outputs.open_over(path, Kind::Trace)?,
    };
    let target = output.name().to_owned();
    let written = recoverable.write(&mut output).map_err(failure)?;
    output.finish()?;
    let summary = Summary { target: &target, written: Some(written), outputs: &outputs };
    summary.print(path, &trace, &recoverable, common)
}

/// A trace that was completed.
#[cfg(target_os = "linux")]
pub struct Completed {
    pub written: WriteSummary,
    /// True if a write of the recorder failed, so that an unknown number of events is lost.
    pub has_unknown_losses: bool,
}

/// Completes a trace in place, if its recording did not end it.
///
/// # Errors
/// A process records to it, or it cannot be read or written.
#[cfg(target_os = "linux")]
pub fn complete_in_place(path: &Path) -> Result<Completed, Failure> {
    wait_until_ended(path, Duration::from_secs(1));
    check_ended(path).map_err(failure)?;
    let trace = open(path)?;
    let recoverable = Recoverable::new(&trace);
    if recoverable.is_complete() {
        recoverable.clear(path, &name(path)).map_err(failure)?;
        let summary = trace.summary();
        let written =
            WriteSummary { events: summary.events, lost_events: summary.lost_events, bytes: summary.file_bytes };
        return Ok(Completed { written, has_unknown_losses: trace.has_unknown_losses() });
    }
    let mut outputs = Outputs::new([], true);
    let mut output = outputs.open_over(path, Kind::Trace)?;
    let written = recoverable.write(&mut output).map_err(failure)?;
    output.finish()?;
    Ok(Completed { written, has_unknown_losses: trace.has_unknown_losses() })
}

/// Result of a recovery.
struct Summary<'a> {
    /// Path of the complete trace.
    target: &'a Path,
    /// `None` if the recording was complete before.
    written: Option<WriteSummary>,
    outputs: &'a Outputs,
}

impl Summary<'_> {
    /// Reports what was recovered, and what was lost.
    fn print(&self, path: &Path, trace: &Trace, recoverable: &Recoverable<'_>, common: Common) -> Outcome {
        let damage = report_damage(path, trace, &recoverable.damage);
        let status = if recoverable.is_lossless() { Status::Fine } else { damage };
        let Summary { target, written, outputs } = self;
        if common.json {
            let file = target.to_string_lossy();
            outputs.print_json_message(&recoverable.json(&file, status == Status::Fine, *written))?;
            return Ok(status);
        }
        let summary = trace.summary();
        let text = match written {
            None => format!("{}: {}; nothing to recover\n", name(target), counted(summary.events, "event")),
            Some(_) => format!(
                "recovered {}: {}, {} of them from the file beside the recording; {} lost while recording\n",
                name(target),
                counted(summary.events, "event"),
                grouped(recoverable.recovered_events()),
                grouped(summary.lost_events),
            ),
        };
        outputs.print_message(&folded(&text))?;
        Ok(status)
    }
}

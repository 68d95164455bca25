//! `taut recover`: a whole trace of a recording that was not ended.

use crate::args::{Common, Recover};
use serde_json::json;
use std::path::Path;
use taut_console::input::Input;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Outputs};
use taut_console::printing::folded;
use taut_console::traces::{name, open, tell_damage};
use taut_schemas::{counted, grouped};
use taut_traces::{Claim, Damage, Occupied, Recovery, Trace, WriteError, WriteSummary};

/// Recovers.
pub fn run(recover: &Recover, common: Common) -> Outcome {
    let path = recover.file.as_path();
    if !matches!(Input::of(path), Input::File) {
        return Err(Failure::usage(format!("{}: expected a file, beside which FILE.live may be", name(path))));
    }
    if let Some(by @ Occupied::BeingRecorded(_)) = Claim::holder(path) {
        return Err(WriteError::Occupied { path: path.to_owned(), by }.into());
    }
    let trace = open(path)?;
    let damage = trace.check();
    let is_whole = trace.summary().complete;
    if is_whole && recover.output.is_none() {
        Claim::clear(path).map_err(|error| Failure::io(error).context(name(path)))?;
        return told(path, path, &trace, &damage, None, common);
    }
    if !trace.can_be_finished() {
        return Err(Failure::input(anyhow::anyhow!("another version wrote this trace; it is read as it is"))
            .context(name(path)));
    }
    let inputs = recover.output.iter().map(|_| path);
    let mut outputs = Outputs::new(inputs, common.force);
    let mut output = match &recover.output {
        Some(output) => outputs.open(output, Kind::Trace)?,
        None => outputs.open_over(path, Kind::Trace)?,
    };
    let target = output.name().to_owned();
    let written = trace.write_finished(&mut output)?;
    output.finish()?;
    told(path, &target, &trace, &damage, Some((written, &outputs)), common)
}

/// Says what was recovered, and what not.
fn told(
    path: &Path,
    target: &Path,
    trace: &Trace,
    damage: &[Damage],
    written: Option<(WriteSummary, &Outputs)>,
    common: Common,
) -> Outcome {
    let mut status = tell_damage(path, trace, damage);
    // Without its end it is the recording, but nothing that was recorded is missing.
    if trace.recovery().is_some() && damage.is_empty() {
        status = Status::Fine;
    }
    let outputs = Outputs::default();
    let outputs = written.as_ref().map_or(&outputs, |(_, outputs)| outputs);
    let (summary, recovery) = (trace.summary(), trace.recovery());
    if common.json {
        outputs.tell_json(&json!({
            "file": target.to_string_lossy(),
            "complete": status == Status::Fine,
            "was_complete": summary.complete,
            "events": summary.events,
            "lost_events": summary.lost_events,
            "bytes": written.map_or(summary.file_bytes, |(written, _)| written.bytes),
            "recovered_events": recovery.map_or(0, Recovery::events),
            "torn_events": recovery.map_or(0, Recovery::torn),
            "threads": recovery.map_or(&[][..], |recovery| &recovery.threads),
        }))?;
    } else {
        let from = recovery.map_or(0, Recovery::events);
        let text = match written {
            None => format!("{}: {}; nothing to recover\n", name(target), counted(summary.events, "event")),
            Some(_) => format!(
                "recovered {}: {}, {} of them from the file beside the recording; {} lost while recording\n",
                name(target),
                counted(summary.events, "event"),
                grouped(from),
                grouped(summary.lost_events),
            ),
        };
        outputs.tell(&folded(&text))?;
    }
    Ok(status)
}

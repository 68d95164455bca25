//! Replay of a trace: as recorded, or with changes.

use crate::failure::Failure;
use crate::progress::{Meter, with_progress};
use crate::trace::{OpenTrace, read};
use crate::work::AfterStop;
use pyo3::prelude::*;
use serde_json::Value;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use taut_app::Progress;
use taut_app::replay::{
    Placement, PlacementOptions, PresentDiff, RepeatOptions, Replay, ReplayLimits, StartTrace, Sweep, TaskComparison,
    TaskFigures, WhatIf, WhatIfOptions, outcome_json,
};
use taut_console::output::{Kind, Output, Outputs};
use taut_traces::{Trace, TraceWriter, WriteOptions};

/// Options of a replay, with the names of `taut replay`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ReplayArguments {
    driver: Option<String>,
    machine: Option<String>,
    rules: Option<String>,
    setting: Vec<String>,
    tight: Option<String>,
    change: Vec<String>,
    workers: Option<u32>,
    task_ns: Option<u64>,
    changes: Option<PathBuf>,
    sweep: Option<String>,
    place: Vec<String>,
    block_size: Vec<u64>,
    dedicated_above: u64,
    repeat: u32,
    until: Option<u64>,
    output: Option<PathBuf>,
    limit: usize,
    force: bool,
}

/// Value of an option.
fn parsed<T: FromStr<Err: Display>>(option: &str, text: &str) -> Result<T, Failure> {
    text.parse().map_err(|error| Failure::option(format!("{option}={text}: {error}")))
}

/// Values of an option.
fn all_parsed<T: FromStr<Err: Display>>(option: &str, texts: &[String]) -> Result<Vec<T>, Failure> {
    texts.iter().map(|text| parsed(option, text)).collect()
}

impl ReplayArguments {
    fn what_if(&self) -> Result<WhatIfOptions, Failure> {
        let options = WhatIfOptions {
            driver: self.driver.clone(),
            machine: self.machine.clone(),
            rules: self.rules.clone(),
            settings: self.setting.clone(),
            tight: self.tight.as_ref().map(|text| parsed("tight", text)).transpose()?,
            changes: all_parsed("change", &self.change)?,
            workers: self.workers,
            task_ns: self.task_ns,
        };
        options.check_tasks()?;
        Ok(options)
    }

    /// Checks that the options can be combined.
    fn check(&self, options: &WhatIfOptions) -> Result<(), Failure> {
        let is_what_if = options.has_changes() || self.changes.is_some();
        let has_output = self.output.is_some() || self.changes.is_some();
        let (is_sweep, is_placement) = (self.sweep.is_some(), !self.place.is_empty());
        let conflicts = [
            (self.repeat == 0, "repeat=0: expected 1 or more"),
            (
                self.repeat > 1 && (is_what_if || is_sweep || is_placement),
                "repeat: only a replay as recorded is repeated",
            ),
            (is_sweep && is_placement, "sweep and place exclude each other"),
            ((is_sweep || is_placement) && has_output, "sweep and place write no trace and no changes"),
            ((is_sweep || is_placement) && self.machine.is_some(), "sweep and place have no machine"),
            (is_placement && self.until.is_some(), "place has no last stamp (until)"),
        ];
        match conflicts.iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, why)) => Err(Failure::option(why)),
            None => Ok(()),
        }
    }
}

/// A replay of an open trace.
struct Work {
    file: PathBuf,
    trace: Arc<Trace>,
    arguments: ReplayArguments,
}

impl Work {
    fn inputs(&self) -> impl Iterator<Item = &Path> {
        let ReplayArguments { driver, machine, .. } = &self.arguments;
        let profiles = [driver.as_deref(), machine.as_deref()].into_iter().flatten().map(Path::new);
        std::iter::once(self.file.as_path()).chain(profiles)
    }

    fn run(&self, progress: &dyn Progress, is_stopped: &AtomicBool) -> Result<Value, Failure> {
        let arguments = &self.arguments;
        let options = arguments.what_if()?;
        arguments.check(&options)?;
        let mut outputs = Outputs::new(self.inputs(), arguments.force);
        if !arguments.place.is_empty() {
            return self.placed(options);
        }
        let output = outputs.open_if(arguments.output.as_deref(), Kind::Trace)?;
        let changes = outputs.open_if(arguments.changes.as_deref(), Kind::Changes)?;
        let limits = ReplayLimits { until: arguments.until, max_divergences: arguments.limit };
        let replay = Replay::new(self.file.to_string_lossy().into_owned(), &self.trace, limits)?;
        if let Some(sweep) = &arguments.sweep {
            let sweep: Sweep = parsed("sweep", sweep)?;
            return Ok(replay.sweep(&options, &sweep, progress)?.json());
        }
        let writer = |header| match &output {
            Some(output) => output.trace_writer(header),
            // Without an output, no trace is started.
            None => TraceWriter::new(io::sink(), header, WriteOptions::default()),
        };
        let start: Option<StartTrace<'_>> = output.is_some().then_some(&writer);
        if options.has_changes() || changes.is_some() {
            let what_if = replay.what_if(&options, start, progress)?;
            finish(output, is_stopped)?;
            write_changes(changes, &what_if, is_stopped)?;
            return self.compared(&what_if);
        }
        let options = RepeatOptions { repeat: arguments.repeat, settings: arguments.setting.clone() };
        let outcome = replay.repeat(&options, start, progress)?;
        finish(output, is_stopped)?;
        Ok(outcome_json(&outcome, arguments.repeat))
    }

    /// JSON of the memory under other placement policies.
    fn placed(&self, what_if: WhatIfOptions) -> Result<Value, Failure> {
        let ReplayArguments { place, block_size, dedicated_above, .. } = &self.arguments;
        let options = PlacementOptions {
            policies: all_parsed("place", place)?,
            block_bytes: block_size.clone(),
            dedicated_above_bytes: *dedicated_above,
            what_if,
        };
        Ok(Placement::new(Arc::clone(&self.trace), &options)?.json(&self.file.to_string_lossy()))
    }

    /// JSON of a what-if, with its presents and tasks compared with the recorded ones.
    fn compared(&self, what_if: &WhatIf) -> Result<Value, Failure> {
        let trace = || Arc::clone(&self.trace);
        let written = self.arguments.output.as_ref().filter(|path| path.is_file());
        let not_compared = PresentDiff::not_compared(&self.trace);
        let presents = match written.filter(|_| not_compared.has_any) {
            Some(written) => PresentDiff::compare(trace(), read(written)?)?,
            None => not_compared,
        };
        let live = match (what_if.live_tasks, written) {
            (Some(live), _) => Some(live),
            (None, Some(written)) if what_if.tasks.is_some() => Some(TaskFigures::of(read(written)?)?),
            (None, _) => None,
        };
        let compared = live
            .filter(|_| what_if.tasks.is_some())
            .map(|live| -> Result<_, Failure> { Ok(TaskComparison { recorded: TaskFigures::of(trace())?, live }) });
        Ok(what_if.json(&presents, compared.transpose()?)?)
    }
}

/// Writes the changed resources, one JSON object per line.
fn write_changes(output: Option<Output>, what_if: &WhatIf, is_stopped: &AtomicBool) -> Result<(), Failure> {
    let Some(mut output) = output else { return Ok(()) };
    let failed = |error: io::Error| Failure::from(taut_app::Error::io(error));
    for resource in &what_if.outcome.resources {
        serde_json::to_writer(&mut output, resource).map_err(|error| failed(error.into()))?;
        output.write_all(b"\n").map_err(failed)?;
    }
    finish(Some(output), is_stopped)
}

/// Completes an output, unless the caller was interrupted: then no file is left.
fn finish(output: Option<Output>, is_stopped: &AtomicBool) -> Result<(), Failure> {
    if is_stopped.load(Ordering::Relaxed) {
        return Ok(());
    }
    output.map(Output::finish).transpose()?;
    Ok(())
}

/// Replays a trace: as recorded, or with changes. Returns JSON text.
#[pyfunction]
pub fn replay(
    py: Python<'_>,
    trace: PyRef<'_, OpenTrace>,
    arguments: Bound<'_, PyAny>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let (file, trace) = trace.file();
    let work = Work { file, trace, arguments: arguments.extract()? };
    let work = move |meter: &Meter, is_stopped: &AtomicBool| Ok(work.run(meter, is_stopped)?.to_string());
    with_progress(py, progress, work, || AfterStop::Abandons)
}

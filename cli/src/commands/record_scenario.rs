//! `taut record scenario.toml`: what a file says that threads do.

use super::recording::{Origin, clock, ended_early, opened, output, report, told, unrecorded};
use crate::args::{Common, Record};
use std::path::Path;
use taut_capture::workloads::{ScenarioError, ScenarioFile, Steps, WorkloadError};
use taut_capture::{Adapters, Session};
use taut_console::interrupt::ask_instead;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::progress;
use taut_runtime::Settings;
use taut_traces::Workload;

/// Records the scenario.
pub fn run(record: &Record, path: &Path, adapters: &Adapters, settings: Settings, common: Common) -> Outcome {
    if let Some(set) = record.set.first() {
        return Err(Failure::usage(format!("--set {set}: a scenario has no parameters")));
    }
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let (outputs, output) = output(record, &stem, common)?;
    let scenario = ScenarioFile::read(path).map_err(|error| match error {
        ScenarioError::Read { .. } => Failure::io(error),
        error => Failure::input(error),
    })?;
    let workload = Workload { name: scenario.name.clone(), parameters: scenario.facts() };
    let open = opened(record, &output);
    let session = Session::record(open, adapters, settings, workload, clock(record)).map_err(unrecorded)?;
    let (stop, watched) = (session.stop(), session.stop());
    let asking = ask_instead(move || stop.ask());
    let (Steps::Exactly(steps) | Steps::AtMost(steps)) = scenario.steps();
    let done = || watched.steps_done();
    let ran = progress::beside(steps, "recording frames, at most", common.quiet, done, || scenario.run(&session));
    let written = session.finish().map_err(unrecorded)?;
    drop(asking);
    let file = output.name().to_owned();
    // A scenario that could not go on leaves the trace that says where.
    output.finish()?;
    let status = match ran {
        Err(WorkloadError::Interrupted) => ended_early(&watched),
        ran => ran.map(|()| Status::Fine).map_err(Failure::usage)?,
    };
    report(record, (&outputs, &file), adapters, written, Origin::Generated, common)?;
    Ok(told(status))
}

//! `taut record SCENE --set api=d3d11`: a scene, drawn in deferred contexts.

use super::recording::{Origin, clock, ended_early, opened, output, parameters, report, told, unrecorded};
use crate::args::{Common, Record};
use std::path::Path;
use taut_capture::scene::SceneError;
use taut_capture::scene::drawing::{self, Drawing};
use taut_capture::workloads::WorkloadError;
use taut_capture::{Adapters, Session};
use taut_console::interrupt::ask_instead;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::tell;
use taut_console::progress;
use taut_runtime::Settings;
use taut_traces::Workload;

/// The driver where nobody names one: it has handles per context.
pub const DEFAULT_DRIVER: &str = "d3d11on12-like";

/// Whether the scene is to be drawn.
pub fn is_asked_for(record: &Record) -> bool {
    record.set.iter().rev().find(|set| set.starts_with("api=")).is_some_and(|set| set == "api=d3d11")
}

/// Draws a scene and records it.
pub fn run(record: &Record, path: &Path, adapters: &Adapters, settings: Settings, common: Common) -> Outcome {
    let parameters = parameters(record, drawing::PARAMETERS)?;
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let (outputs, output) = output(record, &stem, common)?;
    let drawing = Drawing::read(path).map_err(|error| match error {
        SceneError::Read { .. } => Failure::io(error),
        error => Failure::input(error),
    })?;
    let workload = Workload { name: drawing.name().to_owned(), parameters: drawing.facts(&parameters) };
    let open = opened(record, &output);
    let session = Session::record(open, adapters, settings, workload, clock(record)).map_err(unrecorded)?;
    let (stop, watched) = (session.stop(), session.stop());
    let asking = ask_instead(move || stop.ask());
    let summary = drawing.summary(&parameters);
    let done = || watched.steps_done();
    let drawn = progress::beside(summary.steps(), "recording draws", common.quiet, done, || {
        drawing::run(&drawing, &session, &parameters)
    });
    let written = session.finish().map_err(unrecorded)?;
    drop(asking);
    let file = output.name().to_owned();
    output.finish()?;
    report(record, (&outputs, &file), adapters, written, Origin::Drawing(&summary), common)?;
    if let Some(left_out) = drawing.left_out(&parameters) {
        tell(format_args!("{}: {left_out}", path.display()));
    }
    match drawn {
        Err(WorkloadError::Interrupted) => Ok(told(ended_early(&watched))),
        drawn => {
            drawn.map_err(|error| Failure::input(error).context(path.display().to_string()))?;
            Ok(Status::Fine)
        }
    }
}

//! `taut record dump.json`: what an allocator holds, as a snapshot.

use super::recording::{Origin, clock, opened, output, report, unrecorded};
use crate::args::{Common, Record};
use std::path::Path;
use taut_capture::memory_dump::{self, DumpError};
use taut_capture::{Adapters, Session};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_runtime::Settings;
use taut_traces::Workload;

/// Records the snapshot.
pub fn run(record: &Record, path: &Path, adapters: &Adapters, settings: Settings, common: Common) -> Outcome {
    if let Some(set) = record.set.first() {
        return Err(Failure::usage(format!("--set {set}: a dump has no parameters")));
    }
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let (outputs, output) = output(record, &stem, common)?;
    let dump = memory_dump::read(path).map_err(|error| match error {
        DumpError::Read { .. } => Failure::io(error),
        error => Failure::input(error),
    })?;
    let workload = Workload { name: dump.name.clone(), parameters: dump.facts() };
    let open = opened(record, &output);
    let session = Session::record(open, adapters, settings, workload, clock(record)).map_err(unrecorded)?;
    memory_dump::run(&dump, &session);
    let written = session.finish().map_err(unrecorded)?;
    let file = output.name().to_owned();
    output.finish()?;
    report(record, (&outputs, &file), adapters, written, Origin::Dump(&dump.summary()), common)?;
    Ok(Status::Fine)
}

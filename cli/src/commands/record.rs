//! `taut record`: runs a workload and writes what happened.

use super::record_drawing;
use super::recording::{
    Origin, clock, ended_early, opened, output, parameters, report, tell_no_rundown, told, unrecorded,
};
use crate::args::{Common, Record};
use crate::world::{DEFAULT_DRIVER, chosen_or, parts};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_capture::call_log::{self, CallLog, LogError, Reading};
use taut_capture::scene::{self, SceneError};
use taut_capture::workloads::{self, Parameters, Steps, WORKLOADS, WorkloadError};
use taut_capture::{Adapters, Clock, Session};
use taut_console::input::Input;
use taut_console::interrupt::ask_instead;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{tell, unknown};
use taut_console::progress;
use taut_runtime::Settings;
use taut_schemas::counted;
use taut_traces::{Header, TraceWriter, Workload, WriteError, WriteSummary};

/// Records.
pub fn run(record: &Record, common: Common) -> Outcome {
    let path = Path::new(&record.workload);
    if Input::of(path) == Input::Directory {
        return Err(Failure::usage(format!("{} is a directory", path.display())));
    }
    let known = WORKLOADS.iter().find(|workload| workload.name == record.workload);
    let draws = is_scene(path) && record_drawing::is_asked_for(record);
    let of_file = if draws { record_drawing::DEFAULT_DRIVER } else { DEFAULT_DRIVER };
    let default_driver = known.map_or(of_file, |workload| workload.driver);
    let machine = record.machine.as_deref().or_else(|| workloads::machine(&record.workload));
    let machine = machine.or_else(|| is_present_log(path).then(|| machine_of_presents(record)));
    let (adapters, settings) = chosen_or(&record.world, machine, default_driver)?;
    match known {
        Some(workload) => {
            let parameters = parameters(record, workload.parameters)?;
            let (outputs, output) = output(record, workload.name, common)?;
            let world = (settings, clock(record));
            let open = opened(record, &output);
            let (written, ended) = generated(workload.name, &parameters, &adapters, world, open, common.quiet)?;
            let file = output.name().to_owned();
            // A workload that could not go on leaves the trace that says where.
            output.finish()?;
            let status = ended?;
            report(record, (&outputs, &file), &adapters, written, Origin::Generated, common)?;
            Ok(told(status))
        }
        None if draws => record_drawing::run(record, path, &adapters, settings, common),
        None if is_scene(path) => from_scene(record, path, &adapters, settings, common),
        None if is_dump(path) => super::record_dump::run(record, path, &adapters, settings, common),
        None if is_present_log(path) => {
            super::record_presents::from_presents(record, path, &adapters, settings, common)
        }
        None if is_scenario(path) => super::record_scenario::run(record, path, &adapters, settings, common),
        None if is_call_log(path) => from_log(record, path, &adapters, settings, common),
        None => {
            let mut names: Vec<&str> = WORKLOADS.iter().map(|workload| workload.name).collect();
            names.extend([
                "a .jsonl or .jsonl.gz file",
                "a .gltf or .glb file",
                "a .json file",
                "a .csv file",
                "a .toml file",
            ]);
            Err(Failure::usage(unknown("workload", &record.workload, &names)))
        }
    }
}

fn is_call_log(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".jsonl") || name.ends_with(".jsonl.gz") || path.is_file()
}

/// A dump of what an allocator holds.
fn is_dump(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn is_scene(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension.is_some_and(|extension| extension == "gltf" || extension == "glb")
}

fn is_present_log(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

fn is_scenario(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// The machine that real presents are made on where nobody says otherwise: what the log does not know is a desktop.
fn machine_of_presents(record: &Record) -> &'static str {
    let several = record.world.driver.as_deref().is_some_and(|drivers| !parts(drivers).1.is_empty());
    if several { "hybrid-laptop" } else { "desktop" }
}

/// Records a generated workload; how the workload ended comes beside what was written. If a call fails that it cannot do
/// without, the trace is whole and says which.
///
/// # Errors
/// The trace could not be written to its end.
pub fn generated(
    name: &str,
    parameters: &Parameters,
    adapters: &Adapters,
    (settings, clock): (Settings, Clock),
    open: impl FnOnce(Header) -> Result<TraceWriter, WriteError>,
    quiet: bool,
) -> Result<(WriteSummary, Outcome), Failure> {
    let workload = Workload { name: name.to_owned(), parameters: parameters.values() };
    let session = Session::record(open, adapters, settings, workload, clock).map_err(unrecorded)?;
    let (stop, watched) = (session.stop(), session.stop());
    let asking = ask_instead(move || stop.ask());
    let (steps, what) = match workloads::steps(name, parameters) {
        Some(Steps::Exactly(steps)) => (steps, "recording steps"),
        Some(Steps::AtMost(steps)) => (steps, "recording steps, at most"),
        None => (0, "recording"),
    };
    let done = || watched.steps_done();
    let ran = progress::beside(steps, what, quiet, done, || workloads::run(name, &session, parameters));
    let written = session.finish().map_err(unrecorded)?;
    tell_no_rundown(&session);
    drop(asking);
    let ended = match ran {
        Err(WorkloadError::Interrupted) => Ok(ended_early(&watched)),
        ran => ran.map(|()| Status::Fine).map_err(Failure::usage),
    };
    Ok((written, ended))
}

fn from_scene(record: &Record, path: &Path, adapters: &Adapters, settings: Settings, common: Common) -> Outcome {
    let parameters = parameters(record, scene::PARAMETERS)?;
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let (outputs, output) = output(record, &stem, common)?;
    let scene = scene::read(path).map_err(|error| match error {
        SceneError::Read { .. } => Failure::io(error),
        error => Failure::input(error),
    })?;
    let workload = Workload { name: scene.name.clone(), parameters: scene.facts(&parameters) };
    let open = opened(record, &output);
    let session = Session::record(open, adapters, settings, workload, clock(record)).map_err(unrecorded)?;
    let (stop, watched) = (session.stop(), session.stop());
    let asking = ask_instead(move || stop.ask());
    let summary = scene.summary(&parameters);
    let done = || watched.steps_done();
    let loaded = progress::beside(summary.resources(), "recording resources", common.quiet, done, || {
        scene::run(&scene, &session, &parameters)
    });
    let written = session.finish().map_err(unrecorded)?;
    tell_no_rundown(&session);
    drop(asking);
    let file = output.name().to_owned();
    output.finish()?;
    report(record, (&outputs, &file), adapters, written, Origin::Scene(&summary), common)?;
    if let Some(left_out) = summary.left_out() {
        tell(format_args!("{}: {left_out}", path.display()));
    }
    match loaded {
        Err(WorkloadError::Interrupted) => Ok(told(ended_early(&watched))),
        loaded => {
            loaded.map_err(|error| Failure::input(error).context(path.display().to_string()))?;
            Ok(Status::Fine)
        }
    }
}

fn from_log(record: &Record, path: &Path, adapters: &Adapters, settings: Settings, common: Common) -> Outcome {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let stem = name.trim_end_matches(".gz").trim_end_matches(".jsonl").to_owned();
    let (outputs, output) = output(record, &stem, common)?;
    let Reading { log, error } = read_log(path, common)?;
    let parameters = BTreeMap::from([
        ("lines".to_owned(), Value::from(log.lines.len())),
        ("source".to_owned(), Value::from(log.header.source.clone())),
    ]);
    let workload = Workload { name, parameters };
    let plan = call_log::plan(&log, &settings, &*taut_runtime::driver(adapters.first()));
    let open = opened(record, &output);
    let session = Session::record(open, adapters, settings, workload, clock(record)).map_err(unrecorded)?;
    let (stop, asked) = (session.stop(), session.stop());
    let asking = ask_instead(move || asked.ask());
    let played = AtomicU64::new(0);
    let lines = log.lines.len() as u64;
    let done = || played.load(Ordering::Relaxed);
    let summary = progress::beside(lines, "recording", common.quiet, done, || {
        call_log::run_counting(&log, &plan, &session, &played)
    });
    let summary = summary.map_err(Failure::io)?;
    let written = session.finish().map_err(unrecorded)?;
    tell_no_rundown(&session);
    drop(asking);
    let file = output.name().to_owned();
    output.finish()?;
    report(record, (&outputs, &file), adapters, written, Origin::Log(&summary), common)?;
    match error {
        _ if stop.was_noticed() => Ok(told(ended_early(&stop))),
        None => Ok(Status::Fine),
        Some(error) => {
            tell(format_args!(
                "{error}; what comes before it is recorded: {}",
                counted(log.lines.len() as u64, "line")
            ));
            Ok(Status::Incomplete)
        }
    }
}

/// Reads a log, as many bytes of the file as have been read shown beside.
fn read_log(path: &Path, common: Common) -> Result<Reading, Failure> {
    let origin = path.display().to_string();
    let open = |source| log_failure(LogError::Open { origin: origin.clone(), source });
    let file = File::open(path).map_err(open)?;
    let bytes = file.metadata().map_or(0, |metadata| metadata.len());
    let (file, read) = progress::Counting::new(file);
    let done = || read.load(Ordering::Relaxed);
    progress::beside(bytes, "reading bytes", common.quiet, done, || CallLog::from_reader(file, origin.clone()))
        .map_err(log_failure)
}

fn log_failure(error: LogError) -> Failure {
    if error.is_corruption() { Failure::input(error) } else { Failure::io(error) }
}

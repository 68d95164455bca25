//! `taut record`: runs a workload and writes what happened.

use crate::args::{ClockChoice, Common, Record};
use crate::world::{DEFAULT_DRIVER, chosen_or, parts};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use taut_analyze::render::{binary_bytes, grouped};
use taut_capture::call_log::{self, CallLog, LogError, Reading, RunSummary};
use taut_capture::memory_dump::DumpSummary;
use taut_capture::present_log::PresentComparison;
use taut_capture::scene::{self, SceneError, SceneSummary};
use taut_capture::workloads::{self, Parameter, Parameters, Steps, WORKLOADS, WorkloadError};
use taut_capture::{Adapters, Clock, Session, SessionError};
use taut_console::input::Input;
use taut_console::interrupt::ask_instead;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Output, Outputs};
use taut_console::printing::{folded, tell, unknown};
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
    let default_driver = known.map_or(DEFAULT_DRIVER, |workload| workload.driver);
    let machine = record.machine.as_deref().or_else(|| workloads::machine(&record.workload));
    let machine = machine.or_else(|| is_present_log(path).then(|| machine_of_presents(record)));
    let (adapters, settings) = chosen_or(&record.world, machine, default_driver)?;
    match known {
        Some(workload) => {
            let parameters = parameters(record, workload.parameters)?;
            let (outputs, output) = output(record, workload.name, common)?;
            let world = (settings, clock(record));
            let open = |header| output.trace_writer(header);
            let (written, ended) = generated(workload.name, &parameters, &adapters, world, open, common.quiet)?;
            let file = output.name().to_owned();
            // A workload that could not go on leaves the trace that says where.
            output.finish()?;
            let status = ended?;
            report((&outputs, &file), &adapters, written, Origin::Generated, common)?;
            Ok(told(status))
        }
        None if is_scene(path) => from_scene(record, path, &adapters, settings, common),
        None if is_dump(path) => super::record_dump::run(record, path, &adapters, settings, common),
        None if is_present_log(path) => {
            super::record_presents::from_presents(record, path, &adapters, settings, common)
        }
        None if is_call_log(path) => from_log(record, path, &adapters, settings, common),
        None => {
            let mut names: Vec<&str> = WORKLOADS.iter().map(|workload| workload.name).collect();
            names.extend(["a .jsonl or .jsonl.gz file", "a .gltf or .glb file", "a .json file", "a .csv file"]);
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

/// The machine that real presents are made on where nobody says otherwise: what the log does not know is a desktop.
fn machine_of_presents(record: &Record) -> &'static str {
    let several = record.world.driver.as_deref().is_some_and(|drivers| !parts(drivers).1.is_empty());
    if several { "hybrid-laptop" } else { "desktop" }
}

/// Where the trace goes: not where anything comes from.
pub(super) fn output(record: &Record, name: &str, common: Common) -> Result<(Outputs, Output), Failure> {
    let values = record.set.iter().filter_map(|set| Some(set.split_once('=')?.1));
    let drivers = record.world.driver.as_deref().map(parts);
    let drivers = drivers.into_iter().flat_map(|(first, others)| std::iter::once(first).chain(others));
    let inputs = values.chain(drivers).chain(record.machine.as_deref()).chain([record.workload.as_str()]);
    let mut outputs = Outputs::new(inputs.filter(|input| *input != "-").map(Path::new), common.force);
    let path = record.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.taut")));
    let output = outputs.open(&path, Kind::Trace)?;
    Ok((outputs, output))
}

pub(super) fn clock(record: &Record) -> Clock {
    match record.clock {
        ClockChoice::Best => Clock::best(),
        ClockChoice::Monotonic => Clock::monotonic(),
        ClockChoice::Logical => Clock::Logical,
    }
}

/// The workload's parameters as the command line sets them.
pub(super) fn parameters(record: &Record, known: &[Parameter]) -> Result<Parameters, Failure> {
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    // Every generated workload has a seed; what is loaded from a file has none, and the default is then nobody's.
    if known.iter().any(|parameter| parameter.name == "seed") {
        values.insert("seed".to_owned(), record.seed.to_string());
    }
    if let Some(threads) = record.threads {
        values.insert("threads".to_owned(), threads.to_string());
    }
    for set in &record.set {
        let Some((key, value)) = set.split_once('=') else {
            return Err(Failure::usage(format!("--set {set}: expected KEY=VALUE")));
        };
        values.insert(key.to_owned(), value.to_owned());
    }
    Parameters::new(known, values).map_err(Failure::usage)
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
    drop(asking);
    let ended = match ran {
        Err(WorkloadError::Interrupted) => Ok(Status::Interrupted),
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
    let open = |header| output.trace_writer(header);
    let session = Session::record(open, adapters, settings, workload, clock(record)).map_err(unrecorded)?;
    let (stop, watched) = (session.stop(), session.stop());
    let asking = ask_instead(move || stop.ask());
    let summary = scene.summary(&parameters);
    let done = || watched.steps_done();
    let loaded = progress::beside(summary.resources(), "recording resources", common.quiet, done, || {
        scene::run(&scene, &session, &parameters)
    });
    let written = session.finish().map_err(unrecorded)?;
    drop(asking);
    let file = output.name().to_owned();
    output.finish()?;
    report((&outputs, &file), adapters, written, Origin::Scene(&summary), common)?;
    if let Some(left_out) = summary.left_out() {
        tell(format_args!("{}: {left_out}", path.display()));
    }
    match loaded {
        Err(WorkloadError::Interrupted) => Ok(told(Status::Interrupted)),
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
    let open = |header| output.trace_writer(header);
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
    drop(asking);
    let file = output.name().to_owned();
    output.finish()?;
    report((&outputs, &file), adapters, written, Origin::Log(&summary), common)?;
    match error {
        _ if stop.was_noticed() => Ok(told(Status::Interrupted)),
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

/// A session that could not be recorded, as a failure of the command.
pub fn unrecorded(error: SessionError) -> Failure {
    match error {
        SessionError::Write(error) => error.into(),
        error => Failure::io(error),
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

/// Says on stderr that a recording was interrupted, if it was.
pub(super) fn told(status: Status) -> Status {
    if status == Status::Interrupted {
        tell("interrupted; what was recorded until then is whole");
    }
    status
}

fn log_failure(error: LogError) -> Failure {
    if error.is_corruption() { Failure::input(error) } else { Failure::io(error) }
}

/// Where a recording's calls came from, and what is to be told of it.
pub(super) enum Origin<'a> {
    Generated,
    Dump(&'a DumpSummary),
    Log(&'a RunSummary),
    Scene(&'a SceneSummary),
    Presents(Option<&'a PresentComparison>),
}

pub(super) fn report(
    (outputs, file): (&Outputs, &Path),
    adapters: &Adapters,
    written: WriteSummary,
    origin: Origin<'_>,
    common: Common,
) -> Result<(), Failure> {
    let (mut log, mut scene, mut dump, mut presents) = (None, None, None, None);
    match origin {
        Origin::Generated => {}
        Origin::Log(told) => log = Some(told),
        Origin::Scene(told) => scene = Some(told),
        Origin::Dump(told) => dump = Some(told),
        Origin::Presents(told) => presents = told,
    }
    if common.json {
        return outputs.tell_json(&json!({
            "file": file.to_string_lossy(),
            "driver": adapters.names(),
            "events": written.events,
            "lost_events": written.lost_events,
            "bytes": written.bytes,
            "log": log,
            "scene": scene,
            "dump": dump,
            "presents": presents,
        }));
    }
    let mut text = format!(
        "recorded {}: {}, {}, {} lost; driver {}\n",
        if outputs.has_stdout() { "to standard output".into() } else { file.display().to_string() },
        counted(written.events, "event"),
        binary_bytes(written.bytes),
        grouped(written.lost_events),
        adapters.names(),
    );
    if let Some(log) = log {
        text += &format!("{log}\n");
    }
    if let Some(scene) = scene {
        text += &format!("{scene}\n");
    }
    if let Some(dump) = dump {
        text += &format!("{dump}\n");
    }
    if let Some(presents) = presents {
        text += &format!("{presents}\n");
    }
    outputs.tell(&folded(&text))
}

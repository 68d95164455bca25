//! What every way to record shares: where the trace goes, what it is told, and what is said of it.

use crate::args::{ClockChoice, Common, IdentityChoice, Record};
use crate::world::parts;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use taut_analyze::render::{binary_bytes, grouped};
use taut_capture::call_log::RunSummary;
use taut_capture::memory_dump::DumpSummary;
use taut_capture::present_log::PresentComparison;
use taut_capture::scene::SceneSummary;
use taut_capture::scene::drawing::DrawingSummary;
use taut_capture::workloads::{Parameter, Parameters};
use taut_capture::{Adapters, Clock, Session, SessionError, Stop};
use taut_console::outcome::{Failure, Status};
use taut_console::output::{Kind, Output, Outputs, is_stdio};
use taut_console::printing::{folded, tell};
use taut_console::snapshot_signal;
use taut_schemas::counted;
use taut_traces::{Header, Snapshot, TraceWriter, Whereabouts, WriteError, WriteSummary};

/// Where the trace goes: not where anything comes from.
pub fn output(record: &Record, name: &str, common: Common) -> Result<(Outputs, Output), Failure> {
    let values = record.set.iter().filter_map(|set| Some(set.split_once('=')?.1));
    let drivers = record.world.driver.as_deref().map(parts);
    let drivers = drivers.into_iter().flat_map(|(first, others)| std::iter::once(first).chain(others));
    let inputs = values.chain(drivers).chain(record.machine.as_deref()).chain([record.workload.as_str()]);
    let mut outputs = Outputs::new(inputs.filter(|input| *input != "-").map(Path::new), common.force);
    let path = record.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.taut")));
    record.writing.check(&path)?;
    if record.tables && is_stdio(&path) {
        return Err(Failure::usage("--tables: of a trace on standard output no tables are kept; say -o FILE"));
    }
    let output = outputs.open(&path, Kind::Trace)?;
    Ok((outputs, output))
}

/// What begins a trace at `output`, with as much of where it is recorded as was asked for.
pub fn opened<'a>(
    record: &Record,
    output: &'a Output,
) -> impl FnOnce(Header) -> Result<TraceWriter, WriteError> + use<'a> {
    let whereabouts = (record.identity == IdentityChoice::Full).then(whereabouts);
    let options = record.writing.write_options();
    move |mut header| {
        header.identity.whereabouts = whereabouts;
        let writer = output.recorder(header, options)?;
        let wish = writer.snapshot_wish();
        snapshot_signal::on_signal(move || wish.ask());
        writer.on_snapshot(tell_snapshot);
        Ok(writer)
    }
}

fn tell_snapshot(taken: &io::Result<Snapshot>) {
    match taken {
        Ok(Snapshot { path, written }) => {
            tell(format_args!("snapshot {}: {}", path.display(), counted(written.events, "event")));
        }
        Err(error) => tell(format_args!("no snapshot: {error}")),
    }
}

fn whereabouts() -> Whereabouts {
    // Systems call it by different names.
    let of = |names: &[&str]| names.iter().find_map(|name| std::env::var(name).ok()).unwrap_or_default();
    let host = host().unwrap_or_else(|| of(&["COMPUTERNAME", "HOSTNAME"]));
    let command_line = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    Whereabouts { host, user: of(&["USER", "LOGNAME", "USERNAME"]), command_line }
}

#[cfg(unix)]
fn host() -> Option<String> {
    nix::unistd::gethostname().ok().map(|name| name.to_string_lossy().into_owned())
}

#[cfg(not(unix))]
fn host() -> Option<String> {
    None
}

/// What the stamps count.
pub fn clock(record: &Record) -> Clock {
    match record.clock {
        ClockChoice::Best => Clock::best(),
        ClockChoice::Monotonic => Clock::monotonic(),
        ClockChoice::Logical => Clock::Logical,
    }
}

/// The workload's parameters as the command line sets them.
pub fn parameters(record: &Record, known: &[Parameter]) -> Result<Parameters, Failure> {
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

/// A session that could not be recorded, as a failure of the command.
pub fn unrecorded(error: SessionError) -> Failure {
    match error {
        SessionError::Write(error) => error.into(),
        error => Failure::io(error),
    }
}

/// Says on stderr why a recording that keeps its last may not be replayed, if it may not.
pub fn tell_no_rundown(session: &Session) {
    if let Some(why) = session.no_rundown() {
        tell(format_args!(
            "without what the runtime remembered, a recording whose begin is gone cannot be replayed: {why}"
        ));
    }
}

/// Says on stderr that a recording was interrupted, if it was.
pub fn told(status: Status) -> Status {
    if status == Status::Interrupted {
        tell("interrupted; what was recorded until then is whole");
    }
    status
}

/// How a recording stands whose workload was told to end. One that came to the size or time set for it is as it was to be, which is
/// said.
pub fn ended_early(stop: &Stop) -> Status {
    match stop.cause() {
        Some(cause) => {
            tell(format_args!("the recording ended before its workload: {cause}"));
            Status::Fine
        }
        None => Status::Interrupted,
    }
}

/// Where a recording's calls came from, and what is to be told of it.
pub enum Origin<'a> {
    /// A workload makes them up.
    Generated,
    Dump(&'a DumpSummary),
    /// A call log.
    Log(&'a RunSummary),
    /// A scene.
    Scene(&'a SceneSummary),
    /// A scene, drawn.
    Drawing(&'a DrawingSummary),
    /// Real presents.
    Presents(Option<&'a PresentComparison>),
}

/// Says what was recorded, and makes the tables of it that are asked for.
pub fn report(
    record: &Record,
    (outputs, file): (&Outputs, &Path),
    adapters: &Adapters,
    written: WriteSummary,
    origin: Origin<'_>,
    common: Common,
) -> Result<(), Failure> {
    tell_of((outputs, file), adapters, written, origin, common)?;
    if record.tables {
        super::tables::keep(file);
    }
    Ok(())
}

fn tell_of(
    (outputs, file): (&Outputs, &Path),
    adapters: &Adapters,
    written: WriteSummary,
    origin: Origin<'_>,
    common: Common,
) -> Result<(), Failure> {
    let (mut log, mut scene, mut drawing, mut dump, mut presents) = (None, None, None, None, None);
    match origin {
        Origin::Generated => {}
        Origin::Log(told) => log = Some(told),
        Origin::Scene(told) => scene = Some(told),
        Origin::Drawing(told) => drawing = Some(told),
        Origin::Dump(told) => dump = Some(told),
        Origin::Presents(told) => presents = told,
    }
    if common.json {
        let mut told = json!({
            "file": file.to_string_lossy(),
            "driver": adapters.names(),
            "events": written.events,
            "lost_events": written.lost_events,
            "bytes": written.bytes,
            "log": log,
            "scene": scene,
            "dump": dump,
            "presents": presents,
        });
        if let (Some(drawing), Value::Object(told)) = (drawing, &mut told) {
            told.insert("drawing".to_owned(), json!(drawing));
        }
        return outputs.tell_json(&told);
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
    if let Some(drawing) = drawing {
        text += &format!("{drawing}\n");
    }
    if let Some(dump) = dump {
        text += &format!("{dump}\n");
    }
    if let Some(presents) = presents {
        text += &format!("{presents}\n");
    }
    outputs.tell(&folded(&text))
}

//! `taut record`: runs a workload and writes what happened.

use crate::args::{ClockChoice, Common, Record};
use crate::outcome::{Failure, Outcome, Status};
use crate::printing::{print, print_json, unknown};
use crate::world::chosen;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use taut_analyze::render::{binary_bytes, grouped};
use taut_capture::call_log::{self, LogError, Reading, RunSummary};
use taut_capture::workloads::{Parameters, WORKLOADS};
use taut_capture::{Clock, Session};
use taut_runtime::{Profile, Settings};
use taut_traces::{Workload, WriteOptions, WriteSummary};

/// Records.
pub fn run(record: &Record, common: Common) -> Outcome {
    let (profile, settings) = chosen(&record.world)?;
    let path = Path::new(&record.workload);
    let known = WORKLOADS.iter().find(|workload| workload.name == record.workload);
    match known {
        Some(workload) => {
            let parameters = parameters(record, workload.parameters)?;
            let output = output(record, workload.name);
            let written = generated(record.workload.as_str(), &parameters, &profile, settings, clock(record), &output)?;
            report(&output, &profile, written, None, common)?;
            Ok(Status::Fine)
        }
        None if is_call_log(path) => from_log(record, path, &profile, settings, common),
        None => {
            let mut names: Vec<&str> = WORKLOADS.iter().map(|workload| workload.name).collect();
            names.push("a .jsonl or .jsonl.gz file");
            Err(Failure::usage(unknown("workload", &record.workload, &names)))
        }
    }
}

fn is_call_log(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".jsonl") || name.ends_with(".jsonl.gz") || path.is_file()
}

fn output(record: &Record, name: &str) -> PathBuf {
    record.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.taut")))
}

fn clock(record: &Record) -> Clock {
    match record.clock {
        ClockChoice::Best => Clock::best(),
        ClockChoice::Monotonic => Clock::monotonic(),
        ClockChoice::Logical => Clock::Logical,
    }
}

/// The workload's parameters as the command line sets them.
fn parameters(record: &Record, known: &[taut_capture::workloads::Parameter]) -> Result<Parameters, Failure> {
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    values.insert("seed".to_owned(), record.seed.to_string());
    if let Some(threads) = record.threads {
        values.insert("threads".to_owned(), threads.to_string());
    }
    for set in &record.set {
        let Some((key, value)) = set.split_once('=') else {
            return Err(Failure::usage(format!("--set {set}: expected KEY=VALUE")));
        };
        if !known.iter().any(|parameter| parameter.name == key) {
            let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
            return Err(Failure::usage(unknown("parameter", key, &names)));
        }
        values.insert(key.to_owned(), value.to_owned());
    }
    Parameters::new(known, values).map_err(Failure::usage)
}

/// Records a generated workload.
pub fn generated(
    name: &str,
    parameters: &Parameters,
    profile: &Profile,
    settings: Settings,
    clock: Clock,
    output: &Path,
) -> Result<WriteSummary, Failure> {
    let workload = Workload { name: name.to_owned(), parameters: parameters.values() };
    let session = Session::create(output, profile, settings, workload, clock, WriteOptions::default())?;
    taut_capture::workloads::run(name, &session, parameters).map_err(Failure::usage)?;
    Ok(session.finish()?)
}

fn from_log(record: &Record, path: &Path, profile: &Profile, settings: Settings, common: Common) -> Outcome {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let stem = name.trim_end_matches(".gz").trim_end_matches(".jsonl").to_owned();
    let Reading { log, error } = call_log::read(path).map_err(log_failure)?;
    let output = output(record, &stem);
    let parameters = BTreeMap::from([
        ("lines".to_owned(), Value::from(log.lines.len())),
        ("source".to_owned(), Value::from(log.header.source.clone())),
    ]);
    let workload = Workload { name, parameters };
    let plan_driver = taut_runtime::driver(profile);
    let plan = call_log::plan(&log, &settings, &*plan_driver);
    let session = Session::create(&output, profile, settings, workload, clock(record), WriteOptions::default())?;
    let summary = call_log::run(&log, &plan, &session).map_err(Failure::io)?;
    let written = session.finish()?;
    report(&output, profile, written, Some(&summary), common)?;
    match error {
        None => Ok(Status::Fine),
        Some(error) => {
            eprintln!("taut: {error}; the {} calls before it are recorded", grouped(log.lines.len() as u64));
            Ok(Status::Incomplete)
        }
    }
}

fn log_failure(error: LogError) -> Failure {
    if error.is_corruption() { Failure::input(error) } else { Failure::io(error) }
}

fn report(
    output: &Path,
    profile: &Profile,
    written: WriteSummary,
    log: Option<&RunSummary>,
    common: Common,
) -> Result<(), Failure> {
    if common.json {
        return print_json(&json!({
            "file": output,
            "driver": profile.name,
            "events": written.events,
            "lost_events": written.lost_events,
            "bytes": written.bytes,
            "log": log,
        }));
    }
    let mut text = format!(
        "recorded {}: {} events, {}, {} lost; driver {}\n",
        output.display(),
        grouped(written.events),
        binary_bytes(written.bytes),
        grouped(written.lost_events),
        profile.name,
    );
    if let Some(log) = log {
        text += &format!("{log}\n");
    }
    print(&text)
}

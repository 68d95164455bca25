//! `taut bench`: this machine's figures, beside a floor measured in the same run.

use super::{record, replay::failure};
use crate::args::{Bench, BenchReplay, Common};
use serde_json::{Value, json};
use std::fs::File;
use std::path::Path;
use std::time::Instant;
use taut_analyze::render::{grouped, span};
use taut_capture::workloads::{Parameters, WORKLOADS};
use taut_capture::{Adapters, Clock};
use taut_console::end;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{print, print_json};
use taut_console::traces::{name, open, scratch};
use taut_replay::{Options, Replayer};
use taut_runtime::Settings;
use taut_traces::{Header, Trace, TraceWriter, WriteError, WriteOptions};

/// Runs a benchmark.
pub fn run(bench: &Bench, common: Common) -> Outcome {
    match bench {
        Bench::Contexts(bench) => super::bench_contexts::run(bench, common),
        Bench::Present(bench) => super::bench_present::run(bench, common),
        Bench::Read(_) => super::tables::run(),
        Bench::Record(bench) => super::bench_record::run(bench, common),
        Bench::Replay(bench) => replay(bench, common),
        Bench::Tile(bench) => super::bench_tile::run(bench, common),
    }
}

/// Workloads that are recorded for the benchmark when no file is given: calls alone, and background tasks beside them.
const BUNDLED: [(&str, &[(&str, &str)]); 2] =
    [("small-level", &[]), ("game-session", &[("threads", "4"), ("frames", "400")])];

/// Replays the file, or the bundled workloads.
fn replay(bench: &BenchReplay, common: Common) -> Outcome {
    let cases = match &bench.file {
        Some(file) => vec![measure(&open(file)?, file, (name(file), None), bench.repeat)?],
        None => {
            let bundled = BUNDLED.iter().map(|(name, parameters)| bundled(name, parameters, bench.repeat));
            bundled.collect::<Result<Vec<_>, _>>()?
        }
    };
    if common.json {
        // The first case's figures stand at the top; scripts rely on them.
        let mut document = cases[0].json();
        document["cases"] = cases.iter().map(ReplayCase::json).collect();
        print_json(&document)?;
    } else {
        print(&cases.iter().map(|case| case.text(bench.repeat)).collect::<Vec<_>>().join("\n"))?;
    }
    let identical = cases.iter().all(|case| case.outcome.is_identical());
    Ok(if identical { Status::Fine } else { Status::Found })
}

/// What was measured of a trace; times are medians.
struct ReplayCase {
    name: String,
    outcome: taut_replay::Outcome,
    events: u64,
    replay_ns: u64,
    decode_ns: u64,
    /// How long the recording took, if it was made for the purpose.
    record_ns: Option<u64>,
}

impl ReplayCase {
    fn mcalls_per_s(&self) -> f64 {
        self.outcome.calls as f64 * 1e3 / self.replay_ns.max(1) as f64
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "calls": self.outcome.calls,
            "ddi_calls": self.outcome.ddi_calls,
            "tasks": self.outcome.tasks,
            "events": self.events,
            "mcalls_per_s": self.mcalls_per_s(),
            "replay_ns": self.replay_ns,
            "decode_ns": self.decode_ns,
            "record_ns": self.record_ns,
            "replay_over_decode": self.replay_ns as f64 / self.decode_ns.max(1) as f64,
        })
    }

    fn text(&self, repeat: u32) -> String {
        let ReplayCase { name, outcome, events, replay_ns, decode_ns, record_ns } = self;
        let tasks = if outcome.tasks > 0 { format!(", {} tasks", grouped(outcome.tasks)) } else { String::new() };
        let mut text = format!(
            "{name}: {} calls, {} events{tasks}, median of {repeat}\n\
             \x20 replay       {:>10}   {:.2} million calls/s\n\
             \x20 decode alone {:>10}   {:.1} ns/event\n\
             \x20 replay takes {:.1} times the decoding\n",
            grouped(outcome.calls),
            grouped(*events),
            span(*replay_ns),
            self.mcalls_per_s(),
            span(*decode_ns),
            *decode_ns as f64 / (*events).max(1) as f64,
            *replay_ns as f64 / (*decode_ns).max(1) as f64,
        );
        if let Some(record_ns) = record_ns {
            let share = *replay_ns as f64 / (*record_ns).max(1) as f64;
            text += &format!("  recording    {:>10}   replay takes {share:.2} times as long\n", span(*record_ns));
        }
        text
    }
}

/// Records a bundled workload, and measures its replay.
fn bundled(name: &str, given: &[(&str, &str)], repeat: u32) -> Result<ReplayCase, Failure> {
    let file = scratch()?;
    let workload = WORKLOADS.iter().find(|workload| workload.name == name);
    let workload = workload.ok_or_else(|| Failure::usage(format!("the bundled workload {name} is missing")))?;
    let given = given.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let parameters = Parameters::new(workload.parameters, given).map_err(Failure::usage)?;
    let profile =
        Adapters::named(workload.driver).ok_or_else(|| Failure::usage("the bundled driver model is missing"))?;
    let start = Instant::now();
    let (_, ended) = record::generated(
        workload.name,
        &parameters,
        &profile,
        (Settings::default(), Clock::best()),
        to_scratch(&file),
        // What is measured is not watched.
        true,
    )?;
    if ended? == Status::Interrupted {
        // Half a recording is nothing to measure.
        end(Status::Interrupted as i32);
    }
    let record_ns = start.elapsed().as_nanos() as u64;
    let trace = Trace::from_file(&file, name)?;
    measure(&trace, Path::new(name), (name.to_owned(), Some(record_ns)), repeat)
}

/// Records into a file without a name, so that nothing stays behind.
pub(super) fn to_scratch(file: &File) -> impl FnOnce(Header) -> Result<TraceWriter, WriteError> {
    let file = file.try_clone();
    move |header| {
        let failed = |source| WriteError::Output { path: None, bytes_written: 0, source, lost: Vec::new() };
        TraceWriter::to_file(file.map_err(failed)?, "temporary file", header, WriteOptions::default())
    }
}

/// Replay and decoding alone, in turn, so that both see the same machine.
fn measure(
    trace: &Trace,
    path: &Path,
    (name, record_ns): (String, Option<u64>),
    repeat: u32,
) -> Result<ReplayCase, Failure> {
    let replayer = Replayer::new(trace, Options::default());
    let (mut replays, mut decodes, mut events) = (Vec::new(), Vec::new(), 0);
    let mut outcome = replayer.run().map_err(|error| failure(error, path))?;
    for _ in 0..repeat {
        let start = Instant::now();
        events = decode(trace)?;
        decodes.push(start.elapsed().as_nanos() as u64);
        let start = Instant::now();
        outcome = replayer.run().map_err(|error| failure(error, path))?;
        replays.push(start.elapsed().as_nanos() as u64);
    }
    Ok(ReplayCase {
        name,
        outcome,
        events,
        replay_ns: median(&mut replays),
        decode_ns: median(&mut decodes),
        record_ns,
    })
}

pub(super) fn decode(trace: &Trace) -> Result<u64, Failure> {
    let (mut rows, mut events, mut sum) = (trace.rows(), 0, 0);
    while let Some(row) = rows.next_row() {
        events += 1;
        sum += row.payload.len();
    }
    std::hint::black_box(sum);
    Ok(events)
}

pub(super) fn median(samples: &mut [u64]) -> u64 {
    samples.sort_unstable();
    samples.get(samples.len() / 2).copied().unwrap_or(0)
}

pub(super) fn quartile(samples: &[f64], quarter: usize) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(quarter * sorted.len().saturating_sub(1) / 4).copied().unwrap_or_default()
}

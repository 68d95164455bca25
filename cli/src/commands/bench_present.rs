//! `taut bench present`: simulated presents recorded, replayed and reported, each beside its floor.

use super::bench::{decode, to_scratch};
use super::bench_record::recorded;
use super::recording::unrecorded;
use super::replay::failure;
use crate::args::{BenchPresent, Common};
use serde_json::json;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
use taut_analyze::render::{grouped, span};
use taut_analyze::{Analysis, AnalyzeError, presents, report};
use taut_capture::workloads::{self, Parameters, WORKLOADS, Workload};
use taut_capture::{Adapters, Clock, Session};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{print, print_json};
use taut_console::traces::scratch;
use taut_replay::{Options, Replayer};
use taut_runtime::{MachineProfile, Settings};
use taut_traces::{Trace, WriteSummary};

/// What is presented, and by whom: every frame in two copies.
const WORKLOAD: &str = "hybrid-laptop";
const DRIVERS: &str = "igpu-tier1+dgpu";
/// What recording alone costs is measured of, with how much of it: threads that make calls and wait for nothing.
const FLOOR: &str = "streaming-world";
const FLOOR_FRAMES: &str = "20000";
/// Simulated seconds before the recording whose memory the whole one is compared with.
const WARM_UP_S: u64 = 60;

/// What was measured.
struct Measured {
    frames: u64,
    simulated_ns: u64,
    written: WriteSummary,
    record_ns: u64,
    /// The same number of events, recorded by the floor's workload.
    floor_ns: u64,
    replay_ns: u64,
    is_identical: bool,
    report_ns: u64,
    /// Decoding the columns that the report reads.
    columns_ns: u64,
    decode_ns: u64,
    /// The process's greatest memory after the warm-up, and after the recording; none where the system does not tell.
    memory_bytes: Option<(u64, u64)>,
}

/// Measures.
pub fn run(bench: &BenchPresent, common: Common) -> Outcome {
    let measured = measure(bench)?;
    if common.json {
        print_json(&measured.json())?;
    } else {
        print(&measured.text())?;
    }
    Ok(if measured.is_identical { Status::Fine } else { Status::Found })
}

fn bundled(name: &str, given: &[(&str, String)]) -> Result<(&'static Workload, Parameters), Failure> {
    let found = WORKLOADS.iter().find(|workload| workload.name == name);
    let workload = found.ok_or_else(|| Failure::usage(format!("the bundled workload {name} is missing")))?;
    let given: BTreeMap<String, String> = given.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    Ok((workload, Parameters::new(workload.parameters, given).map_err(Failure::usage)?))
}

fn missing() -> Failure {
    Failure::usage("the bundled machine is missing")
}

fn measure(bench: &BenchPresent) -> Result<Measured, Failure> {
    let machine = workloads::machine(WORKLOAD).and_then(MachineProfile::named).ok_or_else(missing)?;
    let adapters = Adapters::named(DRIVERS).ok_or_else(missing)?.of(machine);
    presented(bench, WARM_UP_S.min(bench.seconds), &adapters)?;
    let before = peak_bytes();
    let (trace, record_ns, written) = presented(bench, bench.seconds, &adapters)?;
    let memory_bytes = before.zip(peak_bytes());
    let (workload, parameters) = bundled(FLOOR, &[("threads", "1".to_owned()), ("frames", FLOOR_FRAMES.to_owned())])?;
    let profile = Adapters::named(workload.driver).ok_or_else(missing)?;
    let (floor_ns, of) = recorded(workload, &parameters, &profile)?;
    let floor_ns = (floor_ns as f64 * written.events as f64 / of.events.max(1) as f64) as u64;
    let start = Instant::now();
    let replayed =
        Replayer::new(&trace, Options::default()).run().map_err(|error| failure(error, Path::new(WORKLOAD)))?;
    let replay_ns = start.elapsed().as_nanos() as u64;
    let start = Instant::now();
    decode(&trace)?;
    let decode_ns = start.elapsed().as_nanos() as u64;
    let analysis = Analysis::new(trace).map_err(Failure::input)?;
    let start = Instant::now();
    presents::each(analysis.source(), |_, event| -> Result<_, AnalyzeError> {
        std::hint::black_box(event);
        Ok(ControlFlow::Continue(()))
    })
    .map_err(Failure::input)?;
    let columns_ns = start.elapsed().as_nanos() as u64;
    let start = Instant::now();
    let present = report("present").map_err(Failure::input)?;
    let figures = present.run(&analysis).map_err(Failure::input)?.json;
    let report_ns = start.elapsed().as_nanos() as u64;
    let frames = figures.pointer("/swap_chains/0/frames").and_then(serde_json::Value::as_u64).unwrap_or_default();
    Ok(Measured {
        frames,
        simulated_ns: bench.seconds * 1_000_000_000,
        written,
        record_ns,
        floor_ns,
        replay_ns,
        is_identical: replayed.is_identical(),
        report_ns,
        columns_ns,
        decode_ns,
        memory_bytes,
    })
}

/// Records so many simulated seconds into a file without a name.
fn presented(bench: &BenchPresent, seconds: u64, adapters: &Adapters) -> Result<(Trace, u64, WriteSummary), Failure> {
    let given = [("fps", bench.fps.to_string()), ("frames", (seconds * bench.fps).to_string())];
    let (workload, parameters) = bundled(WORKLOAD, &given)?;
    let file = scratch()?;
    let start = Instant::now();
    let of = taut_traces::Workload { name: workload.name.to_owned(), parameters: parameters.values() };
    let session = Session::record(to_scratch(&file), adapters, Settings::default(), of, Clock::best());
    let session = session.map_err(unrecorded)?;
    workloads::run(workload.name, &session, &parameters).map_err(Failure::usage)?;
    let written = session.finish().map_err(unrecorded)?;
    let record_ns = start.elapsed().as_nanos() as u64;
    Ok((Trace::from_file(&file, WORKLOAD)?, record_ns, written))
}

/// The most memory that this process has had at a time, as Linux tells it.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

fn ratio(of: u64, floor: u64) -> f64 {
    of as f64 / floor.max(1) as f64
}

impl Measured {
    fn bytes_per_frame(&self) -> f64 {
        self.written.bytes as f64 / self.frames.max(1) as f64
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "frames": self.frames,
            "events": self.written.events,
            "simulated_ns": self.simulated_ns,
            "record_ns": self.record_ns,
            "floor_ns": self.floor_ns,
            "record_over_floor": ratio(self.record_ns, self.floor_ns),
            "times_real_time": ratio(self.simulated_ns, self.record_ns),
            "replay_ns": self.replay_ns,
            "replay_over_record": ratio(self.replay_ns, self.record_ns),
            "identical": self.is_identical,
            "report_ns": self.report_ns,
            "columns_ns": self.columns_ns,
            "report_over_columns": ratio(self.report_ns, self.columns_ns),
            "decode_ns": self.decode_ns,
            "bytes": self.written.bytes,
            "bytes_per_frame": self.bytes_per_frame(),
            "lost_events": self.written.lost_events,
            "memory_before_bytes": self.memory_bytes.map(|(before, _)| before),
            "memory_bytes": self.memory_bytes.map(|(_, after)| after),
        })
    }

    fn text(&self) -> String {
        let times = |of, floor| format!("{:.2}", ratio(of, floor));
        let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let memory = self.memory_bytes.map_or_else(String::new, |(before, after)| {
            format!(
                "\x20 memory       {:>10.1} MiB at most; {:.1} MiB after the first {WARM_UP_S} simulated seconds\n",
                mebibytes(after),
                mebibytes(before)
            )
        });
        format!(
            "{WORKLOAD}, two copies: {} frames in {} of simulated time, {} events\n\
             \x20 recording    {:>10}   {} times as long as {FLOOR} takes for as many events; {:.0} times real time\n\
             \x20 replay       {:>10}   {} times the recording\n\
             \x20 report       {:>10}   {} times the reading of its columns ({})\n\
             \x20 size         {:>10.1} bytes/frame\n{memory}",
            grouped(self.frames),
            span(self.simulated_ns),
            grouped(self.written.events),
            span(self.record_ns),
            times(self.record_ns, self.floor_ns),
            ratio(self.simulated_ns, self.record_ns),
            span(self.replay_ns),
            times(self.replay_ns, self.record_ns),
            span(self.report_ns),
            times(self.report_ns, self.columns_ns),
            span(self.columns_ns),
            self.bytes_per_frame(),
        )
    }
}

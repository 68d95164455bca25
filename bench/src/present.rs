//! Simulated presents recorded, replayed and reported, each with its floor.

use crate::BenchError;
use crate::scratch::{decode, scratch, to_scratch};
use crate::workload::Bundled;
use serde_json::json;
use std::ops::ControlFlow;
use std::time::Instant;
use taut_analyze::render::{grouped, span};
use taut_analyze::{Analysis, AnalyzeError, presents, report};
use taut_capture::{Adapters, Clock, Session};
use taut_replay::{Options, Replayer};
use taut_runtime::{MachineProfile, Settings};
use taut_traces::{Trace, WriteSummary};
use taut_workloads as workloads;

/// Workload of the benchmark; with [`DRIVERS`] each frame is presented in two copies.
const WORKLOAD: &str = "hybrid-laptop";
const DRIVERS: &str = "igpu-tier1+dgpu";
/// Workload of the floor: its threads make calls without waits, so that it has only the cost of recording.
const FLOOR: &str = "streaming-world";
const FLOOR_FRAMES: &str = "20000";
/// Simulated seconds of a first recording. Peak memory after it and after the measured one shows whether memory grows.
const WARM_UP_S: u64 = 60;

/// Options of the benchmark.
#[derive(Debug, Clone, Copy)]
pub struct PresentOptions {
    /// Simulated time.
    pub seconds: u64,
    /// Frames a second, and refreshes of the panel.
    pub fps: u64,
}

/// Results of the benchmark.
pub struct PresentFigures {
    frames: u64,
    simulated_ns: u64,
    written: WriteSummary,
    record_ns: u64,
    /// Time of the floor's workload, scaled to the same number of events.
    floor_ns: u64,
    replay_ns: u64,
    is_identical: bool,
    report_ns: u64,
    /// Time to decode the columns that the report reads.
    columns_ns: u64,
    decode_ns: u64,
    /// Peak memory of this process after the warm-up and after the recording; `None` if the system does not report it.
    memory_bytes: Option<(u64, u64)>,
}

/// Measures presents.
///
/// # Errors
/// A workload fails, or the trace cannot be written, read or replayed.
pub fn measure(options: PresentOptions) -> Result<PresentFigures, BenchError> {
    let machine = workloads::machine(WORKLOAD).and_then(MachineProfile::named).ok_or(BenchError::MissingMachine)?;
    let adapters = Adapters::named(DRIVERS).ok_or(BenchError::MissingMachine)?.of(machine);
    record_presents(options, WARM_UP_S.min(options.seconds), &adapters)?;
    let before = peak_bytes();
    let RecordedPresents { trace, ns: record_ns, written } = record_presents(options, options.seconds, &adapters)?;
    let memory_bytes = before.zip(peak_bytes());
    let floor = Bundled::new(FLOOR, &[("threads", "1".to_owned()), ("frames", FLOOR_FRAMES.to_owned())])?.recorded()?;
    let floor_ns = (floor.ns as f64 * written.events as f64 / floor.written.events.max(1) as f64) as u64;
    let start = Instant::now();
    let replayed = Replayer::new(&trace, Options::default()).run();
    let replayed = replayed.map_err(|source| BenchError::Replay { trace: WORKLOAD.to_owned(), source })?;
    let replay_ns = start.elapsed().as_nanos() as u64;
    let start = Instant::now();
    decode(&trace);
    let decode_ns = start.elapsed().as_nanos() as u64;
    let analysis = Analysis::new(trace)?;
    let start = Instant::now();
    presents::each(analysis.source(), |_, event| -> Result<_, AnalyzeError> {
        std::hint::black_box(event);
        Ok(ControlFlow::Continue(()))
    })?;
    let columns_ns = start.elapsed().as_nanos() as u64;
    let start = Instant::now();
    let present = report("present")?;
    let figures = present.run(&analysis)?.json;
    let report_ns = start.elapsed().as_nanos() as u64;
    let frames = figures.pointer("/swap_chains/0/frames").and_then(serde_json::Value::as_u64).unwrap_or_default();
    Ok(PresentFigures {
        frames,
        simulated_ns: options.seconds * 1_000_000_000,
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

/// A recording of presents.
struct RecordedPresents {
    trace: Trace,
    /// Wall-clock time of the recording.
    ns: u64,
    written: WriteSummary,
}

/// Records `seconds` simulated seconds into an unnamed temporary file.
fn record_presents(options: PresentOptions, seconds: u64, adapters: &Adapters) -> Result<RecordedPresents, BenchError> {
    let assignments = [("fps", options.fps.to_string()), ("frames", (seconds * options.fps).to_string())];
    let Bundled { workload, parameters, .. } = Bundled::new(WORKLOAD, &assignments)?;
    let file = scratch()?;
    let start = Instant::now();
    let header = taut_traces::Workload { name: workload.name.to_owned(), parameters: parameters.values() };
    let session = Session::record(to_scratch(&file), adapters, Settings::default(), header, Clock::best())?;
    workloads::run(workload.name, &session, &parameters)?;
    let written = session.finish()?;
    let ns = start.elapsed().as_nanos() as u64;
    Ok(RecordedPresents { trace: Trace::from_file(&file, WORKLOAD)?, ns, written })
}

/// Peak resident memory of this process, from `VmHWM` of Linux.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

fn ratio(of: u64, floor: u64) -> f64 {
    of as f64 / floor.max(1) as f64
}

impl PresentFigures {
    fn bytes_per_frame(&self) -> f64 {
        self.written.bytes as f64 / self.frames.max(1) as f64
    }

    /// True if the replay of the recording was identical.
    pub fn is_identical(&self) -> bool {
        self.is_identical
    }

    /// Figures as JSON.
    pub fn json(&self) -> serde_json::Value {
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

    /// Figures as text.
    pub fn text(&self) -> String {
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

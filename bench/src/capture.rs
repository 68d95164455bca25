//! A long capture of presents: parsed against a pass of the csv crate, and replayed against real time.

use crate::BenchError;
use crate::scratch::to_scratch;
use crate::statistics::median;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;
use taut_analyze::render::{grouped, span};
use taut_capture::{Adapters, Clock, Session};
use taut_replay::{Options, Replayer};
use taut_runtime::Settings;
use taut_traces::Trace;
use taut_workloads::Parameters;
use taut_workloads::present_log::{self, PresentLog, PresentReading};

/// Columns of PresentMon 1.x, with those that a replay does not read.
const HEADING: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,\
    msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed,msBetweenDisplayChange";
const FRAMES_PER_S: f64 = 60.0;

/// Options of the benchmark.
#[derive(Debug, Clone, Copy)]
pub struct CaptureOptions {
    /// Number of presents, at 60 frames per second.
    pub presents: u64,
    /// Number of passes over the file, of which the median counts.
    pub rounds: u32,
}

/// Results of the benchmark.
pub struct CaptureFigures {
    presents: u64,
    bytes: u64,
    parse_ns: u64,
    /// Pass of the csv crate over the same file, without an interpretation of cells.
    csv_ns: u64,
    record_ns: u64,
    replay_ns: u64,
    is_identical: bool,
}

/// Measures the parsing and the replay of a capture.
///
/// # Errors
/// The capture cannot be written or read, or the replay fails.
pub fn measure(options: CaptureOptions) -> Result<CaptureFigures, BenchError> {
    let system = |source| BenchError::System { what: "a temporary capture".to_owned(), source };
    let file = tempfile::NamedTempFile::new().map_err(system)?;
    write_capture(file.as_file(), options.presents).map_err(system)?;
    let (mut parse_ns, mut csv_ns) = (Vec::new(), Vec::new());
    let mut reading = PresentReading::default();
    for _ in 0..options.rounds {
        drop(std::mem::take(&mut reading));
        let start = Instant::now();
        reading = PresentLog::open(file.path())?;
        parse_ns.push(start.elapsed().as_nanos() as u64);
        let start = Instant::now();
        csv_pass(file.path()).map_err(system)?;
        csv_ns.push(start.elapsed().as_nanos() as u64);
    }
    let (trace, record_ns) = record(&reading.log)?;
    let start = Instant::now();
    let replayed = Replayer::new(&trace, Options::default()).run();
    let replayed = replayed.map_err(|source| BenchError::Replay { trace: "the capture".to_owned(), source })?;
    Ok(CaptureFigures {
        presents: options.presents,
        bytes: file.as_file().metadata().map_err(system)?.len(),
        parse_ns: median(&mut parse_ns),
        csv_ns: median(&mut csv_ns),
        record_ns,
        replay_ns: start.elapsed().as_nanos() as u64,
        is_identical: replayed.is_identical(),
    })
}

/// Writes a capture of one flip-model swap chain whose frames take 4 ms to 11 ms and are shown at the next refresh.
fn write_capture(file: &File, presents: u64) -> std::io::Result<()> {
    let mut file = BufWriter::new(file);
    writeln!(file, "{HEADING}")?;
    let period_ms = 1000.0 / FRAMES_PER_S;
    for frame in 0..presents {
        let at_ms = frame as f64 * period_ms + (frame * 37 % 17) as f64 / 10.0;
        let gpu_ms = 4.0 + (frame * 53 % 71) as f64 / 10.0;
        let shown_ms = (((at_ms + gpu_ms) / period_ms).floor() + 1.0) * period_ms - at_ms;
        writeln!(
            file,
            "game.exe,1234,0x00000256A4C10BE0,DXGI,1,0,0,{:.6},0.182,{period_ms:.3},0,Hardware: Independent Flip,\
             {gpu_ms:.3},{shown_ms:.3},{period_ms:.3}",
            at_ms / 1000.0
        )?;
    }
    file.flush()
}

/// Reads all records with the csv crate; the sum of their lengths keeps the work.
fn csv_pass(path: &Path) -> std::io::Result<()> {
    let mut reader = csv::ReaderBuilder::new().from_path(path).map_err(std::io::Error::other)?;
    let (mut record, mut bytes) = (csv::ByteRecord::new(), 0);
    while reader.read_byte_record(&mut record).map_err(std::io::Error::other)? {
        bytes += record.as_slice().len();
    }
    std::hint::black_box(bytes);
    Ok(())
}

/// Plays the capture into an unnamed temporary file. Returns the trace and the time in nanoseconds, with the dry run
/// that `taut record` makes.
fn record(log: &PresentLog) -> Result<(Trace, u64), BenchError> {
    let parameters = Parameters::new(present_log::PARAMETERS, BTreeMap::new())?;
    let adapters = Adapters::named("dgpu").ok_or(BenchError::MissingDriver)?;
    let settings = Settings::default();
    let file = crate::scratch::scratch()?;
    let start = Instant::now();
    let plan = present_log::plan(log, &parameters);
    let presented = std::sync::atomic::AtomicU64::new(0);
    let setup = present_log::DryRunSetup {
        adapters: &adapters,
        settings: &settings,
        parameters: &parameters,
        presented: &presented,
    };
    present_log::predict(log, &plan, setup)?;
    let workload = taut_traces::Workload { name: "capture".to_owned(), parameters: parameters.values() };
    let session = Session::record(to_scratch(&file), &adapters, settings.clone(), workload, Clock::best())?;
    present_log::run(log, &plan, &session, &parameters)?;
    session.finish()?;
    let ns = start.elapsed().as_nanos() as u64;
    Ok((Trace::from_file(&file, "the capture")?, ns))
}

impl CaptureFigures {
    /// Simulated time in nanoseconds.
    fn simulated_ns(&self) -> f64 {
        self.presents as f64 / FRAMES_PER_S * 1e9
    }

    fn parse_over_csv(&self) -> f64 {
        self.parse_ns as f64 / self.csv_ns.max(1) as f64
    }

    fn times_real_time(&self, ns: u64) -> f64 {
        self.simulated_ns() / ns.max(1) as f64
    }

    /// True if the replay of the recording was identical.
    pub fn is_identical(&self) -> bool {
        self.is_identical
    }

    /// Figures as JSON.
    pub fn json(&self) -> serde_json::Value {
        json!({
            "presents": self.presents,
            "bytes": self.bytes,
            "parse_ns": self.parse_ns,
            "csv_ns": self.csv_ns,
            "parse_over_csv": self.parse_over_csv(),
            "simulated_ns": self.simulated_ns(),
            "record_ns": self.record_ns,
            "record_times_real_time": self.times_real_time(self.record_ns),
            "replay_ns": self.replay_ns,
            "replay_times_real_time": self.times_real_time(self.replay_ns),
            "identical": self.is_identical,
        })
    }

    /// Figures as text.
    pub fn text(&self) -> String {
        format!(
            "capture of {} presents, {} bytes, {} at 60 frames/s\n\
             \x20 parsing      {:>10}   {:.2} times a pass of the csv crate ({})\n\
             \x20 recording    {:>10}   {:.0} times real time, with the dry run\n\
             \x20 replay       {:>10}   {:.0} times real time\n",
            grouped(self.presents),
            grouped(self.bytes),
            span(self.simulated_ns() as u64),
            span(self.parse_ns),
            self.parse_over_csv(),
            span(self.csv_ns),
            span(self.record_ns),
            self.times_real_time(self.record_ns),
            span(self.replay_ns),
            self.times_real_time(self.replay_ns),
        )
    }
}

//! Arguments of `taut bench`.

use crate::choices;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use taut_console::args::BenchRead;

/// `taut bench`.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// The C ABI of `taut run`: calls through tables of functions against the Rust interface, and glxgears
    ///
    /// Example: xvfb-run -a taut bench abi
    Abi(BenchAbi),
    /// A capture of presents: parsing against the csv crate, replay against real time
    ///
    /// Example: taut bench capture --presents 100000
    Capture(BenchCapture),
    /// Deferred contexts: two in one session against one in each of two sessions, and the cost of a call
    ///
    /// Example: taut bench contexts --json
    Contexts(BenchContexts),
    /// A Windows trace: walk, fields, import and decompression, each with its floor
    ///
    /// Example: taut bench etl capture.etl
    Etl(BenchEtl),
    /// Simulated presents with two copies: recording, replay and report, each with its floor
    ///
    /// Example: taut bench present --seconds 60
    Present(BenchPresent),
    /// Queries over events, against a scan of mapped records
    ///
    /// Example: taut bench read level.taut --json
    Read(BenchRead),
    /// Cost of recording an event, against a clock read and a plain store; or of recording a workload
    ///
    /// Example: taut bench record --json
    Record(BenchRecord),
    /// Calls replayed per second on one thread, against decoding alone
    ///
    /// Example: taut bench replay level.taut
    Replay(BenchReplay),
    /// Copies between linear and tiled memory, against memcpy, a loop over texels and non-temporal stores
    ///
    /// Example: taut bench tile --json
    Tile(BenchTile),
}

/// `taut bench abi`.
#[derive(Debug, Args)]
pub struct BenchAbi {
    /// Interleaved pairs of calls
    #[arg(long, default_value_t = 21, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Pairs of runs of glxgears, recorded and unrecorded; 0 skips it
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub pairs: u32,
    /// Time of each run of glxgears, in seconds
    #[arg(long, default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(5..=3600))]
    pub seconds: u64,
    /// Folder for the trace of a client of the library, which is this process
    #[arg(long, hide = true)]
    pub client: Option<PathBuf>,
}

/// `taut bench record`.
#[derive(Debug, Args)]
pub struct BenchRecord {
    /// Compare runs of this workload with and without the recorder
    #[arg(long, value_name = "NAME", add = choices::named(choices::workloads))]
    pub workload: Option<String>,
    /// Application threads of the workload
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,
    /// Parameter of the workload; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Numbers of threads that record concurrently
    #[arg(long, default_value = "1,2", value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=64))]
    pub producers: Vec<u32>,
    /// Events per thread
    #[arg(long, default_value_t = 2_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub events: u64,
    /// Rounds [default: 9], or pairs of runs of the workload [default: 61]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: Option<u32>,
}

/// `taut bench capture`.
#[derive(Debug, Clone, Copy, Args)]
pub struct BenchCapture {
    /// Presents in the capture
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4_000_000))]
    pub presents: u64,
    /// Passes over the file; the median counts
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

/// `taut bench contexts`.
#[derive(Debug, Clone, Copy, Args)]
pub struct BenchContexts {
    /// Command lists per thread
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub lists: u32,
    /// Interleaved pairs of runs
    #[arg(long, default_value_t = 21, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

/// `taut bench etl`.
#[derive(Debug, Args)]
pub struct BenchEtl {
    /// Windows trace
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub file: PathBuf,
    /// Rounds
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Python interpreter with dissect.etl, a reader to compare with
    #[arg(long, default_value = "python3", value_name = "PROGRAM", value_hint = clap::ValueHint::ExecutablePath)]
    pub python: PathBuf,
}

/// `taut bench present`.
#[derive(Debug, Clone, Copy, Args)]
pub struct BenchPresent {
    /// Simulated time, in seconds
    #[arg(long, default_value_t = 3600, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub seconds: u64,
    /// Frames per second, and refresh rate of the panel
    #[arg(long, default_value_t = 165, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub fps: u64,
}

/// `taut bench tile`.
#[derive(Debug, Clone, Copy, Args)]
pub struct BenchTile {
    /// Rounds; the fastest counts
    #[arg(long, default_value_t = 25, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Largest surface, in texels per side
    #[arg(long, default_value_t = 4096, value_name = "TEXELS", value_parser = clap::value_parser!(u64).range(64..))]
    pub max_size: u64,
}

/// `taut bench replay`.
#[derive(Debug, Args)]
pub struct BenchReplay {
    /// Trace [default: a recording of a bundled workload]
    pub file: Option<PathBuf>,
    /// Rounds
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

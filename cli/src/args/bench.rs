//! Arguments of `taut bench`.

use crate::choices;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use taut_console::args::BenchRead;

/// `taut bench`.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// Recording into contexts of Direct3D 11: two in one session beside one in each of two, and what a call costs
    ///
    /// Example: taut bench contexts --json
    Contexts(BenchContexts),
    /// Simulated presents in two copies: recorded, replayed and reported, each beside its floor
    ///
    /// Example: taut bench present --seconds 60
    Present(BenchPresent),
    /// Questions about events, beside a scan of mapped records
    ///
    /// Example: taut bench read level.taut --json
    Read(BenchRead),
    /// What recording an event costs, beside a clock read and a plain store; or what it costs a workload
    ///
    /// Example: taut bench record --json
    Record(BenchRecord),
    /// Calls replayed per second on one thread, beside the cost of decoding alone
    ///
    /// Example: taut bench replay level.taut
    Replay(BenchReplay),
    /// Copies between linear and tiled memory, beside memcpy, a loop over texels and a plain non-temporal copy
    ///
    /// Example: taut bench tile --json
    Tile(BenchTile),
}

/// `taut bench record`.
#[derive(Debug, Args)]
pub struct BenchRecord {
    /// Compare runs of a workload with the recorder on, and off
    #[arg(long, value_name = "NAME", add = choices::named(choices::workloads))]
    pub workload: Option<String>,
    /// Application threads of the workload
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,
    /// A parameter of the workload
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// So many threads that record at once
    #[arg(long, default_value = "1,2", value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=64))]
    pub producers: Vec<u32>,
    /// Events that each of them records
    #[arg(long, default_value_t = 2_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub events: u64,
    /// Measure so many rounds (9), or pairs of runs of the workload (61)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: Option<u32>,
}

/// `taut bench contexts`.
#[derive(Debug, Clone, Copy, Args)]
pub struct BenchContexts {
    /// Record so many lists on each thread
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub lists: u32,
    /// Measure so many pairs of runs, in turn
    #[arg(long, default_value_t = 21, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

/// `taut bench present`.
#[derive(Debug, Clone, Copy, Args)]
pub struct BenchPresent {
    /// Simulated time
    #[arg(long, default_value_t = 3600, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub seconds: u64,
    /// Frames a second, and refreshes of the panel
    #[arg(long, default_value_t = 165, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub fps: u64,
}

/// `taut bench tile`.
#[derive(Debug, Clone, Copy, Args)]
pub struct BenchTile {
    /// Measure so many times, and take the best
    #[arg(long, default_value_t = 25, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// The largest surface, in texels a side
    #[arg(long, default_value_t = 4096, value_name = "TEXELS", value_parser = clap::value_parser!(u64).range(64..))]
    pub max_size: u64,
}

/// `taut bench replay`.
#[derive(Debug, Args)]
pub struct BenchReplay {
    /// The trace [default: one recorded from a bundled workload]
    pub file: Option<PathBuf>,
    /// Measure so many times
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

//! The arguments of `taut record`, `taut control` and `taut recover`.

use super::AdaptersChoice;
use crate::choices;
use crate::headings::{CONDITIONS, WORKLOAD};
use crate::recording_options::RecordingOptions;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use taut_app::record::{CLOCKS, ClockChoice};
use taut_console::printing::unknown;
use taut_schemas::Provider;

/// `taut record`.
#[derive(Debug, Args)]
pub struct Record {
    /// Bundled workload (see `taut workloads`), or a file: glTF scene, Direct3D 12 call log, GFXReconstruct or GPGMM capture,
    /// D3D12MemoryAllocator dump, capture of presents, scenario
    #[arg(add = choices::named_or_file(choices::workloads), value_name = "WORKLOAD|FILE")]
    pub workload: String,
    /// Trace to write [default: the workload's name with .taut]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Drivers and rules.
    #[command(flatten)]
    pub world: AdaptersChoice,
    /// Machine (see `taut machines`), or a profile; --driver replaces the drivers of its adapters
    #[arg(long, value_name = "NAME|FILE.toml", add = choices::named_or_file(choices::machines), help_heading = CONDITIONS)]
    pub machine: Option<String>,
    /// Seed of a generated workload [default: 1]
    #[arg(long, hide_default_value = true, default_value_t = 1, value_name = "N", help_heading = WORKLOAD)]
    pub seed: u64,
    /// Application threads of a generated workload; a call log keeps its own
    #[arg(long, value_name = "N", help_heading = WORKLOAD)]
    pub threads: Option<u32>,
    /// Parameter of the workload (see `taut workloads NAME`); repeatable
    #[arg(long, value_name = "KEY=VALUE", add = choices::named(choices::parameters), help_heading = WORKLOAD)]
    pub set: Vec<String>,
    /// Clock of the stamps: best, monotonic or logical [default: best]
    #[arg(long, value_parser = choices::among("clock", &CLOCKS), default_value = "best", value_name = "CLOCK")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    #[arg(long_help = "Clock of the stamps: best (time-stamp counter where invariant), monotonic (of the operating \
        system), or logical (counts events: equal files if no task runs) [default: best]")]
    pub clock: ClockChoice,
    /// Origin to store: plain or full [default: plain]
    #[arg(long, value_enum, default_value = "plain", value_name = "WHAT")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    #[arg(long_help = "Origin to store: plain (version, process, time, system) or full (also host, user and command \
        line) [default: plain]")]
    pub identity: IdentityChoice,
    /// Cache the tables at the end of the recording, for a fast first query
    #[arg(long)]
    pub tables: bool,
    #[command(flatten)]
    pub writing: RecordingOptions,
}

/// `taut control`.
#[derive(Debug, Args)]
pub struct Control {
    /// Trace of the running recording
    pub file: PathBuf,
    /// Max time to wait for the answer
    #[arg(long, default_value = "10s", value_name = "TIME")]
    pub timeout: humantime::Duration,
    /// The request.
    #[command(subcommand)]
    pub request: ControlRequest,
}

/// Requests to a running recording.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum ControlRequest {
    /// Print events, bytes and losses so far
    Status,
    /// Write a snapshot FILE.N.taut next to the trace, as SIGUSR1 does
    Snapshot,
    /// Start recording a provider: api, ddi, task or memory
    Enable {
        /// Provider
        #[arg(value_parser = provider)]
        provider: Provider,
    },
    /// Stop recording a provider: api, ddi, task or memory
    Disable {
        /// Provider
        #[arg(value_parser = provider)]
        provider: Provider,
    },
    /// End the recording with a complete trace
    Stop,
}

fn provider(text: &str) -> Result<Provider, String> {
    let all: Vec<&str> = Provider::ALL.map(Provider::name).to_vec();
    Provider::named(text).ok_or_else(|| unknown("provider", text, &all))
}

/// `taut recover`.
#[derive(Debug, Args)]
pub struct Recover {
    /// Trace of the killed recording
    pub file: PathBuf,
    /// Write the complete trace to this file and keep the recording [default: replace it]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Origin that a trace stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum IdentityChoice {
    /// Version, process, time and operating system; with the logical clock only the version
    Plain,
    /// Also host, user and command line
    Full,
}

//! The arguments of `taut record`, `taut control` and `taut recover`.

use super::AdaptersChoice;
use crate::choices;
use crate::recording_options::RecordingOptions;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use taut_console::printing::unknown;
use taut_schemas::Provider;
use taut_workloads::inputs::INPUTS;

/// `taut record`.
#[derive(Debug, Args)]
pub struct Record {
    /// A workload's name (`taut workloads`), or a file: a scene, a log of Direct3D 12 calls, a converted capture of
    /// GFXReconstruct, a dump of D3D12MemoryAllocator, a capture of presents, a scenario
    #[arg(add = choices::named_or_file(choices::workloads))]
    #[arg(long_help = choices::one_of(&inputs_help(), &choices::workloads()))]
    pub workload: String,
    /// The trace to write [default: the workload's name with .taut]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Drivers and rules.
    #[command(flatten)]
    pub world: AdaptersChoice,
    /// A machine's name, or a profile of your own: its adapters, links and displays
    #[arg(long, value_name = "NAME|FILE.toml", add = choices::named_or_file(choices::machines))]
    #[arg(long_help = choices::one_of("A machine's name, or a profile of your own: its adapters, links and displays. With \
        --driver, its adapters have those drivers, in order", &choices::machines()))]
    pub machine: Option<String>,
    /// Seed of a generated workload
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Application threads of a generated workload; a call log keeps its own
    #[arg(long)]
    pub threads: Option<u32>,
    /// A parameter of the workload; `taut workloads NAME` explains them
    #[arg(long, value_name = "KEY=VALUE", add = choices::named(choices::parameters))]
    pub set: Vec<String>,
    /// Where stamps come from
    #[arg(long, value_enum, default_value = "best", value_name = "CLOCK")]
    pub clock: ClockChoice,
    /// How much the trace says of where it was recorded
    #[arg(long, value_enum, default_value = "plain", value_name = "WHAT")]
    pub identity: IdentityChoice,
    /// Make the tables of the trace at its end: the first question then takes no longer than those after it
    #[arg(long)]
    pub tables: bool,
    #[command(flatten)]
    pub writing: RecordingOptions,
}

/// Returns the help about inputs: each format, and the content by which it is recognized.
fn inputs_help() -> String {
    let formats = INPUTS.iter().map(|format| format!("{} ({})", format.with_suffixes, format.mark));
    format!("A workload's name, or a file, recognized by its content: {}", formats.collect::<Vec<_>>().join("; "))
}

/// `taut control`.
#[derive(Debug, Args)]
pub struct Control {
    /// The recording
    pub file: PathBuf,
    /// Wait so long for the answer
    #[arg(long, default_value = "10s", value_name = "TIME")]
    pub timeout: humantime::Duration,
    /// What to ask of it.
    #[command(subcommand)]
    pub request: ControlRequest,
}

/// What can be asked of a recording under way.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum ControlRequest {
    /// Tells how far it is
    Status,
    /// Writes a trace of what it has so far, FILE.N.taut beside it; so does SIGUSR1
    Snapshot,
    /// Has it record a provider from now on: api, ddi, task or memory
    Enable {
        /// The provider
        #[arg(value_parser = provider)]
        provider: Provider,
    },
    /// Has it leave out a provider from now on: api, ddi, task or memory
    Disable {
        /// The provider
        #[arg(value_parser = provider)]
        provider: Provider,
    },
    /// Has it end: the trace is whole
    Stop,
}

fn provider(text: &str) -> Result<Provider, String> {
    let all: Vec<&str> = Provider::ALL.map(Provider::name).to_vec();
    Provider::named(text).ok_or_else(|| unknown("provider", text, &all))
}

/// `taut recover`.
#[derive(Debug, Args)]
pub struct Recover {
    /// The recording
    pub file: PathBuf,
    /// Write the whole trace here, and leave the recording as it is [default: in its place]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How much a trace says of where it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum IdentityChoice {
    /// Version, process, time and kind of system; by the logical clock the version alone
    Plain,
    /// Host, user and command line as well
    Full,
}

/// Where stamps come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ClockChoice {
    /// The time-stamp counter, or the monotonic clock where it is not usable
    Best,
    /// The operating system's monotonic clock
    Monotonic,
    /// No time: stamps count events, so equal runs give equal files
    Logical,
}

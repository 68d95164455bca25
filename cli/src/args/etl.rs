//! Arguments of `taut etl`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `taut etl`.
#[derive(Debug, Subcommand)]
pub enum EtlCommand {
    /// Show session, clock, providers, events, losses, and how far the events are decoded
    ///
    /// Example: taut etl info capture.etl
    Info(EtlInfoArguments),
    /// Print a Windows Performance Recorder profile that captures what the reports need
    ///
    /// Nobody has run it on Windows.
    ///
    /// Example: taut etl profile
    Profile(EtlProfileArguments),
}

/// `taut etl profile`.
#[derive(Debug, Args)]
pub struct EtlProfileArguments {
    /// Print command lines of logman
    #[arg(long, conflicts_with = "xperf")]
    pub logman: bool,
    /// Print command lines of xperf
    #[arg(long)]
    pub xperf: bool,
}

/// `taut etl info`.
#[derive(Debug, Args)]
pub struct EtlInfoArguments {
    /// Windows trace
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub file: PathBuf,
    /// Field tables: an instrumentation manifest (.man) or its form as .json; may be repeated
    #[arg(long = "manifest", value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub manifests: Vec<PathBuf>,
}

//! Arguments of `taut import`.

use clap::Args;
use std::path::PathBuf;

/// `taut import`.
#[derive(Debug, Args)]
pub struct Import {
    /// Windows trace
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub file: PathBuf,
    /// Trace to write [default: FILE with the ending .taut]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Import only events of this provider, a name or a GUID; may be repeated
    #[arg(long = "provider", value_name = "NAME")]
    pub providers: Vec<String>,
    /// Import only events of this process; may be repeated
    #[arg(long = "process", value_name = "ID")]
    pub processes: Vec<u32>,
    /// First stamp to import, a tick of the file's clock
    #[arg(long, value_name = "STAMP")]
    pub from: Option<u64>,
    /// Last stamp to import
    #[arg(long, value_name = "STAMP")]
    pub to: Option<u64>,
    /// Import events without a description too, with their payload as bytes
    #[arg(long)]
    pub all: bool,
    /// Field tables: an instrumentation manifest (.man) or its form as .json; may be repeated
    #[arg(long = "manifest", value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub manifests: Vec<PathBuf>,
    /// Replace names of users and machines in texts, and remove bytes that may contain them
    #[arg(long, conflicts_with = "all")]
    pub redact: bool,
}

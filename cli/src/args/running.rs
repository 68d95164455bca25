//! The arguments of `taut run`.

use super::AdaptersChoice;
use crate::choices;
use crate::headings::CONDITIONS;
use crate::recording_options::RecordingOptions;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

/// `taut run`.
#[derive(Debug, Args)]
pub struct Run {
    /// Trace to write; later processes of the program write FILE.PID.taut [default: the program's name with .taut]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Run an OpenGL program on Mesa's Direct3D 12 driver (Debian package libgl1-mesa-dri)
    #[arg(long)]
    pub gl: bool,
    /// Run a Windows program under Wine (Debian package wine64)
    #[arg(long, conflicts_with = "gl")]
    pub wine: bool,
    /// Exit code 1 if the program makes no Direct3D call
    #[arg(long)]
    pub require_calls: bool,
    /// End the program with exit code 1 at its first call that is not executed
    #[arg(long)]
    pub strict: bool,
    /// Drivers and rules.
    #[command(flatten)]
    pub world: AdaptersChoice,
    /// Machine (see `taut machines`), or a profile; --driver replaces the drivers of its adapters
    #[arg(long, value_name = "NAME|FILE.toml", add = choices::named_or_file(choices::machines), help_heading = CONDITIONS)]
    pub machine: Option<String>,
    #[command(flatten)]
    pub writing: RecordingOptions,
    /// Program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub program: Vec<OsString>,
}

//! Option of `taut replay` that tries several values of a key of the driver's profile.

use clap::Args;
use taut_app::replay::Sweep;

/// The key and its values.
#[derive(Debug, Clone, Args)]
// The documentation of an option is its help, in which [background] is a table of TOML.
#[allow(rustdoc::broken_intra_doc_links)]
pub struct SweepOptions {
    /// Replay with each value of a key of the driver's [background], such as n_min=50,100
    #[arg(long, help_heading = crate::headings::WHAT_IF, value_name = "KEY=VALUE,..", group = "pictured")]
    #[arg(conflicts_with_all = ["output", "changes", "repeat", "place"])]
    pub sweep: Option<Sweep>,
}

//! Option of `taut replay` that tries several values of a key of the driver's profile.

use clap::Args;
use taut_app::replay::Sweep;

/// Which key is tried.
#[derive(Debug, Clone, Args)]
// The documentation of an option is its help, in which [background] is a table of TOML.
#[allow(rustdoc::broken_intra_doc_links)]
pub struct SweepOptions {
    /// What if: a key of the driver's table [background] had each of these values, such as n_min=50,100,200,400; gives a table
    #[arg(long, value_name = "KEY=VALUE,..", group = "pictured")]
    #[arg(conflicts_with_all = ["output", "changes", "repeat", "place"])]
    pub sweep: Option<Sweep>,
}

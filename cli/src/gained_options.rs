//! Options of `taut replay` by which a trace gains what was not recorded.

use crate::choices;
use clap::Args;

/// Settings that differ from those of the recording.
#[derive(Debug, Clone, Args)]
pub struct GainedOptions {
    /// A setting that tells more than was recorded: handle_accesses=true
    #[arg(long, value_name = "KEY=VALUE", add = choices::named(choices::settings))]
    #[arg(conflicts_with_all = ["driver", "rules", "tight", "changes", "place", "change"])]
    pub setting: Vec<String>,
}

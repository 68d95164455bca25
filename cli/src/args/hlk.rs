//! Arguments of `taut hlk`.

use super::WorldChoice;
use crate::choices;
use clap::Args;
use std::path::PathBuf;

/// `taut hlk`.
#[derive(Debug, Args)]
pub struct Hlk {
    /// Driver and rules.
    #[command(flatten)]
    pub world: WorldChoice,
    /// Run only this check, such as A-52
    #[arg(long, value_name = "ID", add = choices::named(choices::checks))]
    pub check: Option<String>,
    /// Run a file of cases instead: calls with their expected results
    #[arg(long, value_name = "FILE", conflicts_with = "check", value_hint = clap::ValueHint::FilePath)]
    pub cases: Option<PathBuf>,
    /// Run the grid of the manual scan-out test on this machine instead: a name (see `taut machines`), or a profile;
    /// --driver replaces the drivers of its adapters
    #[arg(long, value_name = "NAME|FILE.toml", conflicts_with_all = ["check", "cases"], add = choices::named_or_file(choices::machines))]
    pub machine: Option<String>,
}

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
    /// Only this check, such as A-52
    #[arg(long, value_name = "ID", add = choices::named(choices::checks))]
    #[arg(long_help = choices::one_of("Only this check", &choices::checks()))]
    pub check: Option<String>,
    /// Run a file of calls and of what they must give instead, as testdata/d3d11-contexts-cases.json and testdata/dxgi-cases.json are
    #[arg(long, value_name = "FILE", conflicts_with = "check", value_hint = clap::ValueHint::FilePath)]
    pub cases: Option<PathBuf>,
}

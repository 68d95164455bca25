//! `taut record --tables`: fills the table cache for a trace before the first query.

use super::opened::Opened;
use std::path::PathBuf;
use taut_console::outcome::Outcome;

/// Computes and caches the tables.
pub fn run(file: PathBuf) -> Outcome {
    let opened = Opened::open(&[file], false)?;
    opened.make_all()?;
    Ok(opened.damage())
}

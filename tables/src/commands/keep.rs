//! `taut record --tables`: the tables of a trace, made before the first question.

use super::opened::Opened;
use std::path::PathBuf;
use taut_console::outcome::Outcome;

/// Makes those that are kept, and keeps them.
pub fn run(file: PathBuf) -> Outcome {
    let opened = Opened::open(&[file], false)?;
    opened.make_all()?;
    Ok(opened.damage())
}

//! Traces as a person names them: opened, called, and with their damage told.

use crate::outcome::{Failure, Status};
use std::fmt::Display;
use std::path::Path;
use taut_traces::{ReadError, Trace};

/// Damage that is told one by one; the rest is counted.
const TOLD_DAMAGE: usize = 5;

/// Opens a trace.
///
/// # Errors
/// There is none, it cannot be read, or it is no trace.
pub fn open(path: &Path) -> Result<Trace, Failure> {
    Trace::open(path).map_err(|error| match error {
        // The system's own message names the file already.
        ReadError::Io { .. } => error.into(),
        error => Failure::from(error).context(path.display().to_string()),
    })
}

/// Says on stderr what could not be read of a trace, and whether anything could not.
pub fn tell_damage(path: &Path, trace: &Trace, damage: &[impl Display]) -> Status {
    let path = path.display();
    for damage in damage.iter().take(TOLD_DAMAGE) {
        eprintln!("taut: {path}: {damage}");
    }
    if damage.len() > TOLD_DAMAGE {
        eprintln!("taut: {path}: and {} more places", damage.len() - TOLD_DAMAGE);
    }
    let summary = trace.summary();
    if !summary.complete {
        eprintln!("taut: {path}: the recording did not end properly; {} events of it can be read", summary.events);
    }
    if summary.lost_events > 0 {
        eprintln!("taut: {path}: {} events were lost while recording", summary.lost_events);
    }
    if damage.is_empty() && summary.complete { Status::Fine } else { Status::Incomplete }
}

/// What a trace goes by where there are several.
pub fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

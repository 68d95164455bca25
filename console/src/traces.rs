//! Traces as a person names them: opened, called, and with their damage told.

use crate::kinds::{LOOKED_AT_BYTES, begins_like};
use crate::outcome::{Failure, Status};
use crate::printing::tell;
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use taut_schemas::counted;
use taut_traces::{ReadError, Trace};

/// Damage that is told one by one; the rest is counted.
const TOLD_DAMAGE: usize = 5;

/// Opens a trace.
///
/// # Errors
/// There is none, it cannot be read, or it is no trace.
pub fn open(path: &Path) -> Result<Trace, Failure> {
    if path.is_dir() {
        return Err(Failure::io(anyhow::anyhow!("{} is a directory", path.display())));
    }
    Trace::open(path).map_err(|error| match error {
        // The system's own message names the file already.
        ReadError::Io { .. } => error.into(),
        ReadError::Head(_) => Failure::from(error).context(format!("{}{}", path.display(), no_head(path))),
        error => Failure::from(error).context(path.display().to_string()),
    })
}

/// Why a file that does not begin like a sound trace is none, in plain words.
fn no_head(path: &Path) -> String {
    let mut start = Vec::with_capacity(LOOKED_AT_BYTES);
    // What was read of a pipe cannot be read again.
    let file = File::open(path).ok().filter(|_| path.is_file());
    let read = file.and_then(|file| file.take(LOOKED_AT_BYTES as u64).read_to_end(&mut start).ok());
    match read {
        None => String::new(),
        Some(0) => " is empty, and no Tautline trace".to_owned(),
        Some(_) if Trace::begins_like_one(&start) => ": its beginning is damaged or cut short".to_owned(),
        Some(_) => {
            let like = begins_like(&start).map_or(String::new(), |kind| format!(" (begins like {kind})"));
            format!(" is not a Tautline trace{like}")
        }
    }
}

/// Says on stderr what could not be read of a trace, and whether anything could not.
pub fn tell_damage(path: &Path, trace: &Trace, damage: &[impl Display]) -> Status {
    let path = path.display();
    for damage in damage.iter().take(TOLD_DAMAGE) {
        tell(format_args!("{path}: damaged at {damage}"));
    }
    if damage.len() > TOLD_DAMAGE {
        tell(format_args!("{path}: damaged at {} more", counted((damage.len() - TOLD_DAMAGE) as u64, "place")));
    }
    let summary = trace.summary();
    if !summary.complete {
        tell(format_args!(
            "{path}: the recording did not end properly; {} of it can be read",
            counted(summary.events, "event")
        ));
    }
    if summary.lost_events > 0 {
        tell(format_args!("{path}: {} lost while recording", counted(summary.lost_events, "event")));
    }
    if damage.is_empty() && summary.complete { Status::Fine } else { Status::Incomplete }
}

/// What a trace goes by where there are several.
pub fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

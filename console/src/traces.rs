//! Traces as a person names them: opened, called, and with their damage told.

use crate::kinds::{LOOKED_AT_BYTES, begins_like};
use crate::outcome::{Failure, Status};
use crate::printing::tell;
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
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

/// What each of several traces goes by: the end of its path, no longer than it takes to tell it from the others
/// (`base/level` and `new/level`, but `level` where there is one). No two are alike: a file that is named twice, or that
/// differs in its ending alone, is told by its whole path and, if that does not do, by a number.
pub fn names(files: &[PathBuf]) -> Vec<String> {
    let parts = |file: &PathBuf| -> Vec<String> {
        let whole = file.with_extension("");
        whole.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let all: Vec<Vec<String>> = files.iter().map(parts).collect();
    let tail = |of: &[String], length: usize| of[of.len().saturating_sub(length)..].join("/");
    let longest = all.iter().map(Vec::len).max().unwrap_or_default();
    let mut names: Vec<String> = Vec::with_capacity(files.len());
    for (place, own) in all.iter().enumerate() {
        let alone = |length: &usize| {
            let name = tail(own, *length);
            all.iter().enumerate().all(|(other, parts)| other == place || tail(parts, *length) != name)
        };
        let name = match (1..=longest).find(alone) {
            Some(length) => tail(own, length),
            None => files[place].to_string_lossy().into_owned(),
        };
        let mut unique = name.clone();
        let mut number = 1;
        while names.contains(&unique) {
            number += 1;
            unique = format!("{name} ({number})");
        }
        names.push(unique);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(files: &[&str]) -> Vec<String> {
        names(&files.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_name_is_the_shortest_path_that_tells_a_trace_from_the_others() {
        assert_eq!(of(&["base/level.taut", "new/level.taut"]), ["base/level", "new/level"]);
        assert_eq!(of(&["base/level.taut", "new/menu.taut"]), ["level", "menu"]);
        assert_eq!(of(&["/a/x/level.taut", "/b/x/level.taut", "/b/x/menu.taut"]), ["a/x/level", "b/x/level", "menu"]);
        assert_eq!(of(&["level.taut", "old/level.taut"]), ["level", "old/level"]);
        assert_eq!(of(&["level.taut", "level.tmp"]), ["level.taut", "level.tmp"]);
        assert_eq!(of(&["level.taut", "level.taut"]), ["level.taut", "level.taut (2)"]);
    }

    proptest! {
        #[test]
        fn no_two_traces_have_one_name(files in prop::collection::vec("([ab]/){0,2}[xy](\\.taut|\\.t)?", 1..7)) {
            let mut found = of(&files.iter().map(String::as_str).collect::<Vec<_>>());
            prop_assert_eq!(found.len(), files.len());
            found.sort();
            found.dedup();
            prop_assert_eq!(found.len(), files.len());
        }
    }
}

//! Traces as a person names them: opened, called, and with their damage told.

use crate::outcome::{Failure, Status};
use std::fmt::Display;
use std::path::{Path, PathBuf};
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

/// What a trace goes by where there is one.
pub fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
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

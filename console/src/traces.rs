//! Trace inputs: opening, naming, and reporting of damage.

use crate::input::Input;
use crate::kinds::{LOOKED_AT_BYTES, begins_like};
use crate::outcome::{Failure, Status};
use crate::output::{is_stdio, stdin_file};
use crate::printing::{escaped, print_message};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io::{IsTerminal, Read, Seek, Write};
use std::path::{Path, PathBuf};
use taut_schemas::counted;
use taut_traces::{GapCause, MAGIC, ReadError, Recovery, Trace, open_regular};

/// Maximum number of damaged places reported one by one; the rest is counted.
const MAX_REPORTED_DAMAGE: usize = 5;

/// Number of bytes read from a stream that is not a trace, to guess its kind.
const BEGINNING_BYTES: u64 = 1 << 12;

/// Opens a trace: a file, `-` for standard input, or a pipe.
///
/// # Errors
/// The file does not exist, cannot be read, or is not a trace.
pub fn open(path: &Path) -> Result<Trace, Failure> {
    let failed = |error| Failure::io(error).context(name(path));
    match Input::from_path(path) {
        Input::Stdin if std::io::stdin().is_terminal() => {
            Err(Failure::usage("standard input is a terminal: expected a trace, from a file or a pipe"))
        }
        Input::Stdin => from_stream(stdin_file().map_err(failed)?, path),
        Input::Directory => Err(Failure::io(anyhow::anyhow!("{} is a directory", path.display()))),
        Input::Stream => from_stream(File::open(path).map_err(failed)?, path),
        Input::File => Trace::open(path).map_err(|error| named(error, path)),
    }
}

fn named(error: ReadError, path: &Path) -> Failure {
    match error {
        // The system's message already names the file.
        ReadError::Io { .. } => error.into(),
        ReadError::Head(_) => wrong_head(error, path, beginning(path).as_deref()),
        error => Failure::from(error).context(name(path)),
    }
}

/// Opens a trace from a stream. Reading a trace needs seeking, so the stream is copied to an unnamed file, which
/// disappears with the process.
fn from_stream(mut stream: File, path: &Path) -> Result<Trace, Failure> {
    let failed = |error| Failure::io(error).context(name(path));
    let found = stream.metadata().map_err(failed)?;
    // Standard input that is redirected from a file needs no copy.
    if found.is_file() && found.len() > 0 && stream.stream_position().map_err(failed)? == 0 {
        return Trace::from_file(&stream, name(path)).map_err(|error| named(error, path));
    }
    let mut beginning = Vec::new();
    Read::by_ref(&mut stream).take(MAGIC.len() as u64).read_to_end(&mut beginning).map_err(failed)?;
    if beginning.is_empty() {
        return Err(Failure::input(anyhow::anyhow!("{}: expected a Tautline trace, found an empty file", name(path))));
    }
    if beginning != MAGIC {
        // The stream may be endless, and its content is not needed.
        stream.take(BEGINNING_BYTES).read_to_end(&mut beginning).map_err(failed)?;
        let start = beginning.clone();
        return Trace::from_bytes(beginning).map_err(|error| wrong_head(error, path, Some(&start)));
    }
    let folder = std::env::temp_dir();
    let copy_failure =
        |error| failed(error).context(format!("a stream is kept in a file without a name in {}", folder.display()));
    let mut file = scratch()?;
    file.write_all(&beginning).map_err(copy_failure)?;
    std::io::copy(&mut stream, &mut file).map_err(copy_failure)?;
    Trace::from_file(&file, name(path)).map_err(|error| named(error, path))
}

/// Creates an unnamed file, which disappears with the process.
///
/// # Errors
/// The system cannot create one.
pub fn scratch() -> Result<File, Failure> {
    let folder = std::env::temp_dir();
    tempfile::tempfile().map_err(|error| Failure::io(error).context(format!("a file in {}", folder.display())))
}

/// Name of a trace in messages.
pub fn name(path: &Path) -> String {
    if is_stdio(path) { "standard input".to_owned() } else { escaped(&path.display().to_string()).into_owned() }
}

/// Checks that standard input is named at most once: it can be read only once.
///
/// # Errors
/// Standard input is named several times.
pub fn check_stdin<'n>(names: impl IntoIterator<Item = &'n OsStr>) -> Result<(), Failure> {
    match names.into_iter().filter(|name| *name == "-").count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::usage("`-` is standard input, which can be read only once: name one of them otherwise")),
    }
}

/// First bytes of a regular file; `None` if they cannot be read, for example from a pipe.
fn beginning(path: &Path) -> Option<Vec<u8>> {
    let mut start = Vec::with_capacity(LOOKED_AT_BYTES);
    open_regular(path).ok()?.take(LOOKED_AT_BYTES as u64).read_to_end(&mut start).ok()?;
    Some(start)
}

/// Failure for a file that begins with `start` and whose head cannot be read. The bytes are part of the message unless
/// the kind of the file is known.
fn wrong_head(error: ReadError, path: &Path, start: Option<&[u8]>) -> Failure {
    let name = name(path);
    let Some(start) = start else { return Failure::from(error).context(name) };
    if start.starts_with(MAGIC) {
        return Failure::from(error).context(format!("{name}: the head of the trace is damaged or incomplete"));
    }
    let kind = if start.is_empty() { Some("an empty file") } else { begins_like(start) };
    match kind {
        Some(kind) => Failure::input(anyhow::anyhow!("{name}: expected a Tautline trace, found {kind}")),
        None => Failure::from(error).context(format!("{name} is not a Tautline trace")),
    }
}

/// Reports on stderr the unreadable parts of a trace; returns `Incomplete` if there are any.
pub fn report_damage(path: &Path, trace: &Trace, damage: &[impl Display]) -> Status {
    let path = name(path);
    for damage in damage.iter().take(MAX_REPORTED_DAMAGE) {
        print_message(format_args!("{path}: damaged at {damage}"));
    }
    if damage.len() > MAX_REPORTED_DAMAGE {
        print_message(format_args!(
            "{path}: damaged in {} more",
            counted((damage.len() - MAX_REPORTED_DAMAGE) as u64, "place")
        ));
    }
    if let Some(unknown) = unknown_blocks(trace) {
        print_message(format_args!("{path}: {unknown} skipped: a later version of the program wrote the trace"));
    }
    let summary = trace.summary();
    let recovery = trace.recovery();
    let is_alive = recovery.is_some_and(|recovery| recovery.is_alive);
    if let Some(recovery) = recovery {
        print_message(format_args!("{path}: {}", in_words(recovery)));
    } else if !summary.complete {
        print_message(format_args!(
            "{path}: the recording was interrupted; {} can be read",
            counted(summary.events, "event")
        ));
    }
    let has_unknown_losses = trace.has_unknown_losses();
    if has_unknown_losses {
        print_message(format_args!(
            "{path}: an unknown number of events is lost: a write of the recorder failed{}",
            trace.not_persistent().map_or(String::new(), |why| format!(" ({})", escaped(&why)))
        ));
    }
    if summary.lost_events > 0 {
        print_message(format_args!(
            "{path}: {} lost while recording{}",
            counted(summary.lost_events, "event"),
            causes(trace)
        ));
    }
    if damage.is_empty() && !has_unknown_losses && (summary.complete || is_alive) {
        Status::Fine
    } else {
        Status::Incomplete
    }
}

/// Text of the causes of lost events, as far as the trace records them, to append to a sentence.
fn causes(trace: &Trace) -> String {
    let mut causes = BTreeMap::<GapCause, u64>::new();
    for gap in trace.gaps().into_iter().filter(|gap| !gap.has_unknown_number()) {
        let events = causes.entry(gap.cause).or_default();
        *events = events.saturating_add(gap.events);
    }
    let cause_texts = causes.iter().map(|(cause, events)| format!("{} ({})", cause.text(), counted(*events, "event")));
    let cause_texts = cause_texts.collect::<Vec<_>>().join(", ");
    if cause_texts.is_empty() { cause_texts } else { format!(": {cause_texts}") }
}

/// Describes the recovery of an unfinished recording from its sidecar.
pub fn in_words(recovery: &Recovery) -> String {
    let Recovery { process, is_alive, .. } = recovery;
    if *is_alive {
        return format!("process {process} is still recording; the trace has the events so far");
    }
    let torn = match recovery.partial() {
        0 => String::new(),
        torn => format!("; {} incomplete", counted(torn, "event")),
    };
    format!(
        "process {process} did not end the recording; {} recovered from its sidecar{torn}",
        counted(recovery.events(), "event"),
    )
}

/// Describes the skipped blocks; `None` if there are none.
fn unknown_blocks(trace: &Trace) -> Option<String> {
    let mut kinds: Vec<u16> = trace.unknown_blocks().iter().map(|block| block.kind).collect();
    let blocks = counted(kinds.len() as u64, "block");
    kinds.sort_unstable();
    kinds.dedup();
    let kinds: Vec<String> = kinds.iter().map(u16::to_string).collect();
    (!kinds.is_empty()).then(|| format!("{blocks} of unknown kind {}", kinds.join(", ")))
}

/// Unique short names for several traces: the shortest end of each path that distinguishes it from the others
/// (`base/level` and `new/level`, but `level` if there is one). A file named twice, or that differs in its extension
/// alone, gets its whole path and, if that is not unique, a number.
pub fn names(files: &[PathBuf]) -> Vec<String> {
    let parts = |file: &PathBuf| -> Vec<String> {
        let whole = if is_stdio(file) { PathBuf::from("stdin") } else { file.with_extension("") };
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
    fn a_name_is_the_shortest_distinguishing_path() {
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

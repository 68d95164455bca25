//! Traces as a person names them: opened, called, and with their damage told.

use crate::outcome::{Failure, Status};
use crate::output::{is_stdio, stdin_file};
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io::{IsTerminal, Read, Seek, Write};
use std::path::Path;
use taut_traces::{MAGIC, ReadError, Trace};

/// Damage that is told one by one; the rest is counted.
const TOLD_DAMAGE: usize = 5;

/// How much is read of a stream that is no trace, to tell what it is.
const BEGINNING_BYTES: u64 = 1 << 12;

/// Opens a trace: a file, `-` for standard input, or a pipe.
///
/// # Errors
/// There is none, it cannot be read, or it is no trace.
pub fn open(path: &Path) -> Result<Trace, Failure> {
    if is_stdio(path) {
        if std::io::stdin().is_terminal() {
            return Err(Failure::usage("standard input is a terminal: expected a trace, from a file or a pipe"));
        }
        let stdin = stdin_file().map_err(|error| Failure::io(error).context(name(path)))?;
        return from_stream(stdin, path);
    }
    let is_stream = std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    if is_stream {
        let stream = File::open(path).map_err(|error| Failure::io(error).context(name(path)))?;
        return from_stream(stream, path);
    }
    Trace::open(path).map_err(|error| named(error, path))
}

fn named(error: ReadError, path: &Path) -> Failure {
    match error {
        // The system's own message names the file already.
        ReadError::Io { .. } => error.into(),
        error => Failure::from(error).context(name(path)),
    }
}

/// Opens the trace that comes out of a stream. Readers go back and forth in a trace, so it is kept in a file that has no
/// name and is gone when the process is.
fn from_stream(mut stream: File, path: &Path) -> Result<Trace, Failure> {
    let failed = |error| Failure::io(error).context(name(path));
    let found = stream.metadata().map_err(failed)?;
    if found.is_file() && found.len() > 0 && stream.stream_position().map_err(failed)? == 0 {
        return Trace::from_file(&stream, name(path)).map_err(|error| named(error, path));
    }
    let mut beginning = Vec::new();
    Read::by_ref(&mut stream).take(MAGIC.len() as u64).read_to_end(&mut beginning).map_err(failed)?;
    if beginning.is_empty() {
        return Err(Failure::input(anyhow::anyhow!("{} is empty: expected a trace", name(path))));
    }
    if beginning != MAGIC {
        // It may never end; and there is no need to keep it.
        stream.take(BEGINNING_BYTES).read_to_end(&mut beginning).map_err(failed)?;
        return Trace::from_bytes(beginning).map_err(|error| named(error, path));
    }
    let folder = std::env::temp_dir();
    let kept =
        |error| failed(error).context(format!("a stream is kept in a file without a name in {}", folder.display()));
    let mut file = scratch()?;
    file.write_all(&beginning).map_err(kept)?;
    std::io::copy(&mut stream, &mut file).map_err(kept)?;
    Trace::from_file(&file, name(path)).map_err(|error| named(error, path))
}

/// A file without a name, which is gone when the process is.
///
/// # Errors
/// The system gives none.
pub fn scratch() -> Result<File, Failure> {
    let folder = std::env::temp_dir();
    tempfile::tempfile().map_err(|error| Failure::io(error).context(format!("a file in {}", folder.display())))
}

/// What sentences call a trace.
pub fn name(path: &Path) -> String {
    if is_stdio(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Checks that standard input is named once at most: it can be read only once.
///
/// # Errors
/// It is named more often.
pub fn check_stdin<'n>(names: impl IntoIterator<Item = &'n OsStr>) -> Result<(), Failure> {
    match names.into_iter().filter(|name| *name == "-").count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::usage("`-` is standard input, which can be read only once: name one of them otherwise")),
    }
}

/// Says on stderr what could not be read of a trace, and whether anything could not.
pub fn tell_damage(path: &Path, trace: &Trace, damage: &[impl Display]) -> Status {
    let path = name(path);
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
    if is_stdio(file) {
        return "stdin".to_owned();
    }
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

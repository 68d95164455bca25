//! Inputs of commands: a file, `-` for standard input, or a pipe.

use crate::outcome::{Failure, Outcome, Status};
use crate::output::is_stdio;
use crate::printing::{print_json_line, print_message};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result as IoResult, stdin};
use std::path::Path;

/// Kind of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Standard input, named `-`.
    Stdin,
    /// A directory, which cannot be read.
    Directory,
    /// A pipe or a device, which can be read only once.
    Stream,
    /// A file, which need not exist.
    File,
}

impl Input {
    /// Determines the kind of a path.
    pub fn from_path(path: &Path) -> Input {
        if is_stdio(path) {
            return Input::Stdin;
        }
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => Input::Directory,
            Ok(found) if !found.is_file() => Input::Stream,
            _ => Input::File,
        }
    }
}

/// Maximum size of a line, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// Line reader limited to [`MAX_LINE_BYTES`] per line.
struct Lines<R> {
    input: R,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    fn new(input: R) -> Lines<R> {
        Lines { input, line: Vec::new() }
    }

    /// Reads the next line without its line feed; `None` at the end.
    ///
    /// # Errors
    /// The input cannot be read, or the line is too large (kind `FileTooLarge`).
    fn next_line(&mut self) -> IoResult<Option<&[u8]>> {
        self.line.clear();
        // One byte more for the line feed, and one whose presence proves that the line is too large.
        self.input.by_ref().take(MAX_LINE_BYTES + 2).read_until(b'\n', &mut self.line)?;
        if self.line.is_empty() {
            return Ok(None);
        }
        self.line.pop_if(|last| *last == b'\n');
        if self.line.len() as u64 > MAX_LINE_BYTES {
            return Err(Error::new(ErrorKind::FileTooLarge, "a line larger than 1 MiB"));
        }
        Ok(Some(&self.line))
    }
}

/// Answers each line of a file, or of standard input if no file is named, with a line of JSON. A wrong line is answered
/// with its id and an error, and reading continues.
///
/// # Errors
/// The lines cannot be read, one is larger than 1 MiB, or the answers cannot be printed.
pub fn answer_lines(file: Option<&Path>, answer: impl Fn(&[u8]) -> Result<Value, (Value, String)>) -> Outcome {
    let (name, input): (String, Box<dyn BufRead>) = match file.filter(|path| Input::from_path(path) != Input::Stdin) {
        Some(path) => {
            let file = File::open(path).map_err(|error| Failure::io(error).context(path.display().to_string()))?;
            (path.display().to_string(), Box::new(BufReader::new(file)))
        }
        None => ("standard input".to_owned(), Box::new(stdin().lock())),
    };
    let mut status = Status::Fine;
    let mut lines = Lines::new(input);
    for at in 0_u64.. {
        let failed = |error: Error| Failure::reading(error.kind(), error).context(format!("{name}, line {}", at + 1));
        let Some(line) = lines.next_line().map_err(failed)? else { break };
        // Some editors begin a text with a byte order mark.
        let line = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| at == 0).unwrap_or(line);
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = answer(line).unwrap_or_else(|(id, error)| {
            print_message(format_args!("{name}, line {}: {error}", at + 1));
            status = Status::Incomplete;
            json!({"id": id, "error": error})
        });
        print_json_line(&answer)?;
    }
    Ok(status)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_maximum_size_is_read_and_one_byte_more_is_an_error() {
        let text = |bytes: usize| [vec![b'x'; bytes], b"\ny".to_vec()].concat();
        let (longest, more) = (text(MAX_LINE_BYTES as usize), text(MAX_LINE_BYTES as usize + 1));
        let mut lines = Lines::new(&longest[..]);
        assert_eq!(lines.next_line().unwrap().unwrap().len(), MAX_LINE_BYTES as usize);
        assert_eq!(lines.next_line().unwrap(), Some(&b"y"[..]));
        assert_eq!(lines.next_line().unwrap(), None);
        assert_eq!(Lines::new(&more[..]).next_line().unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert!(Lines::new(BufReader::new(std::io::repeat(0))).next_line().is_err(), "a line without an end");
    }

    #[test]
    fn the_kind_of_an_input_depends_on_the_existing_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.taut");
        assert_eq!(Input::from_path(&file), Input::File, "nothing is there yet");
        std::fs::write(&file, b"").unwrap();
        assert_eq!(Input::from_path(&file), Input::File);
        assert_eq!(Input::from_path(folder.path()), Input::Directory);
        assert_eq!(Input::from_path(Path::new("-")), Input::Stdin);
        #[cfg(unix)]
        assert_eq!(Input::from_path(Path::new("/dev/null")), Input::Stream);
    }
}

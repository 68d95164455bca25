//! Inputs as a person names them: a file, `-` for standard input, or a pipe.

use crate::outcome::{Failure, Outcome, Status};
use crate::output::is_stdio;
use crate::printing::{print_json_line, tell};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::Path;

/// What is there to read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Standard input, named `-`.
    Stdin,
    /// A directory, from which nothing is read.
    Directory,
    /// A pipe or a device, which can be read once.
    Stream,
    /// A file, there or not.
    File,
}

impl Input {
    /// What `path` names.
    pub fn of(path: &Path) -> Input {
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

/// Answers each line of a file, or of standard input where none is named, with a line of JSON. A line that is wrong is answered
/// with its id and what is wrong with it, and the next is read.
///
/// # Errors
/// The lines cannot be read, or the answers not be printed.
pub fn answer_lines(file: Option<&Path>, answer: impl Fn(&[u8]) -> Result<Value, (Value, String)>) -> Outcome {
    let (name, input): (String, Box<dyn BufRead>) = match file.filter(|path| Input::of(path) != Input::Stdin) {
        Some(path) => {
            let file = File::open(path).map_err(|error| Failure::io(error).context(path.display().to_string()))?;
            (path.display().to_string(), Box::new(BufReader::new(file)))
        }
        None => ("standard input".to_owned(), Box::new(stdin().lock())),
    };
    let mut status = Status::Fine;
    for (at, line) in input.split(b'\n').enumerate() {
        let line = line.map_err(|error| Failure::io(error).context(name.clone()))?;
        // Some editors begin a text with a mark of its byte order.
        let line = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| at == 0).unwrap_or(&line);
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = answer(line).unwrap_or_else(|(id, error)| {
            tell(format_args!("{name}, line {}: {error}", at + 1));
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
    fn what_a_path_names_is_told_by_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.taut");
        assert_eq!(Input::of(&file), Input::File, "nothing is there yet");
        std::fs::write(&file, b"").unwrap();
        assert_eq!(Input::of(&file), Input::File);
        assert_eq!(Input::of(folder.path()), Input::Directory);
        assert_eq!(Input::of(Path::new("-")), Input::Stdin);
        #[cfg(unix)]
        assert_eq!(Input::of(Path::new("/dev/null")), Input::Stream);
    }
}

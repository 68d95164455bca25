//! Command history of the shell, in a file in the user's state directory.

use crate::own_file::{open_own, open_own_with};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use taut_traces::read_stream_limited;

/// Number of lines that are read back.
const LINES: usize = 10_000;

/// Maximum size of the file, in bytes: far more than that many lines take.
const MAX_BYTES: u64 = 16 << 20;

/// History file. If it cannot be read or written, or is a link, the history is empty and stays so.
#[derive(Debug)]
pub struct History(Option<PathBuf>);

impl History {
    /// Opens the user's history of a given name.
    pub fn named(name: &str) -> History {
        let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || Some(of("HOME")?.join(".local/state"));
        let state = of("XDG_STATE_HOME").or_else(home).or_else(|| of("LOCALAPPDATA"));
        History(state.map(|state| state.join("taut").join(name)))
    }

    /// Last lines of the history.
    pub fn lines(&self) -> Vec<String> {
        let file = self.0.as_ref().and_then(|path| open_own(path).ok());
        let bytes = file.and_then(|file| read_stream_limited(file, MAX_BYTES).ok()).unwrap_or_default();
        let text = String::from_utf8(bytes).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(LINES)..].iter().map(|line| (*line).to_owned()).collect()
    }

    /// Adds a line.
    pub fn add_line(&self, line: &str) {
        let Some(path) = self.0.as_ref().filter(|_| !line.trim().is_empty()) else { return };
        let _ = path.parent().map(std::fs::create_dir_all);
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        // Queries may be confidential, so only this user may read the file.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let opened = open_own_with(&mut options, path);
        let _ = opened.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_history_is_not_read_or_written_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (own, letter, link) =
            (folder.path().join("state/own"), folder.path().join("letter"), folder.path().join("link"));
        let history = History(Some(own));
        history.add_line("select 1");
        assert_eq!(history.lines(), ["select 1"]);
        std::fs::write(&letter, "Dear").unwrap();
        std::os::unix::fs::symlink(&letter, &link).unwrap();
        let linked = History(Some(link));
        linked.add_line("select 2");
        assert!(linked.lines().is_empty() && std::fs::read_to_string(&letter).unwrap() == "Dear");
    }
}

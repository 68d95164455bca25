//! What somebody typed before, kept with what else programs remember of a user.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

/// Lines that are read again.
const LINES: usize = 10_000;

/// A file of lines. A home that cannot be read or written has none, which nobody misses.
#[derive(Debug)]
pub struct History(Option<PathBuf>);

impl History {
    /// That of this name, of the user.
    pub fn named(name: &str) -> History {
        let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || Some(of("HOME")?.join(".local/state"));
        let state = of("XDG_STATE_HOME").or_else(home).or_else(|| of("LOCALAPPDATA"));
        History(state.map(|state| state.join("taut").join(name)))
    }

    /// Its last lines.
    pub fn lines(&self) -> Vec<String> {
        let text = self.0.as_ref().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(LINES)..].iter().map(|line| (*line).to_owned()).collect()
    }

    /// Keeps one more.
    pub fn keep(&self, line: &str) {
        let Some(file) = self.0.as_ref().filter(|_| !line.trim().is_empty()) else { return };
        let _ = file.parent().map(std::fs::create_dir_all);
        let opened = OpenOptions::new().append(true).create(true).open(file);
        let _ = opened.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    }
}

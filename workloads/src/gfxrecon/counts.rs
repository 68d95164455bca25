//! Counts of a capture: rows by their use, calls without a counterpart by method, rows that cannot be read.

use crate::call_log::LogError;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use taut_schemas::{counted, grouped};

/// Maximum number of names that are counted apart, as a limit on memory.
const MAX_NAMES: usize = 1024;
/// Maximum length of a counted name in bytes; those of headers are shorter.
const MAX_NAME_BYTES: usize = 80;
/// Key of the names beyond the maximum.
const OTHER: &str = "(others)";
/// Names that the summary lists.
const SHOWN: usize = 12;

/// Counts of a capture.
#[derive(Debug, Default, Serialize)]
pub struct CaptureCounts {
    /// Rows of the file, without messages of the tool.
    pub rows: u64,
    /// Messages of the tool between rows.
    pub messages: u64,
    /// Calls of functions and methods.
    pub calls: u64,
    /// Frames that ended.
    pub frames: u64,
    pub presents: u64,
    /// Presents that only test.
    pub test_presents: u64,
    /// Frame whose state the file begins with, if the capture was trimmed.
    pub state_frame: Option<u64>,
    /// Heaps of a trace without placements, which are not created.
    pub heaps: u64,
    /// Total size of these heaps, in bytes.
    pub heap_bytes: u64,
    /// Calls that were read for what others need of them: references, interfaces and addresses.
    pub noted: u64,
    /// Calls that have no counterpart, by method.
    pub not_played: BTreeMap<String, u64>,
    /// Calls that name an object that the file does not create, by method.
    pub undefined: BTreeMap<String, u64>,
    /// Data of the capture layer, by name; not played.
    pub meta: BTreeMap<String, u64>,
    /// Rows that could not be read.
    pub unreadable: u64,
    /// True if the file ends inside a row.
    pub is_cut: bool,
    /// Error of the file system, at which reading ended.
    #[serde(skip)]
    pub(crate) broken: Option<LogError>,
    #[serde(skip)]
    pub(crate) first_unreadable: Option<LogError>,
    #[serde(skip)]
    pub(crate) other_api: Option<&'static str>,
}

fn count(counts: &mut BTreeMap<String, u64>, name: &str) {
    let is_new = !counts.contains_key(name);
    let name = if is_new && (counts.len() >= MAX_NAMES || name.len() > MAX_NAME_BYTES) { OTHER } else { name };
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => drop(counts.insert(name.to_owned(), 1)),
    }
}

impl CaptureCounts {
    pub(crate) fn add_not_played(&mut self, name: &str) {
        count(&mut self.not_played, name);
    }

    pub(crate) fn add_undefined(&mut self, name: &str) {
        count(&mut self.undefined, name);
    }

    pub(crate) fn add_heap(&mut self, size_bytes: u64) {
        self.heaps += 1;
        self.heap_bytes = self.heap_bytes.saturating_add(size_bytes);
    }

    pub(crate) fn add_meta(&mut self, name: &str) {
        count(&mut self.meta, name);
    }

    pub(crate) fn add_unreadable(&mut self, error: LogError) {
        self.unreadable += 1;
        self.first_unreadable.get_or_insert(error);
    }

    /// Rows that could not be read, in words, with the position of the first.
    pub fn fault(&self) -> Option<String> {
        if let Some(broken) = &self.broken {
            return Some(format!("{broken}; the calls before it are recorded"));
        }
        let first = self.first_unreadable.as_ref()?;
        let rest = if self.is_cut { "; the file ends inside a row" } else { "" };
        Some(format!("{first}; {} left out{rest}", counted(self.unreadable, "row")))
    }
}

/// Prints one line per kind of count; zero counts are omitted, except in the first line.
impl fmt::Display for CaptureCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CaptureCounts { rows, calls, frames, presents, .. } = self;
        let (rows, calls) = (counted(*rows, "row"), counted(*calls, "call"));
        write!(f, "capture: {rows}, {calls}, {} in {}", counted(*presents, "present"), counted(*frames, "frame"))?;
        if let Some(frame) = self.state_frame {
            write!(f, ", from the state before frame {frame} on")?;
        }
        if self.test_presents > 0 {
            write!(f, "\n{} not played", counted(self.test_presents, "test present"))?;
        }
        if self.heaps > 0 {
            let (heaps, bytes) = (counted(self.heaps, "heap"), counted(self.heap_bytes, "byte"));
            write!(f, "\n{heaps} of {bytes} not created: the trace has no placements, so each resource is committed")?;
        }
        named(f, "has no counterpart", "have no counterpart", &self.not_played)?;
        let what = "an object that the file does not create";
        named(f, &format!("names {what}"), &format!("name {what}"), &self.undefined)
    }
}

/// Prints the sum of counts and the largest of them.
fn named(f: &mut fmt::Formatter<'_>, one: &str, many: &str, counts: &BTreeMap<String, u64>) -> fmt::Result {
    let sum: u64 = counts.values().sum();
    if sum == 0 {
        return Ok(());
    }
    let mut sorted: Vec<(&String, u64)> = counts.iter().map(|(name, count)| (name, *count)).collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let shown: Vec<String> =
        sorted.iter().take(SHOWN).map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
    write!(f, "\n{} {}: {}", counted(sum, "call"), if sum == 1 { one } else { many }, shown.join(", "))?;
    match sorted.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => write!(f, " and {}", counted(more as u64, "other method")),
    }
}

//! A whole log in memory.

use super::columns::Columns;
use super::error::PresentLogFault;
use super::row::{LoggedChain, LoggedPresent};
use std::collections::BTreeMap;

/// Presents, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PresentLog {
    /// All of them.
    pub presents: Vec<LoggedPresent>,
}

/// What reading a log gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresentReading {
    /// What could be read.
    pub log: PresentLog,
    /// Rows that could not.
    pub left_out: u64,
    /// The first of them.
    pub fault: Option<PresentLogFault>,
}

/// What a file may begin with.
const BYTE_ORDER_MARK: char = '\u{feff}';

impl PresentLog {
    /// Reads a log; faults call it `origin`.
    ///
    /// # Errors
    /// The heading lacks a column that is needed.
    pub fn parse(text: &str, origin: &str) -> Result<PresentReading, PresentLogFault> {
        let mut lines = text.trim_start_matches(BYTE_ORDER_MARK).lines();
        let columns = Columns::of(lines.next().unwrap_or_default(), origin)?;
        let (mut presents, mut left_out, mut fault) = (Vec::new(), 0, None);
        let mut last_ns: BTreeMap<LoggedChain, u64> = BTreeMap::new();
        for (line, text) in (2..).zip(lines).filter(|(_, text)| !text.trim().is_empty()) {
            let read = columns.read(text, line).and_then(|present| {
                let last = last_ns.entry(present.chain.clone()).or_default();
                if present.at_ns < *last {
                    return Err((
                        0,
                        "presents of a swap chain in order of time".to_owned(),
                        "an earlier one".to_owned(),
                    ));
                }
                *last = present.at_ns;
                Ok(present)
            });
            match read {
                Ok(present) => presents.push(present),
                Err((place, expected, found)) => {
                    left_out += 1;
                    let (origin, column) = (origin.to_owned(), place as u64 + 1);
                    fault.get_or_insert(PresentLogFault { origin, line, column, expected, found });
                }
            }
        }
        Ok(PresentReading { log: PresentLog { presents }, left_out, fault })
    }
}

//! Present log in memory.

use super::cell::CellFault;
use super::error::PresentLogFault;
use super::row::{LoggedChain, LoggedPresent};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Presents in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PresentLog {
    /// Presents of all rows that could be parsed.
    pub presents: Vec<LoggedPresent>,
    /// Frames that the driver generated or repeated between the frames of presents.
    pub generated: Vec<LoggedPresent>,
}

/// Result of reading a log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PresentReading {
    /// Rows that could be parsed.
    pub log: PresentLog,
    /// Number of rows that could not be parsed.
    pub left_out: u64,
    /// Error of the first such row.
    pub fault: Option<PresentLogFault>,
}

impl PresentLog {
    /// True if any present crossed to another adapter.
    pub fn is_hybrid(&self) -> bool {
        self.presents.iter().any(|present| present.is_hybrid == Some(true))
    }

    /// True if the capture has the column HybridPresent.
    pub fn names_adapters(&self) -> bool {
        self.presents.iter().any(|present| present.is_hybrid.is_some())
    }
}

/// Collects presents, and the errors of rows.
pub(super) struct Collector<'o> {
    origin: &'o str,
    reading: PresentReading,
    /// Time of the last present of each swap chain, except of the last row's.
    last_ns: BTreeMap<Arc<LoggedChain>, u64>,
    /// Swap chain of the last row, with the time of its present.
    last_row: Option<(Arc<LoggedChain>, u64)>,
}

impl<'o> Collector<'o> {
    pub fn new(origin: &'o str) -> Collector<'o> {
        Collector { origin, reading: PresentReading::default(), last_ns: BTreeMap::new(), last_row: None }
    }

    /// Adds the present of a row, or counts the row as left out.
    pub fn add(&mut self, line: u64, read: Result<LoggedPresent, CellFault>) {
        match read.and_then(|present| self.in_order(present)) {
            Ok(present) if present.generated_by.is_some() => self.reading.log.generated.push(present),
            Ok(present) => self.reading.log.presents.push(present),
            Err(CellFault { place, expected, found }) => {
                let (origin, column) = (self.origin.to_owned(), place as u64 + 1);
                self.leave_out(PresentLogFault { origin, line, column, expected, found });
            }
        }
    }

    /// Counts a row that cannot be read.
    pub fn leave_out(&mut self, fault: PresentLogFault) {
        self.reading.left_out += 1;
        self.reading.fault.get_or_insert(fault);
    }

    pub fn finish(self) -> PresentReading {
        self.reading
    }

    fn in_order(&mut self, present: LoggedPresent) -> Result<LoggedPresent, CellFault> {
        // A generated frame has no Present of its own.
        if present.generated_by.is_some() {
            return Ok(present);
        }
        let last = self.last_ns(&present.chain);
        if present.at_ns < *last {
            let expected = "presents of a swap chain in order of time";
            return Err(CellFault::new(0, expected, "an earlier one"));
        }
        *last = present.at_ns;
        Ok(present)
    }

    /// Returns the time of the last present of a swap chain. Rows mostly have the swap chain of the row before, for which
    /// the map is not searched.
    fn last_ns(&mut self, chain: &Arc<LoggedChain>) -> &mut u64 {
        let is_same = self.last_row.as_ref().is_some_and(|(last, _)| Arc::ptr_eq(last, chain));
        if !is_same && let Some((last, ns)) = self.last_row.take() {
            self.last_ns.insert(last, ns);
        }
        let last = self.last_row.get_or_insert_with(|| {
            let ns = self.last_ns.get(chain).copied().unwrap_or_default();
            (Arc::clone(chain), ns)
        });
        &mut last.1
    }
}

//! Some records of all threads, one after another.

use crate::error::AnalyzeError;
use taut_schemas::EventCode;
use taut_traces::{Damage, Row, Rows, Trace};

/// Some records, one after another.
#[derive(Default)]
pub(super) struct RecordBatch {
    /// Stamp, thread, code, and where the row ends in `bytes`.
    rows: Vec<(u64, u32, EventCode, usize)>,
    bytes: Vec<u8>,
    /// Damage that was met, and the place of the record after it.
    pub met: Vec<(usize, Damage)>,
}

impl RecordBatch {
    /// Takes the next `most` records in the place of those it holds.
    ///
    /// # Errors
    /// None: damage is kept among what was met.
    pub fn fill(&mut self, rows: &mut Rows<'_>, most: usize) -> Result<(), AnalyzeError> {
        self.rows.clear();
        self.bytes.clear();
        self.met.clear();
        while self.rows.len() < most {
            let known = rows.damage().len();
            let next = rows.next_row();
            let more = next.is_some();
            if let Some(row) = next {
                self.bytes.extend_from_slice(row.payload);
                self.rows.push((row.stamp, row.thread, row.code, self.bytes.len()));
            }
            let place = self.rows.len() - usize::from(more);
            self.met.extend(rows.damage()[known..].iter().map(|damage| (place, damage.clone())));
            if !more {
                break;
            }
        }
        Ok(())
    }

    /// How many records it holds.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The records from place `first` on, `most` of them.
    pub fn records(&self, first: usize, most: usize) -> impl Iterator<Item = Row<'_>> {
        let end = |place: usize| self.rows.get(place).map_or(self.bytes.len(), |(.., end)| *end);
        let mut start = first.checked_sub(1).map_or(0, end);
        self.rows.iter().skip(first).take(most).map(move |(stamp, thread, code, end)| {
            let payload = &self.bytes[start..*end];
            start = *end;
            Row { stamp: *stamp, thread: *thread, code: *code, payload }
        })
    }
}

/// A record that is not one of its event.
pub(super) fn record_error(trace: &Trace, row: &Row<'_>, error: &taut_schemas::CodecError) -> AnalyzeError {
    let event = trace.header().schema.event(row.code);
    AnalyzeError::Record {
        stamp: row.stamp,
        thread: row.thread,
        event: event.map_or("unknown", |event| event.name.as_str()).to_owned(),
        error: error.to_string(),
    }
}

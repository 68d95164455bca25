//! A batch of records of all threads in order.

use crate::error::AnalyzeError;
use taut_schemas::EventCode;
use taut_traces::{Damage, Row, Rows, Trace};

/// Max bytes of a batch's rows, without the last one: a few records may have very large rows.
const BATCH_BYTES: usize = 4 << 20;

/// A batch of records in order.
#[derive(Default)]
pub(super) struct RecordBatch {
    /// Stamp, thread, code, and the end of the row in `bytes`.
    rows: Vec<(u64, u32, EventCode, usize)>,
    bytes: Vec<u8>,
    /// Damage, with the index of the record after it.
    pub met: Vec<(usize, Damage)>,
}

impl RecordBatch {
    /// Replaces the contents by the next records: `max`, or fewer large ones.
    ///
    /// # Errors
    /// None: damage is collected in `met`.
    pub fn fill(&mut self, rows: &mut Rows<'_>, max: usize) -> Result<(), AnalyzeError> {
        self.rows.clear();
        self.bytes.clear();
        self.met.clear();
        // Releases the memory of a very large row.
        self.bytes.shrink_to(2 * BATCH_BYTES);
        while self.rows.len() < max && self.bytes.len() < BATCH_BYTES {
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

    /// Number of records.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Splits the records into runs of at most `max` records and `max_bytes` bytes of rows, without the last row: the
    /// first index and the length of each.
    pub fn runs(&self, max: usize, max_bytes: usize) -> Vec<(usize, usize)> {
        let mut runs = Vec::new();
        let (mut first, mut begin) = (0, 0);
        for (place, (.., end)) in self.rows.iter().enumerate() {
            let count = place + 1 - first;
            if count == max || end - begin > max_bytes {
                runs.push((first, count));
                (first, begin) = (place + 1, *end);
            }
        }
        runs.extend((first < self.rows.len()).then(|| (first, self.rows.len() - first)));
        runs
    }

    /// At most `max` records from index `first` on.
    pub fn records(&self, first: usize, max: usize) -> impl Iterator<Item = Row<'_>> {
        let end = |place: usize| self.rows.get(place).map_or(self.bytes.len(), |(.., end)| *end);
        let mut start = first.checked_sub(1).map_or(0, end);
        self.rows.iter().skip(first).take(max).map(move |(stamp, thread, code, end)| {
            let payload = &self.bytes[start..*end];
            start = *end;
            Row { stamp: *stamp, thread: *thread, code: *code, payload }
        })
    }
}

/// The error for a record that does not match its event's layout.
pub(super) fn record_error(trace: &Trace, row: &Row<'_>, error: &taut_schemas::CodecError) -> AnalyzeError {
    let event = trace.header().schema.event(row.code);
    AnalyzeError::Record {
        stamp: row.stamp,
        thread: row.thread,
        event: event.map_or("unknown", |event| event.name.as_str()).to_owned(),
        error: error.to_string(),
    }
}

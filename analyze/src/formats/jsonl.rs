//! Every record as one JSON object a line.

use super::json_rows::JsonRows;
use crate::error::AnalyzeError;
use rayon::prelude::*;
use std::io::Write;
use taut_schemas::EventCode;
use taut_traces::{Damage, Rows, Trace};

/// Records that are turned into text at a time.
const BATCH_ROWS: usize = 1 << 16;

/// Records that one processor turns into text at a time.
const CHUNK_ROWS: usize = 1 << 12;

/// Writes every record in the order of all threads: `stamp`, `thread`, `event`, `opcode`, `fields`. No more than a few
/// blocks are kept. Gives the damage that was met.
///
/// # Errors
/// The trace's table does not fit its records, or writing failed.
pub fn write_jsonl(trace: &Trace, mut out: impl Write) -> Result<Vec<Damage>, AnalyzeError> {
    let schema = JsonRows::new(&trace.header().schema);
    let mut rows = trace.rows();
    let (mut batch, mut next) = (Batch::default(), Batch::default());
    batch.fill(&mut rows)?;
    while !batch.rows.is_empty() {
        // The next rows are read while these are turned into text.
        let (read, text) = rayon::join(|| next.fill(&mut rows), || batch.text(trace, &schema));
        text?.iter().try_for_each(|text| out.write_all(text))?;
        read?;
        std::mem::swap(&mut batch, &mut next);
    }
    out.flush()?;
    Ok(rows.damage().to_vec())
}

/// Some records, one after another.
#[derive(Default)]
struct Batch {
    /// Stamp, thread, code, and where the row ends in `bytes`.
    rows: Vec<(u64, u32, EventCode, usize)>,
    bytes: Vec<u8>,
}

impl Batch {
    fn fill(&mut self, rows: &mut Rows<'_>) -> Result<(), AnalyzeError> {
        self.rows.clear();
        self.bytes.clear();
        while self.rows.len() < BATCH_ROWS
            && let Some(row) = rows.next()?
        {
            self.bytes.extend_from_slice(row.payload);
            self.rows.push((row.stamp, row.thread, row.code, self.bytes.len()));
        }
        Ok(())
    }

    fn text(&self, trace: &Trace, json: &JsonRows) -> Result<Vec<Vec<u8>>, AnalyzeError> {
        let chunks = self.rows.par_chunks(CHUNK_ROWS).enumerate().map(|(chunk, rows)| {
            let before = (chunk * CHUNK_ROWS).checked_sub(1).and_then(|before| self.rows.get(before));
            let mut start = before.map_or(0, |(.., end)| *end);
            let mut text = Vec::new();
            for (stamp, thread, code, end) in rows {
                json.line(*stamp, *thread, *code, &self.bytes[start..*end], &mut text).map_err(|error| {
                    let event = trace.header().schema.event(*code);
                    AnalyzeError::Record {
                        stamp: *stamp,
                        thread: *thread,
                        event: event.map_or("unknown", |event| event.name.as_str()).to_owned(),
                        error: error.to_string(),
                    }
                })?;
                start = *end;
            }
            Ok(text)
        });
        chunks.collect()
    }
}

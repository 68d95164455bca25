//! Every record as one JSON object a line.

use super::json_rows::JsonRows;
use super::record_batch::{RecordBatch, record_error};
use crate::error::AnalyzeError;
use rayon::prelude::*;
use std::io::Write;
use taut_traces::{Damage, Trace};

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
    let (mut batch, mut next) = (RecordBatch::default(), RecordBatch::default());
    batch.fill(&mut rows, BATCH_ROWS)?;
    while batch.len() > 0 {
        // The next rows are read while these are turned into text.
        let (read, text) = rayon::join(|| next.fill(&mut rows, BATCH_ROWS), || text(&batch, trace, &schema));
        text?.iter().try_for_each(|text| out.write_all(text))?;
        read?;
        std::mem::swap(&mut batch, &mut next);
    }
    out.flush()?;
    Ok(rows.damage().to_vec())
}

fn text(batch: &RecordBatch, trace: &Trace, json: &JsonRows) -> Result<Vec<Vec<u8>>, AnalyzeError> {
    let chunks: Vec<usize> = (0..batch.len()).step_by(CHUNK_ROWS).collect();
    let chunks = chunks.into_par_iter().map(|first| {
        let mut text = Vec::new();
        for row in batch.records(first, CHUNK_ROWS) {
            json.line(row.stamp, row.thread, row.code, row.payload, &mut text)
                .map_err(|error| record_error(trace, &row, &error))?;
        }
        Ok(text)
    });
    chunks.collect()
}

//! Writes every record as one JSON object per line.

use super::json_rows::JsonRows;
use super::line_text::LineText;
use super::record_batch::{RecordBatch, record_error};
use crate::error::AnalyzeError;
use rayon::prelude::*;
use std::io::Write;
use taut_traces::{Damage, Trace};

/// Max records of a batch.
const BATCH_ROWS: usize = 1 << 16;

/// Max records that one thread formats at a time, and max bytes of their rows: the text of a row of one byte may have
/// hundreds.
const RUN_ROWS: usize = 1 << 12;
const RUN_BYTES: usize = 16 << 10;

/// Max runs in memory as text.
const MAX_RUNS: usize = 16;

/// Writes every record in the order of all threads: `stamp`, `thread`, `event`, `opcode`, `fields`. Only a few blocks
/// are in memory. Returns the damage found.
///
/// # Errors
/// The trace's table does not match its records, or writing failed.
pub fn write_jsonl(trace: &Trace, mut out: impl Write) -> Result<Vec<Damage>, AnalyzeError> {
    let schema = JsonRows::new(&trace.header().schema);
    let mut rows = trace.rows();
    let (mut batch, mut next) = (RecordBatch::default(), RecordBatch::default());
    batch.fill(&mut rows, BATCH_ROWS)?;
    while batch.len() > 0 {
        let runs = batch.runs(RUN_ROWS, RUN_BYTES);
        let (first, rest) = runs.split_at(runs.len().min(runs_at_a_time(&schema)));
        // The next rows are read while these are formatted.
        let (read, text) = rayon::join(|| next.fill(&mut rows, BATCH_ROWS), || render(first, &batch, trace, &schema));
        write(text?, &batch, trace, &schema, &mut out)?;
        for runs in rest.chunks(runs_at_a_time(&schema)) {
            write(render(runs, &batch, trace, &schema)?, &batch, trace, &schema, &mut out)?;
        }
        read?;
        std::mem::swap(&mut batch, &mut next);
    }
    out.flush()?;
    Ok(rows.damage().to_vec())
}

fn runs_at_a_time(schema: &JsonRows) -> usize {
    if schema.has_long_names() { 1 } else { (2 * rayon::current_num_threads()).min(MAX_RUNS) }
}

/// Records as text; or, if that may be large, their first index and number, to be written as they are formatted.
enum Run {
    Text(Vec<u8>),
    Large(usize, usize),
}

fn render(
    runs: &[(usize, usize)],
    batch: &RecordBatch,
    trace: &Trace,
    json: &JsonRows,
) -> Result<Vec<Run>, AnalyzeError> {
    let run = |(first, count): &(usize, usize)| {
        let is_large = json.has_long_names() || batch.records(*first, *count).any(|row| row.payload.len() > RUN_BYTES);
        if is_large {
            return Ok(Run::Large(*first, *count));
        }
        let mut text = LineText::in_memory();
        for row in batch.records(*first, *count) {
            json.line(&row, &mut text).map_err(|error| record_error(trace, &row, &error))?;
        }
        Ok(Run::Text(text.into_bytes()))
    };
    runs.par_iter().map(run).collect()
}

fn write(
    runs: Vec<Run>,
    batch: &RecordBatch,
    trace: &Trace,
    json: &JsonRows,
    out: &mut impl Write,
) -> Result<(), AnalyzeError> {
    for run in runs {
        match run {
            Run::Text(text) => out.write_all(&text)?,
            Run::Large(first, count) => {
                let mut text = LineText::written_to(&mut *out);
                for row in batch.records(first, count) {
                    json.line(&row, &mut text).map_err(|error| record_error(trace, &row, &error))?;
                }
                text.finish()?;
            }
        }
    }
    Ok(())
}

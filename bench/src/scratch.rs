//! Unnamed temporary files, which disappear with the process.

use crate::BenchError;
use std::fs::File;
use taut_traces::{Header, Trace, TraceWriter, WriteError, WriteOptions};

/// Creates an unnamed file.
///
/// # Errors
/// The system cannot create one.
pub fn scratch() -> Result<File, BenchError> {
    let what = || format!("a file in {}", std::env::temp_dir().display());
    tempfile::tempfile().map_err(|source| BenchError::System { what: what(), source })
}

/// Returns the function that starts a trace in an unnamed file.
pub fn to_scratch(file: &File) -> impl FnOnce(Header) -> Result<TraceWriter, WriteError> + use<> {
    let file = file.try_clone();
    move |header| {
        let failed = |source| WriteError::Output { path: None, bytes_written: 0, source, lost: Vec::new() };
        TraceWriter::to_file(file.map_err(failed)?, "temporary file", header, WriteOptions::default())
    }
}

/// Reads every row of a trace, and returns their number.
pub fn decode(trace: &Trace) -> u64 {
    let (mut rows, mut events, mut sum) = (trace.rows(), 0, 0);
    while let Some(row) = rows.next_row() {
        events += 1;
        sum += row.payload.len();
    }
    std::hint::black_box(sum);
    events
}

//! Import of a Windows trace, and a recording of the same events.

use crate::BenchError;
use crate::scratch::{scratch, to_scratch};
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;
use taut_app::import::{Import, ImportOptions};
use taut_schemas::EventCode;
use taut_traces::{StreamInfo, ThreadWriter, Trace};

/// One round, in nanoseconds.
pub struct ImportRound {
    pub events: u64,
    pub import_ns: u64,
    pub record_ns: u64,
    pub lost_events: u64,
}

/// Reports a file that cannot be imported.
///
/// # Errors
/// The file is no Windows trace, or cannot be read.
pub fn check(file: &Path) -> Result<(), BenchError> {
    Import::new(ImportOptions { file: file.to_owned(), ..ImportOptions::default() })?;
    Ok(())
}

/// Imports a file, then records the events of the import again: with the same sizes, threads and definitions, but encoded
/// beforehand.
///
/// # Errors
/// The file cannot be imported, or a trace cannot be written.
pub fn measure(file: &Path) -> Result<ImportRound, BenchError> {
    let target = scratch()?;
    let start = Instant::now();
    let mut import = Import::new(ImportOptions { file: file.to_owned(), ..ImportOptions::default() })?;
    let imported = import.write(to_scratch(&target))?;
    let import_ns = start.elapsed().as_nanos() as u64;
    let trace = Trace::from_file(&target, "the import")?;
    let (record_ns, lost_events) = record(&trace)?;
    Ok(ImportRound { events: imported.events, import_ns, record_ns, lost_events: lost_events + imported.lost_events })
}

/// Records the rows of a trace on one thread. Returns the time until the file is complete, and the lost events.
fn record(trace: &Trace) -> Result<(u64, u64), BenchError> {
    let (mut rows, mut payloads) = (trace.rows(), Vec::new());
    let mut events: Vec<(u32, EventCode, u64, std::ops::Range<usize>)> = Vec::new();
    while let Some(row) = rows.next_row() {
        let start = payloads.len();
        payloads.extend_from_slice(row.payload);
        events.push((row.thread, row.code, row.stamp, start..payloads.len()));
    }
    let streams: HashMap<u32, StreamInfo> = trace.streams().into_iter().map(|stream| (stream.stream, stream)).collect();
    let target = scratch()?;
    let start = Instant::now();
    let writer = to_scratch(&target)(trace.header().clone())?;
    let mut threads = HashMap::<u32, ThreadWriter>::new();
    for (stream, code, stamp, payload) in events {
        let Some(info) = streams.get(&stream) else { continue };
        let thread = threads.entry(stream).or_insert_with(|| writer.stream(info.clone()));
        thread.event(code, stamp, |encoder| encoder.raw(&payloads[payload.clone()]));
    }
    drop(threads);
    let written = writer.finish()?;
    Ok((start.elapsed().as_nanos() as u64, written.lost_events))
}

//! Generated benchmark trace: four threads with records of a few dozen calls.

use std::fs::File;
use taut_console::outcome::Failure;
use taut_console::traces::scratch;
use taut_schemas::{EventSchema, FieldKind, SchemaTable};
use taut_traces::{Header, TraceWriter, WriteError, WriteOptions};

/// Thread numbers.
const THREADS: [u32; 4] = [0, 1, 2, 3];

/// Number of distinct events.
const EVENTS: usize = 48;

/// Writes a trace of `records` records to an unnamed file.
///
/// # Errors
/// The file cannot be written.
pub fn trace(records: u64) -> Result<File, Failure> {
    let file = scratch()?;
    let schema = SchemaTable::current();
    let events: Vec<(EventSchema, Vec<u8>)> =
        schema.events.iter().take(EVENTS).map(|event| (event.clone(), row(event))).collect();
    let header = Header { schema, ..Header::default() };
    let failed = |source| WriteError::Output { path: None, bytes_written: 0, source, lost: Vec::new() };
    let own = file.try_clone().map_err(failed)?;
    let writer =
        TraceWriter::to_file(own, "temporary file", header, WriteOptions { sync: false, ..WriteOptions::default() })?;
    let (mut state, count) = (1_u32, THREADS.len() as u64);
    for (place, thread) in (0..).zip(THREADS) {
        let mut thread = writer.thread(thread);
        for record in 0..records / count + u64::from(place < records % count) {
            // Linear congruential generator: the trace is the same each time.
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (event, bytes) = &events[(state >> 16) as usize % events.len()];
            let stamp = 4 * (100 * record + u64::from(state >> 26)) + place;
            thread.event(event.code, stamp, |encoder| bytes.iter().for_each(|byte| encoder.u8(*byte)));
        }
    }
    writer.finish()?;
    Ok(file)
}

/// Payload whose numbers are 0 and whose texts and lists are empty.
fn row(event: &EventSchema) -> Vec<u8> {
    let bytes = event.fields.iter().map(|field| match &field.kind {
        FieldKind::Scalar(scalar) => usize::from(scalar.width_bytes),
        _ => 4,
    });
    vec![0; bytes.sum()]
}

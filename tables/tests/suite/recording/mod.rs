//! Traces for the tests.

use std::path::Path;
use taut_capture::Clock;
use taut_schemas::SchemaTable;
use taut_testkit::recorded;
use taut_traces::{Header, Identity, TraceWriter, WriteOptions};

/// Records a small level with a driver, with the same bytes each time.
pub fn record(path: &Path, driver: &str) {
    recorded("small-level", driver, &[("threads", "1")], Clock::Logical, path);
}

/// Writes a trace of a recording with a number of records.
pub fn write(path: &Path, identity: &Identity, records: u64) {
    let schema = SchemaTable::current();
    let code = schema.events.iter().find(|event| event.name == "MemoryFence").unwrap().code;
    let header = Header { schema, identity: identity.clone(), ..Header::default() };
    let _ = std::fs::remove_file(path);
    let writer = TraceWriter::create(path, header, WriteOptions::default()).unwrap();
    let mut thread = writer.thread(1);
    (0..records).for_each(|record| thread.event(code, 1 + record, |encoder| encoder.u64(record)));
    drop(thread);
    writer.finish().unwrap();
}

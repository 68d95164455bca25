//! Queries on a lake: equal to those on its traces, or an error.
#![allow(clippy::unwrap_used)]

use crate::recording;

use std::path::{Path, PathBuf};
use taut_schemas::{EventCode, EventSchema, FieldKind, Layer, Opcode, SchemaTable};
use taut_testkit::{Run, Taut, testdata};
use taut_traces::{Header, Identity, TraceWriter, WriteOptions};

fn write(path: &Path, records: u64) {
    recording::write(path, &Identity::random("test", "1"), records);
}

fn run(folder: &Path, arguments: &[&str]) -> (String, i32, String) {
    let Run { code, stdout, stderr } = Taut::tables(folder).run(arguments);
    (stdout, code, stderr)
}

/// Creates a lake of three traces, two small ones and one with many tables, next to the trace files.
fn lake() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().to_owned();
    write(&at.join("a.taut"), 10);
    write(&at.join("b.taut"), 140_000);
    std::fs::copy(testdata("pix-single-frame.taut"), at.join("pix.taut")).unwrap();
    let exported = run(&at, &["export", "a.taut", "b.taut", "--to", "parquet", "--tag", "commit=1", "-q"]);
    assert_eq!(exported.1, 0, "{}", exported.2);
    let exported = run(&at, &["export", "pix.taut", "--to", "parquet", "-q"]);
    assert_eq!(exported.1, 0, "{}", exported.2);
    (folder, at)
}

fn csv(at: &Path, arguments: &[&str], sql: &str) -> String {
    let (text, code, errors) = run(at, &[&["query"], arguments, &[sql, "--format", "csv"]].concat());
    assert_eq!(code, 0, "{sql}: {errors}");
    text
}

const QUESTIONS: &[&str] = &[
    "SELECT count(*) AS n FROM events",
    "SELECT name, thread, count(*) AS n, max(stamp) AS last FROM events GROUP BY name, thread ORDER BY name, thread",
    "SELECT layer, opcode, provider, code, name, thread, count(*) AS n, min(stamp) AS first, max(stamp) AS last, sum(stamp % 1009) AS s \
     FROM events GROUP BY layer, opcode, provider, code, name, thread ORDER BY layer, opcode, provider, code, name, thread",
    "SELECT name, count(*) AS n, avg(duration_ns) AS mean FROM calls GROUP BY name ORDER BY n DESC, name",
    "SELECT code, start_stamp, stop_stamp, duration_ns, hr FROM calls ORDER BY start_stamp, thread LIMIT 500",
    "SELECT code, call, start_stamp, stop_stamp, duration_ns FROM ddi_calls ORDER BY start_stamp, thread LIMIT 500",
    "SELECT resource, created_ns, released_ns, lifetime_ns, outlives_heap FROM resources ORDER BY created_stamp, resource LIMIT 500",
    "SELECT heap, resource, name, heap_offset_bytes, size_bytes, end_bytes, alignment_bytes, outlives_heap, created_stamp, \
     created_ns, created_seq, created_thread, released_stamp, released_ns, released_seq, released_thread FROM placements \
     ORDER BY heap, resource",
    "SELECT count(*) AS n, min(at_ns) AS first, max(at_ns) AS last, sum(at_ns) AS s FROM memory",
    "SELECT format, count(*) AS n, sum(size_bytes) AS s FROM resources GROUP BY format ORDER BY n DESC, format",
    "SELECT key, value FROM figures WHERE report = 'health' ORDER BY key, value LIMIT 20",
    "SELECT count(*) AS n FROM resources r JOIN heaps h ON r.heap = h.heap AND r.trace = h.trace",
];

#[test]
fn a_lake_answers_as_its_traces_do() {
    let (_folder, at) = lake();
    for sql in QUESTIONS {
        assert_eq!(csv(&at, &["lake"], sql), csv(&at, &["a.taut", "b.taut", "pix.taut"], sql), "{sql}");
    }
    let by_tag = "SELECT t.tag_commit, count(*) AS n FROM events e JOIN traces t ON e.trace = t.trace GROUP BY t.tag_commit \
                  ORDER BY t.tag_commit NULLS LAST";
    let text = csv(&at, &["lake"], by_tag);
    assert!(text.starts_with("tag_commit,n\n1,140010\n,"), "{text}");
    let ids = csv(&at, &["lake"], "SELECT trace FROM traces WHERE trace <> id");
    assert_eq!(ids, "trace\n");
    let (shown, code, _) = run(&at, &["query", "lake", "SHOW TABLES"]);
    assert!(code == 0 && shown.contains("placements"), "{shown}");
}

#[test]
fn a_folder_that_is_no_lake_or_of_another_build_is_an_error() {
    let (_folder, at) = lake();
    let query_lake = |folder: &str| run(&at, &["query", folder, "SELECT count(*) FROM heaps"]);
    std::fs::create_dir(at.join("nothing")).unwrap();
    std::fs::create_dir_all(at.join("empty/traces")).unwrap();
    for (folder, code, why) in
        [("nothing", 3, "is not a lake"), ("empty", 3, "has no trace"), ("missing", 4, "missing")]
    {
        let (_, found, errors) = query_lake(folder);
        assert!(found == code && errors.contains(why), "{folder}: {found} {errors}");
    }
    let (_, code, errors) = run(&at, &["query", "lake", "a.taut", "SELECT 1"]);
    assert!(code == 2 && errors.contains("a lake is queried alone"), "{code} {errors}");
    let (_, code, errors) = run(&at, &["query", "lake", "SELECT * FROM MemoryFence"]);
    assert!(code == 2 && errors.contains("there is no table"), "{code} {errors}");
    let mark =
        std::fs::read_dir(at.join("lake/traces")).unwrap().next().unwrap().unwrap().path().join("traces.parquet");
    let mut bytes = std::fs::read(&mark).unwrap();
    let version = format!("{}-", env!("CARGO_PKG_VERSION"));
    // Simulates a file of an earlier version: another version number and no checksum.
    for (text, first) in [(version.as_str(), b'9'), ("TAUTSUM\n", b'x')] {
        let place = bytes.windows(text.len()).position(|found| found == text.as_bytes()).unwrap();
        bytes[place] = first;
    }
    std::fs::write(&mark, bytes).unwrap();
    let (_, code, errors) = query_lake("lake");
    assert!(code == 3 && errors.contains("of 3 traces, 1 of them with other tables"), "{code} {errors}");
}

#[test]
fn a_lost_or_damaged_lake_file_is_an_error_until_the_next_export() {
    let (_folder, at) = lake();
    let count = "SELECT count(*) AS n, max(stamp) AS last FROM events";
    let whole = csv(&at, &["lake"], count);
    let id = csv(&at, &["b.taut"], "SELECT id FROM traces").lines().nth(1).unwrap().to_owned();
    let file = at.join(format!("lake/other_events/trace={id}/other_events.parquet"));
    let bytes = std::fs::read(&file).unwrap();
    for part in 0..24 {
        let mut damaged = bytes.clone();
        damaged[4 + part * (bytes.len() - 8) / 24] ^= 0x20;
        std::fs::write(&file, damaged).unwrap();
        let (text, code, errors) = run(&at, &["query", "lake", count, "--format", "csv"]);
        assert!(code == 3 && errors.contains("other_events.parquet"), "{part}: {text} {errors}");
        assert!(!errors.contains("panicked"), "{part}: {errors}");
    }
    std::fs::remove_file(&file).unwrap();
    let (_, code, errors) = run(&at, &["query", "lake", count]);
    assert!(code == 3 && errors.contains("other_events.parquet is not there"), "{errors}");
    assert_eq!(run(&at, &["export", "b.taut", "--to", "parquet", "-q"]).1, 0);
    assert_eq!(csv(&at, &["lake"], count), whole);
    // A trace that a killed export left incomplete is skipped.
    std::fs::remove_file(at.join(format!("lake/traces/trace={id}/traces.parquet"))).unwrap();
    assert_eq!(csv(&at, &["lake"], "SELECT count(*) AS n FROM traces"), "n\n2\n");
}

/// Writes a recording whose thread begins within a call and ends within one.
fn torn(path: &Path) {
    let schema = SchemaTable::current();
    let named = |code| schema.events.iter().find(|event| event.code == code).unwrap();
    let of_api =
        |event: &&EventSchema| event.layer == Layer::Api && event.opcode == Opcode::Start && event.provider == "d3d12";
    let start = schema.events.iter().find(of_api).unwrap();
    let stop = named(EventCode::new(start.code.id(), Opcode::Stop));
    let fence = schema.events.iter().find(|event| event.name == "MemoryFence").unwrap();
    // Numbers are 0; texts and lists are empty.
    let bytes = |event: &EventSchema| {
        let bytes = event.fields.iter().map(|field| match &field.kind {
            FieldKind::Scalar(scalar) => usize::from(scalar.width_bytes),
            _ => 4,
        });
        vec![0; bytes.sum()]
    };
    let header = Header { schema: schema.clone(), identity: Identity::random("test", "1"), ..Header::default() };
    let writer = TraceWriter::create(path, header, WriteOptions::default()).unwrap();
    let mut thread = writer.thread(1);
    for (stamp, event) in (1..).zip([stop, start, stop, fence, stop, start, stop, start]) {
        let row: Vec<u8> = bytes(event);
        thread.event(event.code, 10 * stamp, |encoder| row.iter().for_each(|byte| encoder.u8(*byte)));
    }
    drop(thread);
    writer.finish().unwrap();
}

#[test]
fn records_whose_call_is_not_whole_are_in_the_lake_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().to_owned();
    torn(&at.join("torn.taut"));
    assert_eq!(run(&at, &["export", "torn.taut", "--to", "parquet", "-q"]).1, 0);
    let calls = csv(&at, &["lake"], "SELECT count(*) AS n, count(stop_stamp) AS m FROM calls");
    assert_eq!(calls, "n,m\n3,2\n");
    let sql = "SELECT stamp, thread, code, name, provider, layer, opcode FROM events ORDER BY stamp, code";
    let records = csv(&at, &["lake"], sql);
    assert_eq!(records.lines().count(), 1 + 8);
    assert_eq!(records, csv(&at, &["torn.taut"], sql));
}

//! Metadata of a recording: clock readings, streams, losses with their causes, and descriptions of events.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::by_hand;
use crate::generate;

use by_hand::{Block, TEXT};
use generate::{Gated, Memory, event, read, scalar};
use proptest::prelude::*;
use std::sync::mpsc::channel;
use std::time::{SystemTime, UNIX_EPOCH};
use taut_schemas::{EventCode, FieldKind, FieldSchema, Opcode, Role, SchemaTable};
use taut_traces::{
    Clock, ClockReading, Gap, GapCause, Header, OnFull, StreamInfo, Ticks, Trace, TraceWriter, WriteOptions,
};

/// Two marks with a number and a description.
fn table() -> SchemaTable {
    let number = FieldKind::Scalar(scalar("n".into(), 8, Role::Value, false));
    let list = FieldKind::List(vec![scalar("v".into(), 2, Role::Value, true)]);
    let field = |name: &str, kind| FieldSchema { name: name.into(), doc: format!("The {name}."), kind };
    let mut events: Vec<_> = (1..=2)
        .map(|id| event(id, Opcode::Info, vec![field("n", number.clone()), field("list", list.clone())]))
        .collect();
    events.iter_mut().for_each(|event| event.doc = format!("Event {}.", event.code.0));
    let mut table = SchemaTable { events: events.into(), ..SchemaTable::default() };
    // Description of the number's field.
    for field in table.events.iter_mut().flat_map(|event| &mut event.fields) {
        let doc = field.doc.clone();
        if let FieldKind::Scalar(scalar) = &mut field.kind {
            scalar.doc = doc;
        } else if let FieldKind::List(columns) = &mut field.kind {
            columns.iter_mut().for_each(|column| column.doc = "A value.".into());
        }
    }
    table
}

fn header(clock: &Clock) -> Header {
    let mut header = Header { schema: table(), ..Header::default() };
    header.world.clock = Ticks { source: clock.source().into(), ticks_per_second: clock.ticks_per_second() };
    header
}

const CODE: EventCode = EventCode(1 << 2);

fn record(thread: &mut taut_traces::ThreadWriter, stamp: u64) {
    thread.event(CODE, stamp, |encoder| {
        encoder.u64(stamp);
        encoder.u32(1);
        encoder.u16(7);
    });
}

fn utc_ns() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64
}

/// Trace of two named threads with an event each, and the times before and after.
fn recorded(clock: Clock) -> (Vec<u8>, [u64; 2]) {
    let memory = Memory::default();
    let before = utc_ns();
    let writer = TraceWriter::new(memory.clone(), header(&clock), WriteOptions::default()).unwrap();
    writer.keep_time(clock);
    for number in 0..2 {
        let mut thread = writer.thread(number);
        let named = std::thread::Builder::new().name(format!("worker {number}"));
        named.spawn(move || record(&mut thread, clock.stamp(u64::from(number)))).unwrap().join().unwrap();
    }
    writer.finish().unwrap();
    let bytes = memory.0.lock().unwrap().clone();
    (bytes, [before, utc_ns()])
}

#[test]
fn stamps_are_times_and_streams_are_threads() {
    for clock in [Clock::best(), Clock::monotonic()] {
        let (bytes, [before, after]) = recorded(clock);
        let trace = Trace::from_bytes(bytes).unwrap();
        assert_eq!(trace.verify(), []);
        let utc = trace.utc_clock().unwrap();
        assert!(utc.readings().len() >= 2, "at the begin and at the end");
        let error = utc.readings().iter().map(|reading| reading.error_ns).max().unwrap();
        for stamp in read(&trace).iter().map(|record| record.stamp) {
            // The stamp clock and UTC may differ between two readings, but not by a millisecond.
            let at = utc.utc_ns(stamp);
            assert!((before - error - 1_000_000..=after + error + 1_000_000).contains(&at), "{before} {at} {after}");
        }
        let streams = trace.streams();
        let names: Vec<_> = streams.iter().map(|stream| (stream.stream, stream.name.as_str())).collect();
        assert_eq!(names, [(0, "worker 0"), (1, "worker 1")]);
        assert!(streams.iter().all(|stream| stream.process == std::process::id()));
    }
}

#[test]
fn by_the_logical_clock_equal_runs_are_equal_files() {
    let [one, other] = [recorded(Clock::Logical), recorded(Clock::Logical)].map(|(bytes, _)| bytes);
    assert!(one == other);
    let trace = Trace::from_bytes(one).unwrap();
    assert_eq!((trace.utc_clock(), trace.streams()), (None, vec![]));
}

#[test]
fn a_trace_describes_the_events_that_occur() {
    let (bytes, _) = recorded(Clock::Logical);
    let sound = Trace::from_bytes(bytes.clone()).unwrap();
    let (found, stated) = (&sound.header().schema.events, table().events);
    assert_eq!(found[0], stated[0]);
    assert_eq!((found[1].doc.as_str(), found[1].fields[0].doc.as_str()), ("", ""));
    // The trace without its end.
    let cut = Trace::from_bytes(bytes[..bytes.len() - 30].to_vec()).unwrap();
    assert_eq!((cut.header(), cut.damage().len()), (sound.header(), 1));
}

#[test]
fn gaps_state_number_span_and_cause_of_lost_events() {
    let (memory, (open, gate)) = (Memory::default(), channel());
    let options =
        WriteOptions { buffer_bytes: 256, spare_buffers: 1, on_full: OnFull::Drop, ..WriteOptions::default() };
    let header = header(&Clock::Logical);
    let writer = TraceWriter::new(Gated { memory: memory.clone(), gate, writes: 0 }, header, options).unwrap();
    let mut thread = writer.thread(3);
    (1..=2000).for_each(|stamp| record(&mut thread, stamp));
    thread.event(CODE, 2001, |encoder| encoder.bytes(b"no row"));
    drop(open);
    drop(thread);
    let summary = writer.finish();
    assert!(summary.is_err() || summary.unwrap().lost_events > 0);
    let trace = Trace::from_bytes(memory.0.lock().unwrap().clone()).unwrap();
    let recorded_stamps: Vec<u64> = read(&trace).iter().map(|record| record.stamp).collect();
    let gaps = trace.gaps();
    assert!(!gaps.is_empty());
    assert_eq!(gaps.iter().map(|gap| gap.events).sum::<u64>(), trace.summary().lost_events);
    for gap in gaps.iter().filter(|gap| gap.cause == GapCause::NoBuffer) {
        let missing: Vec<u64> = (gap.from..=gap.to).filter(|stamp| *stamp <= 2000).collect();
        assert_eq!((gap.stream, missing.iter().any(|stamp| recorded_stamps.contains(stamp))), (3, false), "{gap:?}");
        assert!(missing.len() as u64 + 1 >= gap.events, "{gap:?}");
    }
}

#[test]
fn outlived_events_and_malformed_rows_are_reported() {
    let memory = Memory::default();
    let writer = TraceWriter::new(memory.clone(), header(&Clock::Logical), WriteOptions::default()).unwrap();
    let (mut thread, mut other) = (writer.thread(0), writer.thread(1));
    record(&mut thread, 5);
    other.event(CODE, 6, |encoder| encoder.bytes(b"no row"));
    drop(other);
    writer.finish().unwrap_err();
    drop(thread);
    let gaps = Trace::from_bytes(memory.0.lock().unwrap().clone()).unwrap().gaps();
    let outlived = Gap { stream: 0, cause: GapCause::Outlived, events: 1, from: 0, to: 0 };
    let layout = Gap { stream: 1, cause: GapCause::Layout, events: 1, from: 6, to: 6 };
    assert_eq!(gaps, [outlived, layout]);
}

/// Damage of a trace with a valid block and one of a kind with these numbers and this payload; its footer may state
/// others.
fn damage(kind: u16, (count, words): (u32, [u64; 4]), payload: &[u8], is_indexed: bool) -> Vec<String> {
    let key = by_hand::crc(TEXT.as_bytes());
    let stated = |(count, words): (u32, [u64; 4])| {
        let words = words.into_iter().flat_map(u64::to_le_bytes);
        u32::to_le_bytes(count).into_iter().chain(words).collect::<Vec<u8>>()
    };
    let bytes = by_hand::other(key, (kind, 0), (u32::MAX, 0), &stated((count, words)), payload);
    let [records_before, lost, min_stamp, max_stamp] = words;
    let records = count + u32::from(!is_indexed);
    let (place, stamps) =
        (Block { thread: u32::MAX, number: 0, kinds: vec![], ..Block::sound() }, (min_stamp, max_stamp));
    let own = Block { kind, records, records_before, lost, stamps, ..place };
    let blocks = [(own, bytes), (Block::sound(), Block::sound().bytes(key))];
    let trace = Trace::from_bytes(by_hand::file_of(by_hand::head(TEXT), key, &blocks)).unwrap();
    assert_eq!(read(&trace).len(), 4);
    let _ = (trace.utc_clock(), trace.streams(), trace.gaps(), trace.not_persistent());
    trace.verify().iter().map(ToString::to_string).collect()
}

#[test]
fn metadata_blocks_written_from_the_description_are_read() {
    let stream =
        [&5u32.to_le_bytes()[..], &9u32.to_le_bytes(), &77u64.to_le_bytes(), &2u16.to_le_bytes(), b"ab"].concat();
    let docs = br#"[[17,"A call.",["Its size.","Its name.","A list.","A value."]]]"#;
    let frame = zstd::bulk::compress(docs, 1).unwrap();
    for (kind, stated, payload) in [
        (3, (0, [10, 20, 30, 1]), &b""[..]),
        (4, (1, [0; 4]), &stream),
        (5, (1, [5, 3, 10, 20]), b""),
        (7, (1, [0; 4]), b"No space left on device"),
        (8, (1, [docs.len() as u64, 0, 0, 0]), &frame),
    ] {
        assert_eq!(damage(kind, stated, payload, true), [""; 0], "kind {kind}");
        let [lie] = &damage(kind, stated, payload, false)[..] else { panic!("kind {kind}") };
        assert!(lie.contains("a block like OtherBlock"), "{lie}");
    }
}

#[test]
fn malformed_metadata_blocks_are_damage() {
    let docs = |text: &[u8], size: u64, count| (8, (count, [size, 0, 0, 0]), zstd::bulk::compress(text, 1).unwrap());
    for (kind, stated, payload) in [
        (3, (1, [10, 20, 30, 1]), vec![]),
        (3, (0, [10, 20, 30, 1]), vec![0]),
        (4, (2, [0; 4]), [&[0; 16][..], &[0, 0]].concat()),
        (4, (1, [0; 4]), [&[0; 16][..], &[1, 0], &[0xff]].concat()),
        (4, (1, [0; 4]), [&[0; 16][..], &[9, 0]].concat()),
        (4, (1, [0; 4]), [0; 19].to_vec()),
        (4, (1, [1, 0, 0, 0]), [0; 18].to_vec()),
        (4, (u32::MAX, [0; 4]), vec![]),
        (5, (1, [1 << 32, 0, 0, 0]), vec![]),
        (5, (1, [0; 4]), vec![0]),
        (7, (1, [0; 4]), vec![0xff]),
        (7, (1, [0, 0, 0, 1]), vec![]),
        (8, (0, [0; 4]), b"no frame".to_vec()),
        docs(b"[]", 2, 1),
        docs(b"[]", 3, 0),
        docs(b"{}", 2, 0),
        docs(b"[]", u64::MAX, 0),
    ] {
        assert_eq!(damage(kind, stated, &payload, true).len(), 1, "kind {kind}, {stated:?}, {payload:?}");
    }
}

#[test]
fn a_metadata_block_has_a_head_of_72_bytes() {
    let key = by_hand::crc(TEXT.as_bytes());
    for more in [&[0; 35][..], &[0; 37]] {
        let bytes = by_hand::other(key, (3, 0), (u32::MAX, 0), more, b"");
        let trace = Trace::from_bytes([by_hand::head(TEXT), bytes].concat()).unwrap();
        assert!(format!("{:?}", trace.damage()).contains("a head of 72 bytes"), "{:?}", trace.damage());
    }
}

/// The head is half of a small trace.
#[test]
fn the_head_of_this_builds_table_is_small() {
    let memory = Memory::default();
    let header = Header { schema: SchemaTable::current(), ..Header::default() };
    TraceWriter::new(memory.clone(), header, WriteOptions::default()).unwrap().finish().unwrap();
    let bytes = memory.0.lock().unwrap().len();
    println!("{bytes} bytes");
    assert!(bytes <= 26_000, "{bytes} bytes");
}

/// Size of a small recording with this build's table; its events use the definitions in the file.
#[test]
fn a_small_trace_is_small() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/pix-single-frame.taut");
    let recorded = Trace::open(path).unwrap();
    let write = |schema: SchemaTable, records: &[generate::Record]| {
        let memory = Memory::default();
        let header = Header { schema, ..recorded.header().clone() };
        let writer = TraceWriter::new(memory.clone(), header, WriteOptions::default()).unwrap();
        let numbers: std::collections::BTreeSet<u32> = records.iter().map(|record| record.thread).collect();
        for number in numbers {
            let mut thread = writer.thread(number);
            for record in records.iter().filter(|record| record.thread == number) {
                thread.event(record.code, record.stamp, |encoder| {
                    record.payload.iter().for_each(|byte| encoder.u8(*byte));
                });
            }
        }
        writer.finish().unwrap();
        memory.0.lock().unwrap().len()
    };
    let schema = &recorded.header().schema;
    let (whole, head) = (write(schema.clone(), &read(&recorded)), write(schema.clone(), &[]));
    let current = write(SchemaTable::current(), &[]);
    println!("head {head} bytes, blocks {}, head of this build {current}", whole - head);
    // The original target was 40,000; the schema has grown by 5 % since.
    assert!(whole - head + current <= 42_000, "{} bytes", whole - head + current);
}

/// Blocks of that stream are metadata: records in it would not be found.
#[test]
fn a_thread_that_requests_the_metadata_stream_gets_another_number() {
    let memory = Memory::default();
    let writer = TraceWriter::new(memory.clone(), header(&Clock::best()), WriteOptions::default()).unwrap();
    writer.keep_time(Clock::best());
    let mut thread = writer.thread(u32::MAX);
    (0..10).for_each(|stamp| record(&mut thread, stamp));
    drop(thread);
    assert_eq!(writer.finish().unwrap().events, 10);
    let trace = Trace::from_bytes(memory.0.lock().unwrap().clone()).unwrap();
    assert_eq!(trace.verify(), []);
    let threads: Vec<u32> = read(&trace).iter().map(|record| record.thread).collect();
    assert_eq!(threads, [u32::MAX - 1; 10]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn streams_and_clock_readings_of_another_machine_come_back(
        streams in proptest::collection::vec((any::<u32>(), any::<u64>(), "\\PC{0,60}"), 1..8),
        readings in proptest::collection::vec(any::<[u64; 4]>(), 0..4),
    ) {
        let described = streams.into_iter().enumerate().map(|(index, (process, system_thread, name))| StreamInfo {
            stream: index as u32 + 1,
            process,
            system_thread,
            name,
        });
        let described: Vec<_> = described.collect();
        let readings: Vec<_> = readings
            .into_iter()
            .map(|[ticks, monotonic_ns, utc_ns, error_ns]| ClockReading { ticks, monotonic_ns, utc_ns, error_ns })
            .collect();
        let memory = Memory::default();
        let mut header = Header { schema: table(), ..Header::default() };
        header.world.clock.ticks_per_second = 1000;
        let writer = TraceWriter::new(memory.clone(), header, WriteOptions::default()).unwrap();
        readings.iter().for_each(|reading| writer.add_clock_reading(*reading));
        for stream in &described {
            record(&mut writer.stream(stream.clone()), stream.stream.into());
        }
        writer.finish().unwrap();
        let trace = Trace::from_bytes(memory.0.lock().unwrap().clone()).unwrap();
        prop_assert_eq!(trace.damage(), []);
        prop_assert_eq!(trace.streams(), described);
        let mut expected = readings;
        expected.sort_by_key(|reading| reading.ticks);
        expected.dedup_by_key(|reading| reading.ticks);
        let found = trace.utc_clock().map(|clock| clock.readings().to_vec()).unwrap_or_default();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn floats_are_printed_as_numbers() {
    let scalars = [("single", 4), ("double", 8)].map(|(name, width_bytes)| {
        let kind = FieldKind::Scalar(scalar(name.into(), width_bytes, Role::Float, false));
        FieldSchema { name: name.into(), doc: String::new(), kind }
    });
    let table = SchemaTable { events: vec![event(1, Opcode::Info, scalars.to_vec())].into(), ..SchemaTable::default() };
    let row = [&1.5_f32.to_le_bytes()[..], &f64::NAN.to_le_bytes()].concat();
    let values = taut_traces::fields(&table, CODE, &row).unwrap();
    let values: Vec<_> = values.iter().map(|(_, value)| serde_json::to_string(value).unwrap()).collect();
    assert_eq!(values, ["1.5", "null"]);
    // A reader that does not know the role takes the bits for a number.
    let stored = serde_json::to_string(&table).unwrap().replace("\"float\"", "\"later\"");
    let former: SchemaTable = serde_json::from_str(&stored).unwrap();
    let values = taut_traces::fields(&former, CODE, &row).unwrap();
    assert_eq!(values[0].1, taut_traces::Value::Number(1.5_f32.to_bits().into()));
}

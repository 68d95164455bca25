//! Guarantees of the trace writer.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::generate;

use generate::{Gated, Memory, Random, Record, event, read, records, write};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, channel};
use taut_schemas::{Encoder, EventCode, FieldKind, FieldSchema, Opcode, SchemaTable};
use taut_traces::{Header, OnFull, Trace, TraceWriter, WriteError, WriteOptions};

fn header() -> Header {
    Header { schema: bytes_table(), ..Header::default() }
}

/// Event with a byte string.
fn bytes_table() -> SchemaTable {
    let field = FieldSchema { name: "data".into(), doc: String::new(), kind: FieldKind::Bytes };
    SchemaTable { events: vec![event(1, Opcode::Info, vec![field])].into(), ..SchemaTable::default() }
}

const CODE: EventCode = EventCode::new(1, Opcode::Info);

fn bytes_of(memory: &Memory) -> Vec<u8> {
    memory.0.lock().unwrap().clone()
}

#[test]
fn the_same_events_give_the_same_bytes_whatever_the_buffers() {
    let table = SchemaTable::current();
    let records: Vec<Record> = records(&mut Random(11), &table, 1, 100_000);
    let with = |buffer_bytes| write(&table, &records, WriteOptions { buffer_bytes, ..WriteOptions::default() }).0;
    let bytes = with(1 << 18);
    assert!(bytes == with(1 << 18));
    assert!(bytes == with(1 << 12));
}

#[test]
fn a_record_larger_than_a_buffer_is_recorded() {
    let payload = |size: usize| {
        let mut payload = Vec::new();
        Encoder::new(&mut payload).bytes(&vec![0x5a; size]);
        payload
    };
    let sizes = [10, 5_000_000, 0, 8_000_000, 3];
    let records = sizes.iter().zip(1u64..);
    let records = records.map(|(size, stamp)| Record { stamp, thread: 0, code: CODE, payload: payload(*size) });
    let records: Vec<Record> = records.collect();
    let options = WriteOptions { buffer_bytes: 4096, spare_buffers: 1, ..WriteOptions::default() };
    let (bytes, summary) = write(&bytes_table(), &records, options);
    assert_eq!((summary.events, summary.lost_events), (5, 0));
    assert!(read(&Trace::from_bytes(bytes).unwrap()) == records);
}

/// Sink that accepts `left` bytes and then fails.
struct Failing {
    memory: Memory,
    left: usize,
}

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(self.left);
        self.left -= taken;
        self.memory.write(&bytes[..taken])
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_output_failure_is_reported_with_its_bytes_and_no_thread_waits() {
    let records: Vec<Record> = records(&mut Random(2), &bytes_table(), 1, 100_000);
    let (whole, _) = write(&bytes_table(), &records, WriteOptions::default());
    let head = Trace::from_bytes(whole.clone()).unwrap().blocks()[0].offset as usize;
    for left in [head, head + 1, head + 100, whole.len() / 2, whole.len() - 30, whole.len() - 1] {
        let memory = Memory::default();
        let options = WriteOptions { buffer_bytes: 1024, spare_buffers: 1, ..WriteOptions::default() };
        let writer = TraceWriter::new(Failing { memory: memory.clone(), left }, header(), options).unwrap();
        let mut thread = writer.thread(0);
        for record in &records {
            thread.event(CODE, record.stamp, |encoder| record.payload.iter().for_each(|byte| encoder.u8(*byte)));
        }
        drop(thread);
        match writer.finish() {
            Err(WriteError::Output { bytes_written, source, .. }) => {
                assert_eq!(bytes_written, left as u64);
                assert_eq!(source.kind(), io::ErrorKind::StorageFull);
            }
            other => panic!("{other:?}"),
        }
        let trace = Trace::from_bytes(bytes_of(&memory)).unwrap();
        assert!(!trace.summary().complete);
        let found = read(&trace);
        assert!(found == records[..found.len()]);
    }
}

#[test]
fn an_output_failure_is_reported_at_once_and_losses_are_counted_by_thread() {
    let memory = Memory::default();
    let options = WriteOptions { buffer_bytes: 256, spare_buffers: 1, ..WriteOptions::default() };
    let head = {
        let whole = Memory::default();
        TraceWriter::new(whole.clone(), header(), options.clone()).unwrap().finish().unwrap();
        let head = bytes_of(&whole).windows(4).position(|at| at == b"\xb1TF1").unwrap();
        head + 1000
    };
    let writer = TraceWriter::new(Failing { memory: memory.clone(), left: head }, header(), options).unwrap();
    let (sender, receiver) = channel();
    writer.on_failure(move |error| sender.send(error.to_string()).unwrap());
    let (first, second) = (writer.thread(1), writer.thread(2));
    // A block of the first thread is written at its end at the latest; the second goes on until the failure is
    // reported, and beyond.
    let (go, wait) = channel();
    let record = |mut thread: taut_traces::ThreadWriter, wait: Option<Receiver<()>>| {
        std::thread::spawn(move || {
            for stamp in 0..50_000u64 {
                if stamp == 25_000 {
                    wait.iter().for_each(|wait| wait.recv().unwrap());
                }
                // None of its blocks is small.
                let data = Random(stamp).next().to_le_bytes();
                thread.event(CODE, stamp, |encoder| encoder.bytes(&data));
            }
        })
    };
    let threads = [record(first, None), record(second, Some(wait))];
    // Long before the end.
    let text = receiver.recv().unwrap();
    assert!(text.contains(&format!("(after {head} bytes)")), "{text}");
    go.send(()).unwrap();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let Err(error @ WriteError::Output { .. }) = writer.finish() else { panic!("it failed") };
    let trace = Trace::from_bytes(bytes_of(&memory)).unwrap();
    let WriteError::Output { lost, .. } = &error else { panic!("{error}") };
    for (thread, events) in lost {
        let recorded = read(&trace).iter().filter(|record| record.thread == *thread).count() as u64;
        assert_eq!(recorded + events, 50_000, "thread {thread}");
    }
    assert_eq!(lost.len(), 2, "{error}");
    let all: u64 = lost.iter().map(|(_, events)| events).sum();
    assert!(error.to_string().contains(&format!("{} lost: ", taut_schemas::counted(all, "event"))), "{error}");
}

#[test]
fn short_lived_threads_leave_no_queue() {
    for on_full in [OnFull::Drop, OnFull::Block] {
        let (open, gate) = channel();
        let memory = Memory::default();
        let options = WriteOptions { buffer_bytes: 256, spare_buffers: 2, on_full, ..WriteOptions::default() };
        let writer = TraceWriter::new(Gated { memory: memory.clone(), gate, writes: 0 }, header(), options).unwrap();
        std::thread::scope(|scope| {
            let ended = scope.spawn(|| {
                for number in 0..500 {
                    let mut thread = writer.thread(number);
                    (0..3u64).for_each(|stamp| thread.event(CODE, stamp, |encoder| encoder.bytes(b"abc")));
                }
            });
            if on_full == OnFull::Block {
                // Five events in buffers, and the one at the gate.
                std::thread::sleep(std::time::Duration::from_millis(100));
                assert!(!ended.is_finished());
            } else {
                ended.join().unwrap();
            }
            drop(open);
        });
        let summary = writer.finish().unwrap();
        assert_eq!(summary.events + summary.lost_events, 1500);
        assert_eq!(summary.lost_events > 0, on_full == OnFull::Drop);
        let trace = Trace::from_bytes(bytes_of(&memory)).unwrap();
        assert_eq!(trace.verify(), []);
        assert_eq!(trace.summary().threads.len(), 500);
    }
}

#[test]
fn an_output_that_cannot_be_created_is_reported_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing").join("a.taut");
    let error = TraceWriter::create(&path, header(), WriteOptions::default()).unwrap_err();
    assert!(error.to_string().contains("a.taut"), "{error}");
}

#[test]
fn a_record_above_the_max_size_is_counted_as_lost() {
    let memory = Memory::default();
    let writer = TraceWriter::new(memory.clone(), header(), WriteOptions::default()).unwrap();
    let mut thread = writer.thread(0);
    thread.event(CODE, 1, |encoder| encoder.bytes(&vec![0x5a; (8 << 20) - 4]));
    thread.event(CODE, 2, |encoder| encoder.bytes(&vec![0x5a; (8 << 20) - 3]));
    drop(thread);
    let summary = writer.finish().unwrap();
    assert_eq!((summary.events, summary.lost_events), (1, 1));
    assert_eq!(read(&Trace::from_bytes(bytes_of(&memory)).unwrap()).len(), 1);
}

#[test]
fn a_file_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.taut");
    let writer = TraceWriter::create(&path, header(), WriteOptions::default()).unwrap();
    writer.thread(3).event(CODE, 9, |encoder| encoder.bytes(b"abc"));
    let summary = writer.finish().unwrap();
    assert_eq!(summary.bytes, std::fs::metadata(&path).unwrap().len());
    let trace = Trace::open(&path).unwrap();
    assert_eq!(trace.verify(), []);
    assert_eq!(read(&trace), [Record { stamp: 9, thread: 3, code: CODE, payload: b"\x03\0\0\0abc".to_vec() }]);
}

#[test]
fn events_dropped_for_want_of_buffers_are_counted_where_they_were_lost() {
    let (open, gate) = channel();
    let memory = Memory::default();
    let options =
        WriteOptions { buffer_bytes: 256, spare_buffers: 1, on_full: OnFull::Drop, ..WriteOptions::default() };
    let writer = TraceWriter::new(Gated { memory: memory.clone(), gate, writes: 0 }, header(), options).unwrap();
    // The end of a first thread keeps the block writer at the gate.
    writer.thread(7).event(CODE, 1, |encoder| encoder.bytes(b""));
    let mut thread = writer.thread(0);
    let mut stamp = 0;
    let mut event = |thread: &mut taut_traces::ThreadWriter| {
        stamp += 1;
        thread.event(CODE, stamp, |encoder| encoder.u32(0));
    };
    (0..200).for_each(|_| event(&mut thread));
    drop(open);
    // The buffers are returned once the gate is open.
    std::thread::sleep(std::time::Duration::from_millis(200));
    (0..200).for_each(|_| event(&mut thread));
    drop(thread);
    let summary = writer.finish().unwrap();
    assert!(summary.lost_events > 0);
    assert_eq!(summary.events + summary.lost_events, 401);
    let trace = Trace::from_bytes(bytes_of(&memory)).unwrap();
    assert_eq!(trace.verify(), []);
    // Stamps are the events' numbers: gaps between blocks have to equal the losses that the next block states.
    let mut next = 1;
    for block in trace.blocks().iter().filter(|block| block.thread == 0) {
        if block.records > 0 {
            assert_eq!(block.min_stamp, next + block.lost_before);
            next = block.max_stamp + 1;
        } else {
            next += block.lost_before;
        }
    }
    assert_eq!(next, 401);
}

#[test]
fn a_thread_that_outlives_the_trace_is_counted_and_never_waits() {
    let memory = Memory::default();
    let options = WriteOptions { buffer_bytes: 256, spare_buffers: 1, ..WriteOptions::default() };
    let writer = TraceWriter::new(memory.clone(), header(), options).unwrap();
    let mut thread = writer.thread(0);
    (0..5).for_each(|stamp| thread.event(CODE, stamp, |encoder| encoder.bytes(b"")));
    let summary = writer.finish().unwrap();
    assert_eq!((summary.events, summary.lost_events), (0, 5));
    (0..10_000).for_each(|stamp| thread.event(CODE, stamp, |encoder| encoder.bytes(b"")));
    drop(thread);
    let trace = Trace::from_bytes(bytes_of(&memory)).unwrap();
    assert_eq!(trace.verify(), []);
    assert_eq!(trace.summary().lost_events, 5);
}

#[test]
fn a_row_of_a_wrong_layout_is_counted_and_reported() {
    let memory = Memory::default();
    let writer = TraceWriter::new(memory.clone(), header(), WriteOptions::default()).unwrap();
    let mut thread = writer.thread(0);
    thread.event(CODE, 1, |encoder| encoder.bytes(b"good"));
    thread.event(CODE, 2, |encoder| encoder.u16(7));
    thread.event(EventCode(4000), 3, |encoder| encoder.u16(7));
    thread.event(CODE, 4, |encoder| encoder.bytes(b"good"));
    drop(thread);
    match writer.finish() {
        Err(WriteError::Rows { rows: 2, thread: 0, code: CODE, .. }) => {}
        other => panic!("{other:?}"),
    }
    let trace = Trace::from_bytes(bytes_of(&memory)).unwrap();
    assert_eq!(trace.verify(), []);
    assert_eq!(read(&trace).iter().map(|record| record.stamp).collect::<Vec<_>>(), [1, 4]);
    assert_eq!(trace.blocks()[1].lost_before, 2);
}

#[test]
fn a_payload_that_panics_leaves_no_half_record() {
    let memory = Memory::default();
    let writer = TraceWriter::new(memory.clone(), header(), WriteOptions::default()).unwrap();
    let mut thread = writer.thread(0);
    let mut record = |stamp: u64, fails: bool| {
        let payload = |encoder: &mut Encoder<'_>| {
            encoder.u8(1);
            assert!(!fails, "on purpose");
            encoder.u8(0);
            encoder.u16(0);
            encoder.u8(0xaa);
        };
        let event = std::panic::AssertUnwindSafe(|| thread.event(CODE, stamp, payload));
        std::panic::catch_unwind(event).is_err()
    };
    assert!(!record(1, false));
    assert!(record(2, true));
    assert!(!record(3, false));
    assert!(record(4, true));
    drop(thread);
    let summary = writer.finish().unwrap();
    assert_eq!((summary.events, summary.lost_events), (2, 2));
    let trace = Trace::from_bytes(bytes_of(&memory)).unwrap();
    assert_eq!(read(&trace).iter().map(|record| record.stamp).collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn a_writer_dropped_without_an_end_leaves_an_unfinished_trace() {
    let memory = Memory::default();
    let writer = TraceWriter::new(memory.clone(), header(), WriteOptions::default()).unwrap();
    writer.thread(0).event(CODE, 1, |encoder| encoder.bytes(b"kept"));
    drop(writer);
    let trace = Trace::from_bytes(bytes_of(&memory)).unwrap();
    assert!(!trace.summary().complete);
    assert_eq!(read(&trace).len(), 1);
}

#[test]
fn threads_at_once_lose_nothing() {
    let memory = Memory::default();
    let options = WriteOptions { buffer_bytes: 4096, spare_buffers: 2, ..WriteOptions::default() };
    let writer = TraceWriter::new(memory.clone(), header(), options).unwrap();
    std::thread::scope(|scope| {
        for number in 0..4 {
            let mut thread = writer.thread(number);
            scope.spawn(move || {
                (0..20_000u64)
                    .for_each(|stamp| thread.event(CODE, stamp, |encoder| encoder.bytes(&stamp.to_le_bytes())));
            });
        }
    });
    assert_eq!(writer.finish().unwrap().events, 80_000);
    let found = read(&Trace::from_bytes(bytes_of(&memory)).unwrap());
    // Merged by (stamp, thread).
    let order = (0..20_000u64).flat_map(|stamp| (0..4).map(move |thread| (stamp, thread)));
    assert!(found.iter().map(|record| (record.stamp, record.thread)).eq(order));
    assert!(found.iter().all(|record| record.payload[4..] == record.stamp.to_le_bytes()));
}

#[test]
fn a_block_lists_the_calls_open_at_its_begin() {
    let starts: Vec<_> = (1..4).map(|id| event(id, Opcode::Start, Vec::new())).collect();
    let stops = (1..4).map(|id| event(id, Opcode::Stop, Vec::new()));
    let mut events: Vec<_> = starts.into_iter().chain(stops).collect();
    events.sort_by_key(|event| event.code);
    let schema = SchemaTable { events: events.into(), ..SchemaTable::default() };
    let memory = Memory::default();
    let header = Header { schema, ..Header::default() };
    let writer = TraceWriter::new(memory.clone(), &header, WriteOptions::default()).unwrap();
    let mut stamp = 0;
    // The end of each writer closes a block.
    let mut block = |codes: &[EventCode]| {
        let mut thread = writer.thread(0);
        for code in codes {
            stamp += 1;
            thread.event(*code, stamp, |_| ());
        }
    };
    let (start, stop) = (|id| EventCode::new(id, Opcode::Start), |id| EventCode::new(id, Opcode::Stop));
    block(&[start(1), start(2)]);
    block(&[start(3), stop(3)]);
    block(&[stop(2), stop(1), stop(1), start(2)]);
    block(&vec![start(3); 2000]);
    block(&vec![stop(3); 1500]);
    block(&vec![stop(3); 500]);
    block(&[start(1)]);
    writer.finish().unwrap();
    let trace = Trace::from_bytes(bytes_of(&memory)).unwrap();
    assert_eq!(trace.verify(), []);
    let open: Vec<_> = trace.blocks().iter().map(|block| trace.open_calls(block).unwrap()).collect();
    assert_eq!(open[0], (0, vec![]));
    assert_eq!(open[1], (2, vec![start(1), start(2)]));
    assert_eq!(open[2], (2, vec![start(1), start(2)]));
    assert_eq!(open[3], (1, vec![start(2)]));
    assert_eq!(open[4], (2001, vec![start(3); 1024]));
    assert_eq!((open[5].0, open[5].1.len()), (501, 501));
    assert_eq!(open[6], (1, vec![start(2)]));
}

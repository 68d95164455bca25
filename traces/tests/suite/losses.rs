//! Recorded events are those passed in minus those lost, thread by thread and in order, under a load far above what the
//! output accepts.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::generate;

use generate::{Random, event};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use taut_schemas::{EventCode, FieldKind, FieldSchema, Opcode, SchemaTable};
use taut_traces::{Header, OnFull, Trace, TraceWriter, WriteOptions};

const CODE: EventCode = EventCode::new(1, Opcode::Info);

/// Size above the limit of a record.
const TOO_LARGE: usize = 9 << 20;

/// Sink that accepts one block in the time in which threads fill ten and more.
#[derive(Clone, Default)]
struct Slow(Arc<Mutex<Vec<u8>>>);

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        std::thread::sleep(Duration::from_millis(2));
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn header() -> Header {
    let field = FieldSchema { name: "data".into(), doc: String::new(), kind: FieldKind::Bytes };
    let events = vec![event(1, Opcode::Info, vec![field])];
    Header { schema: SchemaTable { events: events.into(), ..SchemaTable::default() }, ..Header::default() }
}

/// Records so many events on each thread, `lives` times, each time with a new writer; returns the number of events of
/// each thread, and how many of these were too large.
fn play(writer: &TraceWriter, threads: u32, lives: u64, events: u64, too_large_every: u64) -> Vec<(u64, u64)> {
    let per_thread: Vec<Mutex<(u64, u64)>> = (0..threads).map(|_| Mutex::default()).collect();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let per_thread = &per_thread;
            scope.spawn(move || {
                let mut random = Random(thread.into());
                let (mut number, mut too_large) = (0u64, 0);
                for _ in 0..lives {
                    let mut recorder = writer.thread(thread);
                    for _ in 0..events {
                        let is_too_large = number % too_large_every == too_large_every - 1;
                        let length = if is_too_large { TOO_LARGE } else { random.below(60) as usize };
                        recorder.event(CODE, number, |encoder| {
                            encoder.count(8 + length);
                            encoder.u64(number);
                            (0..length).for_each(|_| encoder.u8(number as u8));
                        });
                        number += 1;
                        too_large += u64::from(is_too_large);
                    }
                }
                *per_thread[thread as usize].lock().unwrap() = (number, too_large);
            });
        }
    });
    per_thread.into_iter().map(|per_thread| per_thread.into_inner().unwrap()).collect()
}

#[test]
fn every_event_is_recorded_or_counted_as_lost_in_order_in_every_thread() {
    for (on_full, threads, lives) in
        [(OnFull::Drop, 4, 1), (OnFull::Drop, 3, 40), (OnFull::Block, 4, 1), (OnFull::Block, 3, 40)]
    {
        let sink = Slow::default();
        let options = WriteOptions { buffer_bytes: 1 << 12, spare_buffers: 4, on_full, ..WriteOptions::default() };
        let writer = TraceWriter::new(sink.clone(), header(), options).unwrap();
        let per_thread = play(&writer, threads, lives, 24_000 / lives, 9_973);
        let summary = writer.finish().unwrap();
        let bytes = std::mem::take(&mut *sink.0.lock().unwrap());
        let trace = Trace::from_bytes(bytes).unwrap();
        assert!(trace.verify().is_empty(), "{:?}", trace.verify());
        let what = format!("{on_full:?}, {threads} threads, {lives} lives");
        let produced: u64 = per_thread.iter().map(|(events, _)| events).sum();
        assert_eq!(summary.events + summary.lost_events, produced, "{what}");
        let mut rows = vec![Vec::new(); threads as usize];
        let mut all = trace.rows();
        while let Some(row) = all.next_row() {
            let number = u64::from_le_bytes(*row.payload[4..].first_chunk().unwrap());
            assert!(row.payload[12..].iter().all(|byte| *byte == number as u8), "event {number}");
            rows[row.thread as usize].push(number);
        }
        for (thread, (events, too_large)) in per_thread.into_iter().enumerate() {
            let blocks = trace.blocks().iter().filter(|block| block.thread as usize == thread);
            let (mut at, mut lost) = (0, 0);
            for block in blocks {
                lost += block.lost_before;
                let records = block.records as usize;
                // The ordinal among all events of the thread follows from the losses before.
                let first = block.records_before + block.lost_since_begin;
                assert!(
                    rows[thread][at..at + records].iter().copied().eq(first..first + records as u64),
                    "{what}, {block:?}"
                );
                at += records;
            }
            assert_eq!((at, at as u64 + lost), (rows[thread].len(), events), "{what}, thread {thread}");
            match on_full {
                OnFull::Block => {
                    assert_eq!(lost, too_large, "{what}, thread {thread}: who waits loses what is too large alone")
                }
                OnFull::Drop => assert!(lost > too_large, "{what}, thread {thread}: the output was too slow"),
            }
        }
    }
}

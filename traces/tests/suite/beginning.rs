//! A new thread gets a buffer of its own, even if other threads wait for one.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::generate;

use generate::event;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::scope;
use std::time::Duration;
use taut_schemas::{EventCode, Opcode, SchemaTable};
use taut_traces::{Header, ThreadWriter, TraceWriter, WriteOptions};

const CODE: EventCode = EventCode::new(1, Opcode::Info);

/// Sink that accepts the header, and nothing more until the other end is dropped.
struct Stuck(bool, Receiver<()>);

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if std::mem::replace(&mut self.0, true) {
            let _ = self.1.recv();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn new_threads_do_not_wait_although_others_wait_for_buffers() {
    const WAITING: u32 = 3;
    const BEGINNING: u32 = 40;
    let (release, stuck) = channel();
    let schema = SchemaTable { events: vec![event(1, Opcode::Info, Vec::new())].into(), ..SchemaTable::default() };
    let options = WriteOptions { buffer_bytes: 1 << 12, spare_buffers: 1, ..WriteOptions::default() };
    let writer = TraceWriter::new(Stuck(false, stuck), Header { schema, ..Header::default() }, options).unwrap();
    let produced = AtomicU64::new(0);
    let record = |thread: &mut ThreadWriter, events: u64| {
        for stamp in 0..events {
            thread.event(CODE, stamp, |_| {});
            produced.fetch_add(1, Ordering::Relaxed);
        }
    };
    let began = scope(|scope| {
        let record = &record;
        for number in 0..WAITING {
            let mut thread = writer.thread(number);
            scope.spawn(move || record(&mut thread, 100_000));
        }
        let mut before = 0;
        while produced.load(Ordering::Relaxed) != before || before == 0 {
            before = produced.load(Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(100));
        }
        let (begun, receiver) = channel();
        for number in WAITING..WAITING + BEGINNING {
            let (begun, mut thread) = (begun.clone(), writer.thread(number));
            scope.spawn(move || {
                record(&mut thread, 1);
                // The end of a thread returns its right to a buffer.
                let _ = begun.send(thread);
            });
        }
        let answers = (0..BEGINNING).map_while(|_| receiver.recv_timeout(Duration::from_secs(20)).ok());
        let began: Vec<ThreadWriter> = answers.collect();
        drop(release);
        began.len()
    });
    assert_eq!(began, BEGINNING as usize, "threads that recorded their first event");
    let summary = writer.finish().unwrap();
    assert_eq!((summary.events, summary.lost_events), (u64::from(WAITING) * 100_000 + u64::from(BEGINNING), 0));
}

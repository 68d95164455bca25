//! Storage that fails at any one of its calls: recording threads go on, the failure is reported once, the bytes written
//! are a valid trace, and every event is recorded or counted as lost.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod fault;
use crate::generate;
mod preserved;
mod recovered;
mod seeded;

use fault::{Fault, Plan};
use generate::{Memory, Random, Record, read, records, table};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use taut_schemas::{Encoder, SchemaTable};
use taut_traces::{Header, Trace, TraceWriter, WriteError, WriteOptions};

struct Storage {
    memory: Memory,
    plan: Arc<Plan>,
}

impl Write for Storage {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.plan.write(bytes.len())?;
        self.memory.write(&bytes[..taken])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.plan.other()
    }
}

/// Two threads whose writers are replaced repeatedly, so that there are several blocks.
fn recorded(storage: Storage, table: &SchemaTable, all: &[Record]) -> (Result<(), WriteError>, usize) {
    let header = Header { schema: table.clone(), ..Header::default() };
    let options = WriteOptions { buffer_bytes: 512, spare_buffers: 2, ..WriteOptions::default() };
    let writer = match TraceWriter::new(storage, header, options) {
        Ok(writer) => writer,
        Err(error) => return (Err(error), 0),
    };
    let reported = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&reported);
    writer.on_failure(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    for run in all.chunks(all.len().div_ceil(4)) {
        let mut threads = [writer.thread(0), writer.thread(1)];
        for record in run {
            let payload = |encoder: &mut Encoder<'_>| encoder.raw(&record.payload);
            threads[record.thread as usize].event(record.code, record.stamp, payload);
        }
    }
    let ended = writer.finish().map(drop);
    (ended, reported.load(Ordering::Relaxed))
}

#[test]
fn a_storage_failure_at_any_call_is_reported_once_and_losses_are_counted() {
    let mut random = Random(3);
    let table = loop {
        let table = table(&mut random);
        if table.events.len() > 4 {
            break table;
        }
    };
    let all = records(&mut random, &table, 2, 400);
    let produced = |thread: u32| all.iter().filter(|record| record.thread == thread).count() as u64;
    let run = |fault| {
        let (memory, plan) = (Memory::default(), Arc::new(Plan::new(fault)));
        let storage = Storage { memory: memory.clone(), plan: Arc::clone(&plan) };
        let (ended, reported) = recorded(storage, &table, &all);
        let bytes = memory.0.lock().unwrap().clone();
        (ended, reported, bytes, plan.calls())
    };
    let (ended, reported, _, calls) = run(None);
    assert!(ended.is_ok() && reported == 0 && calls > 8, "{calls} calls");
    for fault in Fault::ALL {
        // The order of blocks depends on when the threads end, but the number of calls is always the same.
        for at in 0..calls {
            let what = format!("{fault:?} at call {at} of {calls}");
            let (ended, reported, bytes, _) = run(Some((at, fault)));
            let is_last = at == calls - 1;
            if fault.is_none() || (fault == Fault::Half && is_last) {
                assert!(ended.is_ok() && reported == 0, "{what}: {ended:?}");
                assert_eq!(Trace::from_bytes(bytes).unwrap().verify(), [], "{what}");
                continue;
            }
            let Err(WriteError::Output { lost, bytes_written, .. }) = ended else { panic!("{what}: {ended:?}") };
            assert_eq!(bytes_written, bytes.len() as u64, "{what}");
            assert_eq!(reported, usize::from(at > 0), "{what}");
            if at == 0 {
                continue;
            }
            let trace = Trace::from_bytes(bytes).unwrap();
            let found = read(&trace);
            let lost: BTreeMap<u32, u64> = lost.into_iter().collect();
            for thread in 0..2 {
                let of_thread = |record: &&Record| record.thread == thread;
                let preserved = found.iter().filter(of_thread).count();
                assert!(found.iter().filter(of_thread).eq(all.iter().filter(of_thread).take(preserved)), "{what}");
                let lost = lost.get(&thread).copied().unwrap_or_default();
                assert_eq!(preserved as u64 + lost, produced(thread), "{what}, thread {thread}");
            }
        }
    }
}

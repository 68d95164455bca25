//! Recovery and snapshots of a recording whose output fails.

use crate::generate::{Memory, event, read};
use crate::left::UnfinishedRecording;
use crate::storage::Storage;
use crate::storage::fault::{Fault, Plan};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;
use taut_schemas::{EventCode, FieldKind, FieldSchema, Opcode, SchemaTable};
use taut_traces::{Clock, Disk, DiskCall, Header, Trace, TraceWriter, WriteOptions};

#[test]
fn a_recovery_with_a_failing_output_reports_it_and_preserves_its_sources() {
    let left = UnfinishedRecording::new();
    let place = left.place();
    let recovered = |fault| {
        let (memory, plan) = (Memory::default(), Arc::new(Plan::new(fault)));
        let mut output = Storage { memory: memory.clone(), plan: Arc::clone(&plan) };
        let written = place.open().write_finished(&mut output).map(drop);
        let bytes = memory.0.lock().unwrap().clone();
        (written, bytes, plan.calls())
    };
    let (written, whole, calls) = recovered(None);
    assert!(written.is_ok() && read(&Trace::from_bytes(whole.clone()).unwrap()) == left.all, "{written:?}");
    for (fault, at) in Fault::ALL.into_iter().flat_map(|fault| (0..calls).map(move |at| (fault, at))) {
        let (written, bytes, _) = recovered(Some((at, fault)));
        // The last call is not a write.
        if fault.is_none() || (fault == Fault::Half && at == calls - 1) {
            assert!(written.is_ok() && bytes == whole, "{fault:?} at {at}: {written:?}");
        } else {
            assert!(written.is_err() && whole.starts_with(&bytes), "{fault:?} at {at}");
        }
    }
    assert!(read(&place.open()) == left.all);
}

const CODE: EventCode = EventCode::new(1, Opcode::Info);

fn is_snapshot(path: &Path) -> bool {
    path.to_string_lossy().contains("x.1.taut")
}

/// True if a snapshot was taken of a recording whose snapshot files fail in this way, and the number of calls.
fn snapshot(fault: Option<(usize, Fault)>) -> (bool, usize) {
    let folder = tempfile::tempdir().unwrap();
    let plan = Arc::new(Plan::new(fault));
    let planned = Arc::clone(&plan);
    let disk = Disk::with_gate(move |call, path, bytes| match call {
        _ if !is_snapshot(path) => Ok(bytes),
        DiskCall::Write => planned.write(bytes),
        _ => planned.other().map(|()| bytes),
    });
    let field = FieldSchema { name: "data".into(), doc: String::new(), kind: FieldKind::Bytes };
    let events = vec![event(1, Opcode::Info, vec![field])];
    let header =
        Header { schema: SchemaTable { events: events.into(), ..SchemaTable::default() }, ..Header::default() };
    let (path, clock) = (folder.path().join("x.taut"), Clock::monotonic());
    let writer = TraceWriter::record(&path, header, WriteOptions { disk, ..WriteOptions::default() }).unwrap();
    writer.keep_time(clock);
    let (sender, receiver) = channel();
    writer.on_snapshot(move |taken| sender.send(taken.is_ok()).unwrap());
    let mut thread = writer.thread(0);
    let mut last = 0;
    let mut record = |events: usize| {
        for _ in 0..events {
            last = clock.stamp(last);
            thread.event(CODE, last, |encoder| encoder.bytes(b"some bytes"));
        }
    };
    record(100);
    writer.snapshot_requests().request();
    let taken = receiver.recv_timeout(Duration::from_secs(60)).unwrap();
    record(100);
    drop(thread);
    assert_eq!(writer.finish().unwrap().events, 200, "{fault:?}: the recording goes on");
    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 1 + usize::from(taken), "{fault:?}: a snapshot is whole or not there");
    assert!(!taken || read(&Trace::open(folder.path().join("x.1.taut")).unwrap()).len() == 100);
    (taken, plan.calls())
}

#[test]
fn a_failed_snapshot_is_reported_and_the_recording_goes_on() {
    let (taken, calls) = snapshot(None);
    assert!(taken && calls >= 4, "{calls} calls");
    for at in 0..calls {
        assert!(!snapshot(Some((at, Fault::ALL[0]))).0, "call {at} of {calls}");
    }
    assert!(snapshot(Some((0, Fault::Short))).0);
}

//! Crash-safe recordings on a failing disk: trace, sidecar, segments and snapshots, at creation, write, sync, rename,
//! map and removal.

use crate::generate::{Random, Record, read, records, table};
use crate::storage::fault::{Fault, Plan};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use taut_schemas::{Encoder, SchemaTable};
use taut_traces::{Disk, DiskCall, Header, Mode, Trace, TraceWriter, WriteError, WriteOptions};

/// Role of a file in a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FileRole {
    Trace,
    Sidecar,
    Segment,
}

impl FileRole {
    fn from_path(path: &Path) -> FileRole {
        let is = |end: &str| path.iter().any(|role| role.to_string_lossy().ends_with(end));
        match (is(".live"), is(".ring")) {
            (true, _) => FileRole::Sidecar,
            (_, true) => FileRole::Segment,
            _ => FileRole::Trace,
        }
    }
}

/// Calls of one kind for files of one role, the one at which a fault occurs, and the fault.
type Aim = (FileRole, DiskCall, usize, Fault);

type Counts = BTreeMap<(FileRole, DiskCall), usize>;

/// Outcome of a recording.
struct Run {
    folder: tempfile::TempDir,
    counts: Counts,
    /// True if the call with the fault was made.
    befell: bool,
    produced: Vec<Record>,
    reported: usize,
    not_persistent: usize,
    /// Result of the recording, if it began.
    ended: Result<Result<(), WriteError>, WriteError>,
}

/// Disk with a counter of its calls.
fn disk(aim: Option<Aim>) -> (Disk, Arc<Mutex<Counts>>, Arc<Plan>) {
    let (counts, plan) = (Arc::<Mutex<Counts>>::default(), Arc::new(Plan::new(aim.map(|aim| (aim.2, aim.3)))));
    let (counted, planned) = (Arc::clone(&counts), Arc::clone(&plan));
    let disk = Disk::with_gate(move |call, path, bytes| {
        let role = FileRole::from_path(path);
        *counted.lock().unwrap().entry((role, call)).or_default() += 1;
        match aim {
            Some((aimed, at, ..)) if (aimed, at) == (role, call) => match call {
                DiskCall::Write => planned.write(bytes),
                _ => planned.other().map(|()| bytes),
            },
            _ => Ok(bytes),
        }
    });
    (disk, counts, plan)
}

/// Records all events with two threads, whose writers are replaced repeatedly.
fn run(mode: Mode, table: &SchemaTable, all: &[Record], aim: Option<Aim>) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let (disk, counts, plan) = disk(aim);
    let options = WriteOptions {
        buffer_bytes: 1 << 12,
        spare_buffers: 2,
        sync_interval: Some(Duration::from_millis(1)),
        max_bytes: Some(100_000).filter(|_| mode.discards_oldest()),
        mode,
        disk,
        ..WriteOptions::default()
    };
    let header = Header { schema: table.clone(), ..Header::default() };
    let [reported, not_persistent] = [0, 0].map(|zero| Arc::new(AtomicUsize::new(zero)));
    let begun = TraceWriter::record(folder.path().join("x.taut"), header, options).map(|writer| {
        let (failures, notes) = (Arc::clone(&reported), Arc::clone(&not_persistent));
        writer.on_failure(move |_| {
            failures.fetch_add(1, Ordering::Relaxed);
        });
        writer.on_not_persistent(move |_| {
            notes.fetch_add(1, Ordering::Relaxed);
        });
        for (number, run) in all.chunks(all.len().div_ceil(4)).enumerate() {
            if number == 2 && mode != Mode::Ring {
                wait_for_sync(&counts, &reported);
            }
            let mut threads = [writer.thread(0), writer.thread(1)];
            for record in run {
                let payload = |encoder: &mut Encoder<'_>| encoder.raw(&record.payload);
                threads[record.thread as usize].event(record.code, record.stamp, payload);
            }
        }
        writer.finish().map(drop)
    });
    let produced = if begun.is_ok() { all.to_vec() } else { Vec::new() };
    let [reported, not_persistent] = [reported, not_persistent].map(|count| count.load(Ordering::Relaxed));
    let counts = counts.lock().unwrap().clone();
    let befell = aim.is_some_and(|aim| plan.calls() > aim.2);
    Run { folder, counts, befell, produced, reported, not_persistent, ended: begun }
}

/// Waits until both files have been synced during the recording, or the sync has failed.
fn wait_for_sync(counts: &Mutex<Counts>, reported: &AtomicUsize) {
    let begun = Instant::now();
    let is_synced = || counts.lock().unwrap().contains_key(&(FileRole::Sidecar, DiskCall::Sync));
    while !is_synced() && reported.load(Ordering::Relaxed) == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is brought to disk");
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// True if a recording goes on, with all events in the trace, despite this fault.
fn is_survived((role, call, _, fault): Aim) -> bool {
    let is_written = call == DiskCall::Write;
    let is_noticed = matches!(fault, Fault::Fails(_)) || (is_written && fault == Fault::Half);
    // Slots are then in anonymous memory; files that cannot be removed do no harm.
    let of_slots = [DiskCall::Write, DiskCall::Map, DiskCall::Remove, DiskCall::Truncate, DiskCall::Punch];
    !is_noticed || (role == FileRole::Sidecar && of_slots.contains(&call)) || call == DiskCall::List
}

/// True if the fault may be tolerated: segments are removed both during a recording and after its end.
fn may_be_survived((role, call, ..): Aim) -> bool {
    (role, call) == (FileRole::Segment, DiskCall::Remove)
}

fn check(mode: Mode, run: &Run, aim: Aim) {
    let what = format!("{mode:?}, {aim:?}, {:?}", run.ended);
    let path = run.folder.path().join("x.taut");
    let files: Vec<_> = fs::read_dir(run.folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    let Ok(ended) = &run.ended else {
        assert!(run.befell && run.reported == 0 && files.is_empty(), "{what}: {files:?}");
        return;
    };
    let trace = Trace::open(&path).unwrap();
    let found = read(&trace);
    let left_out = trace.header().identity.discarded.map_or(0, |left| left.events);
    let preserved = found.len() as u64 + left_out;
    let mut rest = run.produced.iter();
    assert!(found.iter().all(|event| rest.any(|produced| produced == event)), "{what}: in order, none changed");
    let Err(error) = ended else {
        assert!(run.reported == 0 && (!run.befell || is_survived(aim) || may_be_survived(aim)), "{what}");
        assert!(trace.verify().is_empty() && trace.summary().complete, "{what}: {:?}", trace.verify());
        assert_eq!(preserved, run.produced.len() as u64, "{what}");
        assert_eq!(run.not_persistent, usize::from(trace.not_persistent().is_some()), "{what}");
        return;
    };
    assert!(run.befell && !is_survived(aim), "{what}");
    assert_eq!(run.reported, 1, "{what}");
    let WriteError::Output { lost, .. } = error else { panic!("{what}") };
    let lost: u64 = lost.iter().map(|(_, events)| events).sum();
    // Events in no block are in the sidecar of a ring recording and recovered from there, although they were reported
    // as lost.
    let in_sidecar = trace.recovery().map_or(0, |recovery| recovery.events());
    assert!(
        preserved <= run.produced.len() as u64 && preserved + lost >= run.produced.len() as u64,
        "{what}: {preserved} and {lost}"
    );
    assert!(
        preserved + lost <= run.produced.len() as u64 + in_sidecar,
        "{what}: {preserved} and {lost}, {in_sidecar} beside"
    );
    // A partially written block is not a block.
    let reported: u64 = trace.verify().iter().filter_map(|damage| damage.events_lost).sum();
    assert!(reported <= lost, "{what}: {:?}", trace.verify());
}

fn of_mode(mode: Mode, count: usize) {
    let mut random = Random(3);
    let table = loop {
        let table = table(&mut random);
        if table.events.len() > 4 {
            break table;
        }
    };
    let all = records(&mut random, &table, 2, count);
    let sound = run(mode, &table, &all, None);
    assert!(matches!(sound.ended, Ok(Ok(()))), "{:?}", sound.ended);
    println!("{mode:?}: {:?}", sound.counts);
    let mut not_persistent = 0;
    for (&(role, call), &calls) in &sound.counts {
        let mut places = vec![0, 1, 2, calls / 2, calls - 1];
        places.retain(|at| *at < calls);
        places.sort_unstable();
        places.dedup();
        let faults = if call == DiskCall::Write { &Fault::ALL[..] } else { &Fault::ALL[..1] };
        for (at, fault) in places.iter().flat_map(|at| faults.iter().map(|fault| (*at, *fault))) {
            let aim = (role, call, at, fault);
            let run = run(mode, &table, &all, Some(aim));
            check(mode, &run, aim);
            not_persistent += run.not_persistent;
        }
    }
    assert!(not_persistent > 0, "slots that could not be made are told");
}

#[test]
fn a_failing_file_is_reported_once_and_every_loss_is_counted() {
    of_mode(Mode::Sequential, 2000);
}

#[test]
fn a_failing_file_of_a_ring_is_reported_once_and_every_loss_is_counted() {
    of_mode(Mode::Ring, 8000);
}

#[test]
fn a_failing_file_of_a_synced_ring_is_reported_once_and_losses_are_counted() {
    of_mode(Mode::Circular, 8000);
}

//! The files of a recording that outlives its process, on a disk that fails: trace, sidecar, segments and snapshots, where they
//! are made, written, brought to disk, named, mapped and removed.

use crate::fault::{Fault, Plan};
use crate::generate::{Random, Record, read, records, table};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use taut_schemas::{Encoder, SchemaTable};
use taut_traces::{Disk, DiskCall, Header, Mode, Trace, TraceWriter, WriteError, WriteOptions};

/// What a file is to a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Trace,
    Sidecar,
    Segment,
}

impl Part {
    fn of(path: &Path) -> Part {
        let is = |end: &str| path.iter().any(|part| part.to_string_lossy().ends_with(end));
        match (is(".live"), is(".ring")) {
            (true, _) => Part::Sidecar,
            (_, true) => Part::Segment,
            _ => Part::Trace,
        }
    }
}

/// Calls of one kind for files of one kind, the one that a fault befalls, and the fault.
type Aim = (Part, DiskCall, usize, Fault);

type Counts = BTreeMap<(Part, DiskCall), usize>;

/// What became of a recording.
struct Run {
    folder: tempfile::TempDir,
    counts: Counts,
    /// The call came that the fault was for.
    befell: bool,
    produced: Vec<Record>,
    told: usize,
    unkept: usize,
    /// How it ended, if it began.
    ended: Result<Result<(), WriteError>, WriteError>,
}

/// A disk, and the calls to it.
fn disk(aim: Option<Aim>) -> (Disk, Arc<Mutex<Counts>>, Arc<Plan>) {
    let (counts, plan) = (Arc::<Mutex<Counts>>::default(), Arc::new(Plan::new(aim.map(|aim| (aim.2, aim.3)))));
    let (counted, planned) = (Arc::clone(&counts), Arc::clone(&plan));
    let disk = Disk::behind(move |call, path, bytes| {
        let part = Part::of(path);
        *counted.lock().unwrap().entry((part, call)).or_default() += 1;
        match aim {
            Some((aimed, at, ..)) if (aimed, at) == (part, call) => match call {
                DiskCall::Write => planned.write(bytes),
                _ => planned.other().map(|()| bytes),
            },
            _ => Ok(bytes),
        }
    });
    (disk, counts, plan)
}

/// Records all of it by two threads, whose writers come and go.
fn run(mode: Mode, table: &SchemaTable, all: &[Record], aim: Option<Aim>) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let (disk, counts, plan) = disk(aim);
    let options = WriteOptions {
        buffer_bytes: 1 << 12,
        spare_buffers: 2,
        sync_interval: Some(Duration::from_millis(1)),
        max_bytes: Some(100_000).filter(|_| mode.keeps_the_last()),
        mode,
        disk,
        ..WriteOptions::default()
    };
    let header = Header { schema: table.clone(), ..Header::default() };
    let [told, unkept] = [0, 0].map(|zero| Arc::new(AtomicUsize::new(zero)));
    let begun = TraceWriter::record(folder.path().join("x.taut"), header, options).map(|writer| {
        let (failures, notes) = (Arc::clone(&told), Arc::clone(&unkept));
        writer.on_failure(move |_| {
            failures.fetch_add(1, Ordering::Relaxed);
        });
        writer.on_unkept(move |_| {
            notes.fetch_add(1, Ordering::Relaxed);
        });
        for (number, run) in all.chunks(all.len().div_ceil(4)).enumerate() {
            if number == 2 && mode != Mode::Ring {
                wait_for_sync(&counts, &told);
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
    let [told, unkept] = [told, unkept].map(|count| count.load(Ordering::Relaxed));
    let counts = counts.lock().unwrap().clone();
    let befell = aim.is_some_and(|aim| plan.calls() > aim.2);
    Run { folder, counts, befell, produced, told, unkept, ended: begun }
}

/// Until both files were brought to disk while the recording goes on, or could not be.
fn wait_for_sync(counts: &Mutex<Counts>, told: &AtomicUsize) {
    let begun = Instant::now();
    let is_synced = || counts.lock().unwrap().contains_key(&(Part::Sidecar, DiskCall::Sync));
    while !is_synced() && told.load(Ordering::Relaxed) == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is brought to disk");
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Whether a recording goes on, and all of it is in the trace, though this befell it.
fn is_survived((part, call, _, fault): Aim) -> bool {
    let is_written = call == DiskCall::Write;
    let is_noticed = matches!(fault, Fault::Fails(_)) || (is_written && fault == Fault::Half);
    // Slots are in memory then; what cannot be removed is of no use to anybody.
    !is_noticed || (part == Part::Sidecar && [DiskCall::Write, DiskCall::Map, DiskCall::Remove].contains(&call))
}

fn check(mode: Mode, run: &Run, aim: Aim) {
    let what = format!("{mode:?}, {aim:?}, {:?}", run.ended);
    let path = run.folder.path().join("x.taut");
    let files: Vec<_> = fs::read_dir(run.folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    let Ok(ended) = &run.ended else {
        assert!(run.befell && run.told == 0 && files.is_empty(), "{what}: {files:?}");
        return;
    };
    let trace = Trace::open(&path).unwrap();
    let found = read(&trace);
    let left_out = trace.header().identity.left_out.map_or(0, |left| left.events);
    let kept = found.len() as u64 + left_out;
    let mut rest = run.produced.iter();
    assert!(found.iter().all(|event| rest.any(|produced| produced == event)), "{what}: in order, none changed");
    let Err(error) = ended else {
        assert!(run.told == 0 && (!run.befell || is_survived(aim)), "{what}");
        assert!(trace.verify().is_empty() && trace.summary().complete, "{what}: {:?}", trace.verify());
        assert_eq!(kept, run.produced.len() as u64, "{what}");
        assert_eq!(run.unkept, usize::from(trace.unkept().is_some()), "{what}");
        return;
    };
    assert!(run.befell && !is_survived(aim), "{what}");
    assert_eq!(run.told, 1, "{what}");
    let WriteError::Output { lost, .. } = error else { panic!("{what}") };
    let lost: u64 = lost.iter().map(|(_, events)| events).sum();
    // What was in no block is beside a recording that keeps its last, and taken from there though it was told to be lost.
    let beside = trace.recovery().map_or(0, |recovery| recovery.events());
    assert!(kept <= run.produced.len() as u64 && kept + lost >= run.produced.len() as u64, "{what}: {kept} and {lost}");
    assert!(kept + lost <= run.produced.len() as u64 + beside, "{what}: {kept} and {lost}, {beside} beside");
    // A block that was taken in part is no block.
    let told: u64 = trace.verify().iter().filter_map(|damage| damage.events_lost).sum();
    assert!(told <= lost, "{what}: {:?}", trace.verify());
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
    let mut unkept = 0;
    for (&(part, call), &calls) in &sound.counts {
        let mut places = vec![0, 1, 2, calls / 2, calls - 1];
        places.retain(|at| *at < calls);
        places.sort_unstable();
        places.dedup();
        let faults = if call == DiskCall::Write { &Fault::ALL[..] } else { &Fault::ALL[..1] };
        for (at, fault) in places.iter().flat_map(|at| faults.iter().map(|fault| (*at, *fault))) {
            let aim = (part, call, at, fault);
            let run = run(mode, &table, &all, Some(aim));
            check(mode, &run, aim);
            unkept += run.unkept;
        }
    }
    assert!(unkept > 0, "slots that could not be made are told");
}

#[test]
fn a_recording_whose_files_fail_goes_on_and_is_told_once_and_nothing_is_lost_uncounted() {
    of_mode(Mode::Sequential, 2000);
}

#[test]
fn so_does_one_that_keeps_its_last_in_segments() {
    of_mode(Mode::Ring, 8000);
}

#[test]
fn so_does_one_whose_segments_are_brought_to_disk() {
    of_mode(Mode::Circular, 8000);
}

//! Recordings and recoveries with one failing file system call, or all calls failing from one on: each call in turn,
//! then random ones. Other files next to the recording stay unchanged, and every event is recorded or counted as lost.

use crate::generate::{Random, Record, records, table};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use taut_schemas::{Encoder, SchemaTable};
use taut_traces::{Disk, Header, Mode, Trace, TraceWriter, WriteError, WriteOptions, recover_in_place};

/// Default number of runs; `TAUT_FAULTS` sets another one.
const RUNS: usize = 240;

/// System errors: EIO, EACCES, ENOSPC, EDQUOT.
const ERRORS: [i32; 4] = [5, 13, 28, 122];

/// Files of the user next to the recording, with names similar to those of side files.
const BYSTANDERS: [&str; 7] =
    ["notes.txt", "x.taut.part", "x.taut.live.old", "x.taut.live~", "y.taut.live", "x.taut.ring.txt", "x.1.taut"];

#[derive(Debug, Clone, Copy)]
struct Fault {
    at: usize,
    error: i32,
    /// True if all calls from that one on fail.
    lasts: bool,
}

/// Disk with this fault, and the number of its calls.
fn disk(fault: Option<Fault>) -> (Disk, Arc<AtomicUsize>) {
    let calls = Arc::<AtomicUsize>::default();
    let counted = Arc::clone(&calls);
    let disk = Disk::with_gate(move |_, _, bytes| {
        let call = counted.fetch_add(1, Ordering::Relaxed);
        match fault {
            Some(Fault { at, error, lasts }) if call == at || (lasts && call > at) => {
                Err(io::Error::from_raw_os_error(error))
            }
            _ => Ok(bytes),
        }
    });
    (disk, calls)
}

fn place_bystanders(folder: &Path) {
    for name in BYSTANDERS {
        fs::write(folder.join(name), format!("the user's {name}")).unwrap();
    }
    fs::create_dir(folder.join("x.ring")).unwrap();
    fs::write(folder.join("x.ring/0"), "the user's").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", folder.join("x.2.taut")).unwrap();
}

/// Names and contents of everything in a folder except the recording.
fn bystanders(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_own = |path: &Path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        ["x.taut", "x.taut.live", "x.taut.ring"].contains(&name.as_str())
    };
    let mut found = BTreeMap::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| !is_own(path)) {
        let contents = match fs::read_link(&path) {
            Ok(target) => target.to_string_lossy().into_owned().into_bytes(),
            Err(_) if path.is_dir() => fs::read(path.join("0")).unwrap(),
            Err(_) => fs::read(&path).unwrap(),
        };
        found.insert(path, contents);
    }
    found
}

struct Workload {
    table: SchemaTable,
    all: Vec<Record>,
}

impl Workload {
    fn new(count: usize) -> Workload {
        let mut random = Random(3);
        let table = loop {
            let table = table(&mut random);
            if table.events.len() > 4 {
                break table;
            }
        };
        let all = records(&mut random, &table, 2, count);
        Workload { table, all }
    }

    /// Records all events with two threads; `Err` if the recording did not begin.
    fn record(&self, folder: &Path, mode: Mode, disk: Disk) -> Result<Result<(), WriteError>, WriteError> {
        let options = WriteOptions {
            buffer_bytes: 1 << 12,
            spare_buffers: 2,
            sync_interval: Some(Duration::from_millis(1)),
            max_bytes: Some(100_000).filter(|_| mode.discards_oldest()),
            mode,
            disk,
            ..WriteOptions::default()
        };
        let header = Header { schema: self.table.clone(), ..Header::default() };
        let writer = TraceWriter::record(folder.join("x.taut"), header, options)?;
        for run in self.all.chunks(self.all.len().div_ceil(4)) {
            let mut threads = [writer.thread(0), writer.thread(1)];
            for record in run {
                let payload = |encoder: &mut Encoder<'_>| encoder.raw(&record.payload);
                threads[record.thread as usize].event(record.code, record.stamp, payload);
            }
        }
        Ok(writer.finish().map(drop))
    }
}

/// Records on a disk with a fault and checks the result; returns the number of calls.
fn record(workload: &Workload, mode: Mode, fault: Option<Fault>) -> usize {
    let folder = tempfile::tempdir().unwrap();
    place_bystanders(folder.path());
    let before = bystanders(folder.path());
    let (disk, calls) = disk(fault);
    let ended = workload.record(folder.path(), mode, disk);
    let what = format!("{mode:?}, {fault:?}: {ended:?}");
    assert_eq!(bystanders(folder.path()), before, "{what}");
    let path = folder.path().join("x.taut");
    let produced = if ended.is_ok() { workload.all.len() as u64 } else { 0 };
    let trace = match Trace::open(&path) {
        Ok(trace) => trace,
        Err(error) => {
            assert!(ended.is_err(), "{what}: {error}");
            return calls.load(Ordering::Relaxed);
        }
    };
    let left_out = trace.header().identity.discarded.map_or(0, |left| left.events);
    let preserved = trace.summary().events + left_out;
    let lost: u64 = match &ended {
        Ok(Err(WriteError::Output { lost, .. })) => lost.iter().map(|(_, events)| events).sum(),
        Ok(Ok(())) => trace.summary().lost_events,
        _ => 0,
    };
    assert_eq!(produced, preserved + lost, "{what}: {preserved} kept and {lost} lost, {:?}", trace.recovery());
    if mode == Mode::Sequential && ended.is_ok() {
        assert_eq!(trace.summary().lost_events, lost, "{what}: the trace says so");
    }
    calls.load(Ordering::Relaxed)
}

/// Recovers a recording in place on a disk with a fault; returns the number of calls.
fn recover(left: &crate::left::UnfinishedRecording, fault: Option<Fault>) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.taut");
    place_bystanders(folder.path());
    fs::write(&path, &left.trace).unwrap();
    fs::write(folder.path().join("x.taut.live"), &left.sidecar).unwrap();
    let before = bystanders(folder.path());
    let (disk, calls) = disk(fault);
    let recovered = recover_in_place(&path, &disk);
    let what = format!("recovery, {fault:?}: {recovered:?}");
    assert_eq!(bystanders(folder.path()), before, "{what}");
    let trace = Trace::open(&path).unwrap();
    assert_eq!(trace.summary().events, left.all.len() as u64, "{what}");
    if recovered.is_ok() {
        assert!(trace.summary().complete && trace.recovery().is_none(), "{what}");
    }
    calls.load(Ordering::Relaxed)
}

#[test]
fn after_any_failed_call_events_are_recorded_or_lost_and_user_files_unchanged() {
    let runs = std::env::var("TAUT_FAULTS").ok().map_or(RUNS, |runs| runs.parse().expect("a number"));
    let (short, long, left) = (Workload::new(600), Workload::new(3000), crate::left::UnfinishedRecording::new());
    let of_kind = |kind: usize, fault: Option<Fault>| match kind {
        0 => record(&short, Mode::Sequential, fault),
        1 => record(&long, Mode::Ring, fault),
        2 => record(&long, Mode::Circular, fault),
        _ => recover(&left, fault),
    };
    let calls: Vec<usize> = (0..4).map(|kind| of_kind(kind, None)).collect();
    println!("calls: {calls:?}");
    let mut random = Random(11);
    let mut number = |below: usize| random.below(below as u64) as usize;
    for run in 0..runs {
        let (kind, turn) = (run % 4, run / 4);
        // Each call in turn with each error, then random ones.
        let in_turn = turn < calls[kind] * ERRORS.len();
        let at = if in_turn { turn % calls[kind] } else { number(calls[kind] * 2) };
        let error = if in_turn { ERRORS[turn / calls[kind]] } else { ERRORS[number(ERRORS.len())] };
        let lasts = number(2) == 0;
        of_kind(kind, Some(Fault { at, error, lasts }));
    }
}

//! Recordings whose process is killed: every recorded event is recovered automatically. The test runs its own binary as
//! the process to kill.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(unix)]

mod victim;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use taut_traces::{PathClaim, PathInUse, Trace, WriteError};
use victim::{MAX_THREADS, MODES, Progress, ROLE, Role};

/// Default number of kills; `TAUT_KILLS` overrides it.
const KILLS: u64 = 24;

/// Process to be killed, which does not outlive a failed test.
struct Victim(Child);

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(folder: &Path, role: &Role) -> Victim {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kills::a_victim_records", "--nocapture"])
        .env(ROLE, role.to_text())
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    Victim(child)
}

/// Kills a process after some time, but not before it records.
fn kill(mut victim: Victim, folder: &Path, after: Duration) {
    let begun = std::time::Instant::now();
    while !folder.join("x.taut").exists() {
        assert!(
            begun.elapsed() < Duration::from_secs(60) && victim.0.try_wait().unwrap().is_none(),
            "nothing is recorded"
        );
        std::thread::yield_now();
    }
    std::thread::sleep(after);
    drop(victim);
}

/// Not a test by itself: the process that the others kill.
#[test]
fn a_victim_records() {
    if let Ok(role) = std::env::var(ROLE) {
        victim::record(&Role::of_text(&role));
    }
}

/// Numbers of the readable events, by thread.
fn events(trace: &Trace) -> Vec<Vec<u64>> {
    let mut found = vec![Vec::new(); MAX_THREADS];
    let mut rows = trace.rows();
    while let Some(row) = rows.next_row() {
        found[row.thread as usize].push(victim::number(row.payload));
    }
    assert!(rows.damage().is_empty(), "{:?}", rows.damage());
    found
}

fn check(folder: &Path, role: &Role) {
    let progress = Progress::read(&folder.join("progress"));
    let trace = Trace::open(folder.join("x.taut")).unwrap();
    assert!(trace.damage().is_empty() && trace.verify().is_empty(), "{role:?}: {:?}", trace.verify());
    let recovery = trace.recovery().expect("it was killed");
    assert!(!recovery.is_alive);
    assert!(recovery.partial() <= role.threads, "one for each writer at most: {recovery:?}");
    for (thread, found) in events(&trace).into_iter().enumerate() {
        let (intended, done) = progress.of(thread);
        assert!(intended - done <= 1);
        // For a ring recording, the first event present; other threads may have displaced all of this thread's.
        let discards_oldest = role.mode > 0;
        if discards_oldest && role.threads > 1 && found.is_empty() {
            continue;
        }
        let first = found.first().copied().filter(|_| discards_oldest).unwrap_or(0);
        let end = first + found.len() as u64;
        assert!(found.into_iter().eq(first..end), "{role:?}, thread {thread}: in order, none left out");
        assert!(
            (done..=intended).contains(&end),
            "{role:?}, thread {thread}: {end} of {done} done, {intended} intended"
        );
    }
    // The recovered trace has the same content.
    let mut bytes = Vec::new();
    trace.write_finished(&mut bytes).unwrap();
    let whole = Trace::from_bytes(bytes).unwrap();
    assert!(whole.verify().is_empty() && whole.summary().complete && whole.summary().interrupted);
    assert_eq!(whole.summary().events, trace.summary().events);
    assert_eq!(events(&whole), events(&trace));
}

#[test]
fn every_event_recorded_before_a_kill_is_recovered() {
    let kills = std::env::var("TAUT_KILLS").ok().map_or(KILLS, |kills| kills.parse().expect("a number"));
    let mut random = 0x9e37_79b9_7f4a_7c15_u64 ^ u64::from(std::process::id());
    for kill_number in 0..kills {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let role = Role {
            threads: 1 + kill_number % MAX_THREADS as u64,
            // Short of slots, with few and with the default number.
            spare_buffers: [1, 4, 64][(random >> 33) as usize % 3],
            buffer_bytes: [1 << 12, 1 << 14, 1 << 18][(random >> 36) as usize % 3],
            large_every: [0, 0, 997][(random >> 40) as usize % 3],
            mode: (kill_number / MAX_THREADS as u64) % MODES.len() as u64,
        };
        // A record larger than a segment would leave no space for anything else.
        let role = if role.mode > 0 { Role { buffer_bytes: role.buffer_bytes.min(1 << 14), ..role } } else { role };
        let folder = tempfile::tempdir().unwrap();
        let victim = start(folder.path(), &role);
        kill(victim, folder.path(), Duration::from_micros((random >> 20) % 60_000));
        check(folder.path(), &role);
    }
}

#[test]
fn an_active_recording_is_readable_and_its_path_is_exclusive() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.taut");
    let role = Role { threads: 2, spare_buffers: 64, buffer_bytes: 1 << 18, large_every: 0, mode: 0 };
    let mut victim = start(folder.path(), &role);
    let process = victim.0.id();
    while !path.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let (mut before, mut views) = (0, 0);
    while views < 20 || before == 0 {
        views += 1;
        assert!(views < 100_000 && victim.0.try_wait().unwrap().is_none());
        let trace = Trace::open(&path).unwrap();
        let recovery = trace.recovery().expect("a live view");
        assert!(recovery.is_alive && recovery.process == process, "{recovery:?}");
        assert!(trace.damage().is_empty(), "{:?}", trace.damage());
        let all: u64 = events(&trace)
            .iter()
            .map(|of_thread| {
                assert!(of_thread.iter().copied().eq(0..of_thread.len() as u64), "in order, none left out");
                of_thread.len() as u64
            })
            .sum();
        assert!(all >= before, "{all} after {before}");
        before = all;
    }
    let by = PathInUse::BeingRecorded(Some(process));
    assert_eq!(PathClaim::holder(&path), Some(by));
    for replace in [false, true] {
        let claimed = PathClaim::new(&path, &path, replace);
        assert!(matches!(&claimed, Err(WriteError::PathInUse { by: found, .. }) if *found == by), "{claimed:?}");
    }
    drop(victim);
    let left = PathInUse::Orphaned(process);
    assert_eq!(PathClaim::holder(&path), Some(left));
    assert!(matches!(PathClaim::new(&path, &path, false), Err(WriteError::PathInUse { by, .. }) if by == left));
    drop(PathClaim::new(&path, &path, true).unwrap());
    assert_eq!(PathClaim::holder(&path), Some(left), "a claim that is not used changes nothing");
}

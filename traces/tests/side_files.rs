//! Foreign files in place of side files: a reader neither waits for them nor reads their holes.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

#[path = "suite/by_hand/mod.rs"]
mod by_hand;
#[path = "../examples/hostile_files/side_files.rs"]
mod hostile_side_files;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use taut_traces::{ControlClient, ControlError, Trace};

/// Peak resident size of this process, in bytes.
fn peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn damage(path: &Path) -> String {
    format!("{:?}", Trace::open(path).unwrap().damage())
}

/// The files, and the trace that has neither a footer nor side files.
fn files() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    hostile_side_files::write(folder.path());
    let unfinished = folder.path().join("unfinished.taut");
    (folder, unfinished)
}

/// A single test, because the peak is that of the whole process.
#[test]
fn holes_of_side_files_take_no_memory() {
    let (folder, _) = files();
    let at = |name: &str| folder.path().join(name);
    let trace = Trace::open(at("sparse_sidecar.taut")).unwrap();
    assert_eq!((trace.summary().events, trace.recovery().unwrap().events()), (4, 0));
    // The line of each slot states a record where the file has a hole.
    assert!(damage(&at("sparse_slots.taut")).contains("a record that its check is of"));
    assert!(damage(&at("sparse_ring.taut")).contains("a hole"));
    assert!(peak_bytes() < 128 << 20, "{} bytes", peak_bytes());
}

#[test]
fn the_sidecar_of_a_complete_trace_is_not_read() {
    let (folder, _) = files();
    let path = folder.path().join("sparse_complete.taut");
    for _ in 0..2 {
        let trace = Trace::open(&path).unwrap();
        assert!(trace.recovery().is_none() && trace.damage().is_empty());
        // A reader does not wait for it either.
        fs::remove_file(folder.path().join("sparse_complete.taut.live")).unwrap();
        pipe(&folder.path().join("sparse_complete.taut.live"));
    }
}

#[test]
fn a_sidecar_that_is_no_regular_file_is_damage() {
    let (folder, path) = files();
    let sidecar = folder.path().join("unfinished.taut.live");
    pipe(&sidecar);
    assert!(damage(&path).contains("not a regular file"));
    assert!(matches!(ControlClient::open(&path), Err(ControlError::Io { .. })));
    fs::remove_file(&sidecar).unwrap();
    symlink("/dev/zero", &sidecar).unwrap();
    assert!(damage(&path).contains("not a regular file"));
}

#[test]
fn a_segment_that_is_no_regular_file_is_damage() {
    let (folder, path) = files();
    let segments = folder.path().join("unfinished.taut.ring");
    fs::create_dir(&segments).unwrap();
    pipe(&segments.join("0"));
    assert!(damage(&path).contains("not a regular file"));
    fs::remove_file(segments.join("0")).unwrap();
    symlink("/dev/zero", segments.join("0")).unwrap();
    assert!(damage(&path).contains("a link"));
}

#[test]
fn a_trace_that_is_a_pipe_is_an_error() {
    let (folder, _) = files();
    pipe(&folder.path().join("pipe"));
    assert!(Trace::open(folder.path().join("pipe")).unwrap_err().to_string().contains("pipe"));
}

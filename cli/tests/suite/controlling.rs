//! Tests of control requests to a recording in progress, and of its limits; the resulting traces are replayed.
#![allow(clippy::expect_used)]
#![cfg(unix)]

use crate::taut;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use taut::Taut;

/// Starts a recording that does not end by itself, and waits until its trace exists.
fn begin(folder: &Path, workload: &str, more: &[&str]) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_taut"))
        .args(["record", workload, "--threads", "3", "--set", "frames=1000000000", "-o", "x.taut"])
        .args(more)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let begun = Instant::now();
    while !folder.join("x.taut").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60) && child.try_wait().expect("a state").is_none());
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn ended(child: Child) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
    (status.code(), String::from_utf8_lossy(&stderr).into_owned())
}

/// Checks that a trace is whole and replays identically.
fn check(taut: &Taut, file: &str) -> Value {
    let info = json(&taut.stdout(&["info", file, "--verify", "--json"]));
    assert_eq!(info["complete"], true, "{info}");
    let replayed = json(&taut.stdout(&["replay", file, "--json"]));
    assert_eq!(replayed["identical"], true, "{file}: {replayed}");
    info
}

/// Waits for the first snapshot, ends the recording, and checks that it reported the snapshot.
fn ends_with_a_snapshot(taut: &Taut, folder: &Path, child: Child) {
    let begun = Instant::now();
    while !folder.join("x.1.taut").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no snapshot");
        std::thread::sleep(Duration::from_millis(5));
    }
    taut.stdout(&["control", "x.taut", "stop"]);
    let (code, message) = ended(child);
    assert_eq!(code, Some(0), "{message}");
    assert!(message.contains("x.1.taut: "), "{message}");
    check(taut, "x.1.taut");
}

#[test]
fn a_recording_reports_its_status_writes_snapshots_and_ends_on_request() {
    for workload in ["streaming-world", "game-session"] {
        let folder = tempfile::tempdir().expect("a folder");
        let taut = Taut::new(folder.path());
        let child = begin(folder.path(), workload, &[]);
        let control = |what: &[&str]| json(&taut.stdout(&[&["control", "x.taut", "--json"], what].concat()));
        let first = control(&["status"]);
        assert_eq!((&first["process"], first["providers"].as_array().map(Vec::len)), (&child.id().into(), Some(4)));
        let snapshots: Vec<Value> = (0..3).map(|_| control(&["snapshot"])).collect();
        let second = control(&["status"]);
        let number = |document: &Value| document["events"].as_u64().expect("a number");
        let mut reported = vec![0];
        reported.extend(snapshots.iter().map(number));
        reported.push(number(&second));
        assert!(reported.is_sorted() && number(&first) < number(&second), "{reported:?}");
        assert_eq!(control(&["stop"])["process"], child.id());
        let (code, message) = ended(child);
        assert_eq!(code, Some(0), "{message}");
        assert!(message.contains("ended before its workload: another process asked for it"), "{message}");
        let whole = check(&taut, "x.taut");
        for (number, snapshot) in snapshots.iter().enumerate() {
            let file = format!("x.{}.taut", number + 1);
            let info = check(&taut, &file);
            assert!(snapshot["file"].as_str().is_some_and(|reported| reported.ends_with(&file)), "{snapshot}");
            assert_eq!((&info["events"], &info["lost_events"]), (&snapshot["events"], &0.into()));
            assert!(info["events"].as_u64() <= whole["events"].as_u64() && info["interrupted"] == true);
            assert_eq!(info["identity"]["id"], whole["identity"]["id"]);
        }
        assert!(!folder.path().join("x.taut.live").exists());
    }
}

#[test]
fn a_recording_takes_snapshots_of_itself_at_an_event() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let wrong = [
        (["--snapshot-on", "DriverViolatoin", "x.taut"], "did you mean \"DriverViolation\"?"),
        (["--snapshot-on", "DriverViolation:rul=1", "x.taut"], "did you mean \"rule\"?"),
        (["--snapshot-on", "DriverViolation", "-"], "needs a file"),
    ];
    for ([option, event, output], message) in wrong {
        let refused = taut.run(&["record", "small-level", option, event, "-o", output]);
        assert_eq!(refused.code, 2, "{event}: {}", refused.stderr);
        assert!(refused.stderr.contains(message), "{event}: {}", refused.stderr);
    }
    let child =
        begin(folder.path(), "streaming-world", &["--snapshot-on", "d3d12.CreatePlacedResource:heap_offset_bytes=0"]);
    ends_with_a_snapshot(&taut, folder.path(), child);
    let of_zero = "SELECT count(*) AS n FROM CreatePlacedResource WHERE heap_offset_bytes = 0";
    let found = json(&taut.stdout(&["query", "x.1.taut", of_zero, "--json"]));
    assert!(found[0]["n"].as_u64().is_some_and(|found| found > 0), "{found}");
}

#[test]
fn an_event_at_the_end_of_a_short_recording_triggers_a_snapshot() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    // The last phase, whose events are too late for a poll.
    taut.stdout(&["record", "small-level", "--snapshot-on", "WorkloadPhase:phase_index=3", "-o", "x.taut"]);
    let (whole, snapshot) = (check(&taut, "x.taut"), check(&taut, "x.1.taut"));
    assert_eq!(snapshot["identity"]["id"], whole["identity"]["id"]);
    let begun = "SELECT count(*) AS n FROM WorkloadPhase WHERE phase_index = 3";
    let found = json(&taut.stdout(&["query", "x.1.taut", begun, "--json"]));
    assert!(found[0]["n"].as_u64() >= Some(1), "{found}");
}

#[test]
fn a_provider_comes_and_goes_while_a_recording_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let child = begin(folder.path(), "game-session", &["--providers", "api,task,memory"]);
    let changed = |what: [&str; 2]| json(&taut.stdout(&["control", "x.taut", what[0], what[1], "--json"]));
    for _ in 0..3 {
        assert_eq!(changed(["enable", "ddi"])["providers"], serde_json::json!(["api", "ddi", "task", "memory"]));
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(changed(["disable", "ddi"])["providers"], serde_json::json!(["api", "task", "memory"]));
        std::thread::sleep(Duration::from_millis(60));
    }
    taut.stdout(&["control", "x.taut", "stop"]);
    assert_eq!(ended(child).0, Some(0));
    let info = check(&taut, "x.taut");
    assert!(info["providers"]["ddi"].as_u64() > Some(0), "{info}");
    let replayed = json(&taut.stdout(&["replay", "x.taut", "--json"]));
    assert!(replayed["not_recorded"].as_u64() > Some(0) && replayed["ddi_calls"].as_u64() > Some(0), "{replayed}");
    let marks = taut.stdout(&["dump", "x.taut", "--event", "ProvidersChanged"]);
    assert!(marks.lines().count() >= 6 && marks.contains("api,ddi,task,memory"), "{marks}");
    // Without the task provider the replay stops, with an error that names the position.
    fs::remove_file(folder.path().join("x.taut")).expect("it goes");
    let child = begin(folder.path(), "game-session", &[]);
    changed(["disable", "task"]);
    std::thread::sleep(Duration::from_millis(60));
    taut.stdout(&["control", "x.taut", "stop"]);
    assert_eq!(ended(child).0, Some(0));
    let run = taut.run(&["replay", "x.taut"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("stamp ") && run.stderr.contains("found task disabled"), "{}", run.stderr);
}

#[test]
fn a_signal_requests_a_snapshot() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let child = begin(folder.path(), "streaming-world", &[]);
    // A response shows that the recording listens, so the signal cannot come too early.
    taut.stdout(&["control", "x.taut", "status"]);
    let status = Command::new("kill").args(["-USR1", &child.id().to_string()]).status().expect("kill runs");
    assert!(status.success());
    ends_with_a_snapshot(&taut, folder.path(), child);
}

#[test]
fn control_requests_without_a_recording_fail() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "small-level", "-o", "x.taut"]);
    let refused = |file: &str, expected: &str| {
        let run = taut.run(&["control", file, "status"]);
        assert_eq!(run.code, 4, "{}", run.stderr);
        assert!(run.stderr.contains(expected) && run.stderr.lines().count() == 1, "{}", run.stderr);
    };
    refused("x.taut", "not being recorded");
    refused("nothing.taut", "not being recorded");
    fs::remove_file(folder.path().join("x.taut")).expect("it goes");
    let mut child = begin(folder.path(), "streaming-world", &[]);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    refused("x.taut", &format!("process {}", child.id()));
    refused("x.taut", "is gone");
    let run = taut.run(&["control", "x.taut", "disable", "apu"]);
    assert!(run.code == 2 && run.stderr.contains("api"), "{}", run.stderr);
}

#[test]
fn a_recording_ends_at_the_size_or_time_set_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let line = ["record", "streaming-world", "--threads", "3", "--set", "frames=1000000000", "--json", "-o", "x.taut"];
    for size in [256 << 10, 2 << 20] {
        let run = taut.run(&[&line[..], &["--max-size", &size.to_string(), "--force"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains(&format!("the size set for it, {size} bytes")), "{}", run.stderr);
        let found = fs::metadata(folder.path().join("x.taut")).expect("a trace").len();
        assert!(found > size / 2 && found < size + size / 2, "{found} of {size}");
        check(&taut, "x.taut");
    }
    let begun = Instant::now();
    let run = taut.run(&[&line[..], &["--max-time", "300ms", "--flush-interval", "20ms", "--force"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(begun.elapsed() >= Duration::from_millis(300) && run.stderr.contains("300ms"), "{}", run.stderr);
    let info = check(&taut, "x.taut");
    assert_eq!(info["interrupted"], true);
    // Limits that were not reached are not mentioned.
    let run = taut.run(&["record", "small-level", "--max-size", "1GiB", "--max-time", "1h", "-o", "y.taut"]);
    assert!(run.code == 0 && run.stderr.is_empty(), "{}", run.stderr);
    for wrong in [["--max-size", "1KiB"], ["--flush-interval", "0s"]] {
        assert_eq!(taut.run(&[&["record", "small-level"], &wrong[..]].concat()).code, 2);
    }
}

#[test]
fn blocks_are_closed_as_often_as_they_are_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let child = begin(folder.path(), "streaming-world", &["--flush-interval", "10ms"]);
    let size = || fs::metadata(folder.path().join("x.taut")).expect("a trace").len();
    let (begun, first, mut grown) = (Instant::now(), size(), 0);
    let mut last = first;
    while grown < 5 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{grown} times in a minute");
        std::thread::sleep(Duration::from_millis(20));
        grown += u32::from(size() > last);
        last = size();
    }
    taut.stdout(&["control", "x.taut", "stop"]);
    assert_eq!(ended(child).0, Some(0));
    check(&taut, "x.taut");
}

#[test]
fn a_request_is_written_into_the_sidecar_of_a_recording_under_way_of_this_trace_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (taut, at) = (Taut::new(folder.path()), |name: &str| folder.path().join(name));
    let refused = |trace: &str, expected: &str| {
        let sidecar = at(&format!("{trace}.live"));
        let before = fs::read(&sidecar).expect("a sidecar");
        for request in [&["stop"][..], &["snapshot"], &["disable", "ddi"]] {
            let run = taut.run(&[&["control", "--timeout", "200ms", trace], request].concat());
            assert!(run.code == 4 && run.stderr.contains(expected), "{trace}: {}", run.stderr);
        }
        assert!(fs::read(&sidecar).expect("a sidecar") == before, "{trace}: the sidecar is as it was");
    };
    // A recording under way, whose sidecar has the name of another trace's.
    taut.stdout(&["record", "small-level", "-o", "y.taut"]);
    let mut child = begin(folder.path(), "streaming-world", &[]);
    fs::rename(at("x.taut.live"), at("y.taut.live")).expect("it is moved");
    let run = taut.run(&["control", "y.taut", "stop"]);
    assert!(run.code == 4 && run.stderr.contains("y.taut is not being recorded"), "{}", run.stderr);
    std::thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().expect("a state").is_none(), "it records");
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    refused("y.taut", "y.taut is not being recorded");
    // Its own, of a process that is gone.
    fs::rename(at("y.taut.live"), at("x.taut.live")).expect("it is moved");
    refused("x.taut", "is gone");
}

//! Tests of killed recordings: all recorded events are shown and replayed, and `recover` completes the trace.
#![allow(clippy::expect_used)]
#![cfg(unix)]

use crate::taut;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use taut::Taut;

/// Starts a recording that does not end by itself, and waits until its trace exists.
fn begin(folder: &Path, workload: &str, threads: &str) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_taut"))
        .args(["record", workload, "--threads", threads, "--set", "frames=1000000000", "-o", "x.taut", "--force"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let begun = Instant::now();
    while !folder.join("x.taut").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60) && child.try_wait().expect("a state").is_none());
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

fn kill(mut child: Child) {
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into()).collect();
    names.sort();
    names
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn a_killed_recording_is_replayed_up_to_its_end_and_recovered() {
    for (workload, threads, wait_ms) in [
        ("streaming-world", "4", 150),
        ("game-session", "2", 300),
        ("mode-storm", "3", 40),
        ("streaming-world", "1", 0),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let taut = Taut::new(folder.path());
        let child = begin(folder.path(), workload, threads);
        std::thread::sleep(Duration::from_millis(wait_ms));
        kill(child);
        assert_eq!(names(folder.path()), ["x.taut", "x.taut.live"]);
        let info = taut.run(&["info", "x.taut", "--verify", "--json"]);
        assert_eq!(info.code, 3, "{}", info.stderr);
        assert!(info.stderr.contains("did not end the recording"), "{}", info.stderr);
        assert!(!info.stderr.contains("damaged"), "{}", info.stderr);
        let before = json(&info.stdout);
        let recovery = &before["recovery"];
        assert_eq!((&recovery["recording"], &recovery["sync_interval_ns"]), (&false.into(), &1_000_000_000.into()));
        assert!(taut.run(&["info", "x.taut"]).stdout.contains("fsynced every 1s"));
        let replayed = taut.run(&["replay", "x.taut", "--json"]);
        assert_eq!(replayed.code, 3, "{workload}: {}{}", replayed.stdout, replayed.stderr);
        assert_eq!(json(&replayed.stdout)["identical"], true, "{workload}");
        let elsewhere = taut.run(&["recover", "x.taut", "-o", "y.taut", "--json"]);
        assert_eq!(elsewhere.code, 0, "{}", elsewhere.stderr);
        assert_eq!(names(folder.path()), ["x.taut", "x.taut.live", "y.taut"]);
        let recovered = taut.run(&["recover", "x.taut", "--json"]);
        assert_eq!(recovered.code, 0, "{}", recovered.stderr);
        let recovered = json(&recovered.stdout);
        assert_eq!((&recovered["events"], &recovered["complete"]), (&before["events"], &true.into()));
        assert_eq!(names(folder.path()), ["x.taut", "y.taut"]);
        assert!(fs::read(folder.path().join("x.taut")).ok() == fs::read(folder.path().join("y.taut")).ok());
        let after = json(&taut.stdout(&["info", "x.taut", "--verify", "--json"]));
        assert_eq!((&after["complete"], &after["interrupted"]), (&true.into(), &true.into()));
        assert_eq!((&after["events"], &after["lost_events"]), (&before["events"], &0.into()));
        assert_eq!(json(&taut.stdout(&["replay", "x.taut", "--json"]))["identical"], true, "{workload}");
        let repeated = taut.run(&["recover", "x.taut"]);
        assert!(repeated.code == 0 && repeated.stdout.contains("nothing to recover"), "{}", repeated.stdout);
    }
}

#[test]
fn a_path_is_one_recordings_until_it_ends_or_is_recovered() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "small-level", "-o", "other.taut"]);
    let child = begin(folder.path(), "streaming-world", "2");
    let process = format!("process {}", child.id());
    for line in [
        &["record", "small-level", "-o", "x.taut"][..],
        &["record", "small-level", "-o", "x.taut", "--force"],
        &["replay", "other.taut", "-o", "x.taut"],
        &["recover", "x.taut"],
        &["recover", "other.taut", "-o", "x.taut"],
    ] {
        let run = taut.run(line);
        assert_eq!(run.code, 4, "{line:?}: {}", run.stderr);
        assert!(run.stderr.contains(&process) && run.stderr.lines().count() == 1, "{line:?}: {}", run.stderr);
    }
    let live = taut.run(&["info", "x.taut", "--json"]);
    assert_eq!(live.code, 0, "a view of what is there so far: {}", live.stderr);
    assert!(live.stderr.contains(&process) && live.stderr.contains("so far"), "{}", live.stderr);
    kill(child);
    let left = fs::read(folder.path().join("x.taut")).expect("a trace");
    for line in [&["record", "small-level", "-o", "x.taut"][..], &["replay", "other.taut", "-o", "x.taut"]] {
        let run = taut.run(line);
        assert_eq!(run.code, 2, "{line:?}: {}", run.stderr);
        assert!(run.stderr.contains("taut recover") && run.stderr.contains("--force"), "{line:?}: {}", run.stderr);
        assert!(fs::read(folder.path().join("x.taut")).expect("a trace") == left);
    }
    taut.stdout(&["replay", "other.taut", "-o", "x.taut", "--force"]);
    assert_eq!(names(folder.path()), ["other.taut", "x.taut"]);
    kill(begin(folder.path(), "streaming-world", "2"));
    taut.stdout(&["record", "small-level", "-o", "x.taut", "--force"]);
    assert_eq!(names(folder.path()), ["other.taut", "x.taut"]);
    taut.stdout(&["info", "x.taut", "--verify"]);
}

#[test]
fn recover_counts_the_missing_events_of_a_recording() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let child = begin(folder.path(), "streaming-world", "2");
    std::thread::sleep(Duration::from_millis(100));
    kill(child);
    fs::remove_file(folder.path().join("x.taut.live")).expect("it goes");
    let run = taut.run(&["recover", "x.taut", "-o", "y.taut"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("was interrupted"), "{}", run.stderr);
    taut.stdout(&["info", "y.taut", "--verify"]);
    let run = taut.run(&["recover", "-"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}

#[test]
fn buffers_may_be_few_and_small_and_what_is_dropped_is_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let line = ["record", "streaming-world", "--threads", "2", "--set", "frames=200", "--clock", "logical", "--json"];
    let few = ["--buffer-size", "4KiB", "--buffers", "1", "--sync-interval", "0s"];
    let whole = json(&taut.stdout(&[&line[..], &few[..], &["-o", "few.taut"]].concat()));
    assert_eq!(whole["lost_events"], 0);
    taut.stdout(&["replay", "few.taut"]);
    taut.stdout(&["info", "few.taut", "--verify"]);
    let drop = json(&taut.stdout(&[&line[..], &few[..], &["--on-full", "drop", "-o", "drop.taut"]].concat()));
    let info = json(&taut.run(&["info", "drop.taut", "--verify", "--json"]).stdout);
    assert_eq!((&info["events"], &info["lost_events"]), (&drop["events"], &drop["lost_events"]));
    assert_eq!(names(folder.path()), ["drop.taut", "few.taut"]);
    let run = taut.run(&["record", "small-level", "--buffer-size", "1KiB"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}

#[test]
fn bench_record_reports_its_figures_and_a_floor() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let args = ["bench", "record", "--events", "20000", "--repeat", "1", "--json"];
    let costs: Value = serde_json::from_str(&taut.stdout(&args)).expect("JSON");
    let costs = costs.as_array().expect("an object for each number of producers");
    let producers: Vec<&Value> = costs.iter().map(|costs| &costs["producers"]).collect();
    assert_eq!(producers, [1, 2]);
    for costs in costs {
        assert_eq!(costs["events"].as_u64(), costs["producers"].as_u64().map(|producers| producers * 20_000));
        assert_eq!(costs["lost_events"], 0);
        let figure = |key: &str| costs[key].as_f64().unwrap_or_else(|| panic!("no {key}: {costs}"));
        for key in ["floor", "record", "encode", "durable"].map(|name| format!("{name}_ns_per_event")) {
            assert!(figure(&key) > 0.0, "{key}: {costs}");
        }
        assert!(figure("wait_ns_per_event") >= 0.0 && figure("bytes_per_event") > 3.0, "{costs}");
        let ratio = figure("record_ns_per_event") / figure("floor_ns_per_event");
        assert!((figure("record_over_floor") - ratio).abs() < 1e-6, "one round has one ratio: {costs}");
    }
    let refused = taut.run(&["bench", "record", "--threads", "2"]);
    assert_eq!(refused.code, 2, "there is no workload to have threads");
}

#[test]
fn a_recovery_that_meets_a_limit_of_sizes_fails_and_leaves_the_recording_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    kill(begin(folder.path(), "streaming-world", "1"));
    for more in ["", " -o y.taut"] {
        let script = format!("ulimit -f 16; exec \"$0\" recover x.taut{more}");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_taut")]).current_dir(folder.path());
        let output = command.output().expect("a shell");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{more}: {message}");
        assert!(message.contains("File too large"), "{more}: {message}");
        assert_eq!(names(folder.path()), ["x.taut", "x.taut.live"], "{more}");
    }
    let recovered = Taut::new(folder.path()).run(&["recover", "x.taut"]);
    assert_eq!((recovered.code, &names(folder.path())[..]), (0, &["x.taut".to_owned()][..]), "{}", recovered.stderr);
}

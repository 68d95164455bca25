//! Tests of circular and ring recordings: a trace that begins mid-stream and replays identically, at its end, as a
//! snapshot, and after a kill.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::fs;
use std::path::Path;
use taut::Taut;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into()).collect();
    names.sort();
    names
}

/// Checks that the trace lost its beginning and replays from a rundown, and that every later rundown matches the
/// replay.
fn starts_in_mid_stream_and_is_identical(taut: &Taut, file: &str) {
    let info = json(&taut.stdout(&["info", file, "--json"]));
    let left_out = &info["identity"]["discarded"];
    assert!(left_out["events"].as_u64().is_some_and(|events| events > 0), "{file}: {info}");
    let replay = taut.run(&["replay", file, "--json"]);
    assert_eq!(replay.code, 0, "{file}: {}{}", replay.stdout, replay.stderr);
    let outcome = json(&replay.stdout);
    assert_eq!((&outcome["identical"], &outcome["states_restored"]), (&true.into(), &1.into()), "{outcome}");
    assert!(
        outcome["calls"].as_u64().is_some_and(|calls| calls > 1000) && outcome["calls_before_state"] == 0,
        "{outcome}"
    );
}

#[test]
fn the_last_of_a_recording_is_a_plain_trace_that_replays_from_its_first_rundown() {
    let cases = [
        ("ring", "game-session", "frames=3000", "512KiB"),
        ("circular", "streaming-world", "frames=3000", "384KiB"),
        ("ring", "mode-storm", "", "320KiB"),
    ];
    for (mode, workload, set, size) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let taut = Taut::new(folder.path());
        let mut arguments = vec!["record", workload, "--mode", mode, "--max-size", size, "-o", "x.taut", "--json"];
        arguments.extend(["--set", set].into_iter().filter(|_| !set.is_empty()));
        let written = json(&taut.stdout(&arguments));
        assert_eq!(names(folder.path()), ["x.taut"], "{workload}");
        let bytes = fs::metadata(folder.path().join("x.taut")).expect("a trace").len();
        let max_bytes: u64 = size.trim_end_matches("KiB").parse::<u64>().expect("a size") << 10;
        assert!(
            bytes <= max_bytes && written["bytes"] == bytes && written["lost_events"] == 0,
            "{workload}: {written}"
        );
        let info = json(&taut.stdout(&["info", "x.taut", "--verify", "--json"]));
        assert_eq!((&info["events"], &info["complete"]), (&written["events"], &true.into()), "{workload}: {info}");
        if workload == "mode-storm" {
            // The workload may end before the first rundown; the trace then has no point to replay from.
            let replay = taut.run(&["replay", "x.taut"]);
            let is_refused = replay.code == 3 && replay.stderr.contains("expected a rundown");
            assert!(replay.code == 0 || is_refused, "{}{}", replay.stdout, replay.stderr);
            continue;
        }
        starts_in_mid_stream_and_is_identical(&taut, "x.taut");
        assert!(taut.stdout(&["info", "x.taut"]).contains("  discarded  "));
    }
}

/// A recording within the maximum size is a whole recording.
#[test]
fn a_recording_within_the_max_size_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let record = ["record", "streaming-world", "--threads", "1", "--set", "frames=20", "--clock", "logical"];
    let written = |more: &[&str]| json(&taut.stdout(&[&record[..], more, &["--json"]].concat()))["events"].clone();
    let (ring, sequential) =
        (written(&["--mode", "ring", "--max-size", "8MiB", "-o", "ring.taut"]), written(&["-o", "all.taut"]));
    assert_eq!(ring, sequential);
    let dump = |file| taut.stdout(&["dump", file]);
    assert_eq!(dump("ring.taut"), dump("all.taut"));
    assert_eq!(taut.run(&["replay", "ring.taut"]).code, 0);
}

#[test]
fn a_recording_that_keeps_its_last_needs_a_size_and_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let cases = [
        (&["-o", "x.taut"][..], "--max-size"),
        (&["--max-size", "1MiB", "-o", "-"], "need a file"),
        (&["--max-size", "64KiB", "-o", "x.taut"], "too small"),
    ];
    for (more, expected) in cases {
        let refused = taut.run(&[&["record", "game-session", "--mode", "ring"][..], more].concat());
        assert_eq!(refused.code, 2, "{more:?}: {}{}", refused.stdout, refused.stderr);
        assert!(refused.stderr.contains(expected), "{more:?}: {}", refused.stderr);
        assert_eq!(names(folder.path()), [""; 0], "{more:?}");
    }
}

#[cfg(unix)]
mod under_way {
    use super::*;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    fn begin(folder: &Path, mode: &str, workload: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_taut"))
            .args(["record", workload, "--mode", mode, "--max-size", "512KiB", "--buffer-size", "16KiB"])
            .args(["--set", "frames=1000000000", "-o", "x.taut"])
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs")
    }

    /// Waits until the first segments have been removed.
    fn wait_until_it_goes_round(folder: &Path) {
        let (begun, ring) = (Instant::now(), folder.join("x.taut.ring"));
        // The folder is created before its first segment.
        while !ring.join("8").exists() || ring.join("0").exists() {
            assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", names(folder));
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_snapshot_and_what_a_kill_leaves_start_in_mid_stream() {
        for (mode, workload, wait_ms) in
            [("ring", "game-session", 0), ("circular", "streaming-world", 137), ("ring", "streaming-world", 31)]
        {
            let folder = tempfile::tempdir().expect("a folder");
            let taut = Taut::new(folder.path());
            let mut child = begin(folder.path(), mode, workload);
            wait_until_it_goes_round(folder.path());
            let snapshot = taut.run(&["control", "x.taut", "snapshot"]);
            assert_eq!(snapshot.code, 0, "{}", snapshot.stderr);
            std::thread::sleep(Duration::from_millis(wait_ms));
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
            starts_in_mid_stream_and_is_identical(&taut, "x.1.taut");
            let refused = taut.run(&["record", workload, "-o", "x.taut"]);
            assert_eq!(refused.code, 2, "an unrecovered recording is not overwritten: {}", refused.stderr);
            let recovered = taut.run(&["recover", "x.taut", "--json"]);
            assert_eq!(recovered.code, 0, "{}{}", recovered.stdout, recovered.stderr);
            assert_eq!(names(folder.path()), ["x.1.taut", "x.taut"]);
            starts_in_mid_stream_and_is_identical(&taut, "x.taut");
        }
    }

    /// Length of the head of a segment.
    const HEAD_BYTES: usize = 36;

    #[test]
    fn a_segment_with_a_part_of_its_head_is_removed_by_recovery_and_another_file_stays() {
        for (part_bytes, is_own) in [(0, true), (3, true), (12, true), (35, true), (12, false)] {
            let folder = tempfile::tempdir().expect("a folder");
            let taut = Taut::new(folder.path());
            let mut child = begin(folder.path(), "circular", "streaming-world");
            wait_until_it_goes_round(folder.path());
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
            let ring = folder.path().join("x.taut.ring");
            let numbers = names(&ring).into_iter().map(|name| name.parse::<u64>().expect("a number"));
            let newest = numbers.max().expect("a segment");
            let mut head = fs::read(ring.join((newest - 1).to_string())).expect("a segment");
            head.truncate(HEAD_BYTES);
            head[8..16].copy_from_slice(&(newest + 1).to_le_bytes());
            if !is_own {
                head[4] ^= 1;
            }
            let cut = ring.join((newest + 1).to_string());
            fs::write(&cut, &head[..part_bytes]).expect("a file");
            let recovered = taut.run(&["recover", "x.taut"]);
            if is_own {
                assert_eq!((recovered.code, names(folder.path())), (0, vec!["x.taut".to_owned()]), "{part_bytes}");
                starts_in_mid_stream_and_is_identical(&taut, "x.taut");
            } else {
                assert_eq!(fs::read(&cut).expect("it stays"), &head[..part_bytes]);
            }
        }
    }
}

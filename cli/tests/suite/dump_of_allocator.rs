//! Tests of allocator dumps, recorded as snapshots.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::fs;
use std::path::Path;
use taut::Taut;
use taut_testkit::testdata;

fn dump(folder: &Path) -> Value {
    let file = testdata("allocator-dump.json");
    fs::copy(&file, folder.join("dump.json")).expect("a copy");
    serde_json::from_slice(&fs::read(file).expect("the dump")).expect("JSON")
}

#[test]
fn a_snapshot_has_the_figures_of_its_dump_and_null_for_unknown_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let dump = dump(folder.path());
    let text = taut.stdout(&["record", "dump.json", "--clock", "logical"]);
    assert!(text.contains("4 heaps of 37,748,736 bytes, 11 placed and 2 committed resources"), "{text}");
    assert!(taut.stdout(&["replay", "dump.taut"]).contains("identical"));
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "dump.taut", "--report", "alignment", "--json"])).expect("JSON");
    let report = &report["reports"]["alignment"];
    let (peak, total) = (&report["peak"], &dump["Total"]);
    assert_eq!(peak["in_use_bytes"], total["AllocationBytes"]);
    assert_eq!(peak["real_bytes"], total["BlockBytes"]);
    assert_eq!(peak["resources"], total["AllocationCount"]);
    let free = ["padding_bytes", "hole_bytes", "tail_bytes"].map(|key| peak[key].as_u64().expect("bytes"));
    let unused = total["BlockBytes"].as_u64().expect("bytes") - total["AllocationBytes"].as_u64().expect("bytes");
    assert_eq!(free.iter().sum::<u64>(), unused);
    let wasted: i64 = report["causes"]
        .as_array()
        .expect("causes")
        .iter()
        .map(|cause| cause["waste_bytes"].as_i64().expect("bytes"))
        .sum();
    assert_eq!(wasted, unused as i64);
    for key in ["requested_bytes", "rounding_bytes", "waste_ratio"] {
        assert!(peak[key].is_null(), "{key}: {}", peak[key]);
    }
    let words = taut.stdout(&["analyze", "dump.taut", "--report", "alignment"]);
    assert!(words.contains("13 resources from a snapshot") && words.contains("0 - transient"), "{words}");
}

#[test]
fn a_snapshot_does_not_report_releases() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    dump(folder.path());
    taut.stdout(&["record", "dump.json"]);
    let text = taut.stdout(&["analyze", "dump.taut", "--report", "health", "--json"]);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let health = &report["reports"]["health"];
    assert!(health["leaks"].is_null() && health["verdict"]["figures"][2]["value"].is_null(), "{health}");
    let words = taut.stdout(&["analyze", "dump.taut", "--report", "health"]);
    assert!(
        words.replace('\n', " ").contains("leaks are unknown, because the trace is a snapshot")
            && !words.contains("Largest leaks"),
        "{words}"
    );
    fs::write(folder.path().join("limits.toml"), "limits = [\"health.leaks.heaps == 0\"]\n").expect("a budget");
    let limited = taut.run(&["analyze", "dump.taut", "--budget", "limits.toml"]);
    assert_eq!(limited.code, 0, "{}", limited.stdout);
    assert!(limited.stdout.contains("not checked"), "{}", limited.stdout);
}

#[test]
fn policies_place_what_a_snapshot_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let dump = dump(folder.path());
    taut.stdout(&["record", "dump.json"]);
    let text = taut.stdout(&["replay", "dump.taut", "--place", "first-fit,tlsf", "--block-size", "4MiB", "--json"]);
    let tried: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(tried["left_out"], 0);
    for policy in tried["policies"].as_array().expect("policies") {
        assert_eq!(policy["allocated_bytes"], dump["Total"]["AllocationBytes"]);
        assert_eq!(policy["allocations"], 13);
    }
}

#[test]
fn a_bad_dump_is_reported_with_its_position_and_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let file = testdata("allocator-dump.json");
    let sound = fs::read_to_string(file).expect("the dump");
    fs::write(folder.path().join("bad.json"), sound.replacen("\"Offset\": 6291456", "\"Offset\": 6", 1))
        .expect("a file");
    let run = taut.run(&["record", "bad.json"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(
        run.stderr.contains("bad.json:") && run.stderr.contains("expected an Offset of at least"),
        "{}",
        run.stderr
    );
    assert!(!folder.path().join("bad.taut").exists());
    assert_eq!(taut.run(&["record", "missing.json"]).code, 4);
    assert_eq!(taut.run(&["record", "bad.json", "--set", "items=views"]).code, 2);
}

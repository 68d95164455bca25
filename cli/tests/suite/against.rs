//! Comparison of traces: side by side, against a baseline, and as a comment on a pull request.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::fs;
use taut::{Taut, recorded};
use taut_testkit::repository_file;

/// Records a level, and replays it with tight alignment.
fn level_and_tight(taut: &Taut) {
    recorded(taut);
    taut.stdout(&["replay", "level.taut", "--tight", "on", "--driver", "peer", "-o", "tight.taut"]);
}

#[test]
fn side_by_side_begins_with_what_moved() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    level_and_tight(&taut);
    let text = taut.stdout(&["analyze", "level.taut", "tight.taut"]);
    let side_by_side: Vec<&str> = text.lines().take_while(|line| *line != "level.taut").collect();
    insta::assert_snapshot!("side_by_side", side_by_side.join("\n"));
    // The same trace twice: nothing differs, and both have different names.
    fs::create_dir(folder.path().join("new")).expect("a folder");
    fs::copy(folder.path().join("level.taut"), folder.path().join("new/level.taut")).expect("a copy");
    let text = taut.stdout(&["analyze", "level.taut", "new/level.taut"]);
    assert!(text.contains("level and new/level have equal"), "{text}");
}

#[test]
fn limits_of_memory_are_not_checked_in_a_what_if_whose_creations_fail() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let scene = repository_file("examples/level.gltf");
    let scene = scene.to_str().expect("UTF-8");
    taut.stdout(&["record", scene, "--set", "tight=on", "-o", "main.taut"]);
    // The driver has no tight alignment: it refuses each resource with the flag.
    taut.stdout(&["replay", "main.taut", "--driver", "legacy", "-o", "legacy.taut"]);
    fs::write(folder.path().join("limits.toml"), "limits = [\"alignment.peak.waste_ratio <= 20 %\"]")
        .expect("a budget");
    let text = |file| taut.stdout(&["analyze", file, "--budget", "limits.toml", "-q"]);
    assert!(
        text("main.taut").starts_with("Budget limits.toml: 1 limit checked, none broken\n"),
        "{}",
        text("main.taut")
    );
    let failed = text("legacy.taut");
    assert!(failed.starts_with("Budget limits.toml: 0 limits checked, none broken; 1 not checked\n"), "{failed}");
    assert!(failed.contains("180 creations of heaps or resources fail in this what-if"), "{failed}");
}

const BUDGET: &str = "limits = [\n  \"health.lost_events == 0\",\n  \"pgo.fit_to_measure == true\",\n]\n\n[alignment]\n\
                      \"peak.allocated_bytes\" = { max_more_than_baseline = \"2%\" }\n\
                      \"peak.waste_ratio\" = { max_more_than_baseline = 0.5 }\n";

#[test]
fn a_limit_relative_to_a_baseline_is_checked_with_one_and_not_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    level_and_tight(&taut);
    fs::write(folder.path().join("limits.toml"), BUDGET).expect("a budget");
    let run = |file, more: &[&str]| taut.run(&[&["analyze", file, "--budget", "limits.toml"], more].concat());
    let without = run("level.taut", &["-o", "report.txt", "--junit", "junit.xml"]);
    assert_eq!(without.code, 0, "{}", without.stderr);
    assert!(without.stderr.contains("1 limit checked, none broken; 3 not checked"), "{}", without.stderr);
    assert!(without.stderr.contains("it is relative to a baseline, and none is given"), "{}", without.stderr);
    let junit = fs::read_to_string(folder.path().join("junit.xml")).expect("the JUnit file");
    assert!(junit.contains("tests=\"4\" failures=\"0\" skipped=\"3\""), "{junit}");
    let grown = run("level.taut", &["--baseline", "tight.taut", "-o", "report.txt"]);
    assert_eq!(grown.code, 1, "{}", grown.stderr);
    assert!(grown.stderr.starts_with("Budget limits.toml: 1 of 3 limits broken; 1 not checked\n"), "{}", grown.stderr);
    let headline = "broken: level.taut: peak SizeInBytes of resources 69.8 MiB → 76.3 MiB (+9.30 %): the driver differs \
                    from the baseline's: peer → reference";
    let other = "buffers of 256 B to 4 KiB that no longer use USE_TIGHT_ALIGNMENT\n";
    let unwrapped = grown.stderr.replace('\n', " ");
    assert!(unwrapped.contains(headline) && grown.stderr.contains(other), "{}", grown.stderr);
    let shrunk = run("tight.taut", &["--baseline", "level.taut", "--json"]);
    assert_eq!(shrunk.code, 0, "{}", shrunk.stderr);
    let document: Value = serde_json::from_str(&shrunk.stdout).expect("JSON");
    let row = &document["baseline"]["comparison"]["rows"][1];
    let (value, delta) = (&row["values"][1]["value"], &row["values"][1]["delta"]["value"]);
    assert_eq!(value, &document["reports"]["alignment"]["peak"]["in_use_bytes"]);
    assert!(delta.as_f64() < Some(0.0), "{row}");
}

const AVERAGES: &str = "[alignment]\n\"time_weighted.allocated_bytes\" = { max_more_than_baseline = \"2 %\" }\n";

#[test]
fn a_limit_on_an_average_over_wall_clock_time_is_a_mistake_and_on_a_logical_clock_is_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    taut.stdout(&["record", "small-level", "--threads", "1", "-o", "wall.taut"]);
    let scene = repository_file("testdata/scenes/courtyard/courtyard.gltf");
    taut.run(&["record", scene.to_str().expect("a path"), "-o", "scene.taut"]);
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a budget");
    write("averages.toml", AVERAGES);
    write("allowed.toml", &format!("allow_wall_clock = true\n{AVERAGES}"));
    let run = |file, budget| taut.run(&["analyze", file, "--baseline", file, "--budget", budget, "-o", "report.txt"]);
    assert_eq!(run("level.taut", "averages.toml").code, 0);
    for (file, budget) in
        [("wall.taut", "averages.toml"), ("wall.taut", "allowed.toml"), ("scene.taut", "averages.toml")]
    {
        let refused = run(file, budget);
        assert_eq!(refused.code, 2, "{file}, {budget}: {}", refused.stderr);
        for part in ["--clock logical", "`alignment.peak.allocated_bytes`", "over wall-clock time"] {
            assert!(refused.stderr.contains(part), "{file}, {budget}: {}", refused.stderr);
        }
    }
    assert_eq!(run("scene.taut", "allowed.toml").code, 0);
}

#[test]
fn a_comment_on_a_pull_request_reads_as_it_did() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    level_and_tight(&taut);
    fs::write(folder.path().join("limits.toml"), BUDGET).expect("a budget");
    let command =
        ["analyze", "level.taut", "--baseline", "tight.taut", "--budget", "limits.toml", "--format", "markdown"];
    let run = taut.run(&command);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.len() < 65_536);
    insta::assert_snapshot!("markdown", run.stdout);
}

#[test]
fn a_trace_s_name_cannot_break_out_of_a_comment() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let name = "a`b_|@everyone<img>.taut";
    fs::copy(folder.path().join("level.taut"), folder.path().join(name)).expect("a copy");
    let text = taut.stdout(&["analyze", name, "--baseline", "level.taut", "--format", "markdown"]);
    assert!(text.contains("### ``a`b_|@everyone<img>.taut``\n"), "{text}");
    assert!(text.contains("| ``a`b_\\|@everyone<img>`` | change"), "{text}");
    let bare = text.replace("``a`b_|@everyone<img>.taut``", "").replace("``a`b_\\|@everyone<img>``", "");
    let bare = bare.replace("``a`b_|@everyone<img>``", "");
    assert!(!bare.contains("@everyone"), "{bare}");
}

#[test]
fn a_comment_has_room_for_a_hundred_traces() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let mut command = vec!["analyze"];
    command.extend(std::iter::repeat_n("level.taut", 100));
    command.extend(["--format", "markdown"]);
    let text = taut.stdout(&command);
    assert!(text.len() < 65_536 && text.ends_with("left out: a comment holds no more.\n"), "{}", text.len());
}

//! Tests of machines: listed, explained, described by the user, and refused if invalid.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use taut::Taut;
use taut_testkit::testdata;

fn folder() -> (tempfile::TempDir, Taut) {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    (folder, taut)
}

#[test]
fn machines_are_listed_and_explained() {
    let (_folder, taut) = folder();
    let mut golden = String::new();
    for command in [&["machines"][..], &["machines", "hybrid-laptop"], &["machines", "desktop"]] {
        golden += &format!("$ taut {}\n{}\n", command.join(" "), taut.stdout(command));
    }
    insta::assert_snapshot!("machines", golden);
}

#[test]
fn an_explanation_is_a_valid_machine_for_a_recording() {
    let (folder, taut) = folder();
    std::fs::write(folder.path().join("mine.toml"), taut.stdout(&["machines", "desktop"])).expect("a machine");
    let short = ["--set", "frames=1", "--threads", "1"];
    for (machine, driver) in [("mine.toml", None), ("hybrid-laptop", Some("igpu-tier1+dgpu"))] {
        let named = ["record", "small-level", "--machine", machine, "-o", "a.taut", "--force"];
        let driver: Vec<&str> = driver.into_iter().flat_map(|driver| ["--driver", driver]).collect();
        let run = taut.run(&[&named[..], &driver, &short].concat());
        assert_eq!(run.code, 0, "{machine}: {}", run.stderr);
        assert!(run.stdout.contains(driver.last().unwrap_or(&"driver dgpu")), "{}", run.stdout);
        assert_eq!(taut.run(&["replay", "a.taut"]).code, 0, "{machine}");
    }
}

#[test]
fn machines_that_cannot_be_are_refused() {
    let (folder, taut) = folder();
    let sound = taut.stdout(&["machines", "desktop"]);
    std::fs::write(folder.path().join("bad.toml"), sound.replace("lanes = 16", "lanes = 15")).expect("a machine");
    for (machine, driver, code, message) in [
        ("bad.toml", "dgpu", 3, "key links[0].lanes: expected 1, 2, 4, 8 or 16, found 15"),
        ("desktpo", "dgpu", 2, "did you mean \"desktop\""),
        ("missing.toml", "dgpu", 4, "missing.toml"),
        ("desktop", "igpu-tier3+dgpu", 2, "the machine desktop has 1 adapter, found 2 drivers"),
    ] {
        let run = taut.run(&["record", "small-level", "--machine", machine, "--driver", driver, "-o", "a.taut"]);
        assert_eq!((run.code, run.stderr.contains(message)), (code, true), "{machine}: {}", run.stderr);
    }
    assert_eq!(taut.run(&["machines", "desk"]).code, 2);
}

/// Figures of the report `present`, without the comparison with the capture, which a what-if does not have.
fn presents(taut: &Taut, file: &str) -> Value {
    let text = taut.stdout(&["analyze", file, "--report", "present", "--json"]);
    let mut report = serde_json::from_str::<Value>(&text).expect("JSON")["reports"]["present"].take();
    let report = report.as_object_mut().expect("a report");
    report.remove("capture");
    report.remove("verdict");
    Value::Object(std::mem::take(report))
}

#[test]
fn a_replay_on_another_machine_presents_as_a_recording_on_that_machine() {
    let (folder, taut) = folder();
    let rotated = taut.stdout(&["machines", "rotated-laptop"]);
    std::fs::write(folder.path().join("mine.toml"), rotated).expect("a machine");
    let capture = testdata("presents").join("test_case_5.csv");
    let record = |machine: &str, file: &str| {
        let capture = capture.to_str().expect("UTF-8");
        let run = taut.run(&["record", capture, "--machine", machine, "--clock", "logical", "-o", file, "--force"]);
        assert!(run.code <= 1, "{machine}: {}", run.stderr);
    };
    record("hybrid-laptop", "a.taut");
    let recorded = presents(&taut, "a.taut");
    let mut differing = 0;
    for machine in ["narrow-laptop", "two-cards", "docked-laptop", "mine.toml"] {
        record(machine, "b.taut");
        taut.stdout(&["replay", "a.taut", "--machine", machine, "-o", "c.taut", "--force"]);
        let replayed = presents(&taut, "c.taut");
        assert_eq!(replayed, presents(&taut, "b.taut"), "{machine}");
        differing += u64::from(replayed != recorded);
        assert_eq!(taut.run(&["replay", "c.taut"]).code, 0, "{machine}");
    }
    assert!(differing >= 2, "the machines differ");
}

#[test]
fn a_replay_on_a_machine_that_cannot_be_compared_is_refused() {
    let (_folder, taut) = folder();
    taut.stdout(&["record", "small-level", "--threads", "1", "-o", "level.taut"]);
    taut.stdout(&["record", "hybrid-laptop", "--set", "frames=1", "-o", "laptop.taut"]);
    for (file, machine, message) in [
        ("level.taut", "hybrid-laptop", "the recording has no presents"),
        ("laptop.taut", "desktop", "expected 2 adapters, which the recording has, found 1 adapter"),
        ("laptop.taut", "laptop", "did you mean"),
    ] {
        let run = taut.run(&["replay", file, "--machine", machine]);
        assert_eq!((run.code, run.stderr.contains(message)), (2, true), "{file} {machine}: {}", run.stderr);
    }
}

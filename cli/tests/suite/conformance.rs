//! Tests of the conformance kit and the driver models on the command line.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use taut::{Run, Taut};

fn taut() -> (tempfile::TempDir, Taut) {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    (folder, taut)
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).expect("one JSON document")
}

#[test]
fn the_kit_reads_as_it_did() {
    let (_folder, taut) = taut();
    let mut golden = String::new();
    let drivers = [
        ("reference", 0),
        ("legacy", 0),
        ("instant-access", 0),
        ("faulty-buffer-alignment", 1),
        ("faulty-implicit-heap", 1),
        ("faulty-direct-copy", 1),
        ("faulty-direct-pointer", 1),
        ("igpu-tier3", 0),
        ("faulty-tier-gap", 1),
        ("faulty-cap-over-tier", 1),
    ];
    for (driver, code) in drivers {
        let run = taut.run(&["hlk", "--driver", driver, "--quiet"]);
        assert_eq!((run.code, run.stderr.as_str()), (code, ""), "{driver}");
        golden += &format!("$ taut hlk --driver {driver}\n{}\n", run.stdout);
    }
    insta::assert_snapshot!("hlk", golden);
}

#[test]
fn the_kit_as_json() {
    let (_folder, taut) = taut();
    let run = taut.run(&["hlk", "--driver", "faulty-buffer-size", "--json"]);
    assert_eq!(run.code, 1);
    let document = json(&run);
    assert_eq!(document["driver"], "faulty-buffer-size");
    let checks = document["checks"].as_array().expect("checks");
    assert_eq!(checks.len(), taut_conformance::CHECKS.len());
    for check in checks {
        let failed = check["id"] == "A-52";
        // This driver lacks the instant-access extension, handles per context, background processing and a kernel-mode
        // driver.
        let foreign = check["id"].as_str().is_some_and(|id| id.starts_with(['B', 'C', 'H', 'T']));
        let other = if foreign { "not_applicable" } else { "pass" };
        assert_eq!(check["status"], if failed { "fail" } else { other });
        assert!(check["source"].is_string() && check["detail"].is_string());
        assert_eq!(check["alloc_info"].is_object(), failed);
    }
    let run = taut.run(&["hlk", "--driver", "legacy", "--check", "A-50", "--json"]);
    assert_eq!(run.code, 0);
    assert_eq!(json(&run)["checks"][0]["status"], "not_applicable");
}

#[test]
fn findings_of_the_kit_are_reproducible() {
    let (folder, taut) = taut();
    let run = taut.run(&["hlk", "--driver", "faulty-committed", "--check", "A-55", "--json"]);
    let line = json(&run)["checks"][0]["alloc_info"].to_string();
    std::fs::write(folder.path().join("line.jsonl"), line).expect("a line");
    let answer: Value =
        serde_json::from_str(&taut.stdout(&["alloc-info", "--driver", "faulty-committed", "line.jsonl"]))
            .expect("JSON");
    assert_eq!(answer["violations"][0]["rule"], "A-11");
    assert_eq!(answer["violations"][0]["found"], 256);
}

#[test]
fn a_profile_of_ones_own() {
    let (folder, taut) = taut();
    let text = taut.stdout(&["drivers", "reference"]);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a profile");
    write("mine.toml", &text);
    assert_eq!(taut.run(&["hlk", "--driver", "mine.toml"]).code, 0, "an explanation is a profile");
    write("wrong.toml", &text.replace("tight_buffer_alignment_bytes = 256", "tight_buffer_alignment_bytes = 512"));
    let run = taut.run(&["hlk", "--driver", "wrong.toml"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("A-52") && run.stdout.contains("source"), "{}", run.stdout);
    write("odd.toml", &text.replace("tight_buffer_alignment_bytes = 256", "tight_buffer_alignment_bytes = 24"));
    let run = taut.run(&["hlk", "--driver", "odd.toml"]);
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains("odd.toml:") && run.stderr.contains("power of two"), "{}", run.stderr);
    write("stale.toml", &text.replace("[caps]", "fails = [\"A-53\"]\n[caps]"));
    let run = taut.run(&["hlk", "--driver", "stale.toml"]);
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("A-53"), "{}", run.stderr);
}

#[test]
fn wrong_names_are_reported_with_the_nearest_one() {
    let (_folder, taut) = taut();
    for (arguments, meant) in [
        (&["hlk", "--driver", "tigtest"][..], "tightest"),
        (&["hlk", "--check", "A-59"], "A-5"),
        (&["drivers", "faulty-drifing"], "faulty-drifting"),
        (&["hlk", "--setting", "strickt=true"], "strict"),
        (&["hlk", "--setting", "strict"], "KEY=VALUE"),
    ] {
        let run = taut.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.stderr.contains(meant), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn drivers_are_explained() {
    let (_folder, taut) = taut();
    let mut golden = String::new();
    for driver in ["tightest", "faulty-drifting"] {
        golden += &format!("$ taut drivers {driver}\n{}\n", taut.stdout(&["drivers", driver]));
    }
    insta::assert_snapshot!("drivers", golden);
    let document = json(&taut.run(&["drivers", "legacy", "--json"]));
    assert_eq!(document["profile"]["ddi_version"], "0088");
    assert!(document["samples"][0]["tight_placed"].is_null());
}

#[test]
fn floors_are_answered_on_the_tightest_driver() {
    let (folder, taut) = taut();
    let lines: String = [0, 4, 16, 64, 256, 512, 24]
        .iter()
        .map(|alignment| {
            format!(
                r#"{{"id":{alignment},"descs":[{{"dimension":"BUFFER","alignment":{alignment},"width":100,"layout":"ROW_MAJOR","flags":1024}}]}}"#
            ) + "\n"
        })
        .collect();
    std::fs::write(folder.path().join("descs.jsonl"), lines).expect("descriptions");
    let text = taut.stdout(&["alloc-info", "--driver", "tightest", "--rules", "1.619.4", "descs.jsonl"]);
    insta::assert_snapshot!("floors", text);
}

#[test]
fn the_results_of_a_drifting_driver_are_replayed() {
    let (_folder, taut) = taut();
    // One thread, because the result of this driver depends on the number of earlier queries, and some results do not
    // let a level load.
    taut.stdout(&["record", "small-level", "--driver", "faulty-drifting", "--threads", "1", "-o", "drift.taut"]);
    taut.stdout(&["replay", "drift.taut", "--repeat", "3"]);
}

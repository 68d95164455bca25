//! Tests of the reasons for copies between adapters, as reports explain them.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use taut::Taut;
use taut_testkit::testdata;

/// Records 100 frames of a game on a hybrid laptop.
fn record_game(taut: &Taut, driver: &str, file: &str) {
    let record = ["record", "hybrid-laptop", "--driver", driver, "--clock", "logical", "-o", file];
    taut.stdout(&[&record[..], &["--set", "frames=100", "--set", "size=2560x1600", "--set", "fps=165"]].concat());
}

#[test]
fn two_copies_are_explained_with_cause_remedy_and_saving() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    record_game(&taut, "igpu-tier1+dgpu", "twocopy.taut");
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "twocopy.taut", "--report", "present", "--json"]))
            .expect("JSON");
    let present = &report["reports"]["present"];
    assert_eq!(
        present["verdict"]["sentence"],
        "Swap chain 1 takes two copies per frame because the driver of the integrated GPU reports cross-adapter tier 1 (CAP); of \
         100 frames all are shown."
    );
    let chain = &present["swap_chains"][0];
    let saving = chain["caso_saving_gb_per_s"].as_f64().expect("a saving");
    let copy = chain["copy_2"]["p50_ns"].as_f64().expect("a time") / 1e6;
    let advice = format!(
        "Use a driver of the integrated GPU with cross-adapter tier 3, which scans out directly: one copy per frame of swap \
         chain 1 saves {saving:.3} GB/s of memory traffic and {copy:.3} ms of copies per frame."
    );
    assert_eq!(present["verdict"]["advice"], advice);
    let text = taut.stdout(&["analyze", "twocopy.taut", "--report", "present"]);
    assert!(text.contains("CAP: The display adapter's driver reports cross-adapter tier 1 (copies) or 2"), "{text}");
}

#[test]
fn a_capture_without_adapters_states_the_assumption_and_a_machine_to_try() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let capture = testdata("presents/test_case_5.csv");
    let recorded = taut.stdout(&["record", &capture.to_string_lossy(), "-o", "one.taut"]);
    let note =
        "the capture does not name adapters (no column HybridPresent): one adapter is assumed; --machine hybrid-laptop";
    assert!(recorded.contains(note), "{recorded}");
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "one.taut", "--report", "present", "--json"])).expect("JSON");
    let advice = report["reports"]["present"]["verdict"]["advice"].as_str().unwrap_or_default();
    assert!(advice.contains("record the capture again with `--machine hybrid-laptop`"), "{advice}");
    // A workload that names its adapters has no such note.
    record_game(&taut, "igpu-tier3+dgpu", "caso.taut");
    assert!(!taut.stdout(&["analyze", "caso.taut", "--report", "present"]).contains("does not name adapters"));
}

//! Tests of exports for Perfetto.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use taut::Taut;

#[test]
fn a_real_log_takes_max_60_bytes_of_file_per_event() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/d3d12ma-tight.jsonl.gz");
    taut.stdout(&["record", log, "--driver", "peer", "-o", "ma.taut", "--quiet"]);
    let message = taut.stdout(&["export", "ma.taut", "--to", "perfetto"]);
    assert!(message.starts_with("wrote ma.pftrace: "), "{message}");
    let info: Value = serde_json::from_str(&taut.stdout(&["info", "ma.taut", "--json"])).expect("JSON");
    let events = info["events"].as_u64().expect("a number");
    let bytes = fs::metadata(folder.path().join("ma.pftrace")).expect("the file").len();
    assert!(events > 1_000_000 && bytes <= 60 * events, "{bytes} bytes for {events} events");
}

/// Python interpreter that has the package of Perfetto's schema, if there is one.
fn python() -> Option<&'static str> {
    let has = Command::new("python3").args(["-c", "import perfetto.protos.perfetto.trace.perfetto_trace_pb2"]).output();
    has.is_ok_and(|run| run.status.success()).then_some("python3")
}

/// Decodes the file with the schema published by Perfetto.
fn decoded(python: &str, file: &Path) -> Value {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/suite/perfetto/check.py");
    let run = Command::new(python).arg(script).arg(file).output().expect("Python runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).expect("JSON")
}

#[test]
fn perfetto_s_published_schema_decodes_what_was_recorded() {
    let Some(python) = python() else {
        println!(
            "skipped: perfetto_s_published_schema_decodes_what_was_recorded: no python3 with the package perfetto"
        );
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    for (workload, flows) in [("game-session", true), ("small-level", false), ("hybrid-laptop", true)] {
        taut.stdout(&["record", workload, "--threads", "4", "-o", "a.taut", "--quiet", "--force"]);
        taut.stdout(&["export", "a.taut", "--to", "perfetto", "--quiet"]);
        let decoded = decoded(python, &folder.path().join("a.pftrace"));
        let records = taut.stdout(&["export", "a.taut", "--to", "jsonl", "-o", "-"]);
        let (mut slices, mut results, mut instants) = (BTreeMap::new(), BTreeMap::new(), 0);
        for line in records.lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let name = line["event"].as_str().expect("a name");
            match (line["opcode"].as_str(), line["fields"]["hr"].as_str()) {
                (Some("start"), _) => *slices.entry(name.to_owned()).or_insert(0) += 1,
                (Some("stop"), Some(hr)) => *results.entry(format!("{name} {hr}")).or_insert(0) += 1,
                (Some("info"), _) if name != "WorkloadPhase" => instants += 1,
                _ => {}
            }
        }
        let counts = |of: &str| -> BTreeMap<String, u64> {
            serde_json::from_value(decoded[of].clone()).expect("names and numbers")
        };
        assert_eq!((counts("slices"), counts("results")), (slices, results), "{workload}");
        assert_eq!(decoded["kinds"]["TYPE_INSTANT"].as_u64().unwrap_or_default(), instants, "{workload}");
        assert_eq!((&decoded["processes"][0], decoded["open"].as_u64()), (&workload.into(), Some(0)));
        assert_eq!(decoded["flows"].as_u64() > Some(0), flows, "{workload}");
        // Simulated time is a process of its own.
        let simulated = decoded["processes"][1] == "simulated time";
        assert_eq!(simulated, workload == "hybrid-laptop");
        assert_eq!(decoded["zero_waits"], 0, "{workload}: calls that did not wait have no annotation of a wait");
    }
}

/// Decodes the export of a recording; `None` without the package of Perfetto's schema.
fn exported(test: &str, record: &[&str]) -> Option<Value> {
    let Some(python) = python() else {
        println!("skipped: {test}: no python3 with the package perfetto");
        return None;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&[&["record"], record, &["-o", "a.taut", "--quiet"]].concat());
    taut.stdout(&["export", "a.taut", "--to", "perfetto", "--quiet"]);
    Some(decoded(python, &folder.path().join("a.pftrace")))
}

#[test]
fn a_flow_leads_from_present_over_drawing_and_copies_to_the_display() {
    let record = ["hybrid-laptop", "--driver", "igpu-tier1+dgpu", "--set", "frames=20"];
    let Some(decoded) = exported("a_flow_leads_from_present_over_drawing_and_copies_to_the_display", &record) else {
        return;
    };
    assert_eq!(decoded["paths"]["frame > rendering > copy 1 > copy 2 > scan-out"], 20, "{}", decoded["paths"]);
    let labels = [["driver igpu-tier1+dgpu", "rules 1.618", "clock: recorded time"].to_vec()];
    assert_eq!(decoded["labels"][0], Value::from(labels[0].clone()));
    let simulated = Value::from(vec!["clock: simulated time, unrelated to recorded time"]);
    assert_eq!(decoded["labels"][1], simulated);
}

#[test]
fn counters_have_readable_names_and_units() {
    let name = "counters_have_readable_names_and_units";
    let Some(tasks) = exported(name, &["game-session", "--set", "frames=40"]) else { return };
    assert_eq!(tasks["counters"]["variants in use"], "UNIT_COUNT", "{}", tasks["counters"]);
    let Some(memory) = exported(name, &["small-level"]) else { return };
    let counters = [
        "heap memory",
        "allocated resource memory",
        "placed resource memory",
        "committed resource memory",
        "requested resource memory",
    ];
    let expected: BTreeMap<&str, &str> = counters.map(|name| (name, "UNIT_SIZE_BYTES")).into();
    assert_eq!(memory["counters"], serde_json::json!(expected));
}

//! Tests of other placement policies, and of changes that the alignment report advises.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use taut::{Taut, recorded};

#[test]
fn each_policy_and_heap_size_is_a_row_and_gives_the_same_every_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let policies = "first-fit,best-fit,tlsf,size-classes";
    let arguments = ["replay", "level.taut", "--place", policies, "--block-size", "1MiB,16 MiB", "--json"];
    let tried = || {
        let mut document: Value = serde_json::from_str(&taut.stdout(&arguments)).expect("JSON");
        for policy in document["policies"].as_array_mut().expect("policies") {
            assert!(policy.as_object_mut().expect("an object").remove("ns_per_allocation").is_some());
        }
        document
    };
    let document = tried();
    assert_eq!(document, tried());
    let rows = document["policies"].as_array().expect("policies");
    assert_eq!(rows.len(), 8);
    for row in rows {
        let of = |key: &str| row[key].as_u64().expect("a number");
        assert_eq!(of("memory_bytes"), of("heaps") * of("block_bytes") + of("dedicated_bytes"), "{row}");
        assert_eq!(of("memory_bytes"), of("requested_bytes") + of("waste_bytes"), "{row}");
        assert_eq!(of("allocations"), rows[0]["allocations"].as_u64().expect("a number"));
    }
    let text = taut.stdout(&["replay", "level.taut", "--place", "tlsf", "--tight", "on", "--dedicated-above", "64KiB"]);
    assert!(text.contains("\n tlsf  "), "{text}");
}

#[test]
fn several_traces_stand_side_by_side_in_a_table_and_a_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    taut.stdout(&["replay", "level.taut", "--tight", "on", "-o", "tight.taut"]);
    let arguments = ["replay", "level.taut", "tight.taut", "--place", "tlsf,first-fit", "--block-size", "1MiB"];
    let text = taut.stdout(&[&arguments[..], &["--picture", "policies.svg"]].concat());
    let last = text.rsplit("\n\n").next().expect("a table");
    assert!(last.contains("level.taut") && last.contains("tight.taut") && last.contains("as recorded"), "{text}");
    let svg = std::fs::read_to_string(folder.path().join("policies.svg")).expect("the picture");
    // For each trace: one bar for the recording, and two for each policy.
    assert_eq!(svg.matches("<rect").count(), 2 * (1 + 2 * 2));
    let document: Value = serde_json::from_str(&taut.stdout(&[&arguments[..], &["--json"]].concat())).expect("JSON");
    let traces = document["traces"].as_array().expect("traces");
    assert_eq!(traces.len(), 2);
    for trace in traces {
        assert_eq!(trace["policies"].as_array().expect("policies").len(), 2, "{trace}");
    }
    assert_eq!(taut.run(&["replay", "level.taut", "tight.taut"]).code, 2);
}

/// Figures of the alignment report of a trace.
fn alignment(taut: &Taut, file: &str) -> Value {
    let text = taut.stdout(&["analyze", file, "--report", "alignment", "--json"]);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    document["reports"]["alignment"].clone()
}

#[test]
fn an_advised_change_saves_in_a_replay_what_the_report_claims() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/scenes/courtyard/courtyard.gltf");
    let mut change_count = 0;
    for (driver, memory) in
        [("reference", "memory=placed"), ("reference", "memory=committed"), ("legacy", "memory=placed")]
    {
        taut.stdout(&["record", scene, "--driver", driver, "--set", memory, "-o", "court.taut", "--force"]);
        let report = alignment(&taut, "court.taut");
        let taken = report["peak"]["in_use_bytes"].as_u64().expect("bytes");
        for cause in report["causes"].as_array().expect("causes") {
            let changes = cause["changes"].as_array().expect("changes").iter();
            for change in changes
                .filter(|change| ["tight", "alignment_4_kib"].contains(&change["change"].as_str().expect("a name")))
            {
                let argument = format!(
                    "{}={}",
                    cause["name"].as_str().expect("a name"),
                    change["change"].as_str().expect("a name")
                );
                taut.stdout(&["replay", "court.taut", "--change", &argument, "-o", "changed.taut", "--force"]);
                let after = alignment(&taut, "changed.taut")["peak"]["in_use_bytes"].as_u64().expect("bytes");
                assert_eq!(Some(taken - after), change["saving_bytes"].as_u64(), "{driver}, {memory}: {argument}");
                change_count += 1;
            }
        }
    }
    assert!(change_count >= 5, "{change_count} changes");
    let refused = taut.run(&["replay", "court.taut", "--change", "small_textures=placed"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("which a replay can make"), "{}", refused.stderr);
}

#[test]
fn a_policy_writes_no_trace_and_a_size_needs_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    for wrong in [
        &["replay", "level.taut", "--place", "tlsf", "-o", "new.taut"][..],
        &["replay", "level.taut", "--block-size", "1MiB"],
        &["replay", "level.taut", "--place", "worst-fit"],
        &["replay", "level.taut", "--place", "tlsf", "--block-size", "0"],
    ] {
        assert_eq!(taut.run(wrong).code, 2, "{wrong:?}");
    }
}

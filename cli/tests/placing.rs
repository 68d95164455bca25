//! What allocators of other policies would make of a recording.
#![allow(clippy::expect_used)]

mod taut;

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

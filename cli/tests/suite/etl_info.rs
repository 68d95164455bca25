//! Contents of Windows traces: equal to the counts of independent readers, where the traces are next to the checkout.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::path::{Path, PathBuf};
use taut::{Taut, recorded};

/// Keys whose values are equal to those of `files.json`.
const EQUAL: [&str; 13] = [
    "windows_build",
    "pointer_size_of_header",
    "buffers",
    "compression",
    "events",
    "by_header",
    "clock",
    "perf_freq",
    "span_s",
    "events_lost",
    "buffers_lost",
    "session",
    "log_file_mode",
];

/// Folder of the traces with `files.json`; `None`, with a message, where it is missing.
fn traces(test: &str) -> Option<PathBuf> {
    let places = ["../../shared", "../../../shared"].map(|up| Path::new(env!("CARGO_MANIFEST_DIR")).join(up));
    let found = places.into_iter().map(|place| place.join("etl")).find(|folder| folder.join("files.json").is_file());
    if found.is_none() {
        eprintln!("skipped: {test}: no Windows traces next to the checkout");
    }
    found
}

#[test]
fn the_contents_of_published_windows_traces_equal_the_counts_of_other_readers() {
    let Some(folder) = traces("the_contents_of_published_windows_traces_equal_the_counts_of_other_readers") else {
        return;
    };
    let text = std::fs::read_to_string(folder.join("files.json")).expect("the expected counts");
    let expected: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let work = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(work.path());
    for file in expected {
        let name = file["file"].as_str().expect("a name");
        let path = folder.join("files").join(name).to_string_lossy().into_owned();
        let found: Value = serde_json::from_str(&taut.stdout(&["etl", "info", &path, "--json"])).expect("JSON");
        for key in EQUAL {
            assert_eq!(found[key], file[key], "{name}: {key}");
        }
        let provider = |provider: &Value| (provider["guid"].to_string(), provider["events"].as_u64());
        let sorted = |value: &Value| {
            let mut all: Vec<_> = value.as_array().expect("providers").iter().map(provider).collect();
            all.sort();
            all
        };
        assert_eq!(sorted(&found["providers"]), sorted(&file["providers"]), "{name}");
        assert_eq!(found["damage_count"], 0, "{name}");
    }
}

#[test]
fn the_graphics_capture_is_decoded_exactly_but_for_eight_trailing_bytes() {
    let Some(folder) = traces("the_graphics_capture_is_decoded_exactly_but_for_eight_trailing_bytes") else { return };
    let path = folder.join("files/gpuvis-wintracecmd.etl").to_string_lossy().into_owned();
    let work = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(work.path());
    let found: Value = serde_json::from_str(&taut.stdout(&["etl", "info", &path, "--json"])).expect("JSON");
    let events = found["by_event"].as_array().expect("events");
    let graphics = || events.iter().filter(|event| event["provider"] == "802ec45a-1e99-4b83-9920-87c98277ba9d");
    let sum = |key: &str| graphics().filter_map(|event| event[key].as_u64()).sum::<u64>();
    let trailing: u64 = graphics().filter_map(|event| event["trailing"]["8"].as_u64()).sum();
    let counts = [sum("exact"), trailing, sum("short"), sum("unknown")];
    assert_eq!(counts, [195_133, 1_367, 0, 0]);
    let text = taut.stdout(&["etl", "info", &path]);
    assert!(text.contains("Microsoft-Windows-DxgKrnl") && text.contains("trailing 8 bytes"), "{text}");
}

#[test]
fn a_file_that_is_no_windows_trace_is_refused() {
    let work = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(work.path());
    recorded(&taut);
    std::fs::write(work.path().join("empty.etl"), "").expect("a file");
    for (file, code) in [("level.taut", 3), ("empty.etl", 3), ("missing.etl", 4)] {
        let run = taut.run(&["etl", "info", file]);
        assert_eq!(run.code, code, "{file}: {}", run.stderr);
        assert!(run.stderr.contains(file) && !run.stderr.contains("panicked"), "{}", run.stderr);
    }
}

//! Captures of GFXReconstruct on the command line, and the log of an allocator library in their form: the same figures
//! as from the log itself.
#![allow(clippy::expect_used)]

use crate::call_log::{FIGURES, json};
use crate::taut;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use taut::Taut;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/gfxrecon/sample.jsonl")
}

#[test]
fn a_capture_is_recorded_compared_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let sample = sample();
    let sample = sample.to_str().expect("a path");
    let text = taut.stdout(&["record", sample, "-o", "capture.taut"]);
    assert!(text.contains("54 rows, 47 calls, 1 present in 1 frame"), "{text}");
    assert!(text.contains("first at line 34: E_OUTOFMEMORY in the log"), "{text}");
    assert_eq!(taut.run(&["replay", "capture.taut"]).code, 0);
    let dump = taut.stdout(&["dump", "capture.taut"]);
    assert!(dump.contains("LoggedCallsDiffer"), "{dump}");
    let recorded = json(&taut.stdout(&["record", sample, "-o", "capture.taut", "--force", "--json"]));
    assert_eq!(recorded.pointer("/log/differences/groups/0/kind"), Some(&Value::from("accepted")));
    assert_eq!(recorded.pointer("/capture/not_played/ResourceBarrier"), Some(&Value::from(1)));
}

#[test]
fn wrong_rows_end_with_exit_code_3_and_the_rest_is_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let text = std::fs::read_to_string(sample()).expect("the sample");
    let wrong = text.replacen("\"SizeInBytes\":8388608", "\"SizeInBytes\":true", 1);
    std::fs::write(folder.path().join("wrong.jsonl"), wrong).expect("a file");
    let run = taut.run(&["record", "wrong.jsonl", "-o", "wrong.taut"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("wrong.jsonl:11:") && run.stderr.contains("1 row left out"), "{}", run.stderr);
    assert_eq!(taut.run(&["replay", "wrong.taut"]).code, 0);
    let vulkan = "{\"header\":{\"gfxrecon-version\":\"1.0\"}}\n{\"index\":1,\"function\":{\"name\":\"vkCreateDevice\",\"thread\":1}}\n";
    std::fs::write(folder.path().join("vulkan.jsonl"), vulkan).expect("a file");
    let run = taut.run(&["record", "vulkan.jsonl", "-o", "vulkan.taut"]);
    assert!(run.code == 3 && run.stderr.contains("a capture of Vulkan"), "{}", run.stderr);
    assert!(!folder.path().join("vulkan.taut").exists());
}

/// Figures that count lines or bytes that a capture lacks.
fn is_of_the_log(figure: &str) -> bool {
    figure.ends_with("/at_seq")
}

#[test]
fn the_log_of_an_allocator_in_this_form_has_the_figures_of_the_log() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let converter = root.join("../shared/data/gfxrecon/convert.py");
    let folder = tempfile::tempdir().expect("a folder");
    let log = root.join("testdata/d3d12ma-tight.jsonl.gz");
    let mut convert = Command::new("python3");
    convert.arg(&converter).arg(&log).arg(folder.path().join("ma.jsonl")).arg("--crlf");
    if !converter.exists() || !convert.output().is_ok_and(|output| output.status.success()) {
        println!("skipped: {} or python3 is missing", converter.display());
        return;
    }
    let taut = Taut::new(folder.path());
    let recorded = json(&taut.stdout(&["record", "ma.jsonl", "--driver", "peer", "-o", "ma.taut", "--json"]));
    let log = |name: &str| recorded["log"][name].as_u64();
    assert_eq!((log("failures"), log("unexpected_successes"), log("threads")), (Some(0), Some(0), Some(33)));
    assert_eq!((&recorded["lost_events"], &recorded["capture"]["unreadable"]), (&Value::from(0), &Value::from(0)));
    assert_eq!(recorded.pointer("/log/answers/equal"), Some(&Value::from(116_613)));
    assert_eq!(recorded.pointer("/log/differences/groups"), Some(&Value::Array(Vec::new())));
    let report = json(&taut.stdout(&["analyze", "ma.taut", "--report", "alignment", "--json"]));
    let report = &report["reports"]["alignment"];
    let wrong: Vec<String> = FIGURES
        .iter()
        .filter(|(place, _)| !is_of_the_log(place))
        .filter(|(place, figure)| report.pointer(place).and_then(Value::as_u64) != Some(*figure))
        .map(|(place, figure)| format!("{place}: expected {figure}, found {:?}", report.pointer(place)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(taut.run(&["replay", "ma.taut"]).code, 0);
}

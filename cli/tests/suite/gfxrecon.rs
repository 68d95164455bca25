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

/// Text with each line break and indentation as one space.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lines of the file that a text names, as in `line 34`, or events.
fn positions(text: &str, unit: &str) -> Vec<usize> {
    let before = format!("{unit} ");
    let parts = text.split(&before).skip(1);
    let numbers = parts.map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
    numbers.filter_map(|number| number.parse().ok()).collect()
}

#[test]
fn reports_name_the_line_of_the_capture() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let sample = sample();
    taut.stdout(&["record", sample.to_str().expect("a path"), "-o", "capture.taut"]);
    let text = taut.stdout(&["analyze", "capture.taut", "--report", "alignment"]);
    let lines: Vec<String> = std::fs::read_to_string(sample).expect("the sample").lines().map(str::to_owned).collect();
    let verdict = text.lines().find(|line| line.contains("(line ")).expect("a verdict with a line");
    let named = positions(verdict, "(line");
    assert!(named.len() == 1 && lines[named[0] - 1].contains("\"name\":\"Create"), "{verdict}");
}

#[test]
fn reports_name_the_event_of_a_gpgmm_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let event = |name: &str, args: &str| {
        format!(
            "{{\"name\": \"{name}\", \"cat\": \"0\", \"ph\": \"i\", \"tid\": 1, \"ts\": 1, \"pid\": \"GPGMM\", \"args\": {args}}}"
        )
    };
    let created = "{\"allocationDescriptor\": {\"Flags\": 0, \"HeapType\": 1}, \"resourceDescriptor\": {\"Dimension\": 1, \
        \"Alignment\": 0, \"Width\": 65536, \"Height\": 1, \"DepthOrArraySize\": 1, \"MipLevels\": 1, \"Format\": 0, \
        \"Layout\": 1, \"SampleDesc\": {\"Count\": 1, \"Quality\": 0}, \"Flags\": 4}, \"initialResourceState\": 8, \
        \"clearValue\": {}}";
    let events = [event("ResourceAllocator", "{}"), event("ResourceAllocator.CreateResource", created)];
    std::fs::write(folder.path().join("a.json"), format!("{{\"traceEvents\": [{}]}}", events.join(", ")))
        .expect("a file");
    taut.stdout(&["record", "a.json", "-o", "a.taut"]);
    let text = unwrapped(&taut.stdout(&["analyze", "a.taut", "--report", "alignment"]));
    assert!(text.contains("(event 2)") && !text.contains("(line"), "{text}");
}

#[test]
fn analyze_lists_the_calls_whose_outcome_differs_from_the_capture() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", sample().to_str().expect("a path"), "-o", "capture.taut"]);
    let run = taut.run(&["analyze", "capture.taut", "--report", "health"]);
    assert_eq!(run.code, 0, "differences do not change the code: {}", run.stderr);
    for part in
        ["from the recorded file, in ", "Outcomes that differ from the recorded file", "line 34", "E_OUTOFMEMORY"]
    {
        assert!(unwrapped(&run.stdout).contains(part), "{part}: {}", run.stdout);
    }
    let text = unwrapped(&taut.stdout(&["analyze", "capture.taut", "--report", "alignment"]));
    assert!(text.contains("the first at line 34: CreateCommittedResource"), "{text}");
    let report = json(&taut.stdout(&["analyze", "capture.taut", "--report", "health", "--json"]));
    let first = report.pointer("/reports/health/log_differences/0").expect("a difference");
    assert_eq!((&first["kind"], &first["first_line"]), (&Value::from("accepted"), &Value::from(34)), "{first}");
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

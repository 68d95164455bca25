//! Every key of docs/json.md, found in real output.

use serde_json::Value;
use std::fmt::Write;
use taut_testkit::{Taut, repository_file, testdata};

/// Traces that the commands read: name, and arguments of `taut record`.
const TRACES: [(&str, &[&str]); 6] = [
    ("level.taut", &["small-level", "--driver", "reference"]),
    ("session.taut", &["game-session", "--set", "frames=40"]),
    ("unfit.taut", &["never-converges"]),
    ("contexts.taut", &["deferred-contexts", "--threads", "2"]),
    ("upload.taut", &["texture-upload"]),
    ("hybrid.taut", &["hybrid-laptop", "--set", "frames=60"]),
];

/// Commands by heading of the page. The keys below a heading are in the output of at least one of its commands.
const COMMANDS: [(&str, &[&[&str]]); 12] = [
    ("taut info", &[&["info", "level.taut"]]),
    ("taut replay", &[&["replay", "level.taut"]]),
    ("taut analyze", &[&["analyze", "level.taut"]]),
    ("Every report", &[&["analyze", "level.taut"]]),
    ("reports.alignment", &[&["analyze", "level.taut"]]),
    ("reports.pgo", &[&["analyze", "session.taut"], &["analyze", "unfit.taut"]]),
    ("reports.present", &[&["analyze", "capture.taut"], &["analyze", "hybrid.taut"]]),
    ("reports.handles", &[&["analyze", "contexts.taut"]]),
    ("reports.tiling", &[&["analyze", "upload.taut"]]),
    (
        "taut hlk",
        &[&["hlk", "--driver", "reference"], &["hlk", "--cases", "cases.json"], &["hlk", "--machine", "hybrid-laptop"]],
    ),
    ("taut record", &[&["record", "capture.csv", "-o", "again.taut"]]),
    (
        "taut bench",
        &[
            &["bench", "abi", "--repeat", "1", "--pairs", "0"],
            &["bench", "etl", "game.etl", "--repeat", "1"],
            &["bench", "record", "--events", "20000", "--repeat", "1"],
            &["bench", "read", "--events", "20000"],
            &["bench", "replay", "level.taut", "--repeat", "1"],
            &["bench", "tile", "--rounds", "1", "--max-size", "64"],
        ],
    ),
];

/// Keys of the page, each with its heading.
fn keys(page: &str) -> Vec<(String, String)> {
    let mut heading = String::new();
    let mut keys = Vec::new();
    for line in page.lines() {
        if let Some(text) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
            heading = text.to_owned();
        }
        let Some(row) = line.strip_prefix("| ") else { continue };
        let cells: Vec<&str> = row.split(" | ").collect();
        // `bench` has a row per command, whose keys are in the second cell.
        let cell = if heading == "taut bench" { cells.get(1) } else { cells.first() };
        for key in cell.into_iter().flat_map(|cell| cell.split('`').skip(1).step_by(2)) {
            keys.push((heading.clone(), key.to_owned()));
        }
    }
    keys
}

/// True if a document has the key: `[]` is an element of a list.
fn has(value: &Value, key: &str) -> bool {
    let (step, rest) = key.split_once('.').map_or((key, None), |(step, rest)| (step, Some(rest)));
    let (name, is_list) = step.strip_suffix("[]").map_or((step, false), |name| (name, true));
    let inner = if name.is_empty() { Some(value) } else { value.get(name) };
    match (inner, rest, is_list) {
        (None, ..) => false,
        (Some(_), None, _) => true,
        (Some(Value::Array(list)), Some(rest), true) => list.iter().any(|element| has(element, rest)),
        (Some(_), Some(_), true) => false,
        (Some(inner), Some(rest), false) => has(inner, rest),
    }
}

#[test]
fn every_key_of_the_contract_is_in_real_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    std::fs::copy(testdata("presents/test_case_0.csv"), folder.path().join("capture.csv")).expect("a capture");
    std::fs::copy(testdata("etl/game.etl"), folder.path().join("game.etl")).expect("a Windows trace");
    std::fs::copy(testdata("dxgi-cases.json"), folder.path().join("cases.json")).expect("a file of cases");
    for (name, arguments) in TRACES {
        taut.stdout(&[&["record"], arguments, &["-o", name]].concat());
    }
    // Exit code 1 says that fewer than half of a capture's presents agree.
    taut.run(&["record", "capture.csv", "-o", "capture.taut"]);

    let page = std::fs::read_to_string(repository_file("docs/json.md")).expect("docs/json.md");
    let keys = keys(&page);
    assert!(keys.len() > 120, "{}", keys.len());
    let mut missing = String::new();
    for (heading, commands) in COMMANDS {
        let documents: Vec<Value> = commands
            .iter()
            .map(|command| {
                let run = taut.run(&[command, &["--json"][..]].concat());
                serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{command:?}: {error}\n{}", run.stderr))
            })
            .collect();
        for (_, key) in keys.iter().filter(|(of, _)| of == heading) {
            let found = documents.iter().any(|document| match heading {
                "Every report" => {
                    let reports = document["reports"].as_object().expect("reports");
                    reports.values().all(|report| has(report, key))
                }
                _ => match heading.strip_prefix("reports.") {
                    Some(report) => has(&document["reports"][report], key),
                    None => has(document, key),
                },
            });
            if !found {
                writeln!(missing, "{heading}: {key}").expect("text");
            }
        }
    }
    let headings: Vec<&str> = COMMANDS.iter().map(|(heading, _)| *heading).collect();
    for (heading, key) in keys.iter().filter(|(heading, _)| !headings.contains(&heading.as_str())) {
        writeln!(missing, "{heading}: no command prints {key}").expect("text");
    }
    assert_eq!(missing, "");
}

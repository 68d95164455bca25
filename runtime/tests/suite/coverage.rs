//! Tests that every rule is named by a test.

use std::path::Path;
use taut_schemas::{CHOICES, RULES};

/// Crates that implement the rules of background processing; lints among them belong to reports.
const BACKGROUND_CRATES: [&str; 4] = ["runtime", "capture", "replay", "analyze"];

/// Crates that implement the rules of tiled surfaces and of the instant-access extension.
const TILING_CRATES: [&str; 5] = ["tiling", "runtime", "capture", "analyze", "cli"];

/// Returns the numbers of a letter's rules as tests spell them: `a01`.
fn rules(letter: char) -> Vec<String> {
    let all = RULES.iter().flat_map(|chapter| chapter.rules).map(|rule| rule.id);
    let numbers: Vec<_> =
        all.filter(|id| id.starts_with(letter)).map(|id| id.to_lowercase().replace('-', "")).collect();
    assert!(!numbers.is_empty(), "no rule begins with {letter}");
    numbers
}

#[test]
fn every_rule_of_tiling_has_a_test_that_names_it() {
    let text = crates(&TILING_CRATES);
    for rule in rules('T') {
        assert!(text.contains(&format!("fn {rule}_")), "no test names {rule}");
    }
}

/// Crates that implement the rules of contexts and their handles.
const CONTEXT_CRATES: [&str; 4] = ["schemas", "runtime", "capture", "replay"];

#[test]
fn every_rule_of_contexts_has_a_test_that_names_it() {
    let text = crates(&CONTEXT_CRATES);
    for rule in rules('H') {
        // A test may name several: fn h12_h13_...
        let named = |line: &str| line.trim_start().starts_with("fn h") && line.contains(&format!("{rule}_"));
        assert!(text.lines().any(named), "no test names {rule}");
    }
}

/// Rules of handles that cannot be broken, or that are checked with another rule; the documents give the reason.
const NO_CHECKS: [&str; 8] = ["H-04", "H-30", "H-34", "H-35", "H-45", "H-51", "H-55", "H-56"];

/// Numbers that are no rules of handles.
const NO_RULES: [u32; 12] = [14, 15, 16, 17, 18, 19, 39, 47, 48, 49, 68, 69];

#[test]
fn every_rule_of_handles_is_checked_or_exempted_in_docs() {
    let page = include_str!("../../../docs/handle-rules.md");
    let known = rules('H');
    for number in (1..=83).filter(|number| !NO_RULES.contains(number)) {
        let id = format!("H-{number:02}");
        let is_documented = page.contains(&format!("| {id} |"));
        assert_eq!(is_documented, NO_CHECKS.contains(&id.as_str()), "{id}");
        assert_ne!(
            is_documented,
            known.contains(&id.to_lowercase().replace('-', "")),
            "{id} is a check or said to be none"
        );
    }
}

#[test]
fn every_rule_of_background_processing_has_a_test_that_names_it() {
    let text = crates(&BACKGROUND_CRATES);
    for rule in rules('B') {
        // A test may name several: fn b31_b33_...
        let named = |line: &str| line.trim_start().starts_with("fn b") && line.contains(&format!("{rule}_"));
        assert!(text.lines().any(named), "no test names {rule}");
    }
}

#[test]
fn every_rule_of_cross_adapter_resources_and_swap_chains_has_a_test_that_names_it() {
    let text = crates(&["runtime", "analyze"]);
    for rule in rules('C').into_iter().chain(rules('D')) {
        assert!(text.contains(&format!("fn {rule}_")), "no test names {rule}");
    }
}

#[test]
fn every_rule_of_alignment_has_a_test_that_names_it() {
    let mut text = String::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["tests/suite", "src"] {
        read(&root.join(folder), &mut text);
    }
    for rule in rules('A') {
        assert!(text.contains(&format!("fn {rule}_")), "no test names {rule}");
    }
}

/// Crates whose tests name choices.
const CHOICE_CRATES: [&str; 7] = ["schemas", "runtime", "conformance", "capture", "workloads", "replay", "analyze"];

#[test]
fn every_choice_has_a_test_that_names_it() {
    let text = crates(&CHOICE_CRATES);
    let names: Vec<&str> =
        text.lines().filter_map(|line| line.trim_start().strip_prefix("fn ")?.split('(').next()).collect();
    for rule in CHOICES.iter().flat_map(|chapter| chapter.rules) {
        // A test may name several: fn a30_x01_...
        let id = rule.id.to_lowercase().replace('-', "");
        let is_named = names.iter().any(|name| name.split('_').any(|part| part == id));
        assert!(is_named, "no test names {id}: {}", rule.sentence);
    }
}

/// Returns the source text of these crates.
fn crates(names: &[&str]) -> String {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut text = String::new();
    for name in names {
        for folder in ["tests", "src"] {
            let folder = workspace.join(name).join(folder);
            if folder.is_dir() {
                read(&folder, &mut text);
            }
        }
    }
    text
}

fn read(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

//! Every rule of the checklist has a test that names it.

use std::path::Path;

/// the rules of classic and tight alignment, several descriptions, implicit heaps and conformance.
const RULES: &[std::ops::RangeInclusive<u32>] = &[1..=5, 10..=25, 30..=32, 40..=41, 50..=56];

/// B-01 to B-73: the rules of background processing.
const BACKGROUND_RULES: &[std::ops::RangeInclusive<u32>] = &[1..=11, 20..=29, 30..=41, 50..=63, 70..=73];

/// The crates that keep them; the lints among them are reports' matter.
const BACKGROUND_CRATES: [&str; 4] = ["runtime", "capture", "replay", "analyze"];

/// T-01 to T-08: the rules of tiled surfaces and of the instant-access extension.
const TILING_RULES: std::ops::RangeInclusive<u32> = 1..=8;

/// The crates that keep them.
const TILING_CRATES: [&str; 5] = ["tiling", "runtime", "capture", "analyze", "cli"];

#[test]
fn every_rule_of_tiling_has_a_test_that_names_it() {
    let text = crates(&TILING_CRATES);
    for rule in TILING_RULES {
        assert!(text.contains(&format!("fn t{rule:02}_")), "no test names T-{rule:02}");
    }
}

#[test]
fn every_rule_of_background_processing_has_a_test_that_names_it() {
    let text = crates(&BACKGROUND_CRATES);
    for rule in BACKGROUND_RULES.iter().cloned().flatten() {
        // A test may name several: fn b31_b33_...
        let named = |line: &str| line.trim_start().starts_with("fn b") && line.contains(&format!("b{rule:02}_"));
        assert!(text.lines().any(named), "no test names B-{rule:02}");
    }
}

#[test]
fn every_rule_has_a_test_that_names_it() {
    let mut text = String::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["tests/suite", "src"] {
        read(&root.join(folder), &mut text);
    }
    for rule in RULES.iter().cloned().flatten() {
        assert!(text.contains(&format!("fn a{rule:02}_")), "no test names A-{rule:02}");
    }
}

/// All text of these crates.
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

//! Every rule of the checklist has a test that names it.

use std::path::Path;

/// the rules of classic and tight alignment, several descriptions, implicit heaps and conformance.
const RULES: &[std::ops::RangeInclusive<u32>] = &[1..=5, 10..=25, 30..=32, 40..=41, 50..=56];

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

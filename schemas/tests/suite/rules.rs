//! The rules as a whole.

use std::collections::BTreeSet;
use std::path::Path;
use taut_schemas::{CHOICES, Chapter, RULES, Rule, every_chapter, rules_page};

fn rules() -> impl Iterator<Item = &'static Rule> {
    every_chapter().flat_map(|chapter| chapter.rules).copied()
}

#[test]
fn rule_ids_are_unique_overall_and_ascend_within_rules_and_within_choices() {
    let ids_of = |chapters: &'static [Chapter]| -> Vec<&'static str> {
        chapters.iter().flat_map(|chapter| chapter.rules).map(|rule| rule.id).collect()
    };
    for ids in [ids_of(RULES), ids_of(CHOICES)] {
        assert!(ids.is_sorted() && !ids.is_empty(), "{ids:?}");
    }
    let ids: Vec<&str> = rules().map(|rule| rule.id).collect();
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len(), "an id is used twice");
    assert_eq!(ids.len(), ids_of(RULES).len() + ids_of(CHOICES).len());
    assert!(ids.iter().all(|id| Rule::find(id).map(|rule| rule.id) == Some(id)));
    assert_eq!(Rule::find("A-00"), None);
}

#[test]
fn choices_are_numbered_without_gaps_and_state_that_they_are_choices() {
    for (number, rule) in (1..).zip(CHOICES.iter().flat_map(|chapter| chapter.rules)) {
        assert_eq!(rule.id, format!("X-{number:02}"));
        assert!(rule.source.starts_with("choice: "), "{}", rule.id);
    }
}

#[test]
fn every_rule_is_a_sentence_with_a_source() {
    for rule in rules() {
        let (sentence, source) = (rule.sentence, rule.source);
        assert!(sentence.contains(' ') && !sentence.ends_with('.') && !sentence.contains("  "), "{}", rule.id);
        assert!(!sentence.contains('|'), "{}: a table's cell", rule.id);
        assert!(!source.is_empty() && !source.ends_with('.') && !source.contains('|'), "{}", rule.id);
    }
}

#[test]
fn the_rules_page_matches_the_list() -> Result<(), std::io::Error> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, rules_page())?;
    }
    let found = std::fs::read_to_string(path)?;
    assert!(
        found == rules_page(),
        "docs/rules.md is not what the list says: BLESS=1 cargo test -p taut-schemas writes it"
    );
    Ok(())
}

//! The rules as a whole.

use std::collections::BTreeSet;
use std::path::Path;
use taut_schemas::{RULES, Rule, rules_page};

fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().flat_map(|chapter| chapter.rules).copied()
}

#[test]
fn numbers_are_given_once_and_rise() {
    let ids: Vec<&str> = rules().map(|rule| rule.id).collect();
    let sorted: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids, sorted.into_iter().collect::<Vec<_>>());
    assert!(ids.iter().all(|id| Rule::of(id).map(|rule| rule.id) == Some(id)));
    assert_eq!(Rule::of("A-00"), None);
}

#[test]
fn every_rule_is_a_sentence_with_a_source() {
    for rule in rules() {
        let (sentence, source) = (rule.sentence, rule.source);
        assert!(sentence.contains(' ') && !sentence.ends_with('.') && !sentence.contains("  "), "{}", rule.id);
        assert!(!source.is_empty() && !source.ends_with('.') && !source.contains('|'), "{}", rule.id);
    }
}

#[test]
fn the_page_is_what_the_list_says() -> Result<(), std::io::Error> {
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

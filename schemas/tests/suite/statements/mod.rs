//! The page docs/statements.md: statements of the five documents and rules, with the tests that prove them.

mod sources;

use sources::Tests;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use taut_schemas::{Rule, every_chapter};

/// A line of statements.txt.
struct Statement<'a> {
    id: &'a str,
    sentence: &'a str,
    proof: Proof<'a>,
}

/// The proof of a statement.
enum Proof<'a> {
    /// Rules, of which every test is a proof, and names of tests.
    Tests { rules: Vec<&'a str>, tests: Vec<&'a str> },
    /// The reason why no test proves it.
    None(&'a str),
}

/// Statements of one document.
struct Document<'a> {
    title: &'a str,
    statements: Vec<Statement<'a>>,
}

/// Reads statements.txt.
fn documents(text: &str) -> Vec<Document<'_>> {
    let mut documents: Vec<Document<'_>> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(title) = line.strip_prefix("= ") {
            documents.push(Document { title, statements: Vec::new() });
            continue;
        }
        let cells: Vec<&str> = line.split(" | ").collect();
        let [id, sentence, proof] = cells.as_slice() else { panic!("expected 3 cells, found: {line}") };
        let statement = Statement { id, sentence, proof: parse_proof(proof) };
        documents.last_mut().expect("a document").statements.push(statement);
    }
    documents
}

fn parse_proof(proof: &str) -> Proof<'_> {
    if let Some(reason) = proof.strip_prefix("none: ") {
        return Proof::None(reason);
    }
    let (tests, rules) = proof.split_whitespace().partition(|word| word.contains('_'));
    Proof::Tests { rules, tests }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Names in code font, with commas between.
fn code<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Ids and sentences of handle rules without a check, from their page.
fn unchecked_rules(page: &str) -> Vec<(&str, &str)> {
    let rows = page.lines().filter(|line| line.starts_with("| H-"));
    rows.filter_map(|line| {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        cells.next().zip(cells.next())
    })
    .collect()
}

/// The page.
fn page(documents: &[Document<'_>], unchecked: &[(&str, &str)], tests: &Tests) -> String {
    let statements: Vec<&Statement<'_>> = documents.iter().flat_map(|document| &document.statements).collect();
    let open = statements.iter().filter(|statement| matches!(statement.proof, Proof::None(_))).count();
    let rules: Vec<&Rule> = every_chapter().flat_map(|chapter| chapter.rules).copied().collect();
    let mut page = format!(
        "# Statements of the documents and their tests\n\n\
         Generated from `schemas/tests/suite/statements/statements.txt`, the rules and the names of the tests. {} statements\n\
         beyond the rules, {open} of them without a test (with the reason); {} [rules](rules.md) and {} [rules of handles without a\n\
         check](handle-rules.md), each with at least one test. Every test of a rule has the rule's number in its name.\n",
        statements.len(),
        rules.len(),
        unchecked.len(),
    );
    for document in documents {
        write!(page, "\n## {}\n\n| # | statement | rules | further tests |\n|---|---|---|---|\n", document.title)
            .expect("memory");
        for Statement { id, sentence, proof } in &document.statements {
            let (rules, tests) = match proof {
                Proof::None(reason) => ("–".to_owned(), format!("none: {reason}")),
                Proof::Tests { rules, tests } => (rules.join(", "), code(tests.iter().copied())),
            };
            writeln!(page, "| {id} | {sentence} | {rules} | {tests} |").expect("memory");
        }
    }
    page.push_str("\n## Tests of the rules\n\n| rule | tests |\n|---|---|\n");
    let mut ids: Vec<&str> = rules.iter().map(|rule| rule.id).chain(unchecked.iter().map(|row| row.0)).collect();
    ids.sort_unstable();
    for id in ids {
        writeln!(page, "| {id} | {} |", code(tests.of_rule(id))).expect("memory");
    }
    page
}

#[test]
fn every_statement_has_existing_rules_and_tests_or_a_reason_and_the_page_lists_them() -> Result<(), std::io::Error> {
    let tests = Tests::read(&workspace())?;
    let documents = documents(include_str!("statements.txt"));
    let handle_rules = std::fs::read_to_string(workspace().join("docs/handle-rules.md"))?;
    let unchecked = unchecked_rules(&handle_rules);
    let mut ids = BTreeSet::new();
    for statement in documents.iter().flat_map(|document| &document.statements) {
        assert!(ids.insert(statement.id), "{} occurs twice", statement.id);
        let Proof::Tests { rules, tests: names } = &statement.proof else { continue };
        assert!(!rules.is_empty() || !names.is_empty(), "{} has neither a rule nor a test", statement.id);
        for rule in rules {
            assert!(Rule::find(rule).is_some(), "{} names a rule that does not exist: {rule}", statement.id);
        }
        for name in names {
            assert!(tests.contains(name), "{} names a test that does not exist: {name}", statement.id);
        }
    }
    let all = every_chapter().flat_map(|chapter| chapter.rules).map(|rule| rule.id);
    for id in all.chain(unchecked.iter().map(|row| row.0)) {
        assert!(!tests.of_rule(id).is_empty(), "no test names {id}");
    }
    let path = workspace().join("docs/statements.md");
    let page = page(&documents, &unchecked, &tests);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page)?;
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == page, "docs/statements.md is not current: BLESS=1 cargo test -p taut-schemas writes it");
    Ok(())
}

#[test]
fn only_functions_with_the_attribute_test_or_in_a_property_are_tests() {
    let text = "#[test]\n#[ignore]\nfn a01_b02_one() {}\nfn no_test() {}\nproptest! {\n    #[test]\n    fn x03_two(n in 0..3) {}\n}\n";
    let tests = Tests::of(text);
    assert_eq!(tests.of_rule("A-01"), ["a01_b02_one"]);
    assert_eq!(tests.of_rule("B-02"), ["a01_b02_one"]);
    assert_eq!(tests.of_rule("X-03"), ["x03_two"]);
    assert!(tests.of_rule("A-0").is_empty() && !tests.contains("no_test"));
}

//! Check that events and fields are named by the types of the lists (`taut_schemas::start`, `stop`, `info`), not by
//! strings.

use super::{code, every_source, is_test, read, root, sources};
use std::collections::BTreeSet;
use taut_schemas::{FieldSchema, RULES, SchemaTable};

/// Crates that interpret the contents of traces.
const READERS: [&str; 7] =
    ["analyze/src/", "replay/src/", "tables/src/", "console/src/", "app/src/", "bench/src/", "cli/src/"];

/// Words by which a file accesses the names of fields, so that it could compare them with strings.
const REACH: [&str; 7] = ["FieldSchema", "ScalarSchema", "EventSchema", "Selection", ".fields", "fields(", ".named("];

/// Strings that are equal to the name of a field or an event but mean something else: file, string, meaning.
const OTHER_WORDS: [(&str, &str, &str); 37] = [
    ("replay/src/run/mod.rs", "event", "what differs, where whole events do"),
    ("tables/src/tables/events.rs", "name", "the table's column"),
    ("tables/src/tables/wide.rs", "name", "the table's column"),
    ("cli/src/commands/dump/line.rs", "event", "a key of the JSON lines, and the word itself"),
    ("cli/src/commands/diff.rs", "severity", "a table's heading"),
    ("analyze/src/diff/calls.rs", "removed", "what an edit did to a call"),
    ("analyze/src/diff/calls.rs", "returned", "what only one of two calls did"),
    ("analyze/src/diff/calls.rs", "result", "a part of a call, which its stop records"),
    ("analyze/src/export/perfetto/slices.rs", "result", "the name of an annotation"),
    ("analyze/src/export/json_rows.rs", "event", "a key of the JSON lines"),
    ("analyze/src/export/perfetto/slices.rs", "events", "how many, of a note on lost ones"),
    ("analyze/src/reports/alignment/text.rs", "End", "a table's heading"),
    ("analyze/src/reports/alignment/text.rs", "Heap", "a table's heading"),
    ("analyze/src/reports/alignment/text_parts.rs", "Resource", "a table's heading"),
    ("cli/src/commands/diff.rs", "message", "a table's heading"),
    ("tables/src/tables/events.rs", "events", "the table's name"),
    ("tables/src/parquet/lake/others.rs", "code", "the table's column"),
    ("tables/src/parquet/lake/others.rs", "events", "the table's name"),
    ("tables/src/parquet/lake/writer.rs", "path", "the column of traces"),
    ("analyze/src/handles/fields/drivers.rs", "contexts", "a key of the profile"),
    ("analyze/src/reports/handles/mod.rs", "handles", "the report's name"),
    ("analyze/src/reports/handles/text.rs", "handle", "a noun that is counted"),
    ("analyze/src/reports/handles/text.rs", "change", "a noun that is counted"),
    ("analyze/src/reports/handles/text.rs", "rule", "a noun that is counted"),
    ("analyze/src/reports/handles/verdict.rs", "context", "a noun that is counted"),
    ("analyze/src/reports/handles/verdict.rs", "handle", "a noun that is counted"),
    ("app/src/import/definitions.rs", "value", "the name of an imported field"),
    ("app/src/import/kind.rs", "event", "a key of the JSON"),
    ("app/src/import/kind.rs", "kernel", "a kind of record of ETW"),
    ("app/src/import/kind.rs", "message", "a kind of record of ETW"),
    ("analyze/src/export/json_rows.rs", "start", "the opcode of a start record"),
    ("analyze/src/export/perfetto/slices.rs", "start", "the opcode of a start record"),
    ("cli/src/commands/dump/line.rs", "start", "the opcode of a start record"),
    ("tables/src/tables/events.rs", "start", "the opcode of a start record"),
    ("app/src/world.rs", "adapter", "a noun of a message"),
    ("app/src/etl_profile.rs", "Present", "a keyword of Windows"),
    ("app/src/etl_profile.rs", "Resource", "a keyword of Windows"),
];

/// String literals in some code.
fn literals(code: &str) -> Vec<String> {
    let (mut found, mut letters) = (Vec::new(), code.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            // A character literal or a lifetime.
            '\'' => {
                let mut ahead = letters.clone();
                let escaped = ahead.next() == Some('\\');
                let end = if escaped {
                    ahead.skip(1).position(|letter| letter == '\'').map(|at| at + 3)
                } else {
                    (ahead.next() == Some('\'')).then_some(2)
                };
                for _ in 0..end.unwrap_or_default() {
                    letters.next();
                }
            }
            '"' => {
                let mut text = String::new();
                while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
                    text.push(letter);
                    text.extend((letter == '\\').then(|| letters.next()).flatten());
                }
                found.push(text);
            }
            _ => {}
        }
    }
    found
}

#[test]
fn no_event_and_no_field_is_named_by_a_string() {
    let table = SchemaTable::current();
    let events: BTreeSet<&str> = table.events.iter().map(|event| event.name.as_str()).collect();
    let enumerations = table.codes.iter().map(|code| code.name.as_str());
    let fields = || table.events.iter().flat_map(|event| &event.fields);
    let scalars = fields().flat_map(FieldSchema::scalars).map(|scalar| scalar.name.as_str());
    let fields: BTreeSet<&str> = fields().map(|field| field.name.as_str()).chain(scalars).collect();
    // Unlike the names of most fields, these never occur as keys of JSON or columns of tables.
    let unlike: BTreeSet<&str> = events
        .into_iter()
        .chain(enumerations)
        .chain(fields.iter().copied().filter(|name| name.contains('.')))
        .collect();
    let readers = |name: &String| READERS.iter().any(|reader| name.starts_with(reader)) && !is_test(name.as_ref());
    let mut found = Vec::new();
    for name in every_source().into_keys().filter(readers) {
        let code = code(&root().join(&name));
        let reaches = REACH.iter().any(|word| code.contains(word));
        for text in literals(&code) {
            let is_other = OTHER_WORDS.iter().any(|(file, word, _)| *file == name && *word == text);
            if !is_other && (unlike.contains(text.as_str()) || reaches && fields.contains(text.as_str())) {
                found.push((name.clone(), text));
            }
        }
    }
    assert!(found.is_empty(), "events and fields are named by strings: {found:#?}");
}

#[test]
fn no_rule_is_named_by_a_string() {
    let sources = every_source().into_keys();
    for name in sources.filter(|name| !name.starts_with("schemas/src/rules/") && !is_test(name.as_ref())) {
        let code = code(&root().join(&name));
        for text in literals(&code) {
            let words = || text.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
            let named = RULES.iter().flat_map(|chapter| chapter.rules).find(|rule| words().any(|word| word == rule.id));
            assert!(named.is_none(), "{name} names a rule by the string {text:?}: rules.rs has it");
        }
    }
}

/// A layer that omits a table forwards that table unchanged, and its own functions are never called.
#[test]
fn a_driver_before_another_names_every_table_that_it_changes() {
    let mut found = Vec::new();
    ["runtime", "capture", "replay"].iter().for_each(|name| sources(&root().join(name), &mut found));
    for file in &found {
        let code = read(file);
        let changed = code.matches("::DeviceFuncsLayer for ").count();
        let lists = code.split("changes!(").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
        assert_eq!(lists.map(|list| list.split(',').count()).sum::<usize>(), changed, "{}", file.display());
    }
}

#[test]
fn texts_are_found_wherever_they_stand() {
    let code = r#"let a = ("one", 'x', '"', '\'', "t\"wo"); fn f<'a>(b: &'a str) { g("three") }"#;
    assert_eq!(literals(code), ["one", "t\\\"wo", "three"]);
}

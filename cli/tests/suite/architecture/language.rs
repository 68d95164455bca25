//! Checks of names and comments: standard terms, and documentation that begins with its subject.

use super::{MAY_IMPORT, read, root, sources};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Words that no identifier and no file name may contain as a whole word of its snake_case or CamelCase parts.
const BANNED: &[&str] = &[
    "tell",
    "tells",
    "telling",
    "say",
    "says",
    "saying",
    "hear",
    "hears",
    "heard",
    "wish",
    "wishes",
    "behind",
    "beside",
    "there",
    "again",
    "given",
    "ask",
    "asks",
    "alike",
    "book",
    "shelf",
    "keeper",
    "attendant",
    "teller",
    "untold",
    "fewest",
];

/// First words that leave the subject of a sentence open.
const OPENINGS: &[&str] = &["What", "How", "Which", "Who", "Whose", "It", "Its"];

fn every_file() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for (name, _) in MAY_IMPORT {
        ["src", "tests", "benches", "examples"]
            .iter()
            .for_each(|part| sources(&root().join(name).join(part), &mut found));
    }
    let name = |path: &PathBuf| path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/");
    found.into_iter().map(|path| (name(&path), path)).collect()
}

/// Lower-case words of an identifier: `HandleBook` and `handle_book` are `handle` and `book`.
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_upper = false;
    for letter in identifier.chars() {
        let begins = letter == '_' || letter.is_uppercase() && !was_upper;
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter != '_') {
            word.extend(letter.to_lowercase());
        }
        was_upper = letter.is_uppercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Text without comments and without the contents of strings.
fn without_strings(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['"', '/', '\'']) {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        let length = if tail.starts_with("//") {
            tail.find('\n').unwrap_or(tail.len())
        } else if tail.starts_with('"') {
            // The hashes of a raw string end it as well.
            let hashes = out.len() - out.trim_end_matches('#').len();
            let is_raw = out.trim_end_matches('#').ends_with('r');
            string_length(tail, is_raw.then_some(hashes))
        } else {
            // A quotation mark or a backslash as a character.
            ["'\"'", "'\\\"'", "'\\\\'", "'\\''"]
                .iter()
                .find(|literal| tail.starts_with(**literal))
                .map_or(1, |literal| literal.len())
        };
        out.push(' ');
        rest = &tail[length..];
    }
    out + rest
}

/// Length of a string literal with its quotation marks; `hashes` is the number of hashes of a raw string.
fn string_length(tail: &str, hashes: Option<usize>) -> usize {
    if let Some(hashes) = hashes {
        let end = format!("\"{}", "#".repeat(hashes));
        return tail[1..].find(&end).map_or(tail.len(), |at| 1 + at + end.len());
    }
    let mut is_escaped = false;
    let end = tail[1..].char_indices().find(|(_, letter)| {
        let is_end = *letter == '"' && !is_escaped;
        is_escaped = *letter == '\\' && !is_escaped;
        is_end
    });
    end.map_or(tail.len(), |(at, _)| at + 2)
}

/// Identifiers of code without strings and comments.
fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.split(move |letter| !is_part(letter))
        .filter(|name| name.starts_with(|first: char| first.is_alphabetic() || first == '_'))
}

#[test]
fn names_contain_no_banned_word() {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (name, path) in every_file() {
        let text = without_strings(&read(&path));
        let file = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let mut previous = "";
        for identifier in identifiers(&text).chain([file.as_str()]) {
            // The word after `was` in a list is a former name.
            if std::mem::replace(&mut previous, identifier) == "was" {
                continue;
            }
            // A name of a test is a sentence, in which "at most" is the plain word.
            let plain = identifier.replace("at_most", "").replace("at_least", "");
            let is_banned = words(&plain).iter().any(|word| BANNED.contains(&word.as_str()));
            if is_banned && !is_sentence(identifier) {
                found.entry(identifier.to_owned()).or_insert_with(|| name.clone());
            }
        }
    }
    assert!(found.is_empty(), "names with words that a stranger cannot read, and a file of each: {found:#?}");
}

/// True if an identifier is long enough to be the name of a test, which is a sentence of its own.
fn is_sentence(identifier: &str) -> bool {
    identifier.matches('_').count() > 6
}

#[test]
fn documentation_begins_with_its_subject() {
    // Documentation in these files is the help text of the command line.
    let is_help = |name: &str| {
        name.starts_with("cli/src/") || name.starts_with("tables/src/commands/") || name == "console/src/args.rs"
    };
    // The documentation of events in these lists is recorded, and a golden has the size of the recording.
    let is_recorded = |name: &str| name.ends_with("suite/own_events.rs");
    for (name, path) in every_file().into_iter().filter(|(name, _)| !is_help(name) && !is_recorded(name)) {
        let mut was_doc = false;
        for (number, line) in (1..).zip(read(&path).lines()) {
            let doc = line.trim_start().strip_prefix("///").or_else(|| line.trim_start().strip_prefix("//!"));
            let first = doc.and_then(|doc| doc.trim_start().split([' ', '\'', '.', ',']).next()).unwrap_or_default();
            let first = if doc.is_some_and(|doc| doc.trim_start().starts_with("What-if")) { "" } else { first };
            assert!(was_doc || !OPENINGS.contains(&first), "{name}:{number} begins without its subject: {line}");
            was_doc = doc.is_some_and(|doc| !doc.trim().is_empty());
        }
    }
}

#[test]
fn words_of_identifiers_are_found_in_both_styles() {
    assert_eq!(words("HandleBook"), ["handle", "book"]);
    assert_eq!(words("handle_book"), ["handle", "book"]);
    assert_eq!(words("MOST_ANSWER_BYTES"), ["most", "answer", "bytes"]);
    let code = "let kept = \"told \\\"there\"; // said\n'\"' r#\"heard \" again\"# fn f<'a>() { say }";
    let found = without_strings(code);
    assert_eq!(identifiers(&found).collect::<Vec<_>>(), ["let", "kept", "r", "fn", "f", "a", "say"]);
}

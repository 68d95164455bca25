//! A text in TOML that a person wrote, and where in it something is wrong.

use std::ops::Range;
use taut_schemas::nearest;
use thiserror::Error;
use toml::de::{DeTable, DeValue};

/// Why a profile, or another such text, cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{origin}:{line}:{column}: {}expected {expected}, found {found}", key_prefix(.key))]
pub struct ProfileError {
    /// The file, or the bundled profile's name.
    pub origin: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// The key concerned, tables before it joined by dots; empty if the text is no TOML.
    pub key: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
}

fn key_prefix(key: &str) -> String {
    if key.is_empty() { String::new() } else { format!("key {key}: ") }
}

/// A text, what to call it, and what it is.
pub struct Source<'a> {
    /// The text.
    pub text: &'a str,
    /// The file, or what else to call it.
    pub origin: &'a str,
    /// What such texts are: `driver profile`.
    pub kind: &'static str,
}

impl<'a> Source<'a> {
    /// A text; some editors begin one with a mark of its byte order.
    pub fn new(text: &'a str, origin: &'a str, kind: &'static str) -> Source<'a> {
        Source { text: text.strip_prefix('\u{feff}').unwrap_or(text), origin, kind }
    }

    /// What is wrong with the value of a key, which stands there.
    pub fn error(&self, span: Range<usize>, key: &str, expected: String, found: String) -> ProfileError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        ProfileError {
            origin: self.origin.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            key: key.to_owned(),
            expected,
            found,
        }
    }

    /// What the parser of TOML says, or of what is to be made of it.
    pub fn toml_error(&self, key: &str, error: &toml::de::Error) -> ProfileError {
        // The parser says "what was found, expected what".
        let message = error.message().trim_end();
        let expected = format!("the TOML of a {}", self.kind);
        let (found, expected) = message.split_once(", expected ").unwrap_or((message, &expected));
        self.error(error.span().unwrap_or(0..0), key, expected.to_owned(), found.to_owned())
    }

    /// That a table has only these keys.
    ///
    /// # Errors
    /// It has another.
    pub fn check_keys(&self, path: &str, table: &DeTable<'_>, known: &[&str]) -> Result<(), ProfileError> {
        for key in table.keys() {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                let found = match nearest(name, known.iter().copied()) {
                    Some(nearest) => format!("{name}; did you mean {path}{nearest}?"),
                    None => name.to_owned(),
                };
                let expected = format!("a key of {}s", self.kind);
                return Err(self.error(key.span(), &format!("{path}{name}"), expected, found));
            }
        }
        Ok(())
    }
}

/// The key whose value an error is about; a list's tables are counted from 0.
pub(crate) fn key_at(table: &toml::Spanned<DeTable<'_>>, error: &toml::de::Error) -> String {
    fn find(path: &str, table: &DeTable<'_>, at: usize) -> Option<String> {
        table.iter().find_map(|(key, value)| {
            let name: &str = key.get_ref();
            let found = match value.get_ref() {
                DeValue::Table(inner) => return find(&format!("{path}{name}."), inner, at),
                DeValue::Array(items) => items.iter().enumerate().find_map(|(place, item)| match item.get_ref() {
                    DeValue::Table(inner) => find(&format!("{path}{name}[{place}]."), inner, at),
                    _ => None,
                }),
                _ => None,
            };
            found.or_else(|| (key.span().start <= at && at <= value.span().end).then(|| format!("{path}{name}")))
        })
    }
    error.span().and_then(|span| find("", table.get_ref(), span.start)).unwrap_or_default()
}

/// Where the value of a key stands.
pub(crate) fn span_of(table: &DeTable<'_>, key: &str) -> Option<Range<usize>> {
    table
        .iter()
        .find(|(name, _)| {
            let name: &str = name.get_ref();
            name == key
        })
        .map(|(_, value)| value.span())
}

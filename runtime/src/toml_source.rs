//! TOML sources written by people, with positions of errors.

use std::ops::Range;
use taut_schemas::nearest;
use thiserror::Error;
use toml::de::{DeTable, DeValue};

/// Error in a profile or another TOML text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{origin}:{line}:{column}: {}expected {expected}, found {found}", key_prefix(.key))]
pub struct ProfileError {
    /// File name, or name of the bundled profile.
    pub origin: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Dotted path of the key; empty if the text is no TOML.
    pub key: String,
    /// Expected value.
    pub expected: String,
    /// Found value.
    pub found: String,
}

fn key_prefix(key: &str) -> String {
    if key.is_empty() { String::new() } else { format!("key {key}: ") }
}

/// Maximum number of punctuation characters and spaces of a text: far more than people write, and limits the parser's
/// tokens to 50 MiB.
const MAX_SIGNS: usize = 1_000_000;

/// TOML text with its name and kind.
pub struct Source<'a> {
    pub text: &'a str,
    /// File name or another name of the text.
    pub origin: &'a str,
    /// Kind of the text, such as `driver profile`.
    pub kind: &'static str,
}

impl<'a> Source<'a> {
    /// Creates a source without the byte-order mark that some editors write.
    pub fn new(text: &'a str, origin: &'a str, kind: &'static str) -> Source<'a> {
        Source { text: text.strip_prefix('\u{feff}').unwrap_or(text), origin, kind }
    }

    /// Checks that parsing the text takes memory in proportion to its length. The parser holds all tokens at once, up
    /// to 50 times the bytes of a text of punctuation.
    ///
    /// # Errors
    /// The text has more than 1,000,000 punctuation characters and spaces.
    pub fn check_size(&self) -> Result<(), ProfileError> {
        let is_sign = |(_, byte): &(usize, u8)| byte.is_ascii_punctuation() || byte.is_ascii_whitespace();
        match self.text.bytes().enumerate().filter(is_sign).nth(MAX_SIGNS) {
            None => Ok(()),
            Some((at, _)) => {
                let expected = format!("a {} of at most {MAX_SIGNS} signs and spaces", self.kind);
                Err(self.error(at..at, "", expected, "more".to_owned()))
            }
        }
    }

    /// Parses the text.
    ///
    /// # Errors
    /// The text is no TOML, is nested more deeply than the parser's limit (80), or is [too large](Source::check_size).
    pub fn parse(&self) -> Result<toml::Spanned<DeTable<'a>>, ProfileError> {
        self.check_size()?;
        DeTable::parse(self.text).map_err(|error| self.toml_error("", &error))
    }

    /// Creates an error about the value of a key at a position.
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

    /// Converts an error of the TOML parser or deserialiser.
    pub fn toml_error(&self, key: &str, error: &toml::de::Error) -> ProfileError {
        // The parser's messages have the form "found, expected expected".
        let message = error.message().trim_end();
        let expected = format!("the TOML of a {}", self.kind);
        let (found, expected) = message.split_once(", expected ").unwrap_or((message, &expected));
        self.error(error.span().unwrap_or(0..0), key, expected.to_owned(), found.to_owned())
    }

    /// Checks that a table has only known keys.
    ///
    /// # Errors
    /// The table has an unknown key.
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

/// Returns the path of the key that an error is about; tables in arrays are numbered from 0.
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

/// Span of the value of a key.
pub(crate) fn span_of(table: &DeTable<'_>, key: &str) -> Option<Range<usize>> {
    table
        .iter()
        .find(|(name, _)| {
            let name: &str = name.get_ref();
            name == key
        })
        .map(|(_, value)| value.span())
}

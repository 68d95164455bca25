//! Reads a profile's text, and says where it is wrong.

use super::background_profile::Background;
use super::caps::Caps;
use super::contexts_profile::ContextHandles;
use super::direct_access::DirectAccess;
use super::faults::Faults;
use super::kernel_profile::Kernel;
use super::profile::{Profile, ProfileError};
use super::unsound::{Unsound, unsound};
use std::ops::Range;
use taut_schemas::nearest;
use toml::de::{DeTable, DeValue};

const KEYS: &[&str] = &[
    "name",
    "description",
    "ddi_version",
    "tight_buffer_alignment_bytes",
    "tight_texture_alignment_placed_bytes",
    "tight_texture_alignment_committed_bytes",
    "tight_msaa_alignment_bytes",
    "classic_buffer_alignment_bytes",
    "texture_size_model",
    "linear_pitch_alignment_bytes",
    "memory_bytes",
    "row_pitch_alignment_bytes",
    "height_alignment",
    "fails",
    "caps",
    "direct_access",
    "contexts",
    "background",
    "kernel",
    "faults",
];

/// The tables in a profile, and their keys.
const TABLES: [(&str, &[&str]); 6] = [
    ("caps", Caps::KEYS),
    ("direct_access", DirectAccess::KEYS),
    ("contexts", ContextHandles::KEYS),
    ("background", Background::KEYS),
    ("kernel", Kernel::KEYS),
    ("faults", Faults::KEYS),
];

/// See [`Profile::parse`].
pub(crate) fn parse(text: &str, origin: &str) -> Result<Profile, ProfileError> {
    // Some editors begin a text with a mark of its byte order.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = Source { text, origin };
    let table = DeTable::parse(text).map_err(|error| source.toml_error("", &error))?;
    let inner = |name: &str| match table.get_ref().get(name).map(|value| value.get_ref()) {
        Some(DeValue::Table(inner)) => Some(inner),
        _ => None,
    };
    source.check_keys("", table.get_ref(), KEYS)?;
    for (path, known) in TABLES {
        if let Some(inner) = inner(path) {
            source.check_keys(&format!("{path}."), inner, known)?;
        }
    }
    if let Some(key) = ["name", "ddi_version"].into_iter().find(|key| span_of(table.get_ref(), key).is_none()) {
        return Err(source.error(0..0, key, "a value".to_owned(), "none".to_owned()));
    }
    let profile: Profile = toml::from_str(text).map_err(|error| source.toml_error(&key_at(&table, &error), &error))?;
    match unsound(&profile) {
        None => Ok(profile),
        Some(Unsound { key, expected, found }) => {
            let span = match key.split_once('.') {
                Some((path, key)) => {
                    inner(path).and_then(|inner| span_of(inner, key)).or_else(|| span_of(table.get_ref(), path))
                }
                None => span_of(table.get_ref(), key),
            };
            Err(source.error(span.unwrap_or(0..0), key, expected, found))
        }
    }
}

/// A text, and what to call it.
struct Source<'a> {
    text: &'a str,
    origin: &'a str,
}

impl Source<'_> {
    fn error(&self, span: Range<usize>, key: &str, expected: String, found: String) -> ProfileError {
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

    fn toml_error(&self, key: &str, error: &toml::de::Error) -> ProfileError {
        // The parser says "what was found, expected what".
        let message = error.message().trim_end();
        let (found, expected) = message.split_once(", expected ").unwrap_or((message, "the TOML of a driver profile"));
        self.error(error.span().unwrap_or(0..0), key, expected.to_owned(), found.to_owned())
    }

    fn check_keys(&self, path: &str, table: &DeTable<'_>, known: &[&str]) -> Result<(), ProfileError> {
        for key in table.keys() {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                let found = match nearest(name, known.iter().copied()) {
                    Some(nearest) => format!("{name}; did you mean {path}{nearest}?"),
                    None => name.to_owned(),
                };
                return Err(self.error(
                    key.span(),
                    &format!("{path}{name}"),
                    "a key of driver profiles".to_owned(),
                    found,
                ));
            }
        }
        Ok(())
    }
}

/// The key whose value an error is about.
fn key_at(table: &toml::Spanned<DeTable<'_>>, error: &toml::de::Error) -> String {
    fn find(path: &str, table: &DeTable<'_>, at: usize) -> Option<String> {
        table.iter().find_map(|(key, value)| {
            let name: &str = key.get_ref();
            match value.get_ref() {
                DeValue::Table(inner) => find(&format!("{path}{name}."), inner, at),
                _ => (key.span().start <= at && at <= value.span().end).then(|| format!("{path}{name}")),
            }
        })
    }
    error.span().and_then(|span| find("", table.get_ref(), span.start)).unwrap_or_default()
}

fn span_of(table: &DeTable<'_>, key: &str) -> Option<Range<usize>> {
    table
        .iter()
        .find(|(name, _)| {
            let name: &str = name.get_ref();
            name == key
        })
        .map(|(_, value)| value.span())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_names_every_key() {
        let manual = include_str!("profiles/README.md");
        for key in KEYS.iter().chain(TABLES.iter().flat_map(|(_, keys)| *keys)) {
            assert!(manual.contains(&format!("`{key}`")), "{key}");
        }
    }
}

//! Reads a profile's text, and says where it is wrong.

use super::caps::Caps;
use super::profile::{DdiVersion, Profile, ProfileError};
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
    "texture_size_model",
    "row_pitch_alignment_bytes",
    "height_alignment",
    "caps",
];

/// See [`Profile::parse`].
pub(crate) fn parse(text: &str, origin: &str) -> Result<Profile, ProfileError> {
    let source = Source { text, origin };
    let table = DeTable::parse(text).map_err(|error| source.toml_error("", &error))?;
    let caps = match table.get_ref().get("caps").map(|caps| caps.get_ref()) {
        Some(DeValue::Table(caps)) => Some(caps),
        _ => None,
    };
    source.check_keys("", table.get_ref(), KEYS)?;
    if let Some(caps) = caps {
        source.check_keys("caps.", caps, Caps::KEYS)?;
    }
    if let Some(key) = ["name", "ddi_version"].into_iter().find(|key| span_of(table.get_ref(), key).is_none()) {
        return Err(source.error(0..0, key, "a value".to_owned(), "none".to_owned()));
    }
    let profile: Profile = toml::from_str(text).map_err(|error| source.toml_error(&key_at(&table, &error), &error))?;
    match unsound(&profile) {
        None => Ok(profile),
        Some(Unsound { key, expected, found }) => {
            let span = match key.strip_prefix("caps.") {
                Some(cap) => caps.and_then(|caps| span_of(caps, cap)).or_else(|| span_of(table.get_ref(), "caps")),
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

/// A value that contradicts another, or that no driver could have.
struct Unsound {
    key: &'static str,
    expected: String,
    found: String,
}

fn unsound(profile: &Profile) -> Option<Unsound> {
    let caps = &profile.caps;
    let alignments = [
        ("tight_buffer_alignment_bytes", Some(profile.tight_buffer_alignment_bytes)),
        ("tight_texture_alignment_placed_bytes", profile.tight_texture_alignment_placed_bytes),
        ("tight_texture_alignment_committed_bytes", profile.tight_texture_alignment_committed_bytes),
        ("row_pitch_alignment_bytes", Some(profile.row_pitch_alignment_bytes)),
        ("height_alignment", Some(profile.height_alignment)),
        ("caps.large_page_size_bytes", caps.large_page_support.then_some(caps.large_page_size_bytes.into())),
    ];
    for (key, alignment) in alignments {
        if let Some(alignment) = alignment.filter(|alignment| !alignment.is_power_of_two()) {
            return Some(Unsound { key, expected: "a power of two".to_owned(), found: alignment.to_string() });
        }
    }
    let version = profile.ddi_version;
    let unless = |holds: bool, key, expected: &str, found: String| {
        (!holds).then(|| Unsound { key, expected: expected.to_owned(), found })
    };
    let within = |key, value: u32, most: u32| unless(value <= most, key, &format!("at most {most}"), value.to_string());
    None.or_else(|| {
        let tight = caps.tight_alignment_tier > 0;
        let expected = "0 from a driver below DDI 0111";
        let found = format!("{} at DDI {version}", caps.tight_alignment_tier);
        unless(!tight || version >= DdiVersion::V0111, "caps.tight_alignment_tier", expected, found)
    })
    .or_else(|| unless(version >= DdiVersion::V0088, "ddi_version", "0088 or later", version.to_string()))
    .or_else(|| within("caps.tight_alignment_tier", caps.tight_alignment_tier, 1))
    .or_else(|| within("caps.tiled_resources_tier", caps.tiled_resources_tier, 4))
    .or_else(|| {
        within("caps.max_gpu_virtual_address_bits_per_resource", caps.max_gpu_virtual_address_bits_per_resource, 64)
    })
    .or_else(|| {
        let found = caps.resource_heap_tier.to_string();
        unless((1..=2).contains(&caps.resource_heap_tier), "caps.resource_heap_tier", "1 or 2", found)
    })
    .or_else(|| {
        let (key, expected) = ("caps.cache_coherent_uma", "false on an adapter that is not uma");
        unless(caps.uma || !caps.cache_coherent_uma, key, expected, "true".to_owned())
    })
    .or_else(|| {
        let (key, expected) = ("caps.large_page_size_bytes", "0 without large_page_support");
        let size_bytes = caps.large_page_size_bytes;
        unless(caps.large_page_support || size_bytes == 0, key, expected, size_bytes.to_string())
    })
}

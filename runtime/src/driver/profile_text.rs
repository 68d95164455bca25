//! Parser of a profile's text, with the position of each error.

use super::background_profile::Background;
use super::caps::Caps;
use super::contexts_profile::ContextHandles;
use super::descriptors_profile::Descriptors;
use super::direct_access::DirectAccess;
use super::dlist_profile::DList;
use super::faults::Faults;
use super::former_keys::{FormerKeys, accepted_keys};
use super::invalid_key::InvalidValue;
use super::invalid_value::invalid_value;
use super::kernel_profile::Kernel;
use super::overlay_profile::Overlay;
use super::profile::Profile;
use crate::toml_source::{ProfileError, Source, key_at, span_of};
use toml::de::DeValue;

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
    "descriptors",
    "direct_access",
    "contexts",
    "background",
    "kernel",
    "overlay",
    "dlist",
    "faults",
];

/// Tables of a profile, with their keys and the former names of renamed ones.
const TABLES: [(&str, &[&str], FormerKeys); 9] = [
    ("caps", Caps::KEYS, &[]),
    ("descriptors", Descriptors::KEYS, &[]),
    ("direct_access", DirectAccess::KEYS, &[]),
    ("contexts", ContextHandles::KEYS, &[]),
    ("background", Background::KEYS, Background::FORMER_KEYS),
    ("kernel", Kernel::KEYS, &[]),
    ("overlay", Overlay::KEYS, &[]),
    ("dlist", DList::KEYS, &[]),
    ("faults", Faults::KEYS, Faults::FORMER_KEYS),
];

impl Profile {
    /// Parses a profile. Errors name the text `origin`.
    ///
    /// # Errors
    /// The text is no TOML, has an unknown key, or has values that no driver can have.
    pub fn parse(text: &str, origin: &str) -> Result<Profile, ProfileError> {
        parse(text, origin)
    }
}

fn parse(text: &str, origin: &str) -> Result<Profile, ProfileError> {
    let source = Source::new(text, origin, "driver profile");
    let text = source.text;
    let table = source.parse()?;
    let inner = |name: &str| match table.get_ref().get(name).map(|value| value.get_ref()) {
        Some(DeValue::Table(inner)) => Some(inner),
        _ => None,
    };
    source.check_keys("", table.get_ref(), KEYS)?;
    for (path, known, former) in TABLES {
        if let Some(inner) = inner(path) {
            source.check_keys(&format!("{path}."), inner, &accepted_keys(known, former, inner))?;
        }
    }
    if let Some(key) = ["name", "ddi_version"].into_iter().find(|key| span_of(table.get_ref(), key).is_none()) {
        return Err(source.error(0..0, key, "a value".to_owned(), "none".to_owned()));
    }
    let profile: Profile = toml::from_str(text).map_err(|error| source.toml_error(&key_at(&table, &error), &error))?;
    match invalid_value(&profile) {
        None => Ok(profile),
        Some(InvalidValue { key, expected, found }) => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_of_a_profile_is_a_known_key() {
        let refusal = toml::from_str::<Profile>("no_such_key = 1").unwrap_err().to_string();
        let (_, expected) = refusal.split_once("expected one of").unwrap();
        let members: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
        let mut known = KEYS.to_vec();
        known.sort_unstable_by_key(|key| members.iter().position(|member| member == key));
        assert_eq!(members, known);
    }

    #[test]
    fn the_manual_names_every_key() {
        let manual = include_str!("profiles/README.md");
        for key in KEYS.iter().chain(TABLES.iter().flat_map(|(_, keys, _)| *keys)) {
            assert!(manual.contains(&format!("`{key}`")), "{key}");
        }
    }

    /// Result of a profile with one key of a table, without the position of an error.
    fn parsed(table: &str, key: &str) -> Result<Profile, (String, String, String)> {
        let value = if table == "faults" { "true" } else { "1" };
        let text = format!("name = \"own\"\nddi_version = \"0115\"\n[{table}]\n{key} = {value}");
        parse(&text, "own.toml").map_err(|error| (error.key, error.expected, error.found))
    }

    #[test]
    fn a_former_key_is_read_as_its_current_name() {
        let mut renamed = 0;
        for (table, known, former) in TABLES {
            for (was, name) in former {
                assert!(known.contains(name) && !known.contains(was), "{was}");
                assert_eq!(parsed(table, was), parsed(table, name), "{was}");
                renamed += 1;
            }
        }
        assert!(renamed > 10);
        let both = "name = \"own\"\nddi_version = \"0115\"\n[background]\nlooks_first = 1\nchecks_before_work = 1";
        assert!(parse(both, "own.toml").is_err());
    }
}

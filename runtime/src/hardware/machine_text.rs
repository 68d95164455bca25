//! Parsing of machine profiles, with the position of errors.

use super::link::Link;
use super::machine_profile::{AdapterHardware, Display, MachineProfile};
use super::validate::{ProfileFault, validate};
use crate::toml_source::{ProfileError, Source, key_at, span_of};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Lists of tables, with the keys of a table.
const LISTS: [(&str, &[&str]); 3] =
    [("adapters", AdapterHardware::KEYS), ("links", Link::KEYS), ("displays", Display::KEYS)];

impl MachineProfile {
    /// Parses a profile. `origin` is the name of the text in errors.
    ///
    /// # Errors
    /// The text is invalid TOML, has an unknown key, or describes an impossible machine.
    pub fn parse(text: &str, origin: &str) -> Result<MachineProfile, ProfileError> {
        parse(text, origin)
    }
}

fn parse(text: &str, origin: &str) -> Result<MachineProfile, ProfileError> {
    let source = Source::new(text, origin, "machine profile");
    let table = source.parse()?;
    source.check_keys("", table.get_ref(), MachineProfile::KEYS)?;
    for (list, known) in LISTS {
        for (place, item) in items(table.get_ref(), list).enumerate() {
            source.check_keys(&format!("{list}[{place}]."), item, known)?;
        }
    }
    let machine: MachineProfile =
        toml::from_str(source.text).map_err(|error| source.toml_error(&key_at(&table, &error), &error))?;
    match validate(&machine) {
        None => Ok(machine),
        Some(ProfileFault { list, place, key, expected, found }) => {
            let path = if place.is_some() { format!("{list}[{}].{key}", place.unwrap_or(0)) } else { key.to_owned() };
            let span = match place {
                Some(place) => span_in_item(table.get_ref(), list, place, key),
                None => span_of(table.get_ref(), key),
            };
            Err(source.error(span.unwrap_or(0..0), &path, expected, found))
        }
    }
}

/// The tables of a list.
fn items<'t, 'i>(table: &'t DeTable<'i>, list: &str) -> impl Iterator<Item = &'t DeTable<'i>> {
    let found = table.iter().find(|(name, _)| {
        let name: &str = name.get_ref();
        name == list
    });
    let items = match found.map(|(_, value)| value.get_ref()) {
        Some(DeValue::Array(items)) => Some(items),
        _ => None,
    };
    items.into_iter().flat_map(|items| items.iter()).filter_map(|item| match item.get_ref() {
        DeValue::Table(inner) => Some(inner),
        _ => None,
    })
}

/// Position of a key in a list's table, or of the list if the table does not have the key.
fn span_in_item(table: &DeTable<'_>, list: &str, place: usize, key: &str) -> Option<Range<usize>> {
    let item = items(table, list).nth(place);
    item.and_then(|item| span_of(item, key)).or_else(|| span_of(table, list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_documents_every_key() {
        let manual = include_str!("machines/README.md");
        for key in MachineProfile::KEYS.iter().chain(LISTS.iter().flat_map(|(_, keys)| *keys)) {
            assert!(manual.contains(&format!("`{key}`")), "{key}");
        }
    }

    /// The error of the bundled laptop with one replacement.
    fn error(from: &str, to: &str) -> String {
        let (_, text) = MachineProfile::bundled().iter().find(|(name, _)| *name == "hybrid-laptop").unwrap();
        assert!(text.contains(from), "{from}");
        MachineProfile::parse(&text.replacen(from, to, 1), "mine.toml").unwrap_err().to_string()
    }

    #[test]
    fn invalid_profiles_are_refused_with_file_line_and_key() {
        let found = [
            ("generation = 4", "generation = 6"),
            ("lanes = 8", "lanes = 3"),
            ("adapter = \"discrete\"", "adapter = \"discreet\""),
            ("refresh_millihertz = 165000", "refresh_millihertz = 0"),
            ("lanes = 8", "lanes = 8\nefficiency = 1.2"),
            ("name = \"discrete\"", "name = \"integrated\""),
            ("width = 2560", "widht = 2560"),
            ("[[displays]]", "[[display]]"),
            ("memory = \"local\"", "memory = \"borrowed\""),
            ("copy_mb_per_second = 12000", "copy_mb_per_second = 0"),
            ("[[links]]\nadapter = \"discrete\"\ngeneration = 4\nlanes = 8", ""),
            ("rotation_degrees = 0", "rotation_degrees = 45"),
            ("rotation_degrees = 0", "variable_refresh_from_millihertz = 165001"),
            ("rotation_degrees = 0", "variable_refresh_from_millihertz = 999"),
            ("copy_mb_per_second = 12000", "copy_mb_per_second = 76801"),
            ("copy_mb_per_second = 28000", "copy_mb_per_second = 448001"),
            ("width = 2560\nheight = 1600", "width = 16384\nheight = 16384"),
            ("[[links]]\n", "[[links]]\nadapter = \"integrated\"\ngeneration = 4\nlanes = 8\n\n[[links]]\n"),
        ]
        .map(|(from, to)| error(from, to));
        insta::assert_snapshot!(found.join("\n"));
    }

    #[test]
    fn a_machine_needs_displays_and_adapters() {
        let head = "name = \"bare\"\nsystem_memory_mb_per_second = 1000\n";
        let found = ["displays = []\nadapters = []\n", "adapters = []\n"]
            .map(|tail| MachineProfile::parse(&format!("{head}{tail}"), "bare.toml").unwrap_err().to_string());
        insta::assert_snapshot!(found.join("\n"));
    }
}

//! Former names of the keys of a profile, which profile files and the headers of traces may contain.

use std::borrow::Borrow;
use toml::de::DeTable;

/// Former and current names of renamed keys.
pub(crate) type FormerKeys = &'static [(&'static str, &'static str)];

/// Returns the current name of a key.
pub(crate) fn current_key(former: FormerKeys, key: &str) -> &str {
    former.iter().find(|(was, _)| *was == key).map_or(key, |(_, name)| name)
}

/// Returns the keys that a table may have: the current ones, and those of its own that are former names. Suggestions
/// for an unknown key are current names, unless the table has others.
pub(crate) fn accepted_keys(known: &[&'static str], former: FormerKeys, table: &DeTable<'_>) -> Vec<&'static str> {
    let has = |was: &str| table.keys().any(|key| Borrow::<str>::borrow(key.get_ref()) == was);
    let present = former.iter().map(|(was, _)| *was).filter(|was| has(was));
    known.iter().copied().chain(present).collect()
}

//! What each figure of a report means: from here the documentation is made, and budgets are checked.

use super::verdict::VERDICT;
use serde_json::Value;
use std::collections::BTreeSet;

/// The meaning of a key. A key means the same wherever it stands in its report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The key.
    pub key: &'static str,
    /// What it is, in one or two sentences.
    pub meaning: &'static str,
}

/// Definitions: `key: "meaning";`.
macro_rules! definitions {
    ($($key:ident: $meaning:literal;)*) => {
        &[$($crate::reports::Definition { key: stringify!($key), meaning: $meaning }),*]
    };
}
pub(super) use definitions;

/// Every key in a report's figures, however deep; of the verdict, which is the same in all, its own alone.
pub fn definitions_used(figures: &Value) -> BTreeSet<&str> {
    let mut keys = BTreeSet::new();
    let mut values = vec![figures];
    while let Some(value) = values.pop() {
        match value {
            Value::Object(map) => {
                keys.extend(map.keys().map(String::as_str));
                values.extend(map.iter().filter(|(key, _)| *key != VERDICT.key).map(|(_, value)| value));
            }
            Value::Array(elements) => values.extend(elements),
            _ => {}
        }
    }
    keys
}

//! Cells of the report's tables.

use crate::reports::verdict::NO_VALUE;

/// Maximum number of table rows.
pub(super) const ROWS: usize = 20;

/// A value, or the sign of a missing one.
pub(super) fn known<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| NO_VALUE.to_owned(), text)
}

pub(super) fn process(process: Option<u64>, name: Option<&String>) -> String {
    match (process, name) {
        (Some(process), Some(name)) => format!("{name} ({process})"),
        (Some(process), None) => process.to_string(),
        (None, _) => NO_VALUE.to_owned(),
    }
}

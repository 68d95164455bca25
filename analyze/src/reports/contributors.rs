//! Formats the largest contributors to a failed budget check.

use crate::render::{counted, grouped};
use serde_json::Value;

/// Maximum number of contributors listed per failed check.
pub(super) const NAMED: usize = 5;

/// Elements of a JSON list; empty if the value is not a list.
pub(super) fn list(figures: &Value) -> &[Value] {
    figures.as_array().map_or(&[], Vec::as_slice)
}

/// Formats the first [`NAMED`] elements of a JSON list, one line each.
pub(super) fn first(figures: &Value, line: impl Fn(&Value) -> String) -> Vec<String> {
    list(figures).iter().take(NAMED).map(line).collect()
}

/// A JSON string, or an empty string for other values.
pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Formats a JSON number as `3 times`.
pub(super) fn times(value: &Value) -> String {
    counted(value.as_u64().unwrap_or_default(), "time")
}

/// Formats a JSON number with digit grouping.
pub(super) fn count(value: &Value) -> String {
    grouped(value.as_u64().unwrap_or_default())
}

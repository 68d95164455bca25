//! What stands behind a broken limit: how reports name the first things of a list.

use crate::render::{counted, grouped};
use serde_json::Value;

/// How many things are named.
pub(super) const NAMED: usize = 5;

/// The elements of a list among figures; none where there is no such list.
pub(super) fn list(figures: &Value) -> &[Value] {
    figures.as_array().map_or(&[], Vec::as_slice)
}

/// A line for each of the first elements of a list.
pub(super) fn first(figures: &Value, line: impl Fn(&Value) -> String) -> Vec<String> {
    list(figures).iter().take(NAMED).map(line).collect()
}

/// A text among figures.
pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// `3 times`.
pub(super) fn times(value: &Value) -> String {
    counted(value.as_u64().unwrap_or_default(), "time")
}

/// A number with its digits in groups.
pub(super) fn count(value: &Value) -> String {
    grouped(value.as_u64().unwrap_or_default())
}

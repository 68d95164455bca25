//! Units of figures.

use crate::render::{binary_bytes, grouped, percent};
use serde_json::Value;

/// Unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Bytes,
    BytesPerSecond,
    /// A number of things.
    Count,
    /// True or false.
    Flag,
    GigabytesPerSecond,
    /// A struct of figures.
    Group,
    /// Handle, index or another number that is compared, not used in arithmetic.
    Id,
    List,
    Milliseconds,
    Nanoseconds,
    PerSecond,
    PicojoulesPerByte,
    Pixels,
    /// A part of 1.
    Ratio,
    /// Position in the order of events, in ticks of the trace's clock.
    Stamp,
    Text,
    /// Span of the trace's clock.
    Ticks,
    Watts,
}

impl Unit {
    /// Formats a figure's JSON value for people.
    pub fn text(self, value: &Value) -> String {
        match (self, value) {
            (Unit::Bytes, Value::Number(number)) if number.as_u64().is_some_and(|bytes| bytes >= 1024) => {
                let bytes = number.as_u64().unwrap_or_default();
                format!("{} ({})", grouped(bytes), binary_bytes(bytes))
            }
            (Unit::Bytes, Value::Number(number)) if number.is_u64() => format!("{number} B"),
            (Unit::Ratio, Value::Number(number)) => percent(number.as_f64().unwrap_or_default()),
            (_, Value::Number(number)) => number.as_u64().map_or_else(|| number.to_string(), grouped),
            (_, other) => other.to_string(),
        }
    }
}

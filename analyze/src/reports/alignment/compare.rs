//! Several traces side by side.

use crate::render::{TextTable, binary_bytes, binary_bytes_signed, grouped, percent};
use serde_json::Value;

/// How a figure is written.
type Written = fn(&Value) -> Option<String>;

/// What is set side by side: words, place among the figures, form.
const ROWS: [(&str, &str, Written); 17] = [
    ("heaps created", "/totals/heaps", count),
    ("resources created", "/totals/resources", count),
    ("requested in all", "/totals/requested_bytes", bytes),
    ("allocated in all", "/totals/allocated_bytes", bytes),
    ("peak: heaps and committed", "/peak_total/total_bytes", bytes),
    ("peak: requested", "/peak/requested_bytes", bytes),
    ("peak: allocated", "/peak/allocated_bytes", bytes),
    ("peak: rounding", "/peak/rounding_bytes", difference),
    ("peak: padding", "/peak/padding_bytes", bytes),
    ("peak: granularity", "/peak/granularity_bytes", difference),
    ("peak: wasted", "/peak/waste_ratio", share),
    ("average: allocated", "/time_weighted/allocated_bytes", bytes),
    ("average: wasted", "/time_weighted/waste_ratio", share),
    ("saved for certain by tight", "/peak/guaranteed_saving_bytes", bytes),
    ("saved by the best order", "/heaps_at_own_peak/best_order_saving_bytes", bytes),
    ("fragments at the peak", "/peak_placed/fragments", count),
    ("largest free range then", "/peak_placed/largest_free_range_bytes", bytes),
];

/// A table with one column per trace, of the figures that the alignment report gave of each.
pub fn compared(traces: &[(String, &Value)]) -> TextTable {
    let titles = std::iter::once(String::new()).chain(traces.iter().map(|(name, _)| name.clone()));
    let mut table = TextTable::new("The traces side by side", titles);
    for (words, place, written) in ROWS {
        let cell = |figures: &Value| figures.pointer(place).and_then(written).unwrap_or_else(|| "–".to_owned());
        table.row(words, traces.iter().map(|(_, figures)| cell(figures)));
    }
    table
}

fn count(value: &Value) -> Option<String> {
    value.as_u64().map(grouped)
}

fn bytes(value: &Value) -> Option<String> {
    value.as_u64().map(binary_bytes)
}

fn difference(value: &Value) -> Option<String> {
    value.as_i64().map(binary_bytes_signed)
}

fn share(value: &Value) -> Option<String> {
    value.as_f64().map(percent)
}

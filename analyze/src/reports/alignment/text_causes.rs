//! Text of the alignment report: causes of waste and recommended changes.

use super::CauseFigures;
use crate::render::{TextTable, binary_bytes, binary_bytes_signed, grouped};

/// Table of the causes and the changes that remove them.
pub(super) fn causes(causes: &[CauseFigures]) -> TextTable {
    let caption = "Why memory is wasted at the peak, and what to change in which order; each byte has one cause";
    let titles = ["Cause", "Number", "Wasted", "What to do", "Saves", "Given back", "After those above", "First"];
    let table = TextTable::new(caption, titles).words(3).words(7);
    let mut table = table.by_importance(&["Saves", "What to do", "Wasted"]);
    for cause in causes {
        let [recommendation, saves, reclaimed, after] = match cause.changes.first() {
            Some(change) => [
                format!("{}.", change.recommendation),
                binary_bytes(change.saving_bytes),
                binary_bytes(change.reclaimed_bytes),
                binary_bytes(cause.cumulative_saving_bytes),
            ],
            None => ["\u{2013}"; 4].map(str::to_owned),
        };
        let (count, wasted) = (grouped(cause.count), binary_bytes_signed(cause.waste_bytes));
        table.row(cause.meaning, [count, wasted, recommendation, saves, reclaimed, after, cause.example.clone()]);
    }
    table
}

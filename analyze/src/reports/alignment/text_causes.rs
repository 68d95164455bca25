//! Text of the alignment report: causes of waste and recommended changes.

use super::CauseFigures;
use crate::render::{TextTable, binary_bytes, binary_bytes_signed, grouped};

/// Table of the causes and the changes that remove them.
pub(super) fn causes(causes: &[CauseFigures]) -> TextTable {
    let caption = "Causes of waste at the peak, and the changes in order of saving; each wasted byte has one cause. \
                   Saves: the change alone; Additional: after the changes above";
    let titles = ["Cause", "Count", "Wasted", "Change", "Saves", "Reclaimed", "Additional", "First"];
    let table = TextTable::new(caption, titles).words(3).words(7);
    let mut table = table.by_importance(&["Saves", "Change", "Wasted", "Additional"]);
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

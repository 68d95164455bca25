//! Text of the alignment report: causes of waste and recommended changes.

use super::CauseFigures;
use crate::render::{TextTable, binary_bytes, binary_bytes_signed, grouped};

/// Table of the causes and the changes that remove them.
pub(super) fn causes(causes: &[CauseFigures]) -> TextTable {
    let caption = "Why memory is wasted at the peak, and what to change in which order; each byte has one cause";
    let titles = ["Cause", "Number", "Wasted", "What to do", "Saves", "Given back", "After those above", "First"];
    let mut table = TextTable::new(caption, titles).words(3).words(7);
    for cause in causes {
        let [what_to_do, saves, reclaimed, after] = match cause.changes.first() {
            Some(change) => [
                format!("{}.", change.what_to_do),
                binary_bytes(change.saving_bytes),
                binary_bytes(change.given_back_bytes),
                binary_bytes(cause.saving_with_before_bytes),
            ],
            None => ["\u{2013}"; 4].map(str::to_owned),
        };
        let (count, wasted) = (grouped(cause.count), binary_bytes_signed(cause.waste_bytes));
        table.row(cause.meaning, [count, wasted, what_to_do, saves, reclaimed, after, cause.first.clone()]);
    }
    table
}

//! Text of the alignment report: causes of waste and recommended changes.

use super::CauseFigures;
use crate::render::{TextTable, binary_bytes, binary_bytes_signed, grouped};

/// Table of the causes and the changes that remove them.
pub(super) fn causes(causes: &[CauseFigures]) -> TextTable {
    let together = causes.iter().map(|cause| cause.cumulative_saving_bytes).fold(0, u64::saturating_add);
    let order = match together {
        0 => String::new(),
        bytes => format!("; make the changes in this order, together they save {}", binary_bytes(bytes)),
    };
    let caption = format!(
        "Causes of waste at peak, most reclaimed memory first{order}. Each wasted byte has one cause. Saves: saving of the \
         change alone. Reclaimed: part of Saves that is no longer allocated; the rest becomes free inside heaps. Additional: \
         saving after the changes of the rows above"
    );
    let titles = ["Cause", "Count", "Wasted", "Change", "Saves", "Reclaimed", "Additional", "Example"];
    let table = TextTable::new(caption, titles).words(3).words(7);
    let mut table = table.by_importance(&["Saves", "Change", "Wasted", "Count", "Reclaimed", "Additional"]);
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

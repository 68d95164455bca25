//! Headline verdict of the tiling report.

use super::{SurfaceFigures, TilingFigures};
use crate::head::Head;
use crate::render::{binary_bytes, counted, grouped};
use crate::reports::verdict::sentence;
use crate::reports::{Figure, Verdict};

/// Builds the verdict.
pub(super) fn verdict(figures: &TilingFigures, head: &Head) -> Verdict {
    let sum = |value: fn(&SurfaceFigures) -> u64| figures.surfaces.iter().map(value).fold(0, u64::saturating_add);
    let (bytes, transactions, ideal) =
        (sum(|one| one.bytes), sum(|one| one.transactions), sum(|one| one.ideal_transactions));
    let surfaces = figures.surfaces.len() as u64;
    let are = if surfaces == 1 { "is" } else { "are" };
    let mut text = match (surfaces, ideal) {
        (0, _) => "no tiled surface is mapped".to_owned(),
        (_, 0) => {
            // A trace without stores does not show whether none occurred or none were recorded.
            let them = if surfaces == 1 { "it" } else { "them" };
            let what = if sum(|one| one.outside_stores) == 0 { "no store in" } else { "no store within" };
            format!("{} {are} mapped, and {what} {them} is recorded", counted(surfaces, "tiled surface"))
        }
        _ => format!(
            "the {} written to {} cost {} where {} would do{}",
            binary_bytes(bytes),
            counted(surfaces, "tiled surface"),
            counted(transactions, "transaction"),
            grouped(ideal),
            times(transactions, ideal),
        ),
    };
    let wrong = figures.surfaces.iter().filter(|one| one.wrong_swizzle.is_some()).count() as u64;
    if wrong > 0 {
        let are = if wrong == 1 { "is" } else { "are" };
        text += &format!("; {} {are} written by the rule of another layout", counted(wrong, "surface"));
    }
    let ratio = (ideal > 0).then(|| transactions as f64 / ideal as f64);
    let of_ideal = Figure::ratio("transactions per ideal one", ratio);
    let of_ideal = match ratio {
        Some(ratio) => of_ideal.with_text(format!("{ratio:.2}")),
        None => of_ideal,
    };
    Verdict {
        // Undecoded runs make the sums incomplete.
        sentence: sentence(head.is_whole() && sum(|one| one.undecoded_runs) == 0, &text),
        figures: [Figure::bytes("bytes written", bytes), Figure::count("transactions", transactions), of_ideal],
        advice: None,
    }
}

/// Formats the ratio of actual to ideal transactions.
fn times(transactions: u64, ideal: u64) -> String {
    match transactions as f64 / ideal.max(1) as f64 {
        ratio if transactions > ideal => format!(": {ratio:.2} times the ideal"),
        _ => ", the ideal".to_owned(),
    }
}

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
        (0, _) => {
            "no tiled surface is mapped: the driver has no instant access, and uploads through staging buffers have no \
                   recorded stores"
                .to_owned()
        }
        (_, 0) => {
            // A trace without stores does not show whether none occurred or none were recorded.
            let them = if surfaces == 1 { "it" } else { "them" };
            let what = if sum(|one| one.outside_stores) == 0 { "no store in" } else { "no store within" };
            format!("{} {are} mapped, and {what} {them} is recorded", counted(surfaces, "tiled surface"))
        }
        _ if transactions > ideal => excess(figures, transactions, ideal),
        _ => format!(
            "the {} written to {} take {}, the minimum",
            binary_bytes(bytes),
            counted(surfaces, "tiled surface"),
            counted(transactions, "transaction"),
        ),
    };
    let wrong = figures.surfaces.iter().filter(|one| one.wrong_swizzle.is_some()).count() as u64;
    if wrong > 0 {
        let are = if wrong == 1 { "is" } else { "are" };
        text = format!(
            "{} {are} written in a layout other than Map reports, so that the contents are wrong; {text}",
            counted(wrong, "surface")
        );
    }
    let reads = sum(|one| one.reads);
    if reads > 0 {
        text += &format!("; {} of uncached memory are slow", counted(reads, "load"));
    }
    let ratio = (ideal > 0).then(|| transactions as f64 / ideal as f64);
    let of_ideal = Figure::ratio("transactions / ideal", ratio);
    let of_ideal = match ratio {
        Some(ratio) => of_ideal.with_text(format!("{ratio:.2}")),
        None => of_ideal,
    };
    Verdict {
        // Undecoded runs make the sums incomplete.
        sentence: sentence(head.is_whole() && sum(|one| one.undecoded_runs) == 0, &text),
        figures: [Figure::bytes("bytes written", bytes), Figure::count("transactions", transactions), of_ideal],
        advice: advice(figures),
    }
}

/// Excess of transactions and its cause, for the costliest surface.
fn excess(figures: &TilingFigures, transactions: u64, ideal: u64) -> String {
    let ratio = transactions as f64 / ideal.max(1) as f64;
    let counts = format!("{} for {}", grouped(transactions), grouped(ideal));
    let text = format!("bus transactions are {ratio:.2} × the minimum ({counts})");
    let Some(surface) = figures.costliest() else { return text };
    let lines = surface.full_lines + surface.partial_evictions;
    let evicted = match surface.full_lines {
        0 => "each 64-byte line".to_owned(),
        _ => format!("{} of {} lines of 64 bytes", grouped(surface.partial_evictions), grouped(lines)),
    };
    let whose = match figures.surfaces.len() {
        1 => String::new(),
        _ => format!(" of texture {}", surface.label()),
    };
    let stores = surface.store_bytes.map_or_else(|| "stores".to_owned(), |bytes| format!("{bytes}-byte stores"));
    format!("{text}: {stores} {}{whose} evict {evicted} partially filled", order_in_words(&surface.order))
}

/// Words for a write order after the word "stores".
fn order_in_words(order: &str) -> String {
    match order {
        "linear-rows" => "in row order".to_owned(),
        "linear-columns" => "in column order".to_owned(),
        "tile-order" => "in tile order".to_owned(),
        "mixed" => "in mixed orders".to_owned(),
        "unknown" => "in an unknown order".to_owned(),
        other => format!("in the order {other}"),
    }
}

/// Write order with the fewest transactions over all written surfaces; tile order precedes others of equal cost.
fn advice(figures: &TilingFigures) -> Option<String> {
    let written: Vec<&SurfaceFigures> = figures.surfaces.iter().filter(|surface| surface.stores > 0).collect();
    let transactions: u64 = written.iter().map(|surface| surface.transactions).sum();
    let total = |order: &str, store_bytes: usize| -> Option<u64> {
        let of = |surface: &&SurfaceFigures| {
            let same = surface.orders.iter().find(|other| (other.order, other.store_bytes) == (order, store_bytes));
            same.map(|other| other.transactions)
        };
        written.iter().map(of).sum()
    };
    let orders = written.first()?.orders.iter();
    let totals =
        orders.filter_map(|other| Some((total(other.order, other.store_bytes)?, other.order, other.store_bytes)));
    let (best, order, store_bytes) = totals.min_by_key(|(total, order, _)| (*total, *order != "tile-order"))?;
    (best < transactions).then(|| {
        let (how, counts) = (order_in_words(order), format!("{} → {}", grouped(transactions), grouped(best)));
        format!("Write {how}, {store_bytes} bytes per store: {counts} transactions.")
    })
}

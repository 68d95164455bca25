//! The report in words.

use super::{PresentFigures, Spread, SwapChainFigures};
use crate::head::Head;
use crate::render::{Document, TextTable, grouped, percent};
use taut_schemas::rule;

/// Of a frame's time, the first copy may take so much before a sentence says so.
const BUDGET_RATIO: f64 = 0.25;
/// Of a link's rate, frames may take so much before a sentence says so.
const LINK_RATIO: f64 = 0.8;

pub(super) fn document(figures: &PresentFigures, head: &Head) -> Document {
    let mut document = Document::new("Presents: how frames come to their displays");
    head.losses().into_iter().for_each(|sentence| document.text(sentence));
    if figures.swap_chains.is_empty() {
        document.text("No swap chain is presented.");
        return document;
    }
    document.table(paths(figures));
    document.table(fates(figures));
    document.table(traffic(figures));
    figures.swap_chains.iter().for_each(|chain| document.table(latency(chain)));
    figures.swap_chains.iter().flat_map(|chain| sentences(chain, figures.compression_ratio)).for_each(|text| {
        document.text(text);
    });
    document
}

fn paths(figures: &PresentFigures) -> TextTable {
    let titles = ["Swap chain", "Buffers", "Path", "Reason"];
    let mut table =
        TextTable::new("Swap chains, and how their frames reach the display", titles).words(1).words(2).words(3);
    for chain in &figures.swap_chains {
        let buffers = format!("{} × {} {}", chain.width, chain.height, chain.format);
        table.row(chain.swap_chain.to_string(), [buffers, chain.path.to_owned(), chain.reason.clone()]);
    }
    table
}

fn fates(figures: &PresentFigures) -> TextTable {
    let titles = ["Swap chain", "Frames", "Flipped", "Composed", "Torn", "Never shown"];
    let mut table = TextTable::new("What became of their frames", titles);
    for chain in &figures.swap_chains {
        let counts = [chain.frames, chain.flipped, chain.composed, chain.torn, chain.never_shown].map(grouped);
        table.row(chain.swap_chain.to_string(), counts);
    }
    table
}

fn rate(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

fn traffic(figures: &PresentFigures) -> TextTable {
    let titles = ["Swap chain", "Copies", "Frames/s", "Hz", "Memory", "Link", "of", "One copy saves"];
    let mut table =
        TextTable::new("What copies and scan-out take of the system's memory and of the link, in GB/s", titles);
    for chain in &figures.swap_chains {
        let rates = [
            chain.frames_per_s,
            chain.refreshes_per_s,
            chain.dram_gb_per_s,
            chain.link_gb_per_s,
            chain.link_limit_gb_per_s,
            chain.caso_saving_gb_per_s,
        ];
        table.row(chain.swap_chain.to_string(), std::iter::once(grouped(chain.copies)).chain(rates.map(rate)));
    }
    table
}

fn latency(chain: &SwapChainFigures) -> TextTable {
    let caption = format!("Swap chain {}: from present to display, in milliseconds", chain.swap_chain);
    let mut table = TextTable::new(caption, ["Part", "Median", "95th", "99th", "Worst"]);
    let parts = [
        ("all", chain.latency),
        ("copy 1", chain.copy_1),
        ("copy 2", chain.copy_2),
        ("waiting for copy engines and fences", chain.engine_wait),
        ("waiting for the refresh", chain.refresh_wait),
    ];
    for (part, spread) in parts {
        if let Some(Spread { median_ns, p95_ns, p99_ns, worst_ns }) = spread {
            let cells = [median_ns, p95_ns, p99_ns, worst_ns].map(|ns| format!("{:.3}", ns as f64 / 1e6));
            table.row(part, cells);
        }
    }
    table
}

fn sentences(chain: &SwapChainFigures, compression: f64) -> Vec<String> {
    let mut told = Vec::new();
    let id = chain.swap_chain;
    if chain.copies_made > 0 {
        let (made, gigabytes) = (grouped(chain.copies_made), chain.bytes_copied as f64 / 1e9);
        let copies = if chain.copies_made == 1 { "copy" } else { "copies" };
        let link = chain.link_limit_gb_per_s.zip(chain.link_efficiency_ratio);
        let link = link.map_or_else(String::new, |(limit, efficiency)| {
            format!("; {limit:.3} GB/s of its link are what the stated efficiency of {efficiency} leaves")
        });
        told.push(format!("Swap chain {id}: {made} {copies} moved {gigabytes:.3} GB{link}."));
    }
    if let Some(saving) = chain.caso_saving_gb_per_s {
        let words = match (chain.copies, saving < 0.0) {
            (1, false) => format!("one copy saves {saving:.3} GB/s of memory traffic against two"),
            (1, true) => format!("one copy costs {:.3} GB/s of link traffic against two", -saving),
            (_, false) => format!("CASO would save {saving:.3} GB/s of memory traffic"),
            (_, true) => format!("CASO would cost {:.3} GB/s of link traffic", -saving),
        };
        let copy = chain
            .copy_2
            .map_or_else(String::new, |copy| format!(", and {:.3} ms a frame", copy.median_ns as f64 / 1e6));
        told.push(format!("Swap chain {id}: {words}{copy} (with c = {compression})."));
    }
    if let Some(ratio) = chain.copy_1_budget_ratio.filter(|ratio| *ratio > BUDGET_RATIO) {
        told.push(format!("Swap chain {id}: copy 1 takes {} of a frame's time.", percent(ratio)));
    }
    let link = chain.link_gb_per_s.zip(chain.link_limit_gb_per_s);
    if let Some((used, limit)) = link.filter(|(used, limit)| *used > LINK_RATIO * limit) {
        told.push(format!("Swap chain {id}: its frames take {} of the link.", percent(used / limit)));
    }
    if chain.copies == 1 && 2 * chain.composed > chain.frames {
        let composed = percent(chain.composed as f64 / chain.frames as f64);
        told.push(format!(
            "Swap chain {id}: {composed} of its frames are composed although it has one copy ({}).",
            rule::C_23.id
        ));
    }
    told
}

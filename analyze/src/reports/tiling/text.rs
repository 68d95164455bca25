//! Text of the tiling report.

use super::{SurfaceFigures, TilingFigures};
use crate::head::Head;
use crate::render::{Document, TextTable, binary_bytes, counted, grouped};

/// Maximum number of table rows.
const ROWS: usize = 20;

pub(super) fn document(figures: &TilingFigures, head: &Head) -> Document {
    let mut document = Document::new("Tiling: CPU writes to mapped textures");
    head.losses().into_iter().for_each(|sentence| document.text(sentence));
    document.text(overview(figures));
    if figures.surfaces.is_empty() {
        return document;
    }
    let titles = [
        "Texture",
        "Layout",
        "Order",
        "Bytes",
        "Stores",
        "Full lines",
        "Partial lines",
        "Transactions",
        "Ideal",
        "Ratio",
    ];
    let caption = "Mapped surfaces, modelled with 4 write-combining buffers. Ratio: transactions / ideal";
    let table = TextTable::new(caption, titles).words(1).words(2);
    let mut table = table.by_importance(&["Ratio", "Order", "Transactions", "Full lines", "Partial lines", "Ideal"]);
    for surface in figures.surfaces.iter().take(ROWS) {
        table.row(surface.label(), cells(surface));
    }
    document.table(table);
    // Details are shown for the surface that wastes most transactions.
    if let Some(surface) = figures.costliest() {
        document.table(by_buffers(surface));
        document.table(orders(surface));
    }
    figures.surfaces.iter().take(ROWS).flat_map(warnings).for_each(|warning| document.text(warning));
    document
}

fn overview(figures: &TilingFigures) -> String {
    let sum = |value: fn(&SurfaceFigures) -> u64| figures.surfaces.iter().map(value).fold(0, u64::saturating_add);
    let mut text = format!(
        "{} mapped {}: ",
        counted(figures.surfaces.len() as u64, "tiled surface"),
        counted(sum(|surface| surface.maps), "time"),
    );
    text += &match sum(|surface| surface.stores) {
        0 if sum(|surface| surface.outside_stores + surface.undecoded_runs) == 0 => "no store is recorded.".to_owned(),
        0 => "no store inside the surfaces could be decoded.".to_owned(),
        stores => format!(
            "{} written in {}: {} ({} ideal).",
            binary_bytes(sum(|surface| surface.bytes)),
            counted(stores, "store"),
            counted(sum(|surface| surface.transactions), "transaction"),
            grouped(sum(|surface| surface.ideal_transactions)),
        ),
    };
    if figures.linear_maps > 0 {
        text += &format!(" Linear memory is mapped {}.", counted(figures.linear_maps, "time"));
    }
    text
}

fn order(order: &str, store_bytes: Option<usize>) -> String {
    store_bytes.map_or_else(|| order.to_owned(), |bytes| format!("{order}, {bytes} B"))
}

fn cells(surface: &SurfaceFigures) -> [String; 9] {
    [
        surface.layout.clone(),
        order(&surface.order, surface.store_bytes),
        binary_bytes(surface.bytes),
        grouped(surface.stores),
        grouped(surface.full_lines),
        grouped(surface.partial_evictions),
        grouped(surface.transactions),
        grouped(surface.ideal_transactions),
        surface.transactions_ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}")),
    ]
}

fn by_buffers(surface: &SurfaceFigures) -> TextTable {
    let caption = format!("Texture {}: transactions by number of write-combining (WC) buffers", surface.label());
    let mut table = TextTable::new(caption, ["WC buffers", "Full lines", "Partial lines", "Transactions"]);
    for model in &surface.by_buffers {
        let cells = [model.full_lines, model.partial_evictions, model.transactions].map(grouped);
        table.row(model.buffers.to_string(), cells);
    }
    table
}

fn orders(surface: &SurfaceFigures) -> TextTable {
    let caption = format!("Texture {}: what-if, other orders of the stores", surface.label());
    let mut table = TextTable::new(caption, ["Order", "Stores", "Full lines", "Partial lines", "Transactions"]);
    for other in &surface.orders {
        let cells = [other.stores, other.full_lines, other.partial_evictions, other.transactions].map(grouped);
        table.row(order(other.order, Some(other.store_bytes)), cells);
    }
    table
}

fn warnings(surface: &SurfaceFigures) -> Vec<String> {
    let name = surface.label();
    let mut warnings = Vec::new();
    if surface.reads > 0 {
        let (loads, bytes) = (counted(surface.reads, "load"), binary_bytes(surface.read_bytes));
        warnings.push(format!(
            "Texture {name}: {loads} ({bytes}) from write-combined memory, which is uncached: read a copy in cached memory \
             instead."
        ));
    }
    if let Some(wrong) = &surface.wrong_swizzle {
        warnings.push(format!(
            "Texture {name}: the stores use layout {wrong}, but Map reports {}: the texture contents are wrong.",
            surface.layout
        ));
    }
    if surface.outside_stores > 0 {
        let stores = counted(surface.outside_stores, "store");
        warnings.push(format!("Texture {name}: {stores} outside the mapped memory."));
    }
    if surface.unwritten_bytes > 0 && surface.stores > 0 {
        let bytes = binary_bytes(surface.unwritten_bytes);
        warnings.push(format!("Texture {name}: {bytes} of the texture are never written."));
    }
    if surface.undecoded_runs > 0 {
        let runs = counted(surface.undecoded_runs, "recorded run");
        warnings.push(format!("Texture {name}: {runs} of stores or loads could not be decoded."));
    }
    warnings
}

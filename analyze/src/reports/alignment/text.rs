//! Text of the alignment report.

use super::{
    AlignmentFigures, HeapFigures, ResourceFigures, Snapshot, text_causes, text_owners, text_parts, text_uses,
};
use crate::head::Head;
use crate::render::{Document, TextTable, binary_bytes, binary_bytes_signed, counted, grouped, percent};

/// Maximum number of rows of the heap table.
const HEAP_ROWS: usize = 10;

/// Formats the moment of a snapshot: `line 1,319` of a call log, `event 12` of a GPGMM trace, `4.21 ms` into the trace, or
/// `stamp 1,234` of a logical clock.
type When<'a> = dyn Fn(&Snapshot) -> String + 'a;

/// Builds the sentences and tables of the report.
pub(super) fn document(figures: &AlignmentFigures, head: &Head, when: &When<'_>) -> Document {
    let mut document = Document::new("Alignment: memory wasted by resource alignment");
    head.losses().into_iter().for_each(|sentence| document.text(sentence));
    document.text(overview(figures));
    gaps(figures).into_iter().for_each(|sentence| document.text(sentence));
    let is_snapshot = figures.gaps.resources_of_snapshot > 0;
    if !figures.causes.is_empty() {
        document.table(text_causes::causes(&figures.causes));
    }
    if !is_snapshot {
        document.text(classic(figures, when));
        document.text(text_parts::savings(figures));
    }
    document.text(
        "Terms: requested is the data of a resource (a buffer's width; a texture's texels of all mips, slices and \
         samples). SizeInBytes is the size from GetResourceAllocationInfo. Resource memory is SizeInBytes for placed \
         resources and the implicit heap for committed resources. Rounding is SizeInBytes minus requested; granularity is \
         the implicit heap minus SizeInBytes, because heaps consist of whole pages; padding is the gap that a resource's \
         alignment leaves before the resource.",
    );
    text_owners::tables(figures).into_iter().for_each(|table| document.table(table));
    document.table(snapshots(figures, when));
    if !is_snapshot {
        document.table(sorts(figures));
    }
    if !figures.worst.is_empty() {
        document.table(text_parts::worst(&figures.worst));
    }
    if !is_snapshot {
        document.table(text_parts::size_classes(&figures.size_classes));
    }
    if !figures.phases.is_empty() && !is_snapshot {
        document.table(text_parts::phases(&figures.phases));
    }
    if figures.peak_placed.free.fragments > 0 {
        document.text(text_parts::fragments(&figures.peak_placed, &when(&figures.peak_placed)));
        document.table(text_parts::free_ranges(&figures.peak_placed));
    }
    text_uses::uses(figures, &mut document);
    if !figures.floor_violations.is_empty() {
        document.table(text_parts::floor_violations(&figures.floor_violations));
    }
    if !figures.heaps.is_empty() {
        document.table(heaps(&figures.heaps));
    }
    document
}

fn overview(figures: &AlignmentFigures) -> String {
    let totals = &figures.totals;
    let mut text = format!(
        "The trace creates {} and {}: {} and {}; {} placed in heaps, {} committed (each with an implicit heap).",
        counted(totals.heaps, "heap"),
        counted(totals.all.resources, "resource"),
        counted(totals.buffers.resources, "buffer"),
        counted(totals.textures.resources, "texture"),
        grouped(totals.all.placed),
        grouped(totals.all.committed),
    );
    if totals.reserved > 0 {
        let reserved = counted(totals.reserved, "reserved resource");
        text += &format!(" Sums exclude {reserved}: address space without memory.");
    }
    text
}

fn gaps(figures: &AlignmentFigures) -> Vec<String> {
    let gaps = &figures.gaps;
    let rendered = [
        (gaps.resources_without_size, "resource", "excluded from all sums: the trace lacks the size from the driver"),
        (
            gaps.resources_without_texel_size,
            "texture",
            "of unknown format: the requested size is assumed to be SizeInBytes",
        ),
        (
            gaps.resources_of_snapshot,
            "resource",
            "from a snapshot with allocated sizes only: requested sizes are unknown, and alignments are derived from sizes and offsets",
        ),
        (
            gaps.resources_without_heap,
            "placed resource",
            "excluded from heap layouts: the creation of the heap is not recorded",
        ),
        (gaps.releases_of_unknown_objects, "release", "ignored: the creation of the object is not recorded"),
        (gaps.objects_of_rundown, "object", "known from a rundown only: the creation is not recorded"),
    ];
    let rendered = rendered.into_iter().filter(|(count, ..)| *count > 0);
    rendered.map(|(count, name, why)| format!("Incomplete data: {} {why}.", counted(count, name))).collect()
}

/// Table with moments as columns and figures as rows.
fn snapshots(figures: &AlignmentFigures, when: &When<'_>) -> TextTable {
    let average = figures.time_weighted.as_snapshot();
    let has_requests = figures.gaps.resources_of_snapshot == 0;
    let moments = [
        ("Peak", &figures.peak),
        ("Peak allocated", &figures.peak_real),
        ("Peak placed", &figures.peak_placed),
        ("Peak count", &figures.peak_count),
        ("End", &figures.end),
        ("Mean", &average),
    ];
    let caption = "Memory at the peak of resource memory (Peak), of allocated memory (Peak allocated), of placed bytes (Peak \
                   placed) and of the number of placed resources (Peak count), at the end of the trace, and the mean over \
                   time";
    let table = TextTable::new(caption, std::iter::once("").chain(moments.iter().map(|(title, _)| *title)));
    let mut table = table.by_importance(&["Peak", "Peak allocated", "End", "Mean", "Peak placed"]);
    let mut row = |name: &str, cell: &dyn Fn(&Snapshot) -> String| {
        table.row(name, moments.iter().map(|(_, snapshot)| cell(snapshot)));
    };
    row("at", &|s| if std::ptr::eq(s, &average) { "–".to_owned() } else { when(s) });
    row("resources", &|s| grouped(s.all.resources));
    row("  placed", &|s| grouped(s.all.placed));
    row("  committed", &|s| grouped(s.all.committed));
    row("heaps", &|s| grouped(s.heaps));
    row("allocated", &|s| binary_bytes(s.real_bytes));
    row("  less granularity", &|s| binary_bytes(s.total_bytes));
    row("heap memory", &|s| binary_bytes(s.heap_bytes));
    row("  used by resources", &|s| binary_bytes(s.layout.covered_bytes));
    row("  padding", &|s| binary_bytes(s.layout.padding_bytes));
    row("  free gaps", &|s| binary_bytes(s.layout.hole_bytes));
    row("  unused tails", &|s| binary_bytes(s.layout.tail_bytes));
    row("shared by aliasing", &|s| binary_bytes(s.layout.overlap_bytes));
    let rendered = |rendered: String| if has_requests { rendered } else { "\u{2013}".to_owned() };
    row("requested", &|s| rendered(binary_bytes(s.all.requested_bytes)));
    row("resource memory", &|s| binary_bytes(s.all.in_use_bytes));
    row("  SizeInBytes", &|s| binary_bytes(s.all.allocated_bytes));
    row("    rounding", &|s| rendered(binary_bytes_signed(s.all.rounding_bytes)));
    row("  granularity", &|s| binary_bytes_signed(s.all.granularity_bytes));
    row("waste in resources", &|s| rendered(percent(s.waste_ratio)));
    table
}

fn sorts(figures: &AlignmentFigures) -> TextTable {
    let totals = &figures.totals;
    let titles = ["", "Created", "Requested", "SizeInBytes", "Rounding", "Granularity", "Wasted"];
    let caption = "Buffers and textures created in the whole trace";
    let most_important = ["Rounding", "Granularity", "Wasted", "Requested", "SizeInBytes"];
    let mut table = TextTable::new(caption, titles).by_importance(&most_important);
    for (name, sort) in [("Buffers", &totals.buffers), ("Textures", &totals.textures), ("All", &totals.all)] {
        let cells = [
            grouped(sort.resources),
            binary_bytes(sort.requested_bytes),
            binary_bytes(sort.allocated_bytes),
            binary_bytes_signed(sort.rounding_bytes),
            binary_bytes_signed(sort.granularity_bytes),
            percent(sort.waste_ratio(0)),
        ];
        table.row(name, cells);
    }
    table
}

/// Sentence on buffers padded to 64 KiB.
fn classic(figures: &AlignmentFigures, when: &When<'_>) -> String {
    let (buffers, at_peak) = (&figures.totals.buffers, &figures.peak_count);
    if buffers.resources == 0 {
        return "The trace has no buffers: padding buffers to 64 KiB would change nothing.".to_owned();
    }
    if buffers.padded_64k_bytes <= buffers.in_use_bytes {
        return "No buffer uses tight alignment: each occupies a multiple of 64 KiB.".to_owned();
    }
    let times = |sort: &ResourceFigures| {
        let ratio = sort.padded_64k_bytes as f64 / sort.in_use_bytes.max(1) as f64;
        let (padded, in_use) = (binary_bytes(sort.padded_64k_bytes), binary_bytes(sort.in_use_bytes));
        format!("{padded} instead of {in_use} ({ratio:.1}×)")
    };
    let all = format!("At 64 KiB alignment, all buffers of the trace would occupy {}", times(buffers));
    if at_peak.buffers.resources == 0 {
        return all + ".";
    }
    let (placed, then) = (times(&at_peak.buffers), when(at_peak));
    format!("{all}; the buffers live at the peak count of placed resources ({then}) would occupy {placed}.")
}

/// Table of the heaps with the most waste; among equal ones, those with the most unused memory come first.
fn heaps(heaps: &[HeapFigures]) -> TextTable {
    let mut order: Vec<&HeapFigures> = heaps.iter().collect();
    order.sort_by_key(|heap| std::cmp::Reverse((heap.waste_bytes(), heap.unused_bytes())));
    let shown = order.len().min(HEAP_ROWS);
    let caption = format!(
        "Heaps at their own peaks, {} of {}: most alignment waste (rounding and padding) first",
        grouped(shown as u64),
        grouped(order.len() as u64),
    );
    let titles =
        ["Heap", "Size", "Resources", "Used", "Rounding", "Padding", "Free gaps", "Unused tail", "Shared by aliasing"];
    let most_important = ["Size", "Rounding", "Padding", "Free gaps", "Unused tail"];
    let mut table = TextTable::new(caption, titles).by_importance(&most_important);
    for heap in &order[..shown] {
        let cells = [
            binary_bytes(heap.heap_bytes),
            grouped(heap.placed),
            binary_bytes(heap.layout.covered_bytes),
            binary_bytes_signed(heap.rounding_bytes),
            binary_bytes(heap.layout.padding_bytes),
            binary_bytes(heap.layout.hole_bytes),
            binary_bytes(heap.layout.tail_bytes),
            binary_bytes(heap.layout.overlap_bytes),
        ];
        table.row(heap.heap.to_string(), cells);
    }
    table
}

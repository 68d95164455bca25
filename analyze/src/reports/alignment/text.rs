//! Text of the alignment report.

use super::{
    AlignmentFigures, HeapFigures, ResourceFigures, Snapshot, text_causes, text_owners, text_parts, text_uses,
};
use crate::events::FilePositions;
use crate::head::Head;
use crate::render::{Document, TextTable, binary_bytes, binary_bytes_signed, counted, grouped, percent, span};

/// Maximum number of rows of the heap table.
const HEAP_ROWS: usize = 10;

/// Formats the moment of a snapshot: `line 1,319` of a call log, `event 12` of a GPGMM trace, `4.21 ms` into the trace, or a timestamp.
type When<'a> = dyn Fn(&Snapshot) -> String + 'a;

/// Formats the moment of a snapshot, given the positions in its file and its time since the start of the trace.
pub(super) fn when(snapshot: &Snapshot, positions: FilePositions, since_start_ns: Option<u64>) -> String {
    match (snapshot.at_seq, since_start_ns) {
        (Some(seq), _) => positions.text(seq),
        (None, Some(ns)) => span(ns),
        (None, None) => format!("stamp {}", snapshot.at_stamp),
    }
}

/// Builds the sentences and tables of the report.
pub(super) fn document(figures: &AlignmentFigures, head: &Head, when: &When<'_>) -> Document {
    let mut document = Document::new("Alignment: what placing resources costs in memory");
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
        "Requested, below, is what the application fills: a buffer's width, a texture's texels of all mips, slices and \
         samples. Allocated is SizeInBytes of GetResourceAllocationInfo. What a resource takes is that, and for a \
         committed one all of its implicit heap. Rounding is allocated less requested; granularity is what whole pages \
         of an implicit heap add; padding is the gap before a resource up to its alignment.",
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
        text += &format!(
            " {} have address space alone and are not counted.",
            counted(totals.reserved, "reserved resource")
        );
    }
    text
}

fn gaps(figures: &AlignmentFigures) -> Vec<String> {
    let gaps = &figures.gaps;
    let rendered = [
        (gaps.resources_without_size, "resource", "left out of all sums: the trace does not hold the driver's answer"),
        (
            gaps.resources_without_texel_size,
            "texture",
            "with an unknown format: the requested size is assumed to be the allocated size",
        ),
        (
            gaps.resources_of_snapshot,
            "resource",
            "from a snapshot, which has allocated sizes only: requested sizes are unknown, and alignment is derived from size and offset",
        ),
        (
            gaps.resources_without_heap,
            "placed resource",
            "without a heap in the tables: the creation of the heap is not recorded",
        ),
        (gaps.releases_of_unknown_objects, "release", "ignored: the creation of the object is not recorded"),
        (gaps.objects_of_rundown, "object", "known from a rundown only: the creation is not recorded"),
    ];
    let rendered = rendered.into_iter().filter(|(count, ..)| *count > 0);
    rendered.map(|(count, name, why)| format!("Incomplete data: {}, {why}.", counted(count, name))).collect()
}

/// Table with moments as columns and figures as rows.
fn snapshots(figures: &AlignmentFigures, when: &When<'_>) -> TextTable {
    let average = figures.time_weighted.as_snapshot();
    let has_requests = figures.gaps.resources_of_snapshot == 0;
    let moments = [
        ("Peak", &figures.peak),
        ("Peak real", &figures.peak_real),
        ("Peak placed", &figures.peak_placed),
        ("Peak count", &figures.peak_count),
        ("End", &figures.end),
        ("Average", &average),
    ];
    let caption = "Memory at the peak of resources (peak), of heaps with implicit ones (peak real), of bytes placed in heaps \
                   (peak placed), of the number of placed resources (peak count), at the end, and the mean over time";
    let mut table = TextTable::new(caption, std::iter::once("").chain(moments.iter().map(|(title, _)| *title)));
    let mut row = |name: &str, cell: &dyn Fn(&Snapshot) -> String| {
        table.row(name, moments.iter().map(|(_, snapshot)| cell(snapshot)));
    };
    row("after", &|s| if std::ptr::eq(s, &average) { "–".to_owned() } else { when(s) });
    row("live resources", &|s| grouped(s.all.resources));
    row("  placed", &|s| grouped(s.all.placed));
    row("  committed", &|s| grouped(s.all.committed));
    row("heaps", &|s| grouped(s.heaps));
    row("heaps and committed", &|s| binary_bytes(s.real_bytes));
    row("  without granularity", &|s| binary_bytes(s.total_bytes));
    row("heap memory", &|s| binary_bytes(s.heap_bytes));
    row("  covered by resources", &|s| binary_bytes(s.layout.covered_bytes));
    row("  padding", &|s| binary_bytes(s.layout.padding_bytes));
    row("  holes", &|s| binary_bytes(s.layout.hole_bytes));
    row("  tails", &|s| binary_bytes(s.layout.tail_bytes));
    row("shared by aliasing", &|s| binary_bytes(s.layout.overlap_bytes));
    let rendered = |rendered: String| if has_requests { rendered } else { "\u{2013}".to_owned() };
    row("requested", &|s| rendered(binary_bytes(s.all.requested_bytes)));
    row("taken by resources", &|s| binary_bytes(s.all.in_use_bytes));
    row("  allocated", &|s| binary_bytes(s.all.allocated_bytes));
    row("    rounding", &|s| rendered(binary_bytes_signed(s.all.rounding_bytes)));
    row("  granularity", &|s| binary_bytes_signed(s.all.granularity_bytes));
    row("wasted by alignment", &|s| rendered(percent(s.waste_ratio)));
    table
}

fn sorts(figures: &AlignmentFigures) -> TextTable {
    let totals = &figures.totals;
    let titles = ["", "Created", "Requested", "Allocated", "Rounding", "Granularity", "Wasted"];
    let caption = "Buffers and textures over the whole trace, each resource counted once however short its life";
    let mut table = TextTable::new(caption, titles);
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
        return "There are no buffers, so padding buffers to 64 KiB would change nothing.".to_owned();
    }
    if buffers.padded_64k_bytes <= buffers.in_use_bytes {
        return "Every buffer takes a multiple of 64 KiB, the classic rule.".to_owned();
    }
    let times = |sort: &ResourceFigures| {
        let ratio = sort.padded_64k_bytes as f64 / sort.in_use_bytes.max(1) as f64;
        let (padded, taken) = (binary_bytes(sort.padded_64k_bytes), binary_bytes(sort.in_use_bytes));
        format!("{padded} instead of {taken} ({ratio:.1} times)")
    };
    let all = format!("Padded to 64 KiB each, the classic rule, all buffers would take {}", times(buffers));
    if at_peak.buffers.resources == 0 {
        return all + ".";
    }
    let (placed, then) = (times(&at_peak.buffers), when(at_peak));
    format!("{all}; those that live when most resources are placed (after {then}) {placed}.")
}

/// Table of the heaps with the most waste; among equal ones, those with the most unused memory come first.
fn heaps(heaps: &[HeapFigures]) -> TextTable {
    let mut order: Vec<&HeapFigures> = heaps.iter().collect();
    order.sort_by_key(|heap| std::cmp::Reverse((heap.waste_bytes(), heap.unused_bytes())));
    let shown = order.len().min(HEAP_ROWS);
    let caption = format!(
        "Heaps, each when it is fullest: {} of {}, those where alignment wastes most (rounding and padding) first",
        grouped(shown as u64),
        grouped(order.len() as u64),
    );
    let titles = ["Heap", "Size", "Resources", "Covered", "Rounding", "Padding", "Holes", "Tail", "Shared"];
    let mut table = TextTable::new(caption, titles).by_importance(&["Size", "Rounding", "Padding", "Holes", "Tail"]);
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

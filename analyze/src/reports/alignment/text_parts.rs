//! Text of the alignment report: savings, worst resources, size classes, phases, fragments, debug messages.

use super::{AlignmentFigures, PhaseFigures, SizeClasses, Snapshot, WorstFigures};
use crate::render::{TextTable, binary_bytes, binary_bytes_signed, counted, grouped, percent};
use crate::reports::MessageFigures;

/// Maximum number of rows of the phase table.
const PHASE_ROWS: usize = 40;

/// Sentences on possible savings.
pub(super) fn savings(figures: &AlignmentFigures) -> String {
    let (certain, ordered) = (figures.peak.all.guaranteed_saving_bytes, &figures.heaps_at_own_peak.layout);
    let tight = if certain > 0 {
        format!(
            "USE_TIGHT_ALIGNMENT for all buffers would save at least {} at peak with any driver: buffers are then \
             aligned to at most 256 B (placed) or 4 KiB (committed).",
            binary_bytes(certain),
        )
    } else {
        "USE_TIGHT_ALIGNMENT has no guaranteed saving for the buffers live at peak.".to_owned()
    };
    let order = if ordered.best_order_saving_bytes > 0 {
        format!(
            " Placement in order of decreasing alignment would save {} of padding, summed over all heaps at their own peaks.",
            binary_bytes(ordered.best_order_saving_bytes),
        )
    } else if figures.totals.heaps == 0 {
        String::new()
    } else {
        " No other order of resources in heaps would save padding.".to_owned()
    };
    tight + &order
}

/// Table of the worst resources with advice.
pub(super) fn worst(worst: &[WorstFigures]) -> TextTable {
    let caption = "Resources with the most alignment waste, grouped by name and description. Max waste: of one resource; \
                   Group waste: of all resources of the group";
    let titles = ["Resource", "Count", "Requested", "SizeInBytes", "Max waste", "Group waste", "Advice"];
    let table = TextTable::new(caption, titles).words(6);
    let mut table = table.by_importance(&["Advice", "Group waste", "Max waste", "Count"]);
    for one in worst {
        let cells = [
            grouped(one.group_size),
            binary_bytes(one.requested_bytes),
            binary_bytes(one.allocated_bytes),
            binary_bytes_signed(one.waste_bytes),
            binary_bytes_signed(one.group_waste_bytes),
            one.advice.clone(),
        ];
        table.row(format!("{} ({})", one.name, one.kind), cells);
    }
    table
}

/// Table of resources by requested size.
pub(super) fn size_classes(classes: &SizeClasses) -> TextTable {
    let caption =
        "Resources created in the whole trace, by requested size. Buffers at 64 KiB: buffers rounded up to 64 KiB";
    let titles = ["Size", "Resources", "Requested", "SizeInBytes", "Rounding", "Buffers at 64 KiB"];
    let table = TextTable::new(caption, titles);
    let mut table = table.by_importance(&["Rounding", "Requested", "SizeInBytes"]);
    for (name, class) in classes.rows() {
        let cells = [
            grouped(class.resources),
            binary_bytes(class.requested_bytes),
            binary_bytes(class.allocated_bytes),
            binary_bytes_signed(class.rounding_bytes),
            binary_bytes(class.padded_64k_bytes),
        ];
        table.row(name, cells);
    }
    table
}

/// Table of the resources created in each phase.
pub(super) fn phases(phases: &[PhaseFigures]) -> TextTable {
    let shown = phases.len().min(PHASE_ROWS);
    let mut caption = "Resources created in each phase of the workload".to_owned();
    if shown < phases.len() {
        caption += &format!(": the first {shown} of {}", grouped(phases.len() as u64));
    }
    let titles = ["Phase", "Resources", "Requested", "SizeInBytes", "Buffers at 64 KiB", "Wasted"];
    let mut table = TextTable::new(caption, titles).by_importance(&["Wasted", "Requested", "SizeInBytes"]);
    for phase in &phases[..shown] {
        let cells = [
            grouped(phase.all.resources),
            binary_bytes(phase.all.requested_bytes),
            binary_bytes(phase.all.allocated_bytes),
            binary_bytes(phase.all.padded_64k_bytes),
            percent(phase.waste_ratio),
        ];
        table.row(phase.name.as_deref().unwrap_or("outside phases"), cells);
    }
    table
}

/// Sentence on fragmentation.
pub(super) fn fragments(at: &Snapshot, when: &str) -> String {
    format!(
        "Fragmentation at the peak of placed bytes ({when}): {} free in {}, the largest {}. A larger resource needs a new \
         heap.",
        binary_bytes(at.free.free_bytes),
        counted(at.free.fragments, "range"),
        binary_bytes(at.free.largest_free_range_bytes),
    )
}

/// Table of free ranges by size.
pub(super) fn free_ranges(at: &Snapshot) -> TextTable {
    let caption = "Free ranges of heaps at the peak of placed bytes, by size";
    let mut table = TextTable::new(caption, ["Size", "Free ranges", "Bytes"]);
    for (name, class) in at.free.free_ranges.rows() {
        table.row(name, [grouped(class.ranges), binary_bytes(class.bytes)]);
    }
    table
}

/// Table of debug layer messages about alignment.
pub(super) fn floor_violations(messages: &[MessageFigures]) -> TextTable {
    let caption = "Debug layer messages about alignment";
    let mut table = TextTable::new(caption, ["Message", "Severity", "Count", "First text"]).words(1).words(3);
    for message in messages {
        let cells = [message.severity.clone(), grouped(message.count), message.description.clone()];
        table.row(format!("{} {}", message.message_id, message.name), cells);
    }
    table
}

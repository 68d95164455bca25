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
            "Tight alignment of the buffers without it would save at least {} of the peak, whatever the driver: at most \
             256 B of alignment where placed, 4 KiB where committed.",
            binary_bytes(certain),
        )
    } else {
        "No buffer that lives at the peak would gain from tight alignment.".to_owned()
    };
    let order = if ordered.best_order_saving_bytes > 0 {
        format!(
            " Resources in order of falling alignment would save {} of padding over all heaps, each when it is fullest.",
            binary_bytes(ordered.best_order_saving_bytes),
        )
    } else {
        " No other order of resources in their heaps would save padding.".to_owned()
    };
    tight + &order
}

/// Table of the worst resources with advice.
pub(super) fn worst(worst: &[WorstFigures]) -> TextTable {
    let caption = "Resources for which alignment wastes most, all of one name and description together";
    let titles = ["Resource", "Alike", "Requested", "Allocated", "Wasted", "By all", "What to do"];
    let mut table = TextTable::new(caption, titles).words(6).by_importance(&["What to do", "Wasted", "By all"]);
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
    let caption = "Resources over the whole trace by what they ask for, each counted once";
    let titles = ["Requested", "Resources", "Requested", "Allocated", "Rounding", "Buffers at 64 KiB"];
    let mut table = TextTable::new(caption, titles);
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
    let mut caption = "What each part of the workload creates".to_owned();
    if shown < phases.len() {
        caption += &format!(": the first {shown} of {}", grouped(phases.len() as u64));
    }
    let titles = ["Part", "Resources", "Requested", "Allocated", "Buffers at 64 KiB", "Wasted"];
    let mut table = TextTable::new(caption, titles);
    for phase in &phases[..shown] {
        let cells = [
            grouped(phase.all.resources),
            binary_bytes(phase.all.requested_bytes),
            binary_bytes(phase.all.allocated_bytes),
            binary_bytes(phase.all.padded_64k_bytes),
            percent(phase.waste_ratio),
        ];
        table.row(phase.name.as_deref().unwrap_or("outside any"), cells);
    }
    table
}

/// Sentence on fragmentation.
pub(super) fn fragments(at: &Snapshot, when: &str) -> String {
    format!(
        "The cost of packing tightly are fragments: when most is placed (after {when}), {} are free in {}, the largest \
         {}. A resource greater than that needs a new heap.",
        binary_bytes(at.free.free_bytes),
        counted(at.free.fragments, "range"),
        binary_bytes(at.free.largest_free_range_bytes),
    )
}

/// Table of free ranges by size.
pub(super) fn free_ranges(at: &Snapshot) -> TextTable {
    let mut table = TextTable::new("Free ranges of heaps then, by size", ["Size", "Ranges", "Bytes"]);
    for (name, class) in at.free.free_ranges.rows() {
        table.row(name, [grouped(class.ranges), binary_bytes(class.bytes)]);
    }
    table
}

/// Table of debug layer messages about alignment.
pub(super) fn floor_violations(messages: &[MessageFigures]) -> TextTable {
    let caption = "What the debug layer says about alignment";
    let mut table = TextTable::new(caption, ["Message", "Severity", "Times", "First"]).words(1).words(3);
    for message in messages {
        let cells = [message.severity.clone(), grouped(message.count), message.description.clone()];
        table.row(format!("{} {}", message.message_id, message.name), cells);
    }
    table
}

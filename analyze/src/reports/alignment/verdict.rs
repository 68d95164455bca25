//! Headline verdict of the alignment report.

use super::{AlignmentFigures, Snapshot};
use crate::head::Head;
use crate::render::{binary_bytes, binary_bytes_signed, counted, percent};
use crate::reports::verdict::sentence;
use crate::reports::{Figure, Verdict};

/// Builds the verdict; `when` formats the moment of a snapshot.
pub(super) fn verdict(figures: &AlignmentFigures, head: &Head, when: &dyn Fn(&Snapshot) -> String) -> Verdict {
    // Without resources in memory, heaps may still exist: the verdict then uses their peak.
    let empty = figures.peak.all.in_use_bytes == 0;
    let at = if empty { &figures.peak_real } else { &figures.peak };
    let waste_bytes = at.all.waste_bytes(at.layout.padding_bytes);
    let gaps = &figures.gaps;
    let unsized_resources = gaps.resources_without_size;
    let unknown = unsized_resources
        + gaps.resources_without_texel_size
        + gaps.resources_of_snapshot
        + gaps.resources_without_heap
        + gaps.releases_of_unknown_objects;
    let known = head.is_whole() && unknown == 0;
    let wasted = match waste_bytes {
        ..=0 => "alignment wastes nothing".to_owned(),
        bytes => format!(
            "alignment wastes {}, {} of what resources and the padding between them take",
            binary_bytes_signed(bytes),
            percent(at.waste_ratio)
        ),
    };
    let text = match (empty, unsized_resources) {
        (true, 0) => format!("heaps take {} at most, and nothing lies in them", binary_bytes(at.real_bytes)),
        (true, count) => format!(
            "heaps take {} at most; what {} take is not known",
            binary_bytes(at.real_bytes),
            counted(count, "resource")
        ),
        (false, _) if gaps.resources_of_snapshot > 0 => format!(
            "heaps and committed resources take {}, resources {}; what these ask for is not told",
            binary_bytes(at.real_bytes),
            binary_bytes(at.all.in_use_bytes),
        ),
        (false, _) => format!(
            "when resources take most (after {}), heaps and committed resources take {}, resources {}; {wasted}",
            when(at),
            binary_bytes(at.real_bytes),
            binary_bytes(at.all.in_use_bytes),
        ),
    };
    let waste = Figure::bytes_signed("wasted of resources and padding", waste_bytes);
    let text_of_waste = match gaps.resources_of_snapshot {
        0 => format!("{} ({})", waste.text, percent(at.waste_ratio)),
        _ => "not told".to_owned(),
    };
    Verdict {
        sentence: sentence(known, &text),
        figures: [
            Figure::bytes("heaps and committed", at.real_bytes),
            Figure::bytes("resources", at.all.in_use_bytes),
            waste.with_text(text_of_waste),
        ],
        advice: None,
    }
}

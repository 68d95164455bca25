//! Copy or share: cost of the place of each field of the driver's data, and of every other place.

use super::ReportInputs;
use crate::handles::{FieldModel, TypeModel};
use crate::reports::figures::figures;
use std::cmp::Reverse;
use taut_schemas::{FieldPlacement, HandleAllocator};

figures! {
    /// A field at another place.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct PlacementFigures {
        placement: &'static str, Text, same;
        setting: String, Text, "Setting of `taut record` and `taut replay` for the alternative.";
        predicted_line_touches: u64, Count, "`line_touches` of the same calls with the alternative. Exact for the allocator `lines`; for the others an approximation in which other handles keep their recorded places.";
        predicted_opened_bytes: u64, Bytes, "`copies.opened_bytes` with the field there.";
        predicted_peak_bytes: u64, Bytes, "`peak_bytes` with the field there; its moment may be another one.";
    }
}

figures! {
    /// A field of the driver's data of each object of a type.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct FieldFigures {
        handle_type: String, Text, same;
        field: String, Text, "Name of the field in the driver's profile.";
        field_bytes: u64, Bytes, "Size of the field.";
        placement: &'static str, Text, "Place of the field in deferred contexts: `per_context` (in the handle), `shared` (in the immediate context's handle only), `separate` (in the context's memory; the handle has a pointer to it).";
        mutable: bool, Flag, "Calls write the field.";
        opened: u64, Count, same;
        field_reads: u64, Count, "Reads of the field through handles of deferred contexts; the opening call does not count.";
        field_writes: u64, Count, "Writes of the field through handles of deferred contexts, likewise.";
        pointer_walks: u64, Count, "Part of `field_reads` and `field_writes` that follows a pointer out of the handle.";
        uses_per_open: Option<f64>, Count, "Mean number of `field_reads` and `field_writes` per opened handle, which lives for one recording; null without handles.";
        copied_bytes: u64, Bytes, "Size of the field's copies in all contexts if each has one: `field_bytes` for each handle of the type in deferred contexts at the peak.";
        break_even_uses: Option<f64>, Count, "Uses per opened handle from which copies access fewer lines than the shared field: lines that a copy adds to the opening call, by lines that it saves per use. Null if copies never save, or without uses.";
        alternatives: Vec<PlacementFigures>, List, "Every other placement; `shared` only for fields that no call writes.";
        recommended_placement: Option<&'static str>, Text, "The alternative with the lowest `predicted_line_touches`, at equal ones the lowest `predicted_peak_bytes`; null if the recorded place is as good, and for allocators other than `lines`, for which the prediction is an approximation.";
        saved_line_touches: u64, Count, "`line_touches` that the recommended placement saves.";
    }
}

/// Returns the fields, recommended changes first.
pub(super) fn fields(inputs: &ReportInputs<'_>) -> Vec<FieldFigures> {
    if !inputs.has_accesses {
        return Vec::new();
    }
    let types = inputs.tracker.fields.types.iter();
    let figures = types.flat_map(|of_type| of_type.fields.iter().map(|field| figures(inputs, of_type, field)));
    let mut figures: Vec<FieldFigures> = figures.collect();
    figures.sort_by_key(|field| (field.recommended_placement.is_none(), Reverse(field.saved_line_touches)));
    figures
}

fn figures(inputs: &ReportInputs<'_>, of_type: &TypeModel, model: &FieldModel) -> FieldFigures {
    let tracker = inputs.tracker;
    let (line_touches, peak_bytes) = (tracker.fields.line_touches, tracker.totals.peak.all.bytes());
    let at_peak = tracker.totals.peak.by_type.get(&of_type.handle_type).copied().unwrap_or_default();
    let deferred = tracker.contexts.iter().filter(|context| !context.is_immediate);
    let opened_bytes = deferred.fold(0_u64, |bytes, context| bytes.saturating_add(context.opened.1));
    let alternatives: Vec<PlacementFigures> = model
        .candidates
        .iter()
        .map(|candidate| {
            let more = candidate.opened_bytes as i64 - of_type.opened_bytes as i64;
            PlacementFigures {
                placement: candidate.placement.name(),
                setting: format!("layout.{}.{}={}", model.field.handle_type, model.field.name, candidate.placement),
                predicted_line_touches: line_touches.saturating_add_signed(candidate.open_lines + candidate.use_lines),
                predicted_opened_bytes: opened_bytes.saturating_add_signed(more),
                predicted_peak_bytes: candidate.peak_bytes,
            }
        })
        .collect();
    let uses = model.reads + model.writes;
    let cost = |one: &&PlacementFigures| (one.predicted_line_touches, one.predicted_peak_bytes);
    // A field of handles that no deferred context opens costs nothing anywhere.
    let is_exact = tracker.allocator == HandleAllocator::Lines;
    let is_better =
        |best: &&PlacementFigures| is_exact && of_type.opened > 0 && cost(best) < (line_touches, peak_bytes);
    let best = alternatives.iter().min_by_key(cost).filter(is_better);
    FieldFigures {
        handle_type: model.field.handle_type.clone(),
        field: model.field.name.clone(),
        field_bytes: model.field.size_bytes,
        placement: model.field.placement.name(),
        mutable: model.field.is_mutable(),
        opened: of_type.opened,
        field_reads: model.reads,
        field_writes: model.writes,
        pointer_walks: model.walks,
        uses_per_open: (of_type.opened > 0).then(|| uses as f64 / of_type.opened as f64),
        copied_bytes: model.field.size_bytes.saturating_mul(at_peak.deferred_handles),
        break_even_uses: break_even(of_type, model, uses),
        recommended_placement: best.map(|best| best.placement),
        saved_line_touches: best.map_or(0, |best| line_touches.saturating_sub(best.predicted_line_touches)),
        alternatives,
    }
}

/// Uses per opened handle at which copies and the shared field access equally many lines.
fn break_even(of_type: &TypeModel, model: &FieldModel, uses: u64) -> Option<f64> {
    // Lines in opening calls and in other calls, in comparison with the recorded place.
    let lines = |placement: FieldPlacement| match model.field.placement == placement {
        true => Some((0, 0)),
        false => {
            let candidate = model.candidates.iter().find(|candidate| candidate.placement == placement)?;
            Some((candidate.open_lines, candidate.use_lines))
        }
    };
    let (copied, shared) = (lines(FieldPlacement::PerContext)?, lines(FieldPlacement::Shared)?);
    let (added, saved) = (copied.0 - shared.0, shared.1 - copied.1);
    if saved <= 0 || uses == 0 || of_type.opened == 0 {
        return None;
    }
    Some((added as f64 / of_type.opened as f64 / (saved as f64 / uses as f64)).max(0.0))
}

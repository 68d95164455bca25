//! Policies of the runtime's allocator of handle memory.

use super::ReportInputs;
use crate::handles::AllocatorModel;
use crate::reports::figures::figures;

figures! {
    /// Handle memory by a policy of the runtime's allocator.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AllocatorFigures {
        allocator: &'static str, Text, "`lines` (one or more full cache lines per handle), `packed` (handles of a context follow each other at multiples of 8 bytes) or `tuned` (size classes: as many handles per line as the sizes that the driver returned allow). Contexts share no line, and handles of the immediate context have lines of their own.";
        is_recorded: bool, Flag, "The recording has this policy.";
        setting: String, Text, same;
        predicted_peak_allocated_bytes: u64, Bytes, "`peak_allocated_bytes` of the same calls by the policy; recorded for the policy of the recording.";
        predicted_line_touches: Option<u64>, Count, same;
    }
}

pub(super) fn allocators(inputs: &ReportInputs<'_>) -> Vec<AllocatorFigures> {
    let tracker = inputs.tracker;
    let figures = |model: &AllocatorModel| {
        let is_recorded = model.allocator == tracker.allocator;
        let (allocated_bytes, line_touches) = match is_recorded {
            true => (tracker.totals.peak_allocated_bytes, tracker.fields.line_touches),
            false => (model.peak_allocated_bytes, model.line_touches),
        };
        AllocatorFigures {
            allocator: model.allocator.name(),
            is_recorded,
            setting: format!("handle_allocator={}", model.allocator),
            predicted_peak_allocated_bytes: allocated_bytes,
            predicted_line_touches: inputs.has_accesses.then_some(line_touches),
        }
    };
    tracker.allocators.models.iter().map(figures).collect()
}

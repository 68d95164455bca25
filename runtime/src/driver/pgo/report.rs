//! Reports of the driver to tools about its variants.

use super::installed::Installed;
use super::optimiser::with;
use super::windows::Key;
use taut_schemas::d3d12_callbacks::ReportVariant;
use taut_schemas::{Callbacks, PipelineStateId, VariantChange, VariantId};

/// Creates the report of a variant that was installed or removed.
pub(super) fn report(pipeline_state: PipelineStateId, variant: &Installed, change: VariantChange) -> ReportVariant {
    let (slots, words) = variant.guard.values().iter().map(|(slot, word)| (slot.0, word.0)).unzip();
    ReportVariant { variant: variant.id, pipeline_state, change, slots, words }
}

/// Creates the report of a key that the static estimate rejected.
pub(super) fn refusal(pipeline_state: PipelineStateId, key: &Key) -> ReportVariant {
    let (slots, words) = key.iter().map(|(slot, word)| (slot.0, word.0)).unzip();
    ReportVariant { variant: VariantId::NULL, pipeline_state, change: VariantChange::ESTIMATED, slots, words }
}

/// Sends all pending reports.
pub(super) fn send_reports(callbacks: &mut dyn Callbacks) {
    for report in with(callbacks, |optimiser| std::mem::take(&mut optimiser.reports)) {
        callbacks.report_variant(&report);
    }
}

//! What the driver tells tools of its variants.

use super::installed::Installed;
use super::optimiser::with;
use super::windows::Key;
use taut_schemas::d3d12_callbacks::ReportVariant;
use taut_schemas::{Callbacks, PipelineStateId, VariantChange, VariantId};

/// That a variant has come into use, or went out of it.
pub(super) fn report(pipeline_state: PipelineStateId, variant: &Installed, change: VariantChange) -> ReportVariant {
    let (slots, words) = variant.guard.values().iter().map(|(slot, word)| (slot.0, word.0)).unzip();
    ReportVariant { variant: variant.id, pipeline_state, change, slots, words }
}

/// That a static estimate refuses a specialisation for these values.
pub(super) fn refusal(pipeline_state: PipelineStateId, key: &Key) -> ReportVariant {
    let (slots, words) = key.iter().map(|(slot, word)| (slot.0, word.0)).unzip();
    ReportVariant { variant: VariantId::NULL, pipeline_state, change: VariantChange::ESTIMATED, slots, words }
}

/// Tells what has been noted.
pub(super) fn tell(callbacks: &mut dyn Callbacks) {
    for report in with(callbacks, |optimiser| std::mem::take(&mut optimiser.reports)) {
        callbacks.report_variant(&report);
    }
}

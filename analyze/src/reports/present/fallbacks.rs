//! Path selections and frames by reason code (rule C-25).

use super::chain::Decided;
use crate::reports::figures::figures;
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::FallbackReason;

figures! {
    /// Path selections of a swap chain with the same reason.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FallbackFigures {
        reason: String, Text, same;
        reason_value: u32, Id, "Number of the reason code in the trace.";
        selections: u64, Count, "Path selections with this reason.";
        frames: u64, Count, same;
        caso_fallback_reasons: Vec<u32>, List, "Distinct values of CASOFallbackReason in these path selections, ascending.";
    }
}

/// Sums of a reason.
#[derive(Debug, Default)]
struct Sums {
    selections: u64,
    frames: u64,
    caso_fallback_reasons: BTreeSet<u32>,
}

/// Figures by reason, in order of the codes' numbers.
pub(super) fn figures(decisions: &[Decided]) -> Vec<FallbackFigures> {
    let mut reasons: BTreeMap<u32, Sums> = BTreeMap::new();
    for Decided { decision, frames, .. } in decisions {
        let sums = reasons.entry(decision.reason.0).or_default();
        sums.selections += 1;
        sums.frames += frames.frames;
        sums.caso_fallback_reasons.extend(decision.caso_fallback_reason);
    }
    let mut all = Vec::new();
    for (reason_value, sums) in reasons {
        let Sums { selections, frames, caso_fallback_reasons } = sums;
        let reason = format!("{:?}", FallbackReason(reason_value));
        let caso_fallback_reasons = caso_fallback_reasons.into_iter().collect();
        all.push(FallbackFigures { reason, reason_value, selections, frames, caso_fallback_reasons });
    }
    all
}

//! Presents of a recording compared with those of a what-if.

use crate::Error;
use serde_json::Value;
use std::sync::Arc;
use taut_analyze::diff::{SwapChainDiff, diff_presents};
use taut_analyze::reports::present::has_any as has_presents;
use taut_analyze::{Analysis, Findings, report};
use taut_traces::Trace;

/// Presents of the recording compared with those of the what-if.
pub struct PresentDiff {
    /// True if the recording has presents.
    pub has_any: bool,
    /// Differing swap chains; `None` if no trace was written that could be compared.
    pub differences: Option<Vec<SwapChainDiff>>,
}

impl PresentDiff {
    /// Returns a result without differences, for a what-if that wrote no trace.
    pub fn not_compared(recorded: &Trace) -> PresentDiff {
        PresentDiff { has_any: has_presents(recorded), differences: None }
    }

    /// Compares the presents of the recording with the presents of `replayed`, the trace that the what-if wrote.
    ///
    /// # Errors
    /// A trace cannot be analyzed.
    pub fn compare(recorded: impl Into<Arc<Trace>>, replayed: Trace) -> Result<PresentDiff, Error> {
        let figures = |trace: Arc<Trace>| -> Result<Value, Error> {
            let analysis = Analysis::new(trace)?;
            Ok(Findings::of(&analysis, &[report("present")?])?.reports())
        };
        Ok(PresentDiff {
            has_any: true,
            differences: Some(diff_presents(&figures(recorded.into())?, &figures(replayed.into())?)),
        })
    }

    /// Number of presented frames of the recording minus number of presented frames of the what-if, summed over the
    /// swap chains with fewer frames.
    pub fn refused_frames(&self) -> u64 {
        self.differences.iter().flatten().map(refused_frames).sum()
    }
}

fn refused_frames(chain: &SwapChainDiff) -> u64 {
    let frames = chain.figures.iter().find(|figure| figure.figure == "frames");
    let of = |value: &Value| value.as_u64().unwrap_or_default();
    frames.map_or(0, |frames| of(&frames.a).saturating_sub(of(&frames.b)))
}

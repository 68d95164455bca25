//! The `present` report: how swap chains' frames come to their displays, and what that costs.

mod audits;
mod chain;
mod definitions;
mod drawn;
mod figures;
mod parts;
mod rates;
mod series;
mod shown_on;
mod spread;
#[cfg(test)]
mod tests;
mod text;
mod verdict;

pub use audits::{AuditFigures, FindingFigures};
pub use figures::{DecisionFigures, PresentFigures, SlowLinkFigures, SwapChainFigures};
pub use parts::LatencyParts;
pub use spread::Spread;

use super::{Definition, Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::presents::{self, PresentEvent};
use chain::Chains;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use taut_schemas::{AdapterId, FrameFate, SwapChainId};
use taut_traces::Trace;

/// Whether a trace tells of presents, or may.
pub fn has_any(trace: &Trace) -> bool {
    presents::any_of(trace)
}

/// A frame of a swap chain by its number, and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedFrame {
    /// The swap chain.
    pub swap_chain: SwapChainId,
    /// GetLastPresentCount when it was presented.
    pub present_count: u64,
    /// What became of it.
    pub fate: FrameFate,
    /// When it was shown or given up, in nanoseconds of simulated time.
    pub ended_at_ns: u64,
}

/// Every frame of a trace that ended, in order of their ends.
///
/// # Errors
/// The trace's schema table lacks a field of frames.
pub fn ended_frames(analysis: &Analysis) -> Result<Vec<EndedFrame>, AnalyzeError> {
    let mut frames = Vec::new();
    presents::each(analysis.source(), |_, event| -> Result<_, AnalyzeError> {
        if let PresentEvent::Frame(frame) = event {
            let (present_count, fate, ended_at_ns) = (frame.present_count, frame.fate, frame.ended_at_ns);
            frames.push(EndedFrame { swap_chain: frame.swap_chain, present_count, fate, ended_at_ns });
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(frames)
}

/// Everything that a trace tells of its swap chains.
fn gathered(analysis: &Analysis) -> Result<Chains, AnalyzeError> {
    let mut chains = Chains::new(efficiencies(&analysis.trace().header().world.machine));
    presents::each(analysis.source(), |at, event| -> Result<_, AnalyzeError> {
        chains.hear(at.thread, event);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(chains)
}

/// What the header's machine says is left of each adapter's link. Adapters are numbered from 1, in the order of the machine.
fn efficiencies(machine: &Value) -> BTreeMap<AdapterId, f64> {
    let list = |key: &str| machine.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let of = |(number, adapter): (u64, &Value)| {
        let link = list("links").iter().find(|link| adapter.get("name").is_some_and(|name| link["adapter"] == *name));
        Some((AdapterId(number), link?.get("efficiency")?.as_f64()?))
    };
    (1..).zip(list("adapters")).filter_map(of).collect()
}

/// The report.
pub struct Present;

impl Report for Present {
    fn name(&self) -> &'static str {
        "present"
    }

    fn title(&self) -> &'static str {
        "Presents"
    }

    fn description(&self) -> &'static str {
        "How frames come from the adapter that renders to the display, in how many copies, and what that costs."
    }

    fn definitions(&self) -> &'static [Definition] {
        definitions::DEFINITIONS
    }

    fn appendix(&self) -> String {
        audits::page()
    }

    fn nothing(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let none = !presents::any(analysis.source());
        Ok(none.then(|| "no swap chain is presented in this trace".to_owned()))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let figures = gathered(analysis)?.figures(analysis.present_settings());
        let document = text::document(&figures, analysis.head()?);
        ReportResult::new(verdict::verdict(&figures, analysis.head()?), &figures, document)
    }

    fn drawn(&self, analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError> {
        let drawn = drawn::drawn(&gathered(analysis)?, &analysis.present_settings());
        Ok(json!({ "swap_chains": figures["swap_chains"], "drawn": drawn }))
    }

    fn scripts(&self) -> &'static [&'static str] {
        &[include_str!("../../../assets/present.js")]
    }

    fn behind(&self, place: &str, figures: &Value, _analysis: Option<&Analysis>) -> Vec<String> {
        if matches!(place.split('.').next(), Some("violations" | "audits")) {
            text::broken(figures)
        } else {
            Vec::new()
        }
    }

    fn contradicts(&self, figures: &Value) -> bool {
        figures["violations"].as_u64().is_some_and(|violations| violations > 0)
    }
}

//! The `present` report: paths of swap chain frames to the display and their cost.

mod assumed_adapters;
mod audits;
mod chain;
mod contributors;
mod display_modes;
mod fallbacks;
mod figures;
mod frame_times;
mod page_data;
mod parts;
mod rates;
mod reasons;
mod remedy;
mod series;
mod spread;
#[cfg(test)]
mod tests;
mod text;
mod verdict;

pub use audits::{AuditFigures, FindingFigures};
pub use fallbacks::FallbackFigures;
pub use figures::{CaptureFigures, DecisionFigures, PresentFigures, SlowLinkFigures, SwapChainFigures};
pub use frame_times::FrameTimeFigures;
pub use parts::LatencyParts;
pub use spread::Spread;

use super::figures::FigureValue;
use super::{FigureLine, Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::presents;
use assumed_adapters::AssumedAdapters;
use chain::Chains;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use taut_schemas::AdapterId;
use taut_traces::Trace;

/// True if the trace contains present events or, without event counts, may contain some.
pub fn has_any(trace: &Trace) -> bool {
    presents::any_of(trace)
}

/// Collects the present events of a trace.
fn collect_chains(analysis: &Analysis) -> Result<Chains, AnalyzeError> {
    let chains = Chains::new(efficiencies(&analysis.trace().header().world.machine));
    presents::events(analysis.source())?.track(chains)
}

/// Link efficiency of each adapter in the machine description of the trace header. Adapter ids are 1-based indices of
/// the machine's list of adapters.
fn efficiencies(machine: &Value) -> BTreeMap<AdapterId, f64> {
    let list = |key: &str| machine.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let of = |(number, adapter): (u64, &Value)| {
        let link = list("links").iter().find(|link| adapter.get("name").is_some_and(|name| link["adapter"] == *name));
        Some((AdapterId(number), link?.get("efficiency")?.as_f64()?))
    };
    (1..).zip(list("adapters")).filter_map(of).collect()
}

/// The `present` report.
pub struct Present;

impl Report for Present {
    fn name(&self) -> &'static str {
        "present"
    }

    fn title(&self) -> &'static str {
        "Presents"
    }

    fn description(&self) -> &'static str {
        "Path of frames from the rendering adapter to the display: number of copies, their traffic and their latency."
    }

    fn figures(&self) -> &'static [FigureLine] {
        PresentFigures::LINES
    }

    fn appendix(&self) -> String {
        reasons::page() + &audits::page()
    }

    fn not_applicable(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let none = !presents::any(analysis.source());
        let imported = crate::imported::is_imported(analysis.trace());
        let why = if imported {
            "report `windows` has the presents of an imported trace"
        } else {
            "the trace has no presents"
        };
        Ok(none.then(|| why.to_owned()))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let figures = collect_chains(analysis)?.figures(analysis.present_settings());
        let (head, assumed) = (analysis.head()?, AssumedAdapters::new(analysis.trace().header(), &figures));
        let document = text::document(&figures, head, assumed.as_ref());
        ReportResult::new(verdict::verdict(&figures, head, assumed.as_ref()), &figures, document)
    }

    fn page_data(&self, analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError> {
        let page_data = page_data::page_data(&collect_chains(analysis)?, &analysis.present_settings());
        let reasons = page_data::reasons();
        Ok(json!({ "swap_chains": figures["swap_chains"], "charts": page_data, "reasons": reasons }))
    }

    fn scripts(&self) -> &'static [&'static str] {
        &[include_str!("../../page/assets/present.js")]
    }

    fn contradicts(&self, figures: &Value) -> bool {
        figures["violations"].as_u64().is_some_and(|violations| violations > 0)
    }
}

//! The `present` report: how swap chains' frames come to their displays, and what that costs.

mod chain;
mod definitions;
mod event;
#[cfg(test)]
mod tests;
mod text;
mod verdict;

use super::{Definition, Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use chain::Chains;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, FrameFate, SwapChainId};
use taut_traces::Trace;

/// Everything about one swap chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SwapChainFigures {
    /// Handle of the swap chain.
    pub swap_chain: u64,
    /// The adapter that renders.
    pub render_adapter: u64,
    /// The adapter of the display.
    pub display_adapter: u64,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Format.
    pub format: String,
    /// `one copy`, `two copies` or `same adapter`.
    pub path: &'static str,
    /// Why there is more than one copy.
    pub reason: String,
    /// The display adapter's tier.
    pub display_tier: String,
    /// What the static check said; none where it was not made.
    pub static_check: Option<bool>,
    /// Bytes of a frame's pixels.
    pub payload_bytes: u64,
    /// Bytes of the cross-adapter resource.
    pub allocation_bytes: u64,
    /// Frames that ended.
    pub frames: u64,
    /// Those that the display adapter scanned out.
    pub flipped: u64,
    /// Those that the compositor drew.
    pub composed: u64,
    /// Those shown from the middle of a refresh on.
    pub torn: u64,
    /// Those never shown.
    pub never_shown: u64,
    /// Copies of a frame.
    pub copies: u64,
    /// Copies of all frames.
    pub copies_made: u64,
    /// Bytes that copies moved.
    pub bytes_copied: u64,
    /// Frames a second.
    pub frames_per_s: Option<f64>,
    /// Refreshes a second of the display.
    pub refreshes_per_s: Option<f64>,
    /// Traffic of the system's memory.
    pub dram_gb_per_s: Option<f64>,
    /// The same in bytes.
    pub dram_bytes_per_s: Option<u64>,
    /// Traffic of the rendering adapter's link.
    pub link_gb_per_s: Option<f64>,
    /// What that link can carry.
    pub link_limit_gb_per_s: Option<f64>,
    /// What packet headers and flow control leave of it, as the machine states.
    pub link_efficiency_ratio: Option<f64>,
    /// What one copy saves of the system's memory traffic.
    pub caso_saving_gb_per_s: Option<f64>,
    /// From present to display.
    pub latency: Option<Spread>,
    /// Of the first copy.
    pub copy_1: Option<Spread>,
    /// Of the second copy.
    pub copy_2: Option<Spread>,
    /// From the end of rendering to the first copy's beginning, and from there to the second's.
    pub engine_wait: Option<Spread>,
    /// From being ready to the display.
    pub refresh_wait: Option<Spread>,
    /// Median of the first copy by the time between two frames.
    pub copy_1_budget_ratio: Option<f64>,
}

/// A distribution of times, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// Half are at most this.
    pub median_ns: u64,
    /// 95 of 100 are.
    pub p95_ns: u64,
    /// 99 of 100 are.
    pub p99_ns: u64,
    /// All are.
    pub worst_ns: u64,
}

/// Everything the report says, as numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PresentFigures {
    /// What is left of scan-out reads where the second copy's target is compressed.
    pub compression_ratio: f64,
    /// The swap chains, in order of their creation.
    pub swap_chains: Vec<SwapChainFigures>,
}

/// What is left of scan-out reads where nobody says otherwise: everything.
const COMPRESSION: f64 = 1.0;

/// Whether a trace tells of presents, or may.
pub fn has_any(trace: &Trace) -> bool {
    event::any_of(trace)
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
    let frames = event::events(analysis.source())?.into_iter().filter_map(|event| match event {
        event::PresentEvent::Frame(frame) => Some(EndedFrame {
            swap_chain: frame.swap_chain,
            present_count: frame.present_count,
            fate: frame.fate,
            ended_at_ns: frame.ended_at_ns,
        }),
        _ => None,
    });
    Ok(frames.collect())
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

    fn nothing(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let none = !event::any(analysis.source());
        Ok(none.then(|| "no swap chain is presented in this trace".to_owned()))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let efficiencies = efficiencies(&analysis.trace().header().world.machine);
        let chains = Chains::of(event::events(analysis.source())?, efficiencies);
        let figures = PresentFigures { compression_ratio: COMPRESSION, swap_chains: chains.figures(COMPRESSION) };
        let document = text::document(&figures, analysis.head()?);
        ReportResult::new(verdict::verdict(&figures, analysis.head()?), &figures, document)
    }

    fn drawn(&self, _analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError> {
        Ok(json!({ "swap_chains": figures["swap_chains"] }))
    }

    fn scripts(&self) -> &'static [&'static str] {
        &[include_str!("../../../assets/present.js")]
    }

    fn behind(&self, _place: &str, _figures: &Value, _analysis: Option<&Analysis>) -> Vec<String> {
        Vec::new()
    }
}

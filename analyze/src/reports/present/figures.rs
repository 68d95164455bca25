//! What the report says, as numbers.

use super::audits::AuditFigures;
use super::chain::{Chain, Chains, Decided};
use super::parts::LatencyParts;
use super::rates::Rates;
use crate::presents::{Decision, PresentSettings, SlowLink};
use serde::Serialize;
use taut_schemas::{FallbackReason, HybridPresentMode, PrimaryDriverFlags};

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
    /// Every decision, in order: the last one holds.
    pub decisions: Vec<DecisionFigures>,
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
    /// Pixels that were looked at where frames were scanned out.
    pub probes: Option<u64>,
    /// Of these, pixels that were not the frame's.
    pub wrong_probes: Option<u64>,
    /// Links that cannot carry a mode that it was presented in.
    pub slow_links: Vec<SlowLinkFigures>,
    /// Copies of a frame.
    pub copies: u64,
    /// Copies of all frames.
    pub copies_made: u64,
    /// Bytes that copies moved.
    pub bytes_copied: u64,
    /// Bytes that copies moved of each frame.
    pub bytes_copied_per_frame: Option<f64>,
    /// Frames a second.
    pub frames_per_s: Option<f64>,
    /// Refreshes a second of the display.
    pub refreshes_per_s: Option<f64>,
    /// Traffic of the system's memory.
    pub dram_gb_per_s: Option<f64>,
    /// The same in bytes.
    pub dram_bytes_per_s: Option<u64>,
    /// The greatest of any stretch of time.
    pub dram_most_gb_per_s: Option<f64>,
    /// What the system's memory can carry.
    pub dram_limit_gb_per_s: Option<f64>,
    /// Traffic of the rendering adapter's link.
    pub link_gb_per_s: Option<f64>,
    /// The greatest of any stretch of time.
    pub link_most_gb_per_s: Option<f64>,
    /// What that link can carry.
    pub link_limit_gb_per_s: Option<f64>,
    /// What packet headers and flow control leave of it, as the machine states.
    pub link_efficiency_ratio: Option<f64>,
    /// Frames a second that it can carry.
    pub link_frames_per_s: Option<f64>,
    /// Traffic of the display adapter's own link.
    pub display_link_gb_per_s: Option<f64>,
    /// What that can carry.
    pub display_link_limit_gb_per_s: Option<f64>,
    /// What one copy saves of the system's memory traffic.
    pub caso_saving_gb_per_s: Option<f64>,
    /// Power of the system's memory, by a stated energy of a byte.
    pub dram_power_w: Option<f64>,
    /// Power of the rendering adapter's link, by a stated energy of a byte.
    pub link_power_w: Option<f64>,
    /// Where the time of frames goes.
    #[serde(flatten)]
    pub parts: LatencyParts,
    /// Median of the first copy by the time between two frames.
    pub copy_1_budget_ratio: Option<f64>,
    /// Most frames are composed although there is one copy, of a window that two copies could flip to.
    pub is_regretted: bool,
}

/// A decision and what it was made by.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecisionFigures {
    /// When, in simulated time.
    pub decided_at_ns: u64,
    /// What was decided.
    pub path: &'static str,
    /// Why there is more than one copy.
    pub reason: String,
    /// The rendering adapter's tier.
    pub render_tier: Option<String>,
    /// The display adapter's tier.
    pub display_tier: String,
    /// The display adapter's driver opted out of scanning the primary out.
    pub opted_out: Option<bool>,
    /// What the static check said; none where it was not made.
    pub static_check: Option<bool>,
    /// CASOFallbackReason as Windows says it.
    pub caso_fallback_reason: Option<u32>,
}

/// A link that cannot carry so many frames as the display has refreshes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SlowLinkFigures {
    /// The adapter that hangs on it.
    pub adapter: u64,
    /// What the frames would take.
    pub needed_gb_per_s: f64,
    /// What it carries.
    pub carried_gb_per_s: f64,
    /// Refreshes a second.
    pub refreshes_per_s: f64,
    /// What it would carry.
    pub possible_refreshes_per_s: f64,
}

impl SlowLinkFigures {
    fn of(slow: &SlowLink) -> SlowLinkFigures {
        SlowLinkFigures {
            adapter: slow.adapter.0,
            needed_gb_per_s: slow.needed_bytes_per_second as f64 / 1e9,
            carried_gb_per_s: slow.link_bytes_per_second as f64 / 1e9,
            refreshes_per_s: slow.refresh_millihertz as f64 / 1e3,
            possible_refreshes_per_s: slow.possible_millihertz as f64 / 1e3,
        }
    }
}

/// Everything the report says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PresentFigures {
    /// What the trace cannot tell.
    #[serde(flatten)]
    pub settings: PresentSettings,
    /// The swap chains, in order of their creation.
    pub swap_chains: Vec<SwapChainFigures>,
    /// Rules that a trace of presents can break.
    pub audits: Vec<AuditFigures>,
    /// Findings of all audits.
    pub violations: u64,
}

impl Chains {
    /// What the swap chains come to.
    pub fn figures(&self, settings: PresentSettings) -> PresentFigures {
        let swap_chains = self.chains.values().map(|chain| figures_of(self, chain, &settings)).collect();
        let audits = self.audits.figures();
        let violations = audits.iter().map(|audit| audit.findings).sum();
        PresentFigures { settings, swap_chains, audits, violations }
    }
}

fn figures_of(chains: &Chains, chain: &Chain, settings: &PresentSettings) -> SwapChainFigures {
    let (decision, sums) = (chain.decision(), &chain.sums);
    let (rates, parts) = (Rates::of(chains, chain, settings), chain.times.spreads());
    let copies = copies(decision.mode);
    let steps = || chain.series.steps.iter();
    let per_step = |bytes: u64| bytes as f64 / chain.series.step_ns as f64;
    let most_link = steps().map(|step| step.link_bytes).max().map_or(0.0, per_step);
    let most_memory = steps().map(|step| step.memory_bytes).max().map_or(0.0, per_step);
    // Picojoules a byte times gigabytes a second are milliwatts.
    let power = |gigabytes: Option<f64>, energy: Option<f64>| gigabytes.zip(energy).map(|(rate, pj)| rate * pj / 1e3);
    SwapChainFigures {
        swap_chain: decision.swap_chain.0,
        render_adapter: decision.render_adapter.0,
        display_adapter: decision.display_adapter.0,
        width: decision.width,
        height: decision.height,
        format: format!("{:?}", decision.format),
        path: path(decision.mode),
        reason: format!("{:?}", decision.reason),
        decisions: chain.decisions.iter().map(DecisionFigures::of).collect(),
        payload_bytes: decision.payload_bytes,
        allocation_bytes: decision.allocation_bytes,
        frames: sums.frames,
        flipped: sums.flipped,
        composed: sums.composed,
        torn: sums.torn,
        never_shown: sums.never_shown,
        probes: sums.probes,
        wrong_probes: sums.wrong_probes,
        slow_links: chain.slow_links.iter().map(SlowLinkFigures::of).collect(),
        copies,
        copies_made: sums.copies,
        bytes_copied: sums.bytes_copied,
        bytes_copied_per_frame: (sums.frames > 0).then(|| sums.bytes_copied as f64 / sums.frames as f64),
        frames_per_s: rates.frames,
        refreshes_per_s: rates.refreshes,
        dram_gb_per_s: rates.dram,
        dram_bytes_per_s: rates.dram.map(|dram| (dram * 1e9).round() as u64),
        dram_most_gb_per_s: rates.dram.map(|_| most_memory + rates.scan_out),
        dram_limit_gb_per_s: chains.system_memory_bytes_per_second.map(|bytes| bytes as f64 / 1e9),
        link_gb_per_s: rates.link,
        link_most_gb_per_s: rates.link.map(|_| most_link),
        link_limit_gb_per_s: rates.link_limit,
        link_efficiency_ratio: chains.efficiencies.get(&decision.render_adapter).copied(),
        link_frames_per_s: rates
            .link_limit
            .filter(|_| copies > 0 && decision.payload_bytes > 0)
            .map(|limit| limit * 1e9 / decision.payload_bytes as f64),
        display_link_gb_per_s: rates.display_link,
        display_link_limit_gb_per_s: rates.display_link_limit,
        caso_saving_gb_per_s: rates.saving,
        dram_power_w: power(rates.dram, settings.memory_pj_per_byte),
        link_power_w: power(rates.link, settings.link_pj_per_byte),
        copy_1_budget_ratio: parts.copy_1.zip(rates.frames).map(|(copy, frames)| copy.median_ns as f64 * frames / 1e9),
        parts,
        is_regretted: copies == 1 && 2 * sums.composed > sums.frames && chain.covers(),
    }
}

impl DecisionFigures {
    fn of(decided: &Decided) -> DecisionFigures {
        let Decided { at_ns, decision } = decided;
        DecisionFigures {
            decided_at_ns: *at_ns,
            path: path(decision.mode),
            reason: format!("{:?}", decision.reason),
            render_tier: decision.render_tier.map(|tier| format!("{tier:?}")),
            display_tier: format!("{:?}", decision.cross_adapter_tier_support),
            opted_out: decision.primary_flags.map(|flags| flags.contains(PrimaryDriverFlags::NO_SCANOUT)),
            static_check: static_check(decision),
            caso_fallback_reason: decision.caso_fallback_reason,
        }
    }
}

/// Copies of a frame on a path.
pub(super) fn copies(mode: HybridPresentMode) -> u64 {
    match mode {
        HybridPresentMode::ONE_COPY_PATH_CASO => 1,
        HybridPresentMode::TWO_COPY_PATH => 2,
        _ => 0,
    }
}

/// What the static check answered, where the decision came to it.
fn static_check(decision: &Decision) -> Option<bool> {
    match (decision.static_checked, decision.reason) {
        (Some(checked), _) => checked.then_some(decision.static_check_supported),
        (None, FallbackReason::STATIC_CHECK) => Some(false),
        (None, _) => decision.static_check_supported.then_some(true),
    }
}

/// A path in words.
fn path(mode: HybridPresentMode) -> &'static str {
    match mode {
        HybridPresentMode::ONE_COPY_PATH_CASO => "one copy",
        HybridPresentMode::TWO_COPY_PATH => "two copies",
        _ => "same adapter",
    }
}

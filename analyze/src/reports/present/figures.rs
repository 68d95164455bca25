//! Figures of the present report.

use super::audits::AuditFigures;
use super::chain::{Chain, Chains, Decided};
use super::contributors;
use super::display_modes::DisplayModes;
use super::fallbacks::{self, FallbackFigures};
use super::frame_times::FrameTimeFigures;
use super::parts::LatencyParts;
use super::rates::Rates;
use crate::presents::{Adapter, CaptureAgreement, CaptureCompared, Decision, PresentSettings, SlowLink};
use crate::reports::figures::figures;
use taut_schemas::{FallbackReason, HybridPresentMode, PrimaryDriverFlags};

/// Name of the path with one copy.
pub(super) const ONE_COPY: &str = "one copy";

figures! {
    /// Figures of one swap chain.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SwapChainFigures {
        swap_chain: u64, Id, "Handle of the swap chain.";
        render_adapter: u64, Id, "Rendering adapter.";
        display_adapter: u64, Id, "Adapter that drives the display.";
        render_adapter_kind: Option<&'static str>, Text, "Kind of the rendering adapter: `integrated` if it uses the system's memory, else `discrete`; null where the trace does not describe the adapter.";
        display_adapter_kind: Option<&'static str>, Text, "Kind of the display adapter.";
        width: u32, Pixels, "Width in pixels.";
        height: u32, Pixels, "Height in pixels.";
        format: String, Text, "Format of the buffers.";
        path: &'static str, Text, "Path of frames to the display: `one copy` into a resource that the display adapter scans out, `two copies`, or `same adapter`.";
        reason: String, Text, "Reason for more than one copy: the code of the first check that failed (see the table of reason codes below); NONE with one copy.";
        path_selections: Vec<DecisionFigures>, List, "All path selections in order; the last one is in effect.";
        reasons: Vec<FallbackFigures>, List, "Path selections and frames by reason, NONE included; the frames add up to `frames`.";
        payload_bytes: u64, Bytes, "Bytes of a frame's pixels, which each copy moves.";
        allocation_bytes: u64, Bytes, "Size of the cross-adapter resource, whose row pitch is a multiple of 128 bytes.";
        frames: u64, Count, "Frames that were shown or dropped.";
        flipped: u64, Count, "Frames that the display adapter scanned out directly, without composition.";
        composed: u64, Count, "Frames that the compositor drew.";
        torn: u64, Count, "Frames that were shown in the middle of a refresh (tearing).";
        dropped: u64, Count, "Dropped frames: a later frame replaced them before the refresh.";
        sampled_pixels: Option<u64>, Count, "Pixels that were sampled at scan-out: all pixels of small frames, a grid of larger ones; null if the trace does not record them.";
        mismatched_pixels: Option<u64>, Count, "Sampled pixels that differ from the frame.";
        slow_links: Vec<SlowLinkFigures>, List, "Links that cannot carry frames at the refresh rate of the display, once per path selection.";
        copies: u64, Count, "Copies of each frame between adapters.";
        total_copies: u64, Count, "Copies of all frames; a dropped frame may have fewer.";
        bytes_copied: u64, Bytes, "Bytes that the copies of all frames moved.";
        bytes_copied_per_frame: Option<f64>, Bytes, "Bytes that copies moved, per frame.";
        frames_per_s: Option<f64>, PerSecond, "Inverse of the mean interval between presents: frames after the first one over the time from the first present to the last; null with one frame.";
        refreshes_per_s: Option<f64>, PerSecond, "Refreshes per second of the display of the swap chain's window, averaged from the first present to the last if the mode changes. Of a slow link: those of the mode.";
        dram_gb_per_s: Option<f64>, GigabytesPerSecond, "Traffic of system memory by copies, composition and scan-out, in GB (10⁹ bytes) per second; null if the trace does not describe the machine.";
        dram_bytes_per_s: Option<u64>, BytesPerSecond, "`dram_gb_per_s` in bytes.";
        dram_max_gb_per_s: Option<f64>, GigabytesPerSecond, "Maximum traffic of system memory in any interval of 1/16 s, or longer in long traces.";
        dram_limit_gb_per_s: Option<f64>, GigabytesPerSecond, "Bandwidth of system memory in the machine description.";
        dram_power_w: Option<f64>, Watts, "Power of `dram_gb_per_s` in watts, from `--memory-pj-per-byte`; null without that option.";
        link_gb_per_s: Option<f64>, GigabytesPerSecond, "Traffic of the rendering adapter's link by copies; null without a link.";
        link_max_gb_per_s: Option<f64>, GigabytesPerSecond, "Maximum of `link_gb_per_s` in the same intervals.";
        link_power_w: Option<f64>, Watts, "Power of `link_gb_per_s` in watts, from `--link-pj-per-byte`; null without that option.";
        link_frames_per_s: Option<f64>, PerSecond, "Frames of this size that the link carries per second; null without copies.";
        display_link_gb_per_s: Option<f64>, GigabytesPerSecond, "Traffic of the display adapter's own link, by the second copy or by scan-out; null without one.";
        display_link_limit_gb_per_s: Option<f64>, GigabytesPerSecond, "Bandwidth of the display adapter's link.";
        link_limit_gb_per_s: Option<f64>, GigabytesPerSecond, "Bandwidth of the rendering adapter's link after line coding and efficiency.";
        link_efficiency_ratio: Option<f64>, Ratio, "Share of the rendering adapter's link that packet headers and flow control leave, from the machine description; null without a machine in the header.";
        caso_saving_gb_per_s: Option<f64>, GigabytesPerSecond, "Traffic that one copy saves against two, composition included: of system memory if the display adapter uses it, else of the link, where the value is negative if the display refreshes more often than frames arrive. Null if no other driver would change the path: on one adapter, for swap chains that are not of the flip model, and after a failed static check.";
        one_copy_saving_gb_per_s: Option<f64>, GigabytesPerSecond, "Traffic that one copy saves against the path selections with two copies if their cause is removed, also for swap chains that are not of the flip model and after a failed static check; otherwise as `caso_saving_gb_per_s`. Null without two copies.";
        #[serde(flatten)] parts: LatencyParts, Group, flat;
        #[serde(flatten)] frame_times: FrameTimeFigures, Group, flat;
        copy_1_budget_ratio: Option<f64>, Ratio, "p50 of the first copy, divided by the mean frame time.";
        is_net_loss: bool, Flag, "True if most frames are composed, although the path has one copy and the window covers its display.";
        #[serde(flatten)] capture: Option<CaptureFigures>, Group, flat;
    }
}

figures! {
    /// Comparison of a swap chain with the capture that its presents were read from.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CaptureFigures {
        application: String, Text, "Application in the capture.";
        #[serde(flatten)] agreement: CaptureAgreement, Group, flat;
    }
}

figures! {
    impl CaptureAgreement {
        captured_presents: u64, Count, "Presents of the programs in the capture.";
        as_logged: u64, Count, "Matching presents: displayed or dropped as in the capture.";
        otherwise: u64, Count, "Mismatching presents: another outcome or time.";
        not_played: u64, Count, "Captured presents that were not replayed.";
        generated_frames: u64, Count, "Frames that the driver generated or repeated; presents exclude them.";
    }
}

impl CaptureFigures {
    fn of(compared: &CaptureCompared) -> CaptureFigures {
        let mut agreement = CaptureAgreement::default();
        agreement.add(compared);
        CaptureFigures { application: compared.application.clone(), agreement }
    }
}

figures! {
    /// A path decision and its inputs.
    #[derive(Debug, Clone, PartialEq)]
    pub struct DecisionFigures {
        path: &'static str, Text, same;
        reason: String, Text, same;
        decided_at_ns: u64, Nanoseconds, "Time of the path selection, in nanoseconds of simulated time.";
        render_tier: Option<String>, Text, "Tier of cross-adapter resources of the rendering adapter.";
        display_tier: String, Text, "Tier of cross-adapter resources of the display adapter.";
        opted_out: Option<bool>, Flag, "The display adapter's driver set NO_SCANOUT at the creation of the primary.";
        caso_fallback_reason: Option<u32>, Id, "CASOFallbackReason as Windows reports it; its values are not public.";
        static_check: Option<bool>, Flag, "Result of the static overlay check; null if the path selection did not reach it.";
        displays: u64, Count, "Displays of the display adapter at the time of the path selection.";
        rotation_degrees: Option<u32>, Id, "Rotation of the panel then, in degrees; null if the trace does not describe the display.";
    }
}

figures! {
    /// A link that cannot carry as many frames as the display has refreshes.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct SlowLinkFigures {
        adapter: u64, Id, "Adapter at the link.";
        needed_gb_per_s: f64, GigabytesPerSecond, "Traffic at the refresh rate of the display, in GB per second.";
        carried_gb_per_s: f64, GigabytesPerSecond, "Bandwidth of the link, in GB per second.";
        possible_refreshes_per_s: f64, PerSecond, "Frames per second that the link carries.";
        refreshes_per_s: f64, PerSecond, same;
    }
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

figures! {
    /// All figures of the report.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PresentFigures {
        #[serde(skip_serializing_if = "Option::is_none")] capture: Option<CaptureAgreement>, Group, "Agreement with the capture that the presents were read from; absent unless the trace was recorded from one.";
        #[serde(flatten)] settings: PresentSettings, Group, flat;
        swap_chains: Vec<SwapChainFigures>, List, "Swap chains, in order of their creation.";
        audits: Vec<AuditFigures>, List, "Rules of presents, checked on every path selection and every frame (see below).", contributors = contributors::findings;
        violations: u64, Count, "Findings of all audits. If there are any, `taut analyze` ends with exit code 1.", contributors = contributors::findings;
    }
}

figures! {
    impl PresentSettings {
        compression_ratio: f64, Ratio, "Share of scan-out reads that compression of the second copy's target leaves, from `--scan-out-ratio`; 1 by default.";
        memory_pj_per_byte: Option<f64>, PicojoulesPerByte, "Energy per byte that system memory reads or writes, in picojoules, from `--memory-pj-per-byte`; null without that option.";
        link_pj_per_byte: Option<f64>, PicojoulesPerByte, "Energy per byte on a link, in picojoules, from `--link-pj-per-byte`; null without that option.";
    }
}

impl Chains {
    /// Computes the figures of all swap chains.
    pub fn figures(&self, settings: PresentSettings) -> PresentFigures {
        let swap_chains = self.chains.values().map(|chain| figures_of(self, chain, &settings)).collect();
        let audits = self.audits.figures();
        let violations = audits.iter().map(|audit| audit.findings).sum();
        PresentFigures { capture: self.agreement, settings, swap_chains, audits, violations }
    }
}

fn figures_of(chains: &Chains, chain: &Chain, settings: &PresentSettings) -> SwapChainFigures {
    let (decision, sums) = (chain.decision(), &chain.sums);
    let (rates, parts) = (Rates::of(chains, chain, settings), chain.times.spreads());
    let copies = copies(decision.mode);
    let steps = || chain.series.steps.iter();
    let per_step = |bytes: u64| bytes as f64 / chain.series.step_ns as f64;
    let max_link = steps().map(|step| step.link_bytes).max().map_or(0.0, per_step);
    let max_memory = steps().map(|step| step.memory_bytes).max().map_or(0.0, per_step);
    // pJ per byte times GB per second is mW.
    let power = |gigabytes: Option<f64>, energy: Option<f64>| gigabytes.zip(energy).map(|(rate, pj)| rate * pj / 1e3);
    SwapChainFigures {
        swap_chain: decision.swap_chain.0,
        render_adapter: decision.render_adapter.0,
        display_adapter: decision.display_adapter.0,
        render_adapter_kind: chains.adapters.get(&decision.render_adapter).map(kind),
        display_adapter_kind: chains.adapters.get(&decision.display_adapter).map(kind),
        width: decision.width,
        height: decision.height,
        format: format!("{:?}", decision.format),
        path: path(decision.mode),
        reason: format!("{:?}", decision.reason),
        path_selections: chain.decisions.iter().map(|decided| DecisionFigures::of(decided, chain, chains)).collect(),
        reasons: fallbacks::figures(&chain.decisions),
        payload_bytes: decision.payload_bytes,
        allocation_bytes: decision.allocation_bytes,
        frames: sums.frames,
        flipped: sums.flipped,
        composed: sums.composed,
        torn: sums.torn,
        dropped: sums.dropped,
        sampled_pixels: sums.sampled_pixels,
        mismatched_pixels: sums.mismatched_pixels,
        slow_links: chain.slow_links.iter().map(SlowLinkFigures::of).collect(),
        copies,
        total_copies: sums.copies,
        bytes_copied: sums.bytes_copied,
        bytes_copied_per_frame: (sums.frames > 0).then(|| sums.bytes_copied as f64 / sums.frames as f64),
        frames_per_s: rates.frames,
        refreshes_per_s: rates.refreshes,
        dram_gb_per_s: rates.dram,
        dram_bytes_per_s: rates.dram.map(|dram| (dram * 1e9).round() as u64),
        dram_max_gb_per_s: rates.dram.map(|_| max_memory + rates.scan_out),
        dram_limit_gb_per_s: chains.system_memory_bytes_per_second.map(|bytes| bytes as f64 / 1e9),
        link_gb_per_s: rates.link,
        link_max_gb_per_s: rates.link.map(|_| max_link),
        link_limit_gb_per_s: rates.link_limit,
        link_efficiency_ratio: chains.efficiencies.get(&decision.render_adapter).copied(),
        link_frames_per_s: rates
            .link_limit
            .filter(|_| copies > 0 && decision.payload_bytes > 0)
            .map(|limit| limit * 1e9 / decision.payload_bytes as f64),
        display_link_gb_per_s: rates.display_link,
        display_link_limit_gb_per_s: rates.display_link_limit,
        caso_saving_gb_per_s: rates.saving,
        one_copy_saving_gb_per_s: rates.one_copy_saving,
        dram_power_w: power(rates.dram, settings.memory_pj_per_byte),
        link_power_w: power(rates.link, settings.link_pj_per_byte),
        copy_1_budget_ratio: parts.copy_1.zip(rates.frames).map(|(copy, frames)| copy.p50_ns as f64 * frames / 1e9),
        parts,
        frame_times: chain.frame_times.figures(),
        is_net_loss: copies == 1 && 2 * sums.composed > sums.frames && chain.covers(),
        capture: chain.compared.as_ref().map(CaptureFigures::of),
    }
}

impl DecisionFigures {
    fn of(decided: &Decided, chain: &Chain, chains: &Chains) -> DecisionFigures {
        let Decided { at_ns, decision, .. } = decided;
        let is_driven =
            |display: &&DisplayModes| display.adapter == decision.display_adapter && display.added_at_ns() <= *at_ns;
        DecisionFigures {
            decided_at_ns: *at_ns,
            path: path(decision.mode),
            reason: format!("{:?}", decision.reason),
            render_tier: decision.render_tier.map(|tier| format!("{tier:?}")),
            display_tier: format!("{:?}", decision.cross_adapter_tier_support),
            opted_out: decision.primary_flags.map(|flags| flags.contains(PrimaryDriverFlags::NO_SCANOUT)),
            static_check: static_check(decision),
            displays: chains.displays.iter().filter(is_driven).count() as u64,
            rotation_degrees: chains.display_of(chain).map(|display| display.rotation_degrees(*at_ns)),
            caso_fallback_reason: decision.caso_fallback_reason,
        }
    }
}

/// Kind of an adapter by its memory.
fn kind(adapter: &Adapter) -> &'static str {
    if adapter.uses_system_memory { "integrated" } else { "discrete" }
}

/// Number of copies between adapters per frame on a path.
pub(super) fn copies(mode: HybridPresentMode) -> u64 {
    match mode {
        HybridPresentMode::ONE_COPY_PATH_CASO => 1,
        HybridPresentMode::TWO_COPY_PATH => 2,
        _ => 0,
    }
}

/// Result of the static check; `None` if the check was not reached. Older traces do not record whether it was called.
fn static_check(decision: &Decision) -> Option<bool> {
    match (decision.static_checked, decision.reason) {
        (Some(checked), _) => checked.then_some(decision.static_check_supported),
        (None, FallbackReason::STATIC_CHECK) => Some(false),
        (None, _) => decision.static_check_supported.then_some(true),
    }
}

/// Display name of a path.
fn path(mode: HybridPresentMode) -> &'static str {
    match mode {
        HybridPresentMode::ONE_COPY_PATH_CASO => ONE_COPY,
        HybridPresentMode::TWO_COPY_PATH => "two copies",
        _ => "same adapter",
    }
}

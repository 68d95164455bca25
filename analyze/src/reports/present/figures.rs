//! Figures of the present report.

use super::audits::AuditFigures;
use super::chain::{Chain, Chains, Decided};
use super::contributors;
use super::frame_times::FrameTimeFigures;
use super::parts::LatencyParts;
use super::rates::Rates;
use crate::presents::{Adapter, CaptureAgreement, CaptureCompared, Decision, PresentSettings, SlowLink};
use crate::reports::figures::figures;
use taut_schemas::{FallbackReason, HybridPresentMode, PrimaryDriverFlags};

figures! {
    /// Figures of one swap chain.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SwapChainFigures {
        swap_chain: u64, Id, "Handle of the swap chain.";
        render_adapter: u64, Id, "The adapter that renders.";
        display_adapter: u64, Id, "The adapter that the display hangs on.";
        render_adapter_kind: Option<&'static str>, Text, "Kind of the rendering adapter: `integrated` if it uses the system's memory, else `discrete`; null where the trace does not describe the adapter.";
        display_adapter_kind: Option<&'static str>, Text, "Kind of the display adapter.";
        width: u32, Pixels, "Pixels across.";
        height: u32, Pixels, "Pixels down.";
        format: String, Text, "Format of the buffers.";
        path: &'static str, Text, "How frames come to the display: `one copy` into a resource that the display adapter scans out, `two copies`, or `same adapter`.";
        reason: String, Text, "Why there is more than one copy: the code of the first check that failed (see the table of reason codes below); NONE where there is one copy.";
        path_selections: Vec<DecisionFigures>, List, "Every decision about the path, in order; the last one holds.";
        payload_bytes: u64, Bytes, "Bytes of a frame's pixels: what each copy moves.";
        allocation_bytes: u64, Bytes, "Bytes of the cross-adapter resource, whose rows are 128 bytes apart or a multiple.";
        frames: u64, Count, "Frames that were shown or dropped.";
        flipped: u64, Count, "Of those, scanned out by the display adapter without being drawn again.";
        composed: u64, Count, "Of those, drawn by the compositor.";
        torn: u64, Count, "Of those, shown from the middle of a refresh on.";
        dropped: u64, Count, "Dropped frames: a later frame replaced them before the refresh.";
        sampled_pixels: Option<u64>, Count, "Pixels that were looked at where frames were scanned out: all of small frames, a grid of others; null where the trace does not say.";
        mismatched_pixels: Option<u64>, Count, "Of those, pixels that were not the frame's.";
        slow_links: Vec<SlowLinkFigures>, List, "Links that cannot carry so many frames as the display had refreshes when a path was decided, once for each decision.";
        copies: u64, Count, "Copies of each frame between adapters.";
        total_copies: u64, Count, "Copies of all frames together; a dropped frame may lack some.";
        bytes_copied: u64, Bytes, "Bytes that copies moved, of all frames.";
        bytes_copied_per_frame: Option<f64>, Bytes, "The same by the number of frames.";
        frames_per_s: Option<f64>, PerSecond, "Frames over the time from the first present to the last; null with one frame.";
        refreshes_per_s: Option<f64>, PerSecond, "Refreshes a second of the display of the swap chain's window; on average from the first present to the last where its mode changes. Of a slow link: those of the mode.";
        dram_gb_per_s: Option<f64>, GigabytesPerSecond, "Traffic of the system's memory by copies, composition and scan-out, in GB (10⁹ bytes) a second; null where the trace does not describe the machine.";
        dram_bytes_per_s: Option<u64>, BytesPerSecond, "The same in bytes.";
        dram_max_gb_per_s: Option<f64>, GigabytesPerSecond, "The most of it in any stretch of time: a sixteenth of a second, or more in long traces.";
        dram_limit_gb_per_s: Option<f64>, GigabytesPerSecond, "What the system's memory carries, as the machine states it.";
        dram_power_w: Option<f64>, Watts, "What that traffic takes by the stated energy of a byte, in watts; null unless stated.";
        link_gb_per_s: Option<f64>, GigabytesPerSecond, "Traffic of the rendering adapter's link by copies; null without a link.";
        link_max_gb_per_s: Option<f64>, GigabytesPerSecond, "The most of it in any stretch of time.";
        link_power_w: Option<f64>, Watts, "What that traffic takes by the stated energy of a byte, in watts; null unless stated.";
        link_frames_per_s: Option<f64>, PerSecond, "Frames of this size that the link carries in a second; null without copies.";
        display_link_gb_per_s: Option<f64>, GigabytesPerSecond, "Traffic of the display adapter's own link, by the second copy or by scan-out; null without one.";
        display_link_limit_gb_per_s: Option<f64>, GigabytesPerSecond, "What that link carries.";
        link_limit_gb_per_s: Option<f64>, GigabytesPerSecond, "What that link carries, after line coding and the efficiency that the machine states.";
        link_efficiency_ratio: Option<f64>, Ratio, "What packet headers and flow control leave of that link, as the machine states it; null where no machine is in the header.";
        caso_saving_gb_per_s: Option<f64>, GigabytesPerSecond, "What one copy saves against two, composition included: of the system's memory where the display adapter shares it, else of the link, where it is negative if the display refreshes more often than frames come. Null where no other driver would change the path: on one adapter, for swap chains that are not of the flip model, and where the static check failed.";
        #[serde(flatten)] parts: LatencyParts, Group, flat;
        #[serde(flatten)] frame_times: FrameTimeFigures, Group, flat;
        copy_1_budget_ratio: Option<f64>, Ratio, "Median of the first copy by the time between two frames.";
        is_net_loss: bool, Flag, "Most frames are composed, although one copy is made and the window covers its display.";
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
        captured_presents: u64, Count, "Presents of programs in the capture.";
        as_logged: u64, Count, "Of those, displayed, or not displayed, as in the capture.";
        otherwise: u64, Count, "Of those, with another outcome or time.";
        not_played: u64, Count, "Of those, not replayed.";
        generated_frames: u64, Count, "Frames that the driver generated or repeated; they are no presents.";
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
        decided_at_ns: u64, Nanoseconds, "When it was made, in nanoseconds of simulated time.";
        render_tier: Option<String>, Text, "Tier of cross-adapter resources of the rendering adapter.";
        display_tier: String, Text, "Tier of cross-adapter resources of the display adapter.";
        opted_out: Option<bool>, Flag, "The display adapter's driver set NO_SCANOUT at the creation of the primary.";
        caso_fallback_reason: Option<u32>, Id, "CASOFallbackReason as Windows would say it; its values are not public.";
        static_check: Option<bool>, Flag, "What the static check of the overlay answered; null where the decision did not come to it.";
    }
}

figures! {
    /// A link that cannot carry as many frames as the display has refreshes.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct SlowLinkFigures {
        adapter: u64, Id, "The adapter that hangs on the link.";
        needed_gb_per_s: f64, GigabytesPerSecond, "What so many frames would take of it, in GB a second.";
        carried_gb_per_s: f64, GigabytesPerSecond, "What it carries.";
        possible_refreshes_per_s: f64, PerSecond, "So many frames a second it would carry.";
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
        audits: Vec<AuditFigures>, List, "Rules that a trace of presents can break, each heard of every decision and every frame (see below).", contributors = contributors::findings;
        violations: u64, Count, "Findings of all audits. Where it is not 0, `taut analyze` ends with exit code 1.", contributors = contributors::findings;
    }
}

figures! {
    impl PresentSettings {
        compression_ratio: f64, Ratio, "What is left of scan-out reads where the target of a second copy is compressed, as stated with `--scan-out-ratio`; 1 unless stated.";
        memory_pj_per_byte: Option<f64>, PicojoulesPerByte, "Energy of a byte that the system's memory reads or writes, in picojoules, as stated with `--memory-pj-per-byte`; null unless stated.";
        link_pj_per_byte: Option<f64>, PicojoulesPerByte, "Energy of a byte that a link carries, as stated with `--link-pj-per-byte`; null unless stated.";
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
        path_selections: chain.decisions.iter().map(DecisionFigures::of).collect(),
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
    fn of(decided: &Decided) -> DecisionFigures {
        let Decided { at_ns, decision, .. } = decided;
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
        HybridPresentMode::ONE_COPY_PATH_CASO => "one copy",
        HybridPresentMode::TWO_COPY_PATH => "two copies",
        _ => "same adapter",
    }
}

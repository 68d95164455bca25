//! Swap chains and their frames, gathered from what a trace says.

use super::event::{Adapter, Decision, Display, Frame, PresentEvent};
use super::{Spread, SwapChainFigures};
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, FallbackReason, FrameFate, HybridPresentMode, SwapChainId};

/// A swap chain's decision and its frames.
struct Chain {
    decision: Decision,
    frames: Vec<Frame>,
}

/// What a trace says of presents.
#[derive(Default)]
pub(super) struct Chains {
    adapters: BTreeMap<AdapterId, Adapter>,
    displays: Vec<Display>,
    chains: BTreeMap<SwapChainId, Chain>,
    /// What the machine says is left of adapters' links.
    efficiencies: BTreeMap<AdapterId, f64>,
}

const GB: f64 = 1e9;

impl Chains {
    pub fn of(events: Vec<PresentEvent>, efficiencies: BTreeMap<AdapterId, f64>) -> Chains {
        let mut chains = Chains { efficiencies, ..Chains::default() };
        for event in events {
            match event {
                PresentEvent::Adapter(adapter) => drop(chains.adapters.insert(adapter.adapter, adapter)),
                PresentEvent::Display(display) => chains.displays.push(display),
                PresentEvent::Decision(decision) => {
                    chains.chains.insert(decision.swap_chain, Chain { decision, frames: Vec::new() });
                }
                PresentEvent::Frame(frame) => {
                    if let Some(chain) = chains.chains.get_mut(&frame.swap_chain) {
                        chain.frames.push(frame);
                    }
                }
            }
        }
        chains
    }

    pub fn figures(&self, compression: f64) -> Vec<SwapChainFigures> {
        self.chains.values().map(|chain| self.figures_of(chain, compression)).collect()
    }

    fn figures_of(&self, chain: &Chain, compression: f64) -> SwapChainFigures {
        let Chain { decision, frames } = chain;
        let count = |fate| frames.iter().filter(|frame| frame.fate == fate).count() as u64;
        let shown = || frames.iter().filter(|frame| frame.fate != FrameFate::NEVER_SHOWN);
        let copies = copies(decision.mode);
        let copied = |least: u64| shown().filter(move |_| copies >= least);
        let waits = |frame: &Frame| {
            let first = frame.copy_1_started_at_ns.saturating_sub(frame.rendered_at_ns);
            first + frame.copy_2_started_at_ns.saturating_sub(frame.copy_1_ended_at_ns)
        };
        let copy_1 =
            Spread::of(copied(1).map(|frame| frame.copy_1_ended_at_ns.saturating_sub(frame.copy_1_started_at_ns)));
        let rates = self.rates(chain, compression);
        let bytes_copied = frames.iter().fold(0_u64, |sum, frame| sum.saturating_add(frame.bytes_copied));
        SwapChainFigures {
            swap_chain: decision.swap_chain.0,
            render_adapter: decision.render_adapter.0,
            display_adapter: decision.display_adapter.0,
            width: decision.width,
            height: decision.height,
            format: format!("{:?}", decision.format),
            path: path(decision.mode),
            reason: format!("{:?}", decision.reason),
            display_tier: format!("{:?}", decision.cross_adapter_tier_support),
            static_check: static_check(decision),
            payload_bytes: decision.payload_bytes,
            allocation_bytes: decision.allocation_bytes,
            frames: frames.len() as u64,
            flipped: count(FrameFate::FLIPPED),
            composed: count(FrameFate::COMPOSED),
            torn: count(FrameFate::TORN),
            never_shown: count(FrameFate::NEVER_SHOWN),
            copies,
            copies_made: bytes_copied.checked_div(decision.payload_bytes).unwrap_or(0),
            bytes_copied,
            frames_per_s: rates.frames,
            refreshes_per_s: rates.refreshes,
            dram_gb_per_s: rates.dram,
            dram_bytes_per_s: rates.dram.map(|dram| (dram * GB).round() as u64),
            link_gb_per_s: rates.link,
            link_limit_gb_per_s: rates.link_limit,
            link_efficiency_ratio: self.efficiencies.get(&decision.render_adapter).copied(),
            caso_saving_gb_per_s: rates.saving,
            latency: Spread::of(shown().map(|frame| frame.ended_at_ns.saturating_sub(frame.presented_at_ns))),
            copy_1,
            copy_2: Spread::of(
                copied(2).map(|frame| frame.copy_2_ended_at_ns.saturating_sub(frame.copy_2_started_at_ns)),
            ),
            engine_wait: Spread::of(copied(1).map(waits)),
            refresh_wait: Spread::of(shown().map(|frame| frame.ended_at_ns.saturating_sub(frame.ready_at_ns))),
            copy_1_budget_ratio: copy_1.zip(rates.frames).map(|(copy, frames)| copy.median_ns as f64 * frames / GB),
        }
    }

    /// Bytes a second, by the formulas of the cost model; what the trace does not tell is left out.
    fn rates(&self, chain: &Chain, compression: f64) -> Rates {
        let Chain { decision, frames } = chain;
        let presents = || frames.iter().map(|frame| frame.presented_at_ns);
        let span_ns = presents().max().zip(presents().min()).map(|(last, first)| last.saturating_sub(first));
        let frames_per_s = span_ns.filter(|span| *span > 0).map(|span| frames.len() as f64 * GB / span as f64);
        let display = self.displays.iter().find(|display| display.adapter == decision.display_adapter);
        let refreshes = display.map(|display| display.refresh_millihertz as f64 / 1e3);
        let (render, shows) =
            (self.adapters.get(&decision.render_adapter), self.adapters.get(&decision.display_adapter));
        let known = frames_per_s.zip(refreshes).zip(render.zip(shows)).zip(display);
        let Some((((f, s), (render, shows)), display)) = known else {
            return Rates { frames: frames_per_s, refreshes, ..Rates::default() };
        };
        let payload = decision.payload_bytes as f64;
        let desktop = f64::from(display.width) * f64::from(display.height) * 4.0;
        let copies = copies(decision.mode);
        let composed_part = frames.iter().filter(|frame| frame.fate == FrameFate::COMPOSED).count() as f64
            / (frames.len() as f64).max(1.0);
        let system = if shows.uses_system_memory { 1.0 } else { 0.0 };
        // The first copy writes the system's memory, and reads it too where the rendering adapter has no other.
        let first = if render.uses_system_memory { 2.0 } else { 1.0 };
        let mut dram = match copies {
            0 => 0.0,
            1 => first * f * payload,
            _ => (first + 1.0 + system) * f * payload,
        };
        dram += system * composed_part * f * (payload + desktop);
        let scanned = composed_part * desktop + (1.0 - composed_part) * payload;
        // A cross-adapter resource is linear and in the system's memory, whoever scans it out.
        dram += match copies {
            1 => s * (scanned * (1.0 - composed_part) + system * composed_part * desktop),
            _ => system * s * compression * scanned,
        };
        let saving = match (decision.mode, shows.uses_system_memory) {
            (HybridPresentMode::NOT_HYBRID, _) => None,
            (_, true) => Some(2.0 * f * payload - (1.0 - compression) * s * payload),
            (_, false) => Some(f * payload - s * payload),
        };
        let linked = render.link_bytes_per_second > 0;
        let link = linked.then_some(if copies > 0 { f * payload / GB } else { 0.0 });
        let link_limit = linked.then_some(render.link_bytes_per_second as f64 / GB);
        let (dram, saving) = (Some(dram / GB), saving.map(|saving| saving / GB));
        Rates { frames: frames_per_s, refreshes, dram, link, link_limit, saving }
    }
}

/// Events and GB a second.
#[derive(Default)]
struct Rates {
    frames: Option<f64>,
    refreshes: Option<f64>,
    dram: Option<f64>,
    link: Option<f64>,
    link_limit: Option<f64>,
    saving: Option<f64>,
}

fn copies(mode: HybridPresentMode) -> u64 {
    match mode {
        HybridPresentMode::ONE_COPY_PATH_CASO => 1,
        HybridPresentMode::TWO_COPY_PATH => 2,
        _ => 0,
    }
}

/// What the static check answered, where the decision came to it.
fn static_check(decision: &Decision) -> Option<bool> {
    match decision.reason {
        FallbackReason::STATIC_CHECK => Some(false),
        _ => decision.static_check_supported.then_some(true),
    }
}

fn path(mode: HybridPresentMode) -> &'static str {
    match mode {
        HybridPresentMode::ONE_COPY_PATH_CASO => "one copy",
        HybridPresentMode::TWO_COPY_PATH => "two copies",
        _ => "same adapter",
    }
}

impl Spread {
    fn of(times: impl Iterator<Item = u64>) -> Option<Spread> {
        let mut times: Vec<u64> = times.collect();
        times.sort_unstable();
        let at = |percent: usize| times.get((times.len() * percent).div_ceil(100).max(1) - 1).copied();
        Some(Spread { median_ns: at(50)?, p95_ns: at(95)?, p99_ns: at(99)?, worst_ns: at(100)? })
    }
}

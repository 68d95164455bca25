//! Traffic rates according to the published cost model.

use super::chain::{Chain, Chains};
use super::figures::copies;
use crate::presents::PresentSettings;
use taut_schemas::HybridPresentMode;

const GB: f64 = 1e9;

/// Rates per second (frames, refreshes) and in GB per second (traffic); `None` if the trace does not contain the
/// inputs.
#[derive(Debug, Default)]
pub(super) struct Rates {
    pub frames: Option<f64>,
    pub refreshes: Option<f64>,
    pub dram: Option<f64>,
    /// Share of `dram` that scan-out reads continuously.
    pub scan_out: f64,
    pub link: Option<f64>,
    pub link_limit: Option<f64>,
    pub display_link: Option<f64>,
    pub display_link_limit: Option<f64>,
    pub saving: Option<f64>,
}

impl Rates {
    pub fn of(chains: &Chains, chain: &Chain, settings: &PresentSettings) -> Rates {
        let (decision, sums, c) = (chain.decision(), &chain.sums, settings.compression_ratio);
        let display = chains.display_of(chain);
        let frames = sums.frames_per_s();
        let (from_ns, to_ns) = sums.presented_at_ns.unwrap_or_default();
        let shows = display.map(|display| display.shows(from_ns, to_ns));
        let refreshes = shows.map(|shows| shows.refreshes_per_s);
        let adapters =
            chains.adapters.get(&decision.render_adapter).zip(chains.adapters.get(&decision.display_adapter));
        let known = frames.zip(refreshes).zip(adapters).zip(shows);
        let Some((((f, s), (render, shows)), on_display)) = known else {
            return Rates { frames, refreshes, ..Rates::default() };
        };
        let payload = decision.payload_bytes as f64;
        let count = (sums.frames as f64).max(1.0);
        // Averages a sum over all frames and multiplies it by the frame rate `f`.
        let per_second = |bytes: u64| bytes as f64 / count * f;
        let (first, second) = (per_second(sums.copy_1_bytes), per_second(sums.copy_2_bytes));
        let composed_part = sums.composed as f64 / count;
        let system = if shows.uses_system_memory { 1.0 } else { 0.0 };
        let one_copy = copies(decision.mode) == 1;
        let flips = s * (1.0 - composed_part) * payload;
        let composes = composed_part * on_display.desktop_bytes_per_s;
        // A cross-adapter resource is linear and in system memory, no matter which adapter scans it out.
        let scan_out = if one_copy { flips + system * composes } else { system * c * (flips + composes) };
        // The first copy writes system memory, and also reads it if the rendering adapter has no video memory. The
        // second copy reads system memory, and also writes it if the display adapter has no video memory.
        let copied = first * if render.uses_system_memory { 2.0 } else { 1.0 } + second * (1.0 + system);
        let dram = copied + system * per_second(sums.composed_bytes) + scan_out;
        let saving = match (decision.mode, shows.uses_system_memory) {
            (HybridPresentMode::NOT_HYBRID, _) => None,
            (_, true) => Some(2.0 * f * payload - (1.0 - c) * s * payload),
            (_, false) => Some(f * payload - s * payload),
        };
        let limit = |bytes: u64| (bytes > 0).then_some(bytes as f64 / GB);
        let link_limit = limit(render.link_bytes_per_second);
        // Frames also cross the display adapter's link: in the second copy, or at each scan-out if there is no second
        // copy.
        let crosses = decision.mode != HybridPresentMode::NOT_HYBRID && !shows.uses_system_memory;
        let display_link_limit = limit(shows.link_bytes_per_second).filter(|_| crosses);
        let display_link = if one_copy { flips } else { second };
        Rates {
            frames,
            refreshes,
            dram: Some(dram / GB),
            scan_out: if one_copy || shows.uses_system_memory { scan_out / GB } else { 0.0 },
            link: link_limit.map(|_| first / GB),
            link_limit,
            display_link: display_link_limit.map(|_| display_link / GB),
            display_link_limit,
            saving: saving.map(|saving| saving / GB),
        }
    }
}

//! Traffic rates according to the published cost model.

use super::chain::{Chain, Chains, Decided};
use super::display_modes::DisplayModes;
use super::figures::copies;
use crate::presents::PresentSettings;
use taut_schemas::{FallbackReason, HybridPresentMode};

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
    /// Saving of one copy against the decisions with two copies, whatever their reason is.
    pub one_copy_saving: Option<f64>,
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
        let known = frames.zip(display).zip(adapters);
        let Some(((f, display), (render, shows))) = known else {
            return Rates { frames, refreshes, ..Rates::default() };
        };
        let count = (sums.frames as f64).max(1.0);
        // Averages a sum over all frames and multiplies it by the frame rate `f`.
        let per_second = |bytes: u64| bytes as f64 / count * f;
        let (first, second) = (per_second(sums.copy_1_bytes), per_second(sums.copy_2_bytes));
        let system = if shows.uses_system_memory { 1.0 } else { 0.0 };
        let paths = PathRates::of(chain, &Span { from_ns, to_ns, display, per_second: &per_second });
        // A cross-adapter resource is linear and in system memory, no matter which adapter scans it out.
        let scan_out = paths.linear.flips + system * (paths.linear.composes + c * paths.other.all());
        // The first copy writes system memory, and also reads it if the rendering adapter has no video memory. The
        // second copy reads system memory, and also writes it if the display adapter has no video memory.
        let copied = first * if render.uses_system_memory { 2.0 } else { 1.0 } + second * (1.0 + system);
        let dram = copied + system * per_second(sums.composed_bytes) + scan_out;
        let limit = |bytes: u64| (bytes > 0).then_some(bytes as f64 / GB);
        let link_limit = limit(render.link_bytes_per_second);
        // Frames also cross the display adapter's link: in the second copy, or at each scan-out if there is no second
        // copy.
        let crosses = decision.mode != HybridPresentMode::NOT_HYBRID && !shows.uses_system_memory;
        let display_link_limit = limit(shows.link_bytes_per_second).filter(|_| crosses);
        Rates {
            frames,
            refreshes,
            dram: Some(dram / GB),
            scan_out: scan_out / GB,
            link: link_limit.map(|_| first / GB),
            link_limit,
            display_link: display_link_limit.map(|_| (paths.linear.flips + second) / GB),
            display_link_limit,
            saving: PathRates::saving(&paths.changeable, shows.uses_system_memory, c).map(|saving| saving / GB),
            one_copy_saving: PathRates::saving(&paths.two_copies, shows.uses_system_memory, c)
                .map(|saving| saving / GB),
        }
    }
}

/// Time of a chain's presents, its display, and the conversion of bytes to a rate over that time.
struct Span<'a> {
    from_ns: u64,
    to_ns: u64,
    display: &'a DisplayModes,
    per_second: &'a dyn Fn(u64) -> f64,
}

/// Bytes per second that scan-out reads.
#[derive(Debug, Clone, Copy, Default)]
struct ScanOut {
    /// Reads of frames that the display flips to.
    flips: f64,
    /// Reads of the composed desktop.
    composes: f64,
}

impl ScanOut {
    fn all(self) -> f64 {
        self.flips + self.composes
    }

    fn add(&mut self, other: ScanOut) {
        self.flips += other.flips;
        self.composes += other.composes;
    }
}

/// Rates of one decision, in bytes per second averaged over the whole span.
#[derive(Debug, Clone, Copy)]
struct DecisionRates {
    is_one_copy: bool,
    scan_out: ScanOut,
    /// Scan-out if all frames were flipped to.
    all_flipped: f64,
    /// Second copies, or those that one copy replaces.
    second_copy: f64,
    /// Reads and writes of the compositor.
    composition: f64,
    /// Reads of the compositor alone.
    composed_payload: f64,
    /// True if two copies would be flipped to instead.
    flips_otherwise: bool,
}

/// Rates over all decisions of a chain, each with its own size.
#[derive(Default)]
struct PathRates {
    /// Scan-out of cross-adapter resources.
    linear: ScanOut,
    /// Scan-out of other resources.
    other: ScanOut,
    /// Decisions whose path would change with another driver.
    changeable: Vec<DecisionRates>,
    /// Decisions with two copies.
    two_copies: Vec<DecisionRates>,
}

impl PathRates {
    fn of(chain: &Chain, span: &Span<'_>) -> PathRates {
        let mut rates = PathRates::default();
        let ends = chain.decisions.iter().skip(1).map(|next| next.at_ns).chain([u64::MAX]);
        for (place, (decided, end_ns)) in chain.decisions.iter().zip(ends).enumerate() {
            // The first decision has the time before its own as well: the chain has no other.
            let begin_ns = if place == 0 { span.from_ns } else { decided.at_ns.max(span.from_ns) };
            let one = decision_rates(chain, decided, (begin_ns, end_ns.min(span.to_ns)), span);
            if one.is_one_copy {
                rates.linear.add(one.scan_out)
            } else {
                rates.other.add(one.scan_out)
            }
            if copies(decided.decision.mode) == 2 {
                rates.two_copies.push(one);
            }
            if is_changeable(decided) {
                rates.changeable.push(one);
            }
        }
        rates
    }

    /// Traffic that one copy saves against two in these decisions: of the system's memory where the display adapter uses it, else of the
    /// display adapter's link. `None` if no path would change. `c` is the share of scan-out reads that compression
    /// leaves.
    fn saving(decisions: &[DecisionRates], uses_system_memory: bool, c: f64) -> Option<f64> {
        let of = |one: &DecisionRates| {
            let with_one = if one.flips_otherwise { one.composition } else { 0.0 } + one.scan_out.all();
            let with_two = if one.flips_otherwise { one.all_flipped } else { one.scan_out.all() };
            match uses_system_memory {
                true => 2.0 * one.second_copy + c * with_two - with_one,
                false => one.second_copy - one.scan_out.flips - one.composed_payload,
            }
        };
        let sum: f64 = decisions.iter().map(of).sum();
        // Sums that cancel out leave a rounding error.
        (!decisions.is_empty()).then_some(if sum.abs() < 1.0 { 0.0 } else { sum })
    }
}

fn decision_rates(chain: &Chain, decided: &Decided, range: (u64, u64), span: &Span<'_>) -> DecisionRates {
    let (begin_ns, end_ns) = range;
    let Decided { decision, frames, .. } = decided;
    let share = end_ns.saturating_sub(begin_ns) as f64 / span.to_ns.saturating_sub(span.from_ns).max(1) as f64;
    let shown = span.display.shows(begin_ns, end_ns.max(begin_ns));
    // A decision without frames of its own shows a frame of the decision before.
    let (composed, all) = match frames.frames {
        0 => (chain.sums.composed, chain.sums.frames),
        all => (frames.composed, all),
    };
    let composed = composed as f64 / all.max(1) as f64;
    let all_flipped = share * shown.refreshes_per_s * decision.payload_bytes as f64;
    let is_one_copy = copies(decision.mode) == 1;
    DecisionRates {
        is_one_copy,
        scan_out: ScanOut {
            flips: (1.0 - composed) * all_flipped,
            composes: composed * share * shown.desktop_bytes_per_s,
        },
        all_flipped,
        second_copy: (span.per_second)(if is_one_copy { frames.copy_1_bytes } else { frames.copy_2_bytes }),
        composition: (span.per_second)(frames.composed_bytes),
        composed_payload: (span.per_second)(frames.composed.saturating_mul(decision.payload_bytes)),
        flips_otherwise: is_one_copy && chain.covers(),
    }
}

/// True if another driver would change the path: the swap chain is hybrid and of the flip model, and the display can
/// scan its buffers out. A failed static check is the driver's statement that it cannot.
fn is_changeable(decided: &Decided) -> bool {
    let unchanged = [FallbackReason::STATIC_CHECK, FallbackReason::NOT_FLIP_MODEL, FallbackReason::DIRECT3D_9];
    let decision = &decided.decision;
    decision.mode != HybridPresentMode::NOT_HYBRID && !unchanged.contains(&decision.reason)
}

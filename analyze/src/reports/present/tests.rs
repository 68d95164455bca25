//! Figures of synthetic presents match the published cost model.

use super::chain::Chains;
use super::{Spread, SwapChainFigures};
use crate::events::{At, Tracker};
use crate::presents::{
    Adapter, Advance, Creation, Creation9, Decision, Display, Frame, Machine, PresentEvent, PresentSettings,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, CrossAdapterTier, FallbackReason, FrameOutcome, HybridPresentMode, PrimaryDesc, PrimaryDriverFlags,
    SwapChainId,
};

/// Synthetic presents over one second, at a constant rate.
#[derive(Debug, Clone, Copy)]
struct Staged {
    mode: HybridPresentMode,
    /// True if the display adapter has no video memory.
    uses_system_memory: bool,
    size: (u32, u32),
    format: Format,
    frames: u64,
    refresh_hz: u64,
    /// Ratio of scan-out reads for a compressed surface.
    compression: f64,
    outcome: FrameOutcome,
}

const TWO: HybridPresentMode = HybridPresentMode::TWO_COPY_PATH;
/// Duration of a fence wait.
const FENCE_NS: u64 = 15;
const ONE: HybridPresentMode = HybridPresentMode::ONE_COPY_PATH_CASO;

impl Staged {
    /// A laptop display of 2560 by 1600 at 165 Hz, with 165 frames per second.
    fn laptop(mode: HybridPresentMode) -> Staged {
        Staged {
            mode,
            uses_system_memory: true,
            size: (2560, 1600),
            format: Format::B8G8R8A8_UNORM,
            frames: 165,
            refresh_hz: 165,
            compression: 1.0,
            outcome: FrameOutcome::FLIPPED,
        }
    }

    fn copies(&self) -> u64 {
        if self.mode == TWO { 2 } else { 1 }
    }

    fn primary(&self) -> PrimaryDesc {
        PrimaryDesc::new(self.size.0, self.size.1, self.format)
    }

    fn decision(&self) -> Decision {
        Decision {
            swap_chain: SwapChainId(1),
            render_adapter: AdapterId(2),
            display_adapter: AdapterId(1),
            mode: self.mode,
            cross_adapter_tier_support: CrossAdapterTier::SCANOUT,
            reason: FallbackReason::NONE,
            static_check_supported: true,
            static_checked: Some(true),
            render_tier: Some(CrossAdapterTier::COPY),
            primary_flags: None,
            caso_fallback_reason: None,
            display: None,
            covers: None,
            width: self.size.0,
            height: self.size.1,
            format: self.format,
            payload_bytes: self.primary().payload_bytes(),
            allocation_bytes: self.primary().allocation_bytes,
        }
    }

    fn frame(&self, presented_at_ns: u64) -> Frame {
        let second = |after_ns: u64| if self.mode == TWO { presented_at_ns + after_ns } else { 0 };
        let composed = self.outcome == FrameOutcome::COMPOSED;
        Frame {
            swap_chain: SwapChainId(1),
            present_count: 1,
            outcome: self.outcome,
            presented_at_ns,
            rendered_at_ns: presented_at_ns + 100,
            copy_1_started_at_ns: presented_at_ns + 150,
            copy_1_ended_at_ns: presented_at_ns + 400,
            copy_2_started_at_ns: second(420),
            copy_2_ended_at_ns: second(800),
            ready_at_ns: presented_at_ns + 900,
            ended_at_ns: presented_at_ns + 1000,
            bytes_copied: self.primary().payload_bytes() * self.copies(),
            composition_started_at_ns: composed.then_some(presented_at_ns + 910),
            composition_ended_at_ns: composed.then_some(presented_at_ns + 940),
            probes: None,
            wrong_probes: None,
        }
    }

    fn figures(&self) -> SwapChainFigures {
        let settings = PresentSettings { compression_ratio: self.compression, ..Default::default() };
        self.chains().figures(settings).swap_chains.remove(0)
    }

    fn chains(&self) -> Chains {
        self.with_window(None)
    }

    /// Presents into a window that covers its display or not; `None` for a swap chain without creation event.
    fn with_window(&self, covers: Option<bool>) -> Chains {
        let adapter = |number, uses_system_memory| {
            let (adapter, link_bytes_per_second) = (AdapterId(number), 13_390_769_230);
            PresentEvent::Adapter(Adapter { adapter, uses_system_memory, link_bytes_per_second })
        };
        let ((width, height), refresh_millihertz) = (self.size, self.refresh_hz * 1000);
        let display = Display { adapter: AdapterId(1), width, height, refresh_millihertz, rotation_degrees: 0 };
        let mut events = vec![adapter(1, self.uses_system_memory), adapter(2, false), PresentEvent::Display(display)];
        events.extend(covers.map(|covers| PresentEvent::Creation(Creation { display: 0, covers })));
        events.push(PresentEvent::Decision(self.decision()));
        let at_ns = |number: u64| number * 1_000_000_000 / self.frames;
        events.extend((0..self.frames).map(|number| PresentEvent::Frame(self.frame(at_ns(number)))));
        let machine = Machine { system_memory_bytes_per_second: 60_000_000_000, cross_adapter_fence_ns: FENCE_NS };
        let mut chains = Chains::new(BTreeMap::from([(AdapterId(2), 0.85)]));
        std::iter::once(PresentEvent::Machine(machine))
            .chain(events)
            .for_each(|event| chains.on_event(At::default(), event));
        chains
    }
}

fn to_three(value: Option<f64>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| format!("{value:.3}"))
}

const NARROW: Format = Format::B8G8R8A8_UNORM;
const WIDE: Format = Format::R16G16B16A16_FLOAT;

/// Size, format, bytes of the resource and of the pixels; GB/s of one copy at 60, 120, 144, 165 and 240 frames per
/// second.
type Row = ((u32, u32), Format, u64, u64, [&'static str; 5]);

/// Values of the published table.
const COSTS: [Row; 10] = [
    ((1366, 768), NARROW, 4_227_072, 4_196_352, ["0.252", "0.504", "0.604", "0.692", "1.007"]),
    ((1920, 1080), NARROW, 8_294_400, 8_294_400, ["0.498", "0.995", "1.194", "1.369", "1.991"]),
    ((1920, 1080), WIDE, 16_588_800, 16_588_800, ["0.995", "1.991", "2.389", "2.737", "3.981"]),
    ((2560, 1440), NARROW, 14_745_600, 14_745_600, ["0.885", "1.769", "2.123", "2.433", "3.539"]),
    ((2560, 1440), WIDE, 29_491_200, 29_491_200, ["1.769", "3.539", "4.247", "4.866", "7.078"]),
    ((2560, 1600), NARROW, 16_384_000, 16_384_000, ["0.983", "1.966", "2.359", "2.703", "3.932"]),
    ((2560, 1600), WIDE, 32_768_000, 32_768_000, ["1.966", "3.932", "4.719", "5.407", "7.864"]),
    ((3440, 1440), NARROW, 19_906_560, 19_814_400, ["1.189", "2.378", "2.853", "3.269", "4.755"]),
    ((3840, 2160), NARROW, 33_177_600, 33_177_600, ["1.991", "3.981", "4.778", "5.474", "7.963"]),
    ((3840, 2160), WIDE, 66_355_200, 66_355_200, ["3.981", "7.963", "9.555", "10.949", "15.925"]),
];

#[test]
fn the_report_gives_the_published_cost_table_to_its_printed_precision() {
    for (size, format, allocation_bytes, payload_bytes, costs) in COSTS {
        for (rate, cost) in [60, 120, 144, 165, 240].into_iter().zip(costs) {
            let staged = Staged { size, format, frames: rate, refresh_hz: rate, ..Staged::laptop(TWO) };
            let figures = staged.figures();
            let what = format!("{size:?} {format:?} at {rate}");
            assert_eq!((figures.allocation_bytes, figures.payload_bytes), (allocation_bytes, payload_bytes), "{what}");
            assert_eq!(to_three(figures.link_gb_per_s), cost, "{what}");
            let saved = payload_bytes as f64 * rate as f64 * 2.0 / 1e9;
            assert_eq!(to_three(figures.caso_saving_gb_per_s), format!("{saved:.3}"), "{what}");
        }
    }
}

#[test]
fn memory_traffic_is_that_of_the_published_cost_model() {
    // f P is 2.703 GB/s. Two copies: 3 f P plus scan-out at the same rate; one copy: f P plus the same scan-out.
    let (two, one) = (Staged::laptop(TWO).figures(), Staged::laptop(ONE).figures());
    assert_eq!((to_three(two.dram_gb_per_s), to_three(one.dram_gb_per_s)), ("10.813".into(), "5.407".into()));
    assert_eq!((to_three(two.caso_saving_gb_per_s), to_three(two.link_gb_per_s)), ("5.407".into(), "2.703".into()));
    assert_eq!((two.bytes_copied, one.bytes_copied), (2 * 165 * 16_384_000, 165 * 16_384_000));
    assert_eq!((two.total_copies, one.total_copies), (330, 165));
    assert_eq!((to_three(two.one_copy_saving_gb_per_s), one.one_copy_saving_gb_per_s), ("5.407".into(), None));
    assert_eq!((two.path_selections[0].displays, one.path_selections[0].displays), (1, 1));
}

#[test]
fn compression_reduces_the_saving_and_a_discrete_display_adapter_negates_it() {
    let compressed = Staged { compression: 0.5, ..Staged::laptop(TWO) }.figures();
    assert_eq!(to_three(compressed.caso_saving_gb_per_s), "4.055");
    let slow = Staged { compression: 0.5, frames: 30, ..Staged::laptop(TWO) }.figures();
    assert_eq!(to_three(slow.caso_saving_gb_per_s), to_three(Some(-22.5 * 16_384_000.0 / 1e9)));
    let discrete = Staged { uses_system_memory: false, refresh_hz: 240, ..Staged::laptop(TWO) }.figures();
    assert_eq!(to_three(discrete.caso_saving_gb_per_s), "-1.229");
}

#[test]
fn composition_is_a_part_of_the_saving_of_a_window_that_covers_its_display() {
    let composed = Staged { outcome: FrameOutcome::COMPOSED, ..Staged::laptop(ONE) };
    let saving = |covers| {
        let chains = composed.with_window(Some(covers));
        chains.figures(PresentSettings::default()).swap_chains.remove(0).caso_saving_gb_per_s
    };
    // Composition reads and writes each frame, as the second copy would. Two copies of a smaller window are composed too.
    assert_eq!((to_three(saving(true)), to_three(saving(false))), ("0.000".into(), "5.407".into()));
}

#[test]
fn no_saving_is_shown_where_another_driver_would_not_change_the_path() {
    for reason in [FallbackReason::STATIC_CHECK, FallbackReason::NOT_FLIP_MODEL, FallbackReason::DIRECT3D_9] {
        let staged = Staged::laptop(TWO);
        let mut chains = staged.chains();
        let chain = chains.chains.values_mut().next().unwrap();
        chain.decisions[0].decision.reason = reason;
        let figures = chains.figures(PresentSettings::default()).swap_chains.remove(0);
        assert_eq!(figures.caso_saving_gb_per_s, None, "{reason:?}");
        // Without the cause of two copies, the saving is that of other two copies.
        assert_eq!(to_three(figures.one_copy_saving_gb_per_s), "5.407", "{reason:?}");
    }
}

#[test]
fn times_are_split_into_parts_that_add_up() {
    let median = |spread: Option<Spread>| spread.map(|spread| spread.p50_ns);
    let split = |staged: Staged| {
        let parts = staged.figures().parts;
        let of = [parts.rendering, parts.copy_1, parts.copy_2, parts.engine_wait, parts.sync, parts.composition];
        (of.map(median), median(parts.refresh_wait), median(parts.latency))
    };
    let of = |parts: [u64; 6]| parts.map(|ns| (ns > 0).then_some(ns));
    // The copies are 20 ns apart: 15 ns fence wait and 5 ns engine wait. The last 100 ns are the wait for the second
    // fence.
    assert_eq!(split(Staged::laptop(TWO)), (of([100, 250, 380, 55, 115, 0]), Some(100), Some(1000)));
    assert_eq!(split(Staged::laptop(ONE)), (of([100, 250, 0, 50, 500, 0]), Some(100), Some(1000)));
    let composed = Staged { outcome: FrameOutcome::COMPOSED, ..Staged::laptop(TWO) };
    assert_eq!(split(composed), (of([100, 250, 380, 55, 115, 30]), Some(70), Some(1000)));
}

#[test]
fn c29_x19_power_is_computed_from_stated_energy_only() {
    let staged = Staged::laptop(TWO);
    assert_eq!((staged.figures().dram_power_w, staged.figures().link_power_w), (None, None));
    let settings =
        PresentSettings { memory_pj_per_byte: Some(40.0), link_pj_per_byte: Some(10.0), ..Default::default() };
    let figures = staged.chains().figures(settings).swap_chains.remove(0);
    // 10.813 GB/s at 40 pJ per byte, 2.703 GB/s at 10 pJ per byte.
    assert_eq!((to_three(figures.dram_power_w), to_three(figures.link_power_w)), ("0.433".into(), "0.027".into()));
}

#[test]
fn one_copy_is_a_net_loss_if_most_frames_of_a_covering_window_are_composed() {
    let regretted = |mode, outcome, covers| {
        let staged = Staged { outcome, ..Staged::laptop(mode) };
        staged.with_window(covers).figures(PresentSettings::default()).swap_chains.remove(0).is_net_loss
    };
    assert!(regretted(ONE, FrameOutcome::COMPOSED, Some(true)) && regretted(ONE, FrameOutcome::COMPOSED, None));
    assert!(!regretted(ONE, FrameOutcome::COMPOSED, Some(false)), "two copies would be composed as well");
    assert!(!regretted(ONE, FrameOutcome::FLIPPED, Some(true)) && !regretted(TWO, FrameOutcome::COMPOSED, Some(true)));
}

#[test]
fn a_second_decision_is_listed_with_its_time() {
    let staged = Staged::laptop(ONE);
    let mut chains = staged.chains();
    chains.on_event(At::default(), PresentEvent::Advance(Advance { until_at_ns: 2_000_000_000 }));
    let reason = FallbackReason::STATIC_CHECK;
    let new_decision = Decision { mode: TWO, reason, static_check_supported: false, ..staged.decision() };
    chains.on_event(At::default(), PresentEvent::Decision(new_decision));
    let chain = chains.figures(PresentSettings::default()).swap_chains.remove(0);
    let told: Vec<_> =
        chain.path_selections.iter().map(|one| (one.decided_at_ns, one.path, one.static_check)).collect();
    assert_eq!(told, [(0, "one copy", Some(true)), (2_000_000_000, "two copies", Some(false))]);
    assert_eq!((chain.path, chain.copies, chain.total_copies), ("two copies", 2, 165));
}

#[test]
fn c25_path_selections_and_frames_are_counted_by_reason_with_the_values_of_windows() {
    let staged = Staged::laptop(TWO);
    let mut chains = Chains::default();
    let mut selected = |until_at_ns: u64, reason, raw: Option<u32>, frames: u64| {
        chains.on_event(At::default(), PresentEvent::Advance(Advance { until_at_ns }));
        let decision = Decision { reason, caso_fallback_reason: raw, ..staged.decision() };
        chains.on_event(At::default(), PresentEvent::Decision(decision));
        for number in 0..frames {
            chains.on_event(At::default(), PresentEvent::Frame(staged.frame(until_at_ns + number)));
        }
    };
    selected(1_000, FallbackReason::STATIC_CHECK, Some(7), 3);
    selected(2_000, FallbackReason::CAP, Some(9), 4);
    selected(3_000, FallbackReason::STATIC_CHECK, Some(2), 1);
    selected(4_000, FallbackReason::STATIC_CHECK, Some(7), 0);
    selected(5_000, FallbackReason::NO_SCANOUT, None, 2);
    let chain = chains.figures(PresentSettings::default()).swap_chains.remove(0);
    let counted: Vec<_> = chain
        .reasons
        .iter()
        .map(|one| (&*one.reason, one.reason_value, one.selections, one.frames, &*one.caso_fallback_reasons))
        .collect();
    let expected: [(&str, u32, u64, u64, &[u32]); 3] =
        [("CAP", 4, 1, 4, &[9]), ("NO_SCANOUT", 6, 1, 2, &[]), ("STATIC_CHECK", 7, 3, 4, &[2, 7])];
    assert_eq!(counted, expected);
    assert_eq!(chain.reasons.iter().map(|one| one.frames).sum::<u64>(), chain.frames);
}

/// Ids of the rules that a decision violates. `is_direct3d_9` is true if a Direct3D 9 device created the swap chain.
fn broken(is_direct3d_9: bool, change: impl Fn(&mut Decision)) -> Vec<&'static str> {
    let mut chains = Chains::default();
    if is_direct3d_9 {
        chains.on_event(At::default(), PresentEvent::Creation9(Creation9 { display: 0, covers: true }));
    }
    let mut decision = Staged { size: (1920, 1080), ..Staged::laptop(ONE) }.decision();
    change(&mut decision);
    chains.on_event(At::default(), PresentEvent::Decision(decision));
    let figures = chains.figures(PresentSettings::default());
    assert_eq!(figures.violations, figures.audits.iter().map(|audit| audit.first_findings.len() as u64).sum::<u64>());
    figures.audits.iter().filter(|audit| !audit.ok).map(|audit| audit.rule).collect()
}

#[test]
fn c28_a_direct3d_9_chain_with_one_copy_is_a_violation() {
    assert_eq!(broken(true, |_| {}), ["C-28"]);
    assert!(broken(true, |decision| (decision.mode, decision.reason) = (TWO, FallbackReason::DIRECT3D_9)).is_empty());
    assert!(broken(false, |_| {}).is_empty());
}

#[test]
fn c10_an_opt_out_within_the_minimum_size_is_a_violation() {
    let opted_out = |decision: &mut Decision| {
        (decision.mode, decision.reason) = (TWO, FallbackReason::NO_SCANOUT);
        (decision.static_checked, decision.primary_flags) = (Some(false), Some(PrimaryDriverFlags::NO_SCANOUT));
    };
    assert_eq!(broken(false, opted_out), ["C-10"]);
    let beyond = |decision: &mut Decision| {
        opted_out(decision);
        decision.height = 1081;
    };
    assert!(broken(false, beyond).is_empty());
}

#[test]
fn c20_a_decision_that_contradicts_its_inputs_is_a_violation() {
    type Change = fn(&mut Decision);
    let contradictions: [Change; 7] = [
        |decision| decision.render_adapter = decision.display_adapter,
        |decision| decision.cross_adapter_tier_support = CrossAdapterTier::TEXTURE,
        |decision| decision.render_tier = Some(CrossAdapterTier::NONE),
        |decision| decision.static_check_supported = false,
        |decision| decision.primary_flags = Some(PrimaryDriverFlags::NO_SCANOUT),
        |decision| decision.mode = TWO,
        |decision| (decision.mode, decision.reason) = (TWO, FallbackReason::CAP),
    ];
    for (place, change) in contradictions.into_iter().enumerate() {
        // An opt-out within the minimum size violates another rule as well.
        assert!(broken(false, change).contains(&"C-20"), "{place}");
    }
    let two = |decision: &mut Decision, reason| (decision.mode, decision.reason) = (TWO, reason);
    let sound: [Change; 4] = [
        |decision| {
            (decision.mode, decision.reason) = (HybridPresentMode::NOT_HYBRID, FallbackReason::SAME_ADAPTER);
            decision.render_adapter = decision.display_adapter;
        },
        |decision| decision.static_checked = Some(false),
        |decision| decision.render_tier = None,
        |decision| decision.primary_flags = Some(PrimaryDriverFlags::NONE),
    ];
    sound.into_iter().for_each(|change| assert!(broken(false, change).is_empty()));
    assert!(broken(false, |decision| two(decision, FallbackReason::OPEN_FAILED)).is_empty());
    assert!(broken(false, |decision| two(decision, FallbackReason::NO_HYBRID_SYSTEM)).is_empty());
    let capped = |decision: &mut Decision| {
        two(decision, FallbackReason::CAP);
        decision.cross_adapter_tier_support = CrossAdapterTier::TEXTURE;
    };
    assert!(broken(false, capped).is_empty());
}

#[test]
fn c20_a_frame_with_wrong_contents_or_copies_is_a_violation() {
    let staged = Staged::laptop(ONE);
    let findings = |frame: Frame| {
        let mut chains = staged.chains();
        chains.on_event(At::default(), PresentEvent::Frame(frame));
        let figures = chains.figures(PresentSettings::default());
        let sums = (figures.swap_chains[0].sampled_pixels, figures.swap_chains[0].mismatched_pixels);
        (figures.violations, sums)
    };
    let frame = staged.frame(0);
    assert_eq!(findings(frame), (0, (None, None)));
    assert_eq!(findings(Frame { probes: Some(9), wrong_probes: Some(0), ..frame }), (0, (Some(9), Some(0))));
    assert_eq!(findings(Frame { probes: Some(9), wrong_probes: Some(2), ..frame }), (1, (Some(9), Some(2))));
    assert_eq!(findings(Frame { copy_2_ended_at_ns: 900, ..frame }).0, 1);
    // Dropped frames may lack copies.
    let dropped = Frame { outcome: FrameOutcome::NEVER_SHOWN, copy_1_ended_at_ns: 0, ..frame };
    assert_eq!(findings(dropped).0, 0);
}

fn staged() -> impl Strategy<Value = Staged> {
    let formats = [NARROW, WIDE, Format::R8G8B8A8_UNORM, Format::R10G10B10A2_UNORM];
    let outcomes = [FrameOutcome::FLIPPED, FrameOutcome::COMPOSED];
    let size = (1_u32..8192, 1_u32..8192);
    let rates = (2_u64..300, 24_u64..500);
    let of = (
        any::<bool>(),
        size,
        prop::sample::select(formats.to_vec()),
        rates,
        0.1..=1.0,
        prop::sample::select(outcomes.to_vec()),
    );
    of.prop_map(|(two, size, format, (frames, refresh_hz), compression, outcome)| {
        let mode = if two { TWO } else { ONE };
        Staged { mode, uses_system_memory: true, size, format, frames, refresh_hz, compression, outcome }
    })
}

proptest! {
    #[test]
    fn totals_are_those_of_the_formulas_for_any_size_rate_and_format(staged in staged()) {
        let figures = staged.figures();
        let (f, s, c) = (staged.frames as f64, staged.refresh_hz as f64, staged.compression);
        let p = f64::from(staged.size.0) * f64::from(staged.size.1) * if staged.format == WIDE { 8.0 } else { 4.0 };
        let desktop = f64::from(staged.size.0) * f64::from(staged.size.1) * 4.0;
        let expected = match (staged.mode == ONE, staged.outcome == FrameOutcome::COMPOSED) {
            (true, false) => f * p + s * p,
            (true, true) => f * p + f * (p + desktop) + s * desktop,
            (false, false) => 3.0 * f * p + s * c * p,
            (false, true) => 3.0 * f * p + f * (p + desktop) + s * c * desktop,
        };
        let found = figures.dram_gb_per_s.unwrap_or(0.0) * 1e9;
        // Stamps are whole nanoseconds.
        prop_assert!((found / expected - 1.0).abs() < 1e-7, "{found} {expected}");
        let saved = figures.caso_saving_gb_per_s.unwrap_or(0.0) * 1e9;
        // Without a window in the trace, it covers the display: two copies would be flipped to.
        let expected = 2.0 * f * p + match (staged.mode == ONE, staged.outcome == FrameOutcome::COMPOSED) {
            (_, false) => (c - 1.0) * s * p,
            (true, true) => c * s * p - f * (p + desktop) - s * desktop,
            (false, true) => (c - 1.0) * s * desktop,
        };
        // Less than a byte per second counts as none.
        prop_assert!((saved - expected).abs() <= 1.0 + 1e-7 * (f * p).max(s * p), "{saved} {expected}");
        prop_assert_eq!(figures.bytes_copied, staged.frames * staged.copies() * staged.primary().payload_bytes());
        prop_assert_eq!(figures.total_copies, staged.frames * staged.copies());
    }
}

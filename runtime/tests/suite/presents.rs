//! Tests of swap chains on machines with two adapters: path selection, its rules (C-10 to C-26), and DXGI's own (D-01
//! to D-07).

use proptest::prelude::*;
use std::sync::Arc;
use taut_runtime::{EventLog, Execute, Kernel, Machine, Overlay, Profile, Settings, Wddm, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, AdapterParts, Call, CommandListType, CommandQueueDesc, CommandQueueId, DisplayMode, FallbackReason,
    FrameOutcome, HResult, HResultCode, HybridPresentMode, MultiplaneOverlayFlags, NtStatus, PresentFlags, PrimaryDesc,
    PrimaryDriverFlags, SwapChainDesc, SwapChainFlags, SwapChainId, SwapEffect, WddmVersion, d3d12, dxgi, dxgi_ddi,
    dxgkddi, machine, mark,
};

/// Adapter with the panel, and adapter that renders.
const SHOWS: AdapterId = AdapterId::FIRST;
const RENDERS: AdapterId = AdapterId(2);
/// Refresh period at 60 Hz in nanoseconds, rounded up.
pub(super) const REFRESH_NS: u64 = 16_666_667;

/// Machine with a panel, a device on its last adapter and a queue; `tap` has the events of the last call.
pub(crate) struct Laptop {
    pub(crate) machine: Machine<'static>,
    pub(crate) tap: EventLog,
    pub(crate) queue: CommandQueueId,
    now_ns: u64,
}

pub(crate) fn named(name: &str) -> Profile {
    Profile::named(name).unwrap()
}

pub(crate) fn mode(width: u32, height: u32, rotation_degrees: u32) -> DisplayMode {
    DisplayMode { width, height, refresh_millihertz: 60_000, rotation_degrees, variable_refresh_from_millihertz: 0 }
}

impl Laptop {
    /// Creates a machine with the panel on the first adapter; the last one renders.
    pub(crate) fn of(profiles: &[Profile], displays: &[DisplayMode]) -> Laptop {
        Laptop::under(Settings::default(), profiles, displays)
    }

    /// As [`Laptop::of`], with settings.
    pub(crate) fn under(settings: Settings, profiles: &[Profile], displays: &[DisplayMode]) -> Laptop {
        let drivers = profiles.iter().map(|profile| Arc::from(driver(profile))).collect();
        let machine = Machine::with_adapters(settings, drivers).unwrap();
        let mut laptop = Laptop { machine, tap: EventLog::default(), queue: CommandQueueId::default(), now_ns: 0 };
        let memory =
            machine::DescribeMachine { system_memory_bytes_per_second: 76_800_000_000, cross_adapter_fence_ns: 10_000 };
        assert_eq!(laptop.call(&memory), NtStatus::SUCCESS);
        let renders = AdapterId(profiles.len() as u64);
        for adapter in (1..=profiles.len() as u64).map(AdapterId) {
            let own = adapter != SHOWS;
            let parts = AdapterParts {
                uses_system_memory: !own,
                memory_bytes_per_second: if own { 448_000_000_000 } else { 0 },
                link_bytes_per_second: if own { 13_390_769_230 } else { 0 },
                copy_engines: 1,
                copy_bytes_per_second: 12_000_000_000,
            };
            assert_eq!(laptop.call(&machine::DescribeAdapter { adapter, parts }), NtStatus::SUCCESS);
            laptop.call(&machine::StartAdapter { adapter });
        }
        for mode in displays {
            assert_eq!(laptop.call(&machine::ConnectDisplay { adapter: SHOWS, mode: *mode }), NtStatus::SUCCESS);
        }
        let create = d3d12::CreateDevice { minimum_feature_level: 0xb000, adapter: renders };
        let device = laptop.call(&create).unwrap();
        let desc = CommandQueueDesc { list_type: CommandListType::DIRECT, ..CommandQueueDesc::default() };
        laptop.queue = laptop.call(&d3d12::CreateCommandQueue { device, desc }).unwrap();
        laptop
    }

    /// Creates a laptop with this driver on the panel's adapter.
    pub(crate) fn with(shows: &Profile) -> Laptop {
        Laptop::of(&[shows.clone(), named("dgpu")], &[mode(1920, 1080, 0)])
    }

    pub(crate) fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.tap.events.clear();
        let output = self.machine.call(call, &mut self.tap);
        self.machine.release_due(&mut self.tap);
        output
    }

    pub(crate) fn create(&mut self, desc: SwapChainDesc) -> HResult<SwapChainId> {
        let command_queue = self.queue;
        self.call(&dxgi::CreateSwapChainForHwnd { command_queue, desc, display: 0, covers: true })
    }

    /// Returns present mode and reason of a new swap chain.
    pub fn decided(&mut self, desc: SwapChainDesc) -> (HybridPresentMode, FallbackReason) {
        self.create(desc).unwrap();
        let decisions = self.tap.marks::<mark::HybridPresentDecision>();
        assert_eq!(decisions.len(), 1, "one decision of each swap chain (C-20)");
        (decisions[0].mode, decisions[0].reason)
    }

    pub(crate) fn advance(&mut self, until_at_ns: u64) -> HResult<u64> {
        self.now_ns = until_at_ns;
        self.call(&machine::AdvanceSimulation { until_at_ns })
    }

    pub(crate) fn present(&mut self, swap_chain: SwapChainId, sync_interval: u32, flags: PresentFlags) -> HResult<u64> {
        self.call(&dxgi::Present1 { swap_chain, sync_interval, flags })
    }

    /// Runs a frame from its work to the end of its Present1, and returns the frame ends until long after.
    pub(crate) fn frame(&mut self, swap_chain: SwapChainId) -> Vec<mark::FrameEnded> {
        self.call(&dxgi::SimulateWork { swap_chain, cpu_ns: 1_000_000, gpu_ns: 1_000_000 }).unwrap();
        self.advance(self.now_ns + 1_000_000).unwrap();
        self.present(swap_chain, 1, PresentFlags::NONE).unwrap();
        self.call(&dxgi::FinishPresent1 { swap_chain }).unwrap();
        self.advance(self.now_ns + 10 * REFRESH_NS).unwrap();
        self.tap.marks()
    }
}

pub(crate) fn desc(width: u32, height: u32, format: Format) -> SwapChainDesc {
    SwapChainDesc {
        width,
        height,
        format,
        buffer_count: 2,
        swap_effect: SwapEffect::FLIP_DISCARD,
        flags: SwapChainFlags::NONE,
    }
}

const FULL: (u32, u32) = (1920, 1080);

pub(crate) fn full() -> SwapChainDesc {
    desc(FULL.0, FULL.1, Format::B8G8R8A8_UNORM)
}

/// Formats of tier 3.
const SIX: [Format; 6] = [
    Format::R16G16B16A16_FLOAT,
    Format::R10G10B10A2_UNORM,
    Format::R8G8B8A8_UNORM,
    Format::R8G8B8A8_UNORM_SRGB,
    Format::B8G8R8A8_UNORM,
    Format::B8G8R8A8_UNORM_SRGB,
];

pub(super) const ONE_COPY: (HybridPresentMode, FallbackReason) =
    (HybridPresentMode::ONE_COPY_PATH_CASO, FallbackReason::NONE);

pub(super) fn two(reason: FallbackReason) -> (HybridPresentMode, FallbackReason) {
    (HybridPresentMode::TWO_COPY_PATH, reason)
}

/// Returns a display adapter's driver of this version with these tier bits, copies first.
fn display_driver(wddm: WddmVersion, [copy, texture, scanout]: [bool; 3]) -> Profile {
    let mut profile = named("igpu-tier3");
    profile.caps.cross_adapter_row_major_texture = false;
    if let Some(kernel) = &mut profile.kernel {
        *kernel = Kernel {
            wddm_version: Wddm(wddm),
            cross_adapter_resource: copy,
            cross_adapter_resource_texture: texture,
            cross_adapter_resource_scanout: scanout,
            ..kernel.clone()
        };
    }
    profile
}

/// Returns the adapter's flags for a primary of this kind.
fn primary_flags(laptop: &mut Laptop, desc: SwapChainDesc) -> PrimaryDriverFlags {
    laptop.create(desc).unwrap();
    laptop.tap.marks::<mark::HybridPresentDecision>()[0].primary_flags
}

#[test]
fn c10_the_driver_may_opt_out_only_beyond_the_minimum_of_tier_3() {
    // Without its own table, a driver scans out the minimum only.
    let mut minimum = named("igpu-tier3");
    minimum.overlay = Some(Overlay::default());
    for size in [FULL, (1366, 768), (640, 480), (1, 1)] {
        for format in [Format::R16G16B16A16_FLOAT, Format::R10G10B10A2_UNORM, Format::R8G8B8A8_UNORM] {
            let flags = primary_flags(&mut Laptop::with(&minimum), desc(size.0, size.1, format));
            assert_eq!(flags, PrimaryDriverFlags::NONE, "{size:?} {format:?}");
        }
    }
    // One pixel more in either direction, and a portrait of the same area (rule X-13).
    for size in [(1921, 1080), (1920, 1081), (1080, 1920)] {
        let flags = primary_flags(&mut Laptop::with(&minimum), desc(size.0, size.1, Format::B8G8R8A8_UNORM));
        assert_eq!(flags, PrimaryDriverFlags::NO_SCANOUT, "{size:?}");
    }
}

#[test]
fn c20_the_path_follows_from_the_tiers_of_both_adapters() {
    for tiers in [[false; 3], [true, false, false], [true, true, false], [true; 3]] {
        let mut laptop = Laptop::with(&display_driver(WddmVersion::WDDM_3_0, tiers));
        let expected = match tiers {
            [false, ..] => two(FallbackReason::NO_CROSS_ADAPTER_RESOURCES),
            [_, _, false] => two(FallbackReason::CAP),
            _ => ONE_COPY,
        };
        assert_eq!(laptop.decided(full()), expected, "{tiers:?}");
        assert_eq!(laptop.decided(full()), expected, "the same again: {tiers:?}");
    }
    // Tier combinations with which no adapter starts have no cross-adapter resources.
    for tiers in [[false, true, false], [false, false, true], [false, true, true], [true, false, true]] {
        let mut laptop = Laptop::with(&display_driver(WddmVersion::WDDM_3_0, tiers));
        assert_eq!(laptop.decided(full()), two(FallbackReason::NO_CROSS_ADAPTER_RESOURCES), "{tiers:?}");
    }
}

#[test]
fn c20_one_adapter_needs_no_copy() {
    let mut laptop = Laptop::of(&[named("igpu-tier3")], &[mode(1920, 1080, 0)]);
    assert_eq!(laptop.decided(full()), (HybridPresentMode::NOT_HYBRID, FallbackReason::SAME_ADAPTER));
}

#[test]
fn c20_the_steps_come_in_the_documented_order() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    laptop.create(full()).unwrap();
    let calls: Vec<u16> = laptop.tap.events.iter().map(|(code, _)| code.id()).collect();
    let place = |id: u16| calls.iter().position(|calls| *calls == id).unwrap();
    let steps = [
        place(dxgi_ddi::CreateResource::ID),
        place(dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3::ID),
        place(dxgi_ddi::OpenResource::ID),
    ];
    assert!(steps.is_sorted(), "{steps:?}");
}

#[test]
fn c21_x16_a_static_check_flags_one_plane_and_changes_no_later_answer() {
    let calls = |statically: bool| {
        let mut laptop = Laptop::with(&named("igpu-tier3"));
        let chain = laptop.create(full()).unwrap();
        let checks = laptop.tap.started::<dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3>();
        assert_eq!((checks.len(), checks[0].check.flags), (1, MultiplaneOverlayFlags::STATIC_CHECK));
        if statically {
            // Another swap chain is created, checked and released: no state remains.
            let other = laptop.create(full()).unwrap();
            laptop.call(&dxgi::ReleaseSwapChain { swap_chain: other }).unwrap();
        }
        laptop.frame(chain).iter().map(|frame| (frame.outcome, frame.ended_at_ns)).collect::<Vec<_>>()
    };
    assert_eq!(calls(true), calls(false));
}

#[test]
fn c22_checks_of_overlays_move_no_bandwidth() {
    // The time of a copy does not depend on the number of checks.
    let copies = |others: usize| {
        let mut laptop = Laptop::with(&named("igpu-tier3"));
        for _ in 0..others {
            let other = laptop.create(full()).unwrap();
            laptop.call(&dxgi::ReleaseSwapChain { swap_chain: other }).unwrap();
        }
        let chain = laptop.create(full()).unwrap();
        let frame = laptop.frame(chain).remove(0);
        frame.copy_1_ended_at_ns - frame.copy_1_started_at_ns
    };
    assert_eq!(copies(5), copies(0));
}

#[test]
fn c23_a_chain_in_one_copy_may_be_composed_later_and_stays_in_one_copy() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let chain = laptop.create(full()).unwrap();
    assert_eq!(laptop.frame(chain)[0].outcome, FrameOutcome::FLIPPED);
    // With a second window on the display, the compositor draws both.
    laptop.create(full()).unwrap();
    let ended = laptop.frame(chain);
    assert_eq!((ended[0].outcome, ended[0].copy_2_ended_at_ns), (FrameOutcome::COMPOSED, 0));
    assert!(laptop.tap.marks::<mark::HybridPresentDecision>().is_empty(), "frames decide nothing");
}

#[test]
fn c24_what_fails_halfway_leaves_nothing_alive() {
    let mut small = named("igpu-tier3");
    small.overlay = Some(Overlay { bandwidth_mb_per_second: 1, ..Overlay::default() });
    let mut narrow = named("igpu-tier3");
    narrow.overlay = Some(Overlay { width: 640, ..Overlay::default() });
    for (profile, reason) in [(small, FallbackReason::STATIC_CHECK), (narrow, FallbackReason::NO_SCANOUT)] {
        let mut laptop = Laptop::with(&profile);
        assert_eq!(laptop.decided(full()), two(reason));
        let creation_count = laptop.tap.started::<dxgi_ddi::CreateResource>().len();
        let gone = laptop.tap.started::<dxgi_ddi::DestroyResource>();
        assert_eq!((creation_count, gone.len(), gone[0].adapter), (1, 1, SHOWS), "{reason:?}");
    }
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let chain = laptop.create(full()).unwrap();
    laptop.call(&dxgi::ReleaseSwapChain { swap_chain: chain }).unwrap();
    let gone: Vec<_> = laptop.tap.started::<dxgi_ddi::DestroyResource>().iter().map(|gone| gone.adapter).collect();
    assert_eq!(gone, [RENDERS, SHOWS]);
}

#[test]
fn c25_each_fallback_is_recorded_with_its_reason_and_inputs() {
    let mut laptop = Laptop::with(&named("igpu-tier1"));
    laptop.create(full()).unwrap();
    let recorded = &laptop.tap.marks::<mark::HybridPresentDecision>()[0];
    assert_eq!(
        (recorded.reason, recorded.scanout_eligible, recorded.static_checked),
        (FallbackReason::CAP, false, false)
    );
    assert_eq!((recorded.render_adapter, recorded.display_adapter), (RENDERS, SHOWS));
    assert_eq!((recorded.payload_bytes, recorded.allocation_bytes), (8_294_400, 8_294_400));
}

#[test]
fn c26_static_checks_are_made_per_configuration_and_never_per_frame() {
    // A rotated panel: a driver that cannot scan out linear rows to it says so at once, and always the same.
    let turned = |turns_linear_planes| {
        let mut profile = named("igpu-tier3");
        profile.overlay = Some(Overlay { turns_linear_planes, ..Overlay::default() });
        Laptop::of(&[profile, named("dgpu")], &[mode(1920, 1080, 90)])
    };
    assert_eq!(turned(false).decided(full()), two(FallbackReason::STATIC_CHECK));
    let mut laptop = turned(true);
    assert_eq!(laptop.decided(full()), ONE_COPY);
    let chain = laptop.create(full()).unwrap();
    laptop.call(&dxgi::ReleaseSwapChain { swap_chain: chain }).unwrap();
    for _ in 0..3 {
        laptop.frame(SwapChainId(1));
        let checks = laptop.tap.started::<dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3>();
        assert!(!checks.is_empty());
        assert!(checks.iter().all(|check| check.check.flags == MultiplaneOverlayFlags::NONE), "{checks:?}");
    }
}

#[test]
fn c26_x16_other_displays_take_of_the_bandwidth_that_a_static_check_goes_by() {
    let mut profile = named("igpu-tier3");
    profile.overlay = Some(Overlay { bandwidth_mb_per_second: 1000, ..Overlay::default() });
    let of = |displays: usize| {
        let all = vec![mode(1920, 1080, 0); displays];
        Laptop::of(&[profile.clone(), named("dgpu")], &all).decided(full())
    };
    // Each display of 1920 by 1080 at 60 Hz uses 497.7 MB/s of scan-out.
    assert_eq!([of(1), of(2), of(3)], [ONE_COPY, ONE_COPY, two(FallbackReason::STATIC_CHECK)]);
}

#[test]
fn c27_static_checks_come_from_the_application_and_the_others_from_the_compositor() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let chain = laptop.create(full()).unwrap();
    let of = |laptop: &Laptop| {
        let checks = laptop.tap.started::<dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3>();
        checks.iter().map(|calls| calls.check.from_application).collect::<Vec<_>>()
    };
    assert_eq!(of(&laptop), [true]);
    laptop.frame(chain);
    assert!(!of(&laptop).is_empty() && of(&laptop).iter().all(|from_application| !from_application));
}

#[test]
fn x10_without_the_static_check_of_wddm_3_0_the_decision_goes_on_unverified() {
    let mut laptop = Laptop::with(&display_driver(WddmVersion::WDDM_2_9, [true; 3]));
    assert_eq!(laptop.decided(full()), ONE_COPY);
    assert!(laptop.tap.started::<dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3>().is_empty());
}

#[test]
fn d01_the_flip_model_has_2_to_16_buffers() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    for buffer_count in 0..20 {
        for swap_effect in [0, 1, 2, 3, 4, 5].map(SwapEffect) {
            let allowed = (2..=16).contains(&buffer_count) && swap_effect.is_flip_model();
            let created = laptop.create(SwapChainDesc { buffer_count, swap_effect, ..full() }).map(drop);
            let expected = if allowed { Ok(()) } else { Err(HResultCode::DXGI_ERROR_INVALID_CALL) };
            assert_eq!(created, expected, "{buffer_count} {swap_effect:?}");
        }
    }
}

#[test]
fn d02_x18_four_of_the_six_formats_are_the_flip_model_s_and_all_six_are_resources() {
    for format in SIX {
        let created = Laptop::with(&named("igpu-tier3")).create(desc(1920, 1080, format)).map(drop);
        let srgb = [Format::R8G8B8A8_UNORM_SRGB, Format::B8G8R8A8_UNORM_SRGB].contains(&format);
        let expected = if srgb { Err(HResultCode::DXGI_ERROR_INVALID_CALL) } else { Ok(()) };
        assert_eq!(created, expected, "{format:?}");
        let primary = PrimaryDesc::new(1920, 1080, format);
        assert!(primary.pitch_bytes.is_multiple_of(128) && primary.allocation_bytes.is_multiple_of(4096), "{format:?}");
    }
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    for format in [Format::UNKNOWN, Format::R10G10B10_XR_BIAS_A2_UNORM] {
        let created = laptop.create(desc(1920, 1080, format));
        assert_eq!(created, Err(HResultCode::DXGI_ERROR_INVALID_CALL), "{format:?}");
    }
}

#[test]
fn d04_intervals_are_0_to_4_and_a_test_presents_nothing() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let chain = laptop.create(full()).unwrap();
    for interval in 0..8 {
        let tested = laptop.present(chain, interval, PresentFlags::TEST);
        let expected = if interval <= 4 { Ok(0) } else { Err(HResultCode::DXGI_ERROR_INVALID_CALL) };
        assert_eq!(tested, expected, "{interval}");
    }
    assert_eq!(laptop.frame(chain)[0].present_count, 1);
}

#[test]
fn d06_a_size_of_0_is_the_window_s() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    for (size, expected) in [((0, 0), FULL), ((0, 480), (1920, 480)), ((640, 0), (640, 1080)), ((5, 6), (5, 6))] {
        laptop.create(desc(size.0, size.1, Format::B8G8R8A8_UNORM)).unwrap();
        let recorded = &laptop.tap.marks::<mark::HybridPresentDecision>()[0];
        assert_eq!((recorded.desc.width, recorded.desc.height), expected, "{size:?}");
    }
}

#[test]
fn d07_presents_are_counted_at_the_call_without_tests_and_refusals() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let chain = laptop.create(full()).unwrap();
    let counts: Vec<_> = (1..4)
        .map(|number| {
            assert_eq!(laptop.present(chain, 0, PresentFlags::TEST), Ok(number - 1));
            assert!(laptop.present(chain, 9, PresentFlags::NONE).is_err());
            assert!(laptop.present(chain, 1, PresentFlags::ALLOW_TEARING).is_err());
            laptop.frame(chain)[0].present_count
        })
        .collect();
    assert_eq!(counts, [1, 2, 3]);
}

#[test]
fn d09_three_frames_are_on_their_way_before_a_present_waits() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let swap_chain = laptop.create(full()).unwrap();
    let mut answers = Vec::new();
    for _ in 0..3 {
        laptop.present(swap_chain, 1, PresentFlags::NONE).unwrap();
        answers.push(laptop.call(&dxgi::FinishPresent1 { swap_chain }).map(drop));
    }
    assert_eq!(answers, [Ok(()), Ok(()), Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING)]);
    laptop.advance(3 * REFRESH_NS).unwrap();
    assert_eq!(laptop.call(&dxgi::FinishPresent1 { swap_chain }).map(drop), Ok(()));
}

#[test]
fn recorded_refreshes_come_in_order_and_frames_are_shown_at_them() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let refresh = |display, refresh_at_ns| machine::RefreshDisplay { display, refresh_at_ns };
    for (display, at_ns, expected) in [
        (0, 5_000_000, NtStatus::SUCCESS),
        (0, 5_000_000, NtStatus::INVALID_PARAMETER),
        (1, 6_000_000, NtStatus::INVALID_PARAMETER),
        (0, 30_000_000, NtStatus::SUCCESS),
    ] {
        assert_eq!(laptop.call(&refresh(display, at_ns)), expected, "{display} {at_ns}");
    }
    let chain = laptop.create(full()).unwrap();
    assert_eq!(laptop.call(&refresh(0, 40_000_000)), NtStatus::INVALID_DEVICE_STATE);
    laptop.advance(6_000_000).unwrap();
    assert_eq!(laptop.frame(chain)[0].ended_at_ns, 30_000_000);
    assert_eq!(laptop.frame(chain)[0].outcome, FrameOutcome::FLIPPED);
}

#[test]
fn time_does_not_run_backwards() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    assert_eq!(laptop.advance(1), Err(HResultCode::DXGI_ERROR_INVALID_CALL), "nothing to simulate yet");
    laptop.create(full()).unwrap();
    laptop.advance(1_000_000).unwrap();
    assert_eq!(laptop.advance(999_999), Err(HResultCode::E_INVALIDARG));
    laptop.advance(1_000_000).unwrap();
}

proptest! {
    #[test]
    fn the_decision_of_any_size_and_format_follows_from_what_the_driver_scans_out(
        width in 1_u32..5000,
        height in 1_u32..3000,
        format in prop::sample::select(&SIX[..]),
        is_bounded in any::<bool>(),
    ) {
        let overlay = Overlay { bandwidth_mb_per_second: u64::MAX / 2, ..Overlay::default() };
        let wide = Overlay { width: 16384, height: 16384, ..overlay.clone() };
        let mut profile = named("igpu-tier3");
        profile.overlay = Some(if is_bounded { overlay } else { wide });
        let mut laptop = Laptop::with(&profile);
        let desc = desc(width, height, format);
        let Ok(_) = laptop.create(desc) else { return Ok(()) };
        let recorded = &laptop.tap.marks::<mark::HybridPresentDecision>()[0];
        let fits = !is_bounded || width <= 1920 && height <= 1080;
        let expected = if fits { ONE_COPY } else { two(FallbackReason::NO_SCANOUT) };
        prop_assert_eq!((recorded.mode, recorded.reason), expected);
        let p = u64::from(width) * u64::from(height) * if format == Format::R16G16B16A16_FLOAT { 8 } else { 4 };
        prop_assert_eq!(recorded.payload_bytes, p);
        prop_assert!(recorded.allocation_bytes >= p && recorded.allocation_bytes.is_multiple_of(4096));
    }
}

//! Tests of displayed frames with two adapters: the grid of the manual test, and rotated panels.

use super::presents::{Laptop, ONE_COPY, REFRESH_NS, desc, full, mode, named, two};
use taut_conformance::{self as conformance, Status, grid_cases, run_grid};
use taut_runtime::{MachineProfile, Overlay, Profile, Revision, Settings, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, DisplayMode, DxgiUsage, FallbackReason, FrameOutcome, MultiplaneOverlayFlags, PresentFlags,
    SwapChainDesc, SwapChainFlags, SwapChainId, SwapChainWindowDesc, WindowState, d3d11, dxgi, dxgi_ddi, dxgkddi, mark,
};

/// Panels of 1920 by 1080 at 60 Hz, above 2K, at 120 Hz or more, and with the driver's maximum bandwidth.
const MODES: [(u32, u32, u64); 4] = [(1920, 1080, 60), (2560, 1600, 60), (1920, 1080, 165), (3840, 2160, 120)];

/// Sync intervals, and whether presents may tear.
const SYNCS: [(u32, bool); 3] = [(0, true), (0, false), (1, false)];

/// One case of the grid.
#[derive(Debug, Clone, Copy)]
struct Case {
    /// Presents from Direct3D 11, or from a command queue of Direct3D 12.
    is_direct3d11: bool,
    mode: (u32, u32, u64),
    format: Format,
    is_largest: bool,
    sync: (u32, bool),
    covers: bool,
}

fn grid() -> Vec<Case> {
    let mut cases = Vec::new();
    for mode in MODES {
        for format in [Format::R16G16B16A16_FLOAT, Format::B8G8R8A8_UNORM] {
            for is_largest in [false, true] {
                for (sync, covers) in SYNCS.into_iter().flat_map(|sync| [(sync, true), (sync, false)]) {
                    let of = |is_direct3d11| Case { is_direct3d11, mode, format, is_largest, sync, covers };
                    cases.extend([false, true].map(of));
                }
            }
        }
    }
    cases
}

impl Case {
    /// Creates a chain in full screen, or in a window that is one pixel narrower than the display.
    fn create(self, laptop: &mut Laptop, desc: SwapChainDesc) -> SwapChainId {
        if !self.is_direct3d11 {
            let (command_queue, covers) = (laptop.queue, self.covers);
            return laptop.call(&dxgi::CreateSwapChainForHwnd { command_queue, desc, display: 0, covers }).unwrap();
        }
        let adapter = AdapterId(2);
        let device11 = d3d11::D3D11CreateDevice { feature_level: 0xb000, adapter, ..Default::default() };
        let device = laptop.call(&device11).unwrap().device.into();
        let (width, height, _) = self.mode;
        let appear =
            dxgi::CreateWindow { client_width: width - 1, client_height: height, display: 0, state: WindowState::NONE };
        let window = laptop.call(&appear).unwrap();
        let usage = DxgiUsage::RENDER_TARGET_OUTPUT;
        let window_desc =
            SwapChainWindowDesc { samples: 1, usage, window, windowed: !self.covers, ..SwapChainWindowDesc::default() };
        laptop
            .call(&dxgi::CreateSwapChain { device, desc, window_desc, has_desc: true, want_swap_chain: true })
            .unwrap()
    }

    /// Returns the path decisions, and the ends of four frames.
    fn shown(self) -> (Vec<mark::HybridPresentDecision>, Vec<mark::FrameEnded>) {
        let (width, height, hertz) = self.mode;
        let panel = DisplayMode { refresh_millihertz: hertz * 1000, ..mode(width, height, 0) };
        let mut laptop = Laptop::of(&[named("igpu-tier3"), named("dgpu")], &[panel]);
        let (interval, tears) = self.sync;
        let (width, height) = if self.is_largest { (width, height) } else { (1920, 1080) };
        let flags = if tears { SwapChainFlags::ALLOW_TEARING } else { SwapChainFlags::NONE };
        let desc = SwapChainDesc { flags, ..desc(width, height, self.format) };
        let swap_chain = self.create(&mut laptop, desc);
        let decisions = laptop.tap.marks();
        let flags = if tears { PresentFlags::ALLOW_TEARING } else { PresentFlags::NONE };
        let mut ended = Vec::new();
        for frame in 1..=4 {
            laptop.call(&dxgi::SimulateWork { swap_chain, cpu_ns: 1_000_000, gpu_ns: 1_000_000 }).unwrap();
            laptop.advance(frame * 4 * REFRESH_NS + 1_000_000).unwrap();
            ended.extend(laptop.tap.marks());
            laptop.call(&dxgi::Present1 { swap_chain, sync_interval: interval, flags }).unwrap();
            laptop.call(&dxgi::FinishPresent1 { swap_chain }).unwrap();
        }
        laptop.advance(60 * REFRESH_NS).unwrap();
        ended.extend(laptop.tap.marks());
        (decisions, ended)
    }
}

/// Grid of the manual test: both interfaces, modes, formats, sizes, intervals, full screen and windowed.
#[test]
fn c20_every_case_of_the_manual_test_takes_one_copy_and_no_scan_out_reads_what_is_still_copied() {
    let cases = grid();
    assert_eq!(cases.len(), 192);
    for case in cases {
        let (decisions, ended) = case.shown();
        let decided: Vec<_> = decisions.iter().map(|decision| (decision.mode, decision.reason)).collect();
        assert_eq!(decided, [ONE_COPY], "{case:?}");
        assert_eq!(ended.len(), 4, "{case:?}: {ended:?}");
        for frame in ended {
            assert!(
                frame.probes > 0 && frame.wrong_probes == 0,
                "what is scanned out is the frame: {case:?} {frame:?}"
            );
            let copied = (frame.copy_2_ended_at_ns, frame.bytes_copied);
            assert_eq!(copied, (0, decisions[0].payload_bytes), "no copy beside the first: {case:?} {frame:?}");
            assert!(frame.copy_1_started_at_ns < frame.copy_1_ended_at_ns, "{case:?} {frame:?}");
            assert!(frame.ended_at_ns >= frame.copy_1_ended_at_ns, "read while it is copied: {case:?} {frame:?}");
            let (_, may_tear) = case.sync;
            let fate = match case.covers {
                true if may_tear => FrameOutcome::TORN,
                true => FrameOutcome::FLIPPED,
                false => FrameOutcome::COMPOSED,
            };
            assert_eq!(frame.outcome, fate, "{case:?} {frame:?}");
        }
    }
}

/// Returns the path of a chain on a rotated panel, and the outcome of its first frame.
fn on_a_turned_panel(display_driver: &str) -> ((taut_schemas::HybridPresentMode, FallbackReason), FrameOutcome) {
    let laptop = || Laptop::of(&[named(display_driver), named("dgpu")], &[mode(1920, 1080, 90)]);
    let decided = laptop().decided(full());
    let mut laptop = laptop();
    let chain = laptop.create(full()).unwrap();
    (decided, laptop.frame(chain)[0].outcome)
}

#[test]
fn c26_a_driver_that_fails_the_static_check_flips_where_one_that_passes_it_composes() {
    let (good, bad) = (on_a_turned_panel("igpu-tier3"), on_a_turned_panel("faulty-unturned"));
    assert_eq!(good, (two(FallbackReason::STATIC_CHECK), FrameOutcome::FLIPPED));
    assert_eq!(bad, (ONE_COPY, FrameOutcome::COMPOSED));
}

#[test]
fn c21_x17_a_static_check_includes_the_desktop_plane_and_a_flip_does_not() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let planes = |laptop: &Laptop| {
        let checks = laptop.tap.started::<dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3>();
        checks.iter().map(|overlay_check| (overlay_check.check.flags, overlay_check.check.planes)).collect::<Vec<_>>()
    };
    let chain = laptop.create(full()).unwrap();
    assert_eq!(planes(&laptop), [(MultiplaneOverlayFlags::STATIC_CHECK, 2)]);
    laptop.frame(chain);
    assert!(!planes(&laptop).is_empty());
    assert!(planes(&laptop).iter().all(|overlay_check| *overlay_check == (MultiplaneOverlayFlags::NONE, 1)));
}

#[test]
fn c22_a_check_that_moves_bandwidth_or_runs_above_passive_level_fails() {
    // 1920 by 1080 at 60 Hz, with 4 bytes a pixel.
    for (name, expected) in [
        ("faulty-raises-bandwidth", "moves 497664000 bytes a second at IRQL 0;"),
        ("faulty-spin-lock", "moves 0 bytes a second at IRQL 2;"),
    ] {
        let outcome = conformance::check("C-22").unwrap().run(&*driver(&named(name)), &Settings::default());
        assert_eq!((outcome.status, outcome.failures), (Status::Fail, outcome.cases), "{name}");
        let what = outcome.first_failure.unwrap().what;
        assert!(what.contains(expected), "{name}: {what}");
    }
}

#[test]
fn c10_c21_and_c26_failures_name_the_error() {
    let failure = |name: &str, id: &str| {
        let outcome = conformance::check(id).unwrap().run(&*driver(&named(name)), &Settings::default());
        assert_eq!(outcome.status, Status::Fail, "{name}");
        (outcome.failures, outcome.cases, outcome.first_failure.unwrap().what)
    };
    // Two of the four sizes are wider than 1,280 pixels, in each of the six formats.
    assert_eq!(failure("faulty-opts-out", "C-10").0, 12);
    // Each of the three flips.
    assert_eq!(failure("faulty-no-flips", "C-10").0, 3);
    assert_eq!(
        failure("faulty-keeps-check", "C-21").2,
        "a frame's plane is supported: true; after a static check: false"
    );
    let wrong_plane = "a static check supports a plane of BC1_UNORM; expected the marked plane to be judged";
    assert_eq!(failure("faulty-wrong-plane", "C-21").2, wrong_plane);
    let by_frames = "a static check answers true, and false once another frame's plane was refused";
    assert_eq!(failure("faulty-depends-on-frames", "C-26").2, by_frames);
    // Each of the three rotations, without and with another display.
    assert_eq!(failure("faulty-unturned", "C-26").0, 6);
    // The second of two planes in three ways.
    assert_eq!(failure("faulty-first-plane", "C-07").0, 3);
    let beyond = "a post composition to a place beyond the display: Ok(true); expected no support";
    assert_eq!(failure("faulty-post-composition", "C-07").2, beyond);
    // Rows have padding in one of three sizes, in each of the six formats.
    let sampled = failure("faulty-sampled-rows", "C-09");
    assert_eq!(sampled.0, 6);
    assert!(
        sampled.2.starts_with("37 by 5 texels in R16G16B16A16_FLOAT: component 0 of row 1, column 0"),
        "{}",
        sampled.2
    );
    let fewer = "D3DKMTQueryAdapterInfo returns tier SCANOUT; expected TEXTURE, that of the caps";
    assert_eq!(failure("faulty-fewer-tiers", "C-03").2, fewer);
    let slow = "pfnQueryDListForApplication2 for game.exe: an answer after 6000000 ns; expected less than 4000000";
    assert_eq!((failure("faulty-slow-dlist", "C-12").0, failure("faulty-slow-dlist", "C-12").2.as_str()), (3, slow));
    assert_eq!(
        failure("faulty-no-primaries", "C-07").2,
        "tier 3 without pfnCreateResource for DXGI; expected it to be given"
    );
}

/// Returns the calls to user-mode drivers about overlays and presents in the last call, with their adapters.
fn overlay_calls(laptop: &Laptop) -> Vec<(&'static str, u64)> {
    let checks = laptop.tap.started::<dxgi_ddi::CheckMultiplaneOverlaySupport>();
    let planes = laptop.tap.started::<dxgi_ddi::PresentMultiplaneOverlay>();
    let presents = laptop.tap.started::<dxgi_ddi::Present1>();
    let checks = checks.iter().map(|call| ("check", call.adapter.0));
    let presents = presents.iter().map(|call| ("present", call.adapter.0));
    checks.chain(presents).chain(planes.iter().map(|call| ("planes", call.adapter.0))).collect()
}

#[test]
fn c07_dxgi_checks_and_presents_through_the_user_mode_drivers_from_revision_6_on() {
    for (revision, is_called) in [(Revision::CHAIN_REFERENCES, false), (Revision::CURRENT, true)] {
        let settings = Settings { revision, ..Settings::default() };
        let mut laptop = Laptop::under(settings, &[named("igpu-tier3"), named("dgpu")], &[mode(1920, 1080, 0)]);
        let expected = |calls: &[(&'static str, u64)]| if is_called { calls.to_vec() } else { Vec::new() };
        let chain = laptop.create(full()).unwrap();
        assert_eq!(overlay_calls(&laptop), expected(&[("check", 1)]), "{revision:?}");
        for check in laptop.tap.started::<dxgi_ddi::CheckMultiplaneOverlaySupport>() {
            let flags: Vec<_> = check.check.planes.iter().map(|plane| (plane.layer_index, plane.flags)).collect();
            assert_eq!(flags, [(0, MultiplaneOverlayFlags::NONE), (1, MultiplaneOverlayFlags::STATIC_CHECK)]);
            assert!(check.check.post_composition.is_empty(), "a static check has no post composition (C-21)");
        }
        laptop.call(&dxgi::SimulateWork { swap_chain: chain, cpu_ns: 1000, gpu_ns: 1000 }).unwrap();
        laptop.advance(1000).unwrap();
        laptop.present(chain, 1, PresentFlags::TEST).unwrap();
        assert_eq!(overlay_calls(&laptop), [], "a test presents nothing");
        laptop.present(chain, 1, PresentFlags::NONE).unwrap();
        assert_eq!(overlay_calls(&laptop), expected(&[("present", 2)]), "{revision:?}");
        laptop.call(&dxgi::FinishPresent1 { swap_chain: chain }).unwrap();
        laptop.advance(10 * REFRESH_NS).unwrap();
        assert_eq!(overlay_calls(&laptop), expected(&[("planes", 1)]), "{revision:?}");
        laptop.present(chain, 1, PresentFlags::NONE).unwrap();
        assert_eq!(overlay_calls(&laptop), [], "the first frame alone");
        laptop.call(&dxgi::FinishPresent1 { swap_chain: chain }).unwrap();
        laptop.advance(20 * REFRESH_NS).unwrap();
        assert_eq!(overlay_calls(&laptop), []);
    }
}

#[test]
fn c07_a_user_mode_driver_that_refuses_the_planes_falls_back_to_two_copies_before_the_kernel_is_queried() {
    let mut single = named("igpu-tier3");
    single.overlay = Some(Overlay { planes: 1, ..Overlay::default() });
    let mut laptop = Laptop::with(&single);
    assert_eq!(laptop.decided(full()), two(FallbackReason::STATIC_CHECK));
    assert_eq!(laptop.tap.started::<dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3>(), []);
    assert_eq!(laptop.tap.stopped::<dxgi_ddi::CheckMultiplaneOverlaySupport>(), [Ok(false)]);
}

#[test]
fn c20_the_grid_of_the_manual_test_passes_on_every_bundled_machine_and_fails_for_a_hidden_copy() {
    for (name, _) in MachineProfile::bundled() {
        let machine = MachineProfile::named(name).unwrap();
        let profiles: Vec<Profile> = machine.adapters.iter().map(|adapter| named(&adapter.driver)).collect();
        let mut reported = 0;
        let results = run_grid(&machine, &profiles, &Settings::default(), &mut |_| reported += 1);
        assert_eq!((results.len() as u64, reported), (grid_cases(&machine), results.len()));
        let faults: Vec<_> = results.iter().filter(|result| result.fault.is_some()).collect();
        assert!(!results.is_empty() && faults.is_empty(), "{name}: {faults:#?}");
        let shown = results.iter().all(|result| result.flipped + result.composed + result.torn == 4);
        assert!(shown, "{name}");
    }
    let laptop = MachineProfile::named("hybrid-laptop").unwrap();
    for (driver, fault) in [("faulty-hidden-copy", "C-20: "), ("faulty-scan-pitch", "C-20: ")] {
        let results = run_grid(&laptop, &[named(driver), named("dgpu")], &Settings::default(), &mut |_| {});
        let faults: Vec<&str> = results.iter().filter_map(|result| result.fault.as_deref()).collect();
        assert!(!faults.is_empty() || driver == "faulty-scan-pitch", "{driver}");
        assert!(faults.iter().all(|found| found.starts_with(fault)), "{driver}: {faults:?}");
    }
}

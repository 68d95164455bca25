//! Tests of displayed frames with two adapters: the grid of the manual test, and rotated panels.

use super::presents::{Laptop, ONE_COPY, REFRESH_NS, desc, full, mode, named, two};
use taut_conformance::{self as conformance, Status};
use taut_runtime::{Settings, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, DisplayMode, DxgiUsage, FallbackReason, FrameOutcome, MultiplaneOverlayFlags, PresentFlags,
    SwapChainDesc, SwapChainFlags, SwapChainId, SwapChainWindowDesc, WindowState, d3d11, dxgi, dxgkddi, mark,
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
    assert_eq!(
        failure("faulty-no-primaries", "C-07").2,
        "tier 3 without pfnCreateResource for DXGI; expected it to be given"
    );
}

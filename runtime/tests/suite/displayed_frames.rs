//! Tests of displayed frames: contents, modes that links cannot carry, mode changes, and Direct3D 9 (rules C-20 and
//! C-28).

use super::presents::{Laptop, ONE_COPY, REFRESH_NS, desc, full, mode, named, two};
use proptest::prelude::*;
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, AdapterParts, DisplayMode, FallbackReason, FrameOutcome, HybridPresentMode, MessageSeverity, NtStatus,
    PresentFlags, SwapChainDesc, SwapChainFlags, SwapChainId, SwapEffect, dxgi, dxgkddi, machine, mark,
};

/// Returns frames of a chain of this size, presented without waiting, on a laptop whose panel has this driver.
fn frames(display_driver: &str, desc: SwapChainDesc, flags: PresentFlags) -> (Laptop, Vec<mark::FrameEnded>) {
    let mut laptop = Laptop::of(&[named(display_driver), named("dgpu")], &[mode(1920, 1080, 0)]);
    let chain = laptop.create(desc).unwrap();
    let mut ended = Vec::new();
    for frame in 1..=6 {
        let work = dxgi::SimulateWork { swap_chain: chain, cpu_ns: 1_000_000, gpu_ns: 700_000 };
        laptop.call(&work).unwrap();
        laptop.advance(frame * 36_300_000).unwrap();
        ended.extend(laptop.tap.marks::<mark::FrameEnded>());
        laptop.present(chain, 0, flags).unwrap();
        laptop.call(&dxgi::FinishPresent1 { swap_chain: chain }).unwrap();
    }
    laptop.advance(30 * REFRESH_NS).unwrap();
    ended.extend(laptop.tap.marks::<mark::FrameEnded>());
    (laptop, ended)
}

#[test]
fn displayed_frames_match_drawn_ones_and_compared_pixels_are_counted() {
    for name in ["igpu-tier3", "igpu-tier1"] {
        for (size, format, probes) in [
            ((1920, 1080), Format::B8G8R8A8_UNORM, 16),
            ((1919, 1079), Format::R16G16B16A16_FLOAT, 16),
            ((333, 77), Format::R16G16B16A16_FLOAT, 333 * 77),
            ((641, 407), Format::R10G10B10A2_UNORM, 641 * 407),
            ((1, 1), Format::R8G8B8A8_UNORM, 1),
        ] {
            let (_, ended) = frames(name, desc(size.0, size.1, format), PresentFlags::NONE);
            assert_eq!(ended.len(), 6);
            for frame in ended {
                let looked = if frame.outcome == FrameOutcome::NEVER_SHOWN { 0 } else { probes };
                let found = (frame.probes, frame.wrong_probes, frame.first_row);
                assert_eq!(found, (looked, 0, 0), "{name} {size:?} {frame:?}");
            }
        }
    }
}

#[test]
fn c20_a_second_copy_or_a_wrong_pitch_shows_wrong_pixels_and_is_reported_once() {
    // 1,366 pixels of 4 bytes leave 40 bytes of padding in each row; 77 rows leave 5 beyond the last eight.
    for (name, size, violations) in [
        ("faulty-hidden-copy", (333, 77), 2),
        ("faulty-hidden-copy", (1366, 767), 2),
        ("faulty-hidden-copy", (1920, 1080), 1),
        ("faulty-scan-pitch", (1366, 768), 1),
        ("faulty-scan-pitch", (333, 77), 1),
        ("faulty-scan-pitch", (1920, 1080), 0),
    ] {
        let mut laptop = Laptop::of(&[named(name), named("dgpu")], &[mode(1920, 1080, 0)]);
        let chain = laptop.create(desc(size.0, size.1, Format::B8G8R8A8_UNORM)).unwrap();
        let mut reported = Vec::new();
        let mut wrong = Vec::new();
        for _ in 0..3 {
            wrong.extend(laptop.frame(chain).iter().map(|frame| frame.wrong_probes > 0));
            reported.extend(laptop.tap.marks::<mark::DriverViolation>());
        }
        assert!(reported.iter().all(|violation| violation.rule == "C-20"), "{reported:?}");
        assert_eq!(reported.len(), violations, "{name} {size:?}: {reported:?}");
        let copied = reported.iter().any(|violation| violation.description.contains("copies"));
        assert_eq!(copied, name == "faulty-hidden-copy");
        let is_seen = violations > usize::from(copied);
        assert_eq!(wrong, [is_seen; 3], "{name} {size:?}");
    }
}

#[test]
fn c20_the_driver_gets_its_plane_with_the_first_scanned_out_frame_only() {
    let planes =
        |laptop: &Laptop| laptop.tap.started::<dxgkddi::DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3>().len();
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let chain = laptop.create(full()).unwrap();
    let reported: Vec<usize> = (0..3)
        .map(|_| {
            laptop.frame(chain);
            planes(&laptop)
        })
        .collect();
    assert_eq!(reported, [1, 0, 0]);
    let mut laptop = Laptop::with(&named("igpu-tier1"));
    let chain = laptop.create(full()).unwrap();
    laptop.frame(chain);
    assert_eq!(planes(&laptop), 0, "in two copies nothing crosses");
}

#[test]
fn tearing_shows_rows_of_two_frames_and_only_where_it_is_allowed() {
    for (tears, allowed) in [(true, SwapChainFlags::ALLOW_TEARING), (false, SwapChainFlags::NONE)] {
        let flags = if tears { PresentFlags::ALLOW_TEARING } else { PresentFlags::NONE };
        let (_, ended) = frames("igpu-tier3", SwapChainDesc { flags: allowed, ..full() }, flags);
        for frame in &ended {
            assert_eq!(frame.outcome == FrameOutcome::TORN, tears, "{frame:?}");
            assert_eq!(frame.wrong_probes, 0);
            let begins = frame.first_row == 0;
            assert!(begins || frame.outcome == FrameOutcome::TORN, "{frame:?}");
            if tears {
                // The first row is proportional to the phase of the refresh.
                let into = frame.ended_at_ns % REFRESH_NS;
                let row = u128::from(into) * 1080 / u128::from(REFRESH_NS);
                assert!(row.abs_diff(u128::from(frame.first_row)) <= 1, "{row} {frame:?}");
            }
        }
        assert_eq!(ended.iter().filter(|frame| frame.first_row > 0).count() > 2, tears, "{ended:?}");
    }
}

/// Creates a laptop with this link bandwidth in bytes per second, and a panel in this mode.
fn on_link(link_bytes_per_second: u64, panel: DisplayMode) -> Laptop {
    let mut laptop = Laptop::of(&[named("igpu-tier3"), named("dgpu")], &[panel]);
    let parts = AdapterParts {
        uses_system_memory: false,
        memory_bytes_per_second: 448_000_000_000,
        link_bytes_per_second,
        copy_engines: 1,
        copy_bytes_per_second: 12_000_000_000,
    };
    let describe = machine::DescribeAdapter { adapter: AdapterId(2), parts };
    assert_eq!(laptop.call(&describe), NtStatus::SUCCESS);
    laptop
}

fn reported(laptop: &Laptop) -> Vec<mark::LinkTooSlow> {
    laptop.tap.marks()
}

#[test]
fn a_mode_beyond_the_link_is_reported_with_the_possible_rate() {
    let panel = DisplayMode { refresh_millihertz: 120_000, ..mode(3840, 2160, 0) };
    let mut laptop = on_link(7_876_923_076, panel);
    let swap_chain = laptop.create(desc(3840, 2160, Format::R16G16B16A16_FLOAT)).unwrap();
    assert_eq!(
        reported(&laptop),
        [mark::LinkTooSlow {
            swap_chain,
            adapter: AdapterId(2),
            needed_bytes_per_second: 7_962_624_000,
            link_bytes_per_second: 7_876_923_076,
            refresh_millihertz: 120_000,
            possible_millihertz: 118_708,
        }]
    );
    let messages = laptop.tap.marks::<mark::DebugMessage>();
    let warned: Vec<_> = messages.iter().map(|message| (message.severity, message.description.as_str())).collect();
    let text = "3840 by 2160 in R16G16B16A16_FLOAT at 120 Hz needs 7.96 GB/s; the link of adapter 2 carries 7.88, which is \
                118.7 Hz.";
    assert_eq!(warned, [(MessageSeverity::WARNING, text)]);
    // Half the bytes, or the reported rate, are possible.
    laptop.create(desc(3840, 2160, Format::B8G8R8A8_UNORM)).unwrap();
    assert_eq!(reported(&laptop), []);
    let slower = DisplayMode { refresh_millihertz: 118_708, ..panel };
    let mut laptop = on_link(7_876_923_076, slower);
    laptop.create(desc(3840, 2160, Format::R16G16B16A16_FLOAT)).unwrap();
    assert_eq!(reported(&laptop), []);
}

#[test]
fn c20_a_mode_that_changes_has_every_chain_on_the_display_decided_about_anew() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let chain = laptop.create(full()).unwrap();
    assert_eq!(laptop.tap.marks::<mark::HybridPresentDecision>().len(), 1);
    let set = |rotation_degrees, hertz: u64| {
        let mode = DisplayMode { refresh_millihertz: hertz * 1000, ..mode(1920, 1080, rotation_degrees) };
        machine::SetDisplayMode { display: 0, mode }
    };
    let decided = |laptop: &mut Laptop, call: machine::SetDisplayMode| {
        assert_eq!(laptop.call(&call), NtStatus::SUCCESS);
        let decisions = laptop.tap.marks::<mark::HybridPresentDecision>();
        decisions.iter().map(|decision| (decision.mode, decision.reason)).collect::<Vec<_>>()
    };
    // A rotated panel cannot scan out linear rows.
    assert_eq!(decided(&mut laptop, set(90, 60)), [two(FallbackReason::STATIC_CHECK)]);
    assert_eq!(laptop.frame(chain)[0].bytes_copied, 2 * 8_294_400);
    assert_eq!(decided(&mut laptop, set(0, 60)), [ONE_COPY]);
    assert_eq!(laptop.frame(chain)[0].bytes_copied, 8_294_400);
    // A rate beyond the overlay's 8,000 MB/s.
    assert_eq!(decided(&mut laptop, set(0, 1000)), [two(FallbackReason::STATIC_CHECK)]);
    let frame = laptop.frame(chain).remove(0);
    assert_eq!(frame.ended_at_ns % 1_000_000, 0, "it is shown at a refresh of the new rate: {frame:?}");
    for call in [machine::SetDisplayMode { display: 1, ..set(0, 60) }, set(0, 0)] {
        assert_eq!(laptop.call(&call), NtStatus::INVALID_PARAMETER);
    }
}

#[test]
fn c24_a_mode_that_changes_with_frames_on_their_way_ends_them_and_leaves_nothing() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let chain = laptop.create(full()).unwrap();
    laptop.present(chain, 1, PresentFlags::NONE).unwrap();
    laptop.call(&dxgi::FinishPresent1 { swap_chain: chain }).unwrap();
    let set = machine::SetDisplayMode { display: 0, mode: mode(1280, 720, 90) };
    assert_eq!(laptop.call(&set), NtStatus::SUCCESS);
    let ended: Vec<_> = laptop.tap.marks::<mark::FrameEnded>().iter().map(|frame| frame.outcome).collect();
    assert_eq!(ended, [FrameOutcome::NEVER_SHOWN]);
    let created = laptop.tap.started::<taut_schemas::dxgi_ddi::CreateResource>().len();
    let gone = laptop.tap.started::<taut_schemas::dxgi_ddi::DestroyResource>();
    let of_panel = gone.iter().filter(|gone| gone.adapter == AdapterId::FIRST).count();
    assert_eq!((created, of_panel), (1, 2), "the old primary and that of the attempt");
    assert_eq!(laptop.frame(chain).len(), 1);
}

/// Creates a Direct3D 9 swap chain on the laptop's discrete adapter.
fn of_direct3d9(laptop: &mut Laptop, adapter: AdapterId, swap_effect: SwapEffect) -> Option<SwapChainId> {
    let desc = SwapChainDesc { swap_effect, ..full() };
    laptop.call(&dxgi::CreateAdditionalSwapChain { adapter, desc, display: 0, covers: true }).ok()
}

#[test]
fn c28_what_direct3d_9_presents_takes_two_copies_whatever_its_effect_and_the_tiers() {
    for name in ["igpu-tier1", "igpu-tier2", "igpu-tier3"] {
        for effect in [SwapEffect::DISCARD, SwapEffect::SEQUENTIAL, SwapEffect::FLIP_SEQUENTIAL] {
            let mut laptop = Laptop::with(&named(name));
            let chain = of_direct3d9(&mut laptop, AdapterId(2), effect).unwrap();
            let decision = laptop.tap.marks::<mark::HybridPresentDecision>().remove(0);
            assert_eq!((decision.mode, decision.reason), two(FallbackReason::DIRECT3D_9), "{name} {effect:?}");
            let frame = laptop.frame(chain).remove(0);
            assert_eq!(frame.bytes_copied, 2 * decision.payload_bytes, "{name} {effect:?}");
            assert!(frame.copy_2_ended_at_ns > frame.copy_1_ended_at_ns);
        }
    }
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    of_direct3d9(&mut laptop, AdapterId::FIRST, SwapEffect::DISCARD).unwrap();
    let decision = laptop.tap.marks::<mark::HybridPresentDecision>().remove(0);
    let same = (HybridPresentMode::NOT_HYBRID, FallbackReason::SAME_ADAPTER);
    assert_eq!((decision.mode, decision.reason), same, "on the panel's own adapter there is no copy");
    assert_eq!(of_direct3d9(&mut laptop, AdapterId(3), SwapEffect::DISCARD), None, "there is no such adapter");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// For any size, format and path: the displayed frame is the drawn one, and tears only where allowed.
    #[test]
    fn every_frame_that_is_shown_is_shown_as_it_was_drawn(
        (width, height) in (1_u32..2500, 1_u32..1500),
        format in prop::sample::select(vec![
            Format::R16G16B16A16_FLOAT,
            Format::R10G10B10A2_UNORM,
            Format::R8G8B8A8_UNORM,
            Format::B8G8R8A8_UNORM,
        ]),
        name in prop::sample::select(vec!["igpu-tier1", "igpu-tier2", "igpu-tier3"]),
        tears: bool,
    ) {
        let allowed = if tears { SwapChainFlags::ALLOW_TEARING } else { SwapChainFlags::NONE };
        let flags = if tears { PresentFlags::ALLOW_TEARING } else { PresentFlags::NONE };
        let (laptop, ended) = frames(name, SwapChainDesc { flags: allowed, ..desc(width, height, format) }, flags);
        prop_assert_eq!(ended.len(), 6);
        for frame in ended {
            prop_assert_eq!(frame.wrong_probes, 0);
            prop_assert_eq!(frame.probes > 0 || frame.first_row > 0, frame.outcome != FrameOutcome::NEVER_SHOWN);
            prop_assert!(frame.first_row < height && (frame.first_row == 0 || frame.outcome == FrameOutcome::TORN));
            prop_assert!(tears || frame.outcome != FrameOutcome::TORN);
        }
        prop_assert!(laptop.tap.marks::<mark::DriverViolation>().is_empty());
    }
}

//! Tests of swap chains from the application's side: buffers, windows, latency, removed adapters (rules D-03, D-05,
//! D-08, D-09, C-20, C-24).

use super::presents::{Laptop, desc, full, mode, named};
use proptest::prelude::*;
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, Call, DxgiUsage, FallbackReason, FrameOutcome, HResult, HResultCode, HybridPresentMode, NtStatus,
    ObjectId, PresentFlags, SwapChainDesc, SwapChainFlags, SwapChainId, SwapChainWindowDesc, SwapEffect, WaitStatus,
    WindowState, d3d11, dxgi, dxgi_ddi, machine, mark,
};

pub(super) const SHOWS: AdapterId = AdapterId::FIRST;
const RENDERS: AdapterId = AdapterId(2);
const REFRESH_NS: u64 = 16_666_667;

/// Creates a window of this size on the first display.
pub(super) fn window(laptop: &mut Laptop, size: (u32, u32)) -> u64 {
    let (client_width, client_height) = size;
    laptop.call(&dxgi::CreateWindow { client_width, client_height, display: 0, state: WindowState::NONE }).unwrap()
}

pub(super) fn window_desc(window: u64) -> SwapChainWindowDesc {
    let usage = DxgiUsage::RENDER_TARGET_OUTPUT;
    SwapChainWindowDesc { samples: 1, usage, window, windowed: true, ..SwapChainWindowDesc::default() }
}

pub(super) fn create_on(
    laptop: &mut Laptop,
    device: ObjectId,
    desc: SwapChainDesc,
    window_desc: SwapChainWindowDesc,
) -> HResult<SwapChainId> {
    laptop.call(&dxgi::CreateSwapChain { device, desc, window_desc, has_desc: true, want_swap_chain: true })
}

/// Creates a chain for a window that covers the display, on the laptop's queue.
fn covering(laptop: &mut Laptop, flags: SwapChainFlags) -> (SwapChainId, u64) {
    let window = window(laptop, (1920, 1080));
    let device = laptop.queue.into();
    (create_on(laptop, device, SwapChainDesc { flags, ..full() }, window_desc(window)).unwrap(), window)
}

/// Creates a Direct3D 11 device on an adapter.
pub(super) fn device11(laptop: &mut Laptop, adapter: AdapterId) -> ObjectId {
    let create = d3d11::D3D11CreateDevice { feature_level: 0xb000, adapter, ..Default::default() };
    laptop.call(&create).unwrap().device.into()
}

fn resize(swap_chain: SwapChainId, size: (u32, u32)) -> dxgi::ResizeBuffers {
    dxgi::ResizeBuffers { swap_chain, width: size.0, height: size.1, ..dxgi::ResizeBuffers::default() }
}

/// Number of live primaries, from the calls in logs.
#[derive(Default)]
struct Primaries(i64);

impl Primaries {
    fn count(&mut self, laptop: &Laptop) {
        self.0 += laptop.tap.started::<dxgi_ddi::CreateResource>().len() as i64;
        let gone = laptop.tap.started::<dxgi_ddi::DestroyResource>();
        self.0 -= gone.iter().filter(|gone| gone.adapter == SHOWS).count() as i64;
    }
}

#[test]
fn d03_the_flip_model_is_not_multisampled() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let number = window(&mut laptop, (1920, 1080));
    for samples in [0, 1, 2, 4, 8] {
        let window_desc = SwapChainWindowDesc { samples, ..window_desc(number) };
        let device = laptop.queue.into();
        let outcome = create_on(&mut laptop, device, full(), window_desc).map(drop);
        let expected = if samples == 1 { Ok(()) } else { Err(HResultCode::DXGI_ERROR_INVALID_CALL) };
        assert_eq!(outcome, expected, "{samples}");
        if samples != 1 {
            let messages = laptop.tap.marks::<mark::DebugMessage>();
            assert!(messages[0].description.contains("D-03"), "{messages:?}");
        }
    }
}

#[test]
fn d05_a_buffer_that_is_referenced_keeps_its_chain_as_it_is() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let (swap_chain, _) = covering(&mut laptop, SwapChainFlags::NONE);
    laptop.call(&dxgi::GetBuffer { swap_chain, buffer: 1 }).unwrap();
    let before = laptop.call(&dxgi::GetSwapChainDesc { swap_chain, want_desc: true });
    assert_eq!(laptop.call(&resize(swap_chain, (640, 480))), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
    assert!(laptop.tap.marks::<mark::HybridPresentDecision>().is_empty(), "nothing is decided");
    assert!(laptop.tap.started::<dxgi_ddi::DestroyResource>().is_empty(), "nothing goes");
    assert_eq!(laptop.call(&dxgi::GetSwapChainDesc { swap_chain, want_desc: true }), before);
    assert_eq!(laptop.call(&dxgi::ReleaseBuffer { swap_chain, buffer: 1 }), Ok(0));
    assert_eq!(laptop.call(&resize(swap_chain, (640, 480))), Ok(()));
    let decisions = laptop.tap.marks::<mark::HybridPresentDecision>();
    assert_eq!((decisions.len(), decisions[0].desc.width, decisions[0].desc.height), (1, 640, 480));
    assert_eq!(laptop.call(&dxgi::GetCurrentBackBufferIndex { swap_chain }), Ok(0));
}

/// Returns the contents of each buffer that an application fills, with presents in between.
fn contents(effect: SwapEffect, on_11: bool, fills: u32) -> Vec<Vec<u32>> {
    let mut laptop = Laptop::of(&[named("igpu-tier3")], &[mode(1920, 1080, 0)]);
    let number = window(&mut laptop, (640, 480));
    let device = if on_11 { device11(&mut laptop, SHOWS) } else { laptop.queue.into() };
    let desc = SwapChainDesc { buffer_count: 3, swap_effect: effect, ..desc(640, 480, Format::B8G8R8A8_UNORM) };
    let swap_chain = create_on(&mut laptop, device, desc, window_desc(number)).unwrap();
    for fill in 0..fills {
        let buffer = laptop.call(&dxgi::GetCurrentBackBufferIndex { swap_chain }).unwrap();
        laptop.call(&dxgi::FillBuffer { swap_chain, buffer, color: vec![fill; 4] }).unwrap();
        laptop.present(swap_chain, 0, PresentFlags::NONE).unwrap();
        laptop.advance(u64::from(fill + 1) * 10 * REFRESH_NS).unwrap();
        laptop.call(&dxgi::FinishPresent1 { swap_chain }).unwrap();
    }
    let discards = matches!(effect, SwapEffect::DISCARD | SwapEffect::FLIP_DISCARD);
    let gettable = if on_11 && discards { 1 } else { 3 };
    assert!(laptop.call(&dxgi::ReadBuffer { swap_chain, buffer: gettable }).is_err());
    (0..gettable).map(|buffer| laptop.call(&dxgi::ReadBuffer { swap_chain, buffer }).unwrap()).collect()
}

#[test]
fn d08_sequential_contents_move_down_by_one_and_discarded_ones_are_undefined() {
    let filled = |fills: &[Option<u32>]| -> Vec<Vec<u32>> {
        fills.iter().map(|fill| fill.map_or(Vec::new(), |fill| vec![fill; 4])).collect()
    };
    for effect in [SwapEffect::SEQUENTIAL, SwapEffect::FLIP_SEQUENTIAL] {
        assert_eq!(contents(effect, true, 1), filled(&[None, None, Some(0)]));
        assert_eq!(contents(effect, true, 2), filled(&[None, Some(0), Some(1)]));
        assert_eq!(contents(effect, true, 5), filled(&[Some(2), Some(3), Some(4)]));
    }
    // On a queue, the index advances instead.
    assert_eq!(contents(SwapEffect::FLIP_SEQUENTIAL, false, 4), filled(&[Some(3), Some(1), Some(2)]));
    assert_eq!(contents(SwapEffect::FLIP_DISCARD, false, 4), filled(&[None, None, None]));
    for effect in [SwapEffect::DISCARD, SwapEffect::FLIP_DISCARD] {
        assert_eq!(contents(effect, true, 2), filled(&[None]));
    }
}

#[test]
fn d09_a_device_s_latency_is_3_by_default_and_at_most_16() {
    let mut laptop = Laptop::of(&[named("igpu-tier3")], &[mode(1920, 1080, 0)]);
    let number = window(&mut laptop, (1920, 1080));
    let device = device11(&mut laptop, SHOWS);
    let id = taut_schemas::D3d11DeviceId(device.0);
    let swap_chain = create_on(&mut laptop, device, full(), window_desc(number)).unwrap();
    for (latency, expected) in [(1, Ok(1)), (16, Ok(16)), (17, Err(16)), (0, Ok(3)), (5, Ok(5))] {
        let set = laptop.call(&dxgi::SetDeviceMaximumFrameLatency { device: id, latency });
        assert_eq!(set.is_ok(), expected.is_ok(), "{latency}");
        let now = laptop.call(&dxgi::GetDeviceMaximumFrameLatency { device: id });
        assert_eq!(now, Ok(expected.unwrap_or_else(|unchanged| unchanged)), "{latency}");
    }
    let mut free = 0;
    while free < 100 && laptop.present(swap_chain, 1, PresentFlags::NONE).is_ok() {
        if laptop.call(&dxgi::FinishPresent1 { swap_chain }).is_err() {
            break;
        }
        free += 1;
    }
    // The fifth frame is in flight, and its Present waits.
    assert_eq!(free, 4);
}

#[test]
fn d09_waiting_for_a_chain_s_object_is_two_inputs_and_time_goes_on_between_them() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let (swap_chain, _) = covering(&mut laptop, SwapChainFlags::FRAME_LATENCY_WAITABLE_OBJECT);
    let handle = laptop.call(&dxgi::GetFrameLatencyWaitableObject { swap_chain }).unwrap();
    let begin = dxgi::BeginWaitForFrameLatency { handle, timeout_ms: 1000 };
    let finish = dxgi::FinishWaitForFrameLatency { handle };
    assert_eq!(laptop.call(&finish), Err(HResultCode::DXGI_ERROR_INVALID_CALL), "no wait has begun");
    assert_eq!(laptop.call(&begin), Ok(WaitStatus::OBJECT_0));
    laptop.present(swap_chain, 1, PresentFlags::NONE).unwrap();
    assert_eq!(laptop.call(&begin), Ok(WaitStatus::PENDING));
    assert_eq!(laptop.call(&finish), Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING));
    laptop.advance(2 * REFRESH_NS).unwrap();
    assert_eq!(laptop.call(&finish), Ok(WaitStatus::OBJECT_0), "a frame was shown");
    // Nothing is presented: the wait times out after a second.
    assert_eq!(laptop.call(&begin), Ok(WaitStatus::PENDING));
    laptop.advance(2 * REFRESH_NS + 999_999_999).unwrap();
    assert_eq!(laptop.call(&finish), Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING));
    laptop.advance(2 * REFRESH_NS + 1_000_000_000).unwrap();
    assert_eq!(laptop.call(&finish), Ok(WaitStatus::TIMEOUT));
    assert_eq!(laptop.call(&dxgi::CloseFrameLatencyWaitableObject { handle }), Ok(()));
    assert_eq!(laptop.call(&begin), Err(HResultCode::E_HANDLE));
}

#[test]
fn c20_moving_a_window_to_another_display_reselects_the_path() {
    // Both displays are on the integrated adapter; the second is rotated, so linear rows cannot be scanned out to it.
    let mut laptop = Laptop::of(&[named("igpu-tier3"), named("dgpu")], &[mode(1920, 1080, 0), mode(1920, 1080, 90)]);
    let (swap_chain, number) = covering(&mut laptop, SwapChainFlags::NONE);
    let first = laptop.tap.marks::<mark::HybridPresentDecision>()[0].clone();
    let mut primaries = Primaries::default();
    primaries.count(&laptop);
    let mut moved = |laptop: &mut Laptop, display| {
        let state = WindowState::NONE;
        let set = dxgi::SetWindow { window: number, client_width: 1920, client_height: 1080, display, state };
        laptop.call(&set).unwrap();
        primaries.count(laptop);
        laptop.tap.marks::<mark::HybridPresentDecision>()
    };
    assert_eq!(moved(&mut laptop, 0), [], "it stays where it is");
    let after_move = moved(&mut laptop, 1);
    assert_eq!((after_move[0].swap_chain, after_move.len()), (swap_chain, 1));
    let turned = (after_move[0].mode, after_move[0].reason);
    assert_eq!(turned, (HybridPresentMode::TWO_COPY_PATH, FallbackReason::STATIC_CHECK));
    assert_eq!(moved(&mut laptop, 0), [first], "the same again gives the same");
    assert_eq!(primaries.0, 1, "C-24: one primary lives");
}

#[test]
fn d04_a_minimised_window_is_occluded_on_direct3d_11_alone() {
    let mut laptop = Laptop::of(&[named("igpu-tier3")], &[mode(1920, 1080, 0)]);
    let number = window(&mut laptop, (640, 480));
    let device = device11(&mut laptop, SHOWS);
    let on_11 = create_on(&mut laptop, device, full(), window_desc(number)).unwrap();
    let queue = laptop.queue.into();
    let on_12 = create_on(&mut laptop, queue, full(), window_desc(number)).unwrap();
    for (state, expected) in [
        (WindowState::COVERED, Ok(())),
        (WindowState::HIDDEN, Ok(())),
        (WindowState::MINIMISED, Err(HResultCode::DXGI_STATUS_OCCLUDED)),
    ] {
        let set = dxgi::SetWindow { window: number, client_width: 640, client_height: 480, display: 0, state };
        laptop.call(&set).unwrap();
        assert_eq!(laptop.present(on_11, 0, PresentFlags::TEST).map(drop), expected, "{state:?}");
        assert_eq!(laptop.present(on_12, 0, PresentFlags::TEST).map(drop), Ok(()), "{state:?}");
    }
    assert_eq!(laptop.call(&dxgi::GetLastPresentCount { swap_chain: on_11 }), Ok(0));
}

#[test]
fn the_blt_model_is_composed_whatever_its_window_covers() {
    let mut laptop = Laptop::of(&[named("igpu-tier3")], &[mode(1920, 1080, 0)]);
    let number = window(&mut laptop, (1920, 1080));
    let device = device11(&mut laptop, SHOWS);
    let desc = SwapChainDesc { swap_effect: SwapEffect::DISCARD, ..full() };
    let chain = create_on(&mut laptop, device, desc, window_desc(number)).unwrap();
    assert_eq!(laptop.frame(chain).iter().map(|frame| frame.outcome).collect::<Vec<_>>(), [FrameOutcome::COMPOSED]);
}

#[test]
fn a_display_adapter_that_goes_ends_every_frame_and_leaves_nothing_alive() {
    for left in [SHOWS, RENDERS] {
        let mut laptop = Laptop::with(&named("igpu-tier3"));
        let (swap_chain, _) = covering(&mut laptop, SwapChainFlags::NONE);
        let mut created = laptop.tap.started::<dxgi_ddi::CreateResource>().len();
        assert_eq!(created, 1);
        for _ in 0..2 {
            laptop.present(swap_chain, 1, PresentFlags::NONE).unwrap();
            laptop.call(&dxgi::FinishPresent1 { swap_chain }).unwrap();
        }
        assert_eq!(laptop.call(&machine::StopAdapter { adapter: left }), NtStatus::SUCCESS);
        let ends = laptop.tap.marks::<mark::FrameEnded>();
        let decisions: Vec<_> = ends.iter().map(|end| (end.present_count, end.outcome)).collect();
        assert_eq!(decisions, [(1, FrameOutcome::NEVER_SHOWN), (2, FrameOutcome::NEVER_SHOWN)]);
        // Objects on the remaining adapter are destroyed; the other adapter is removed with all of its own.
        let gone: Vec<_> = laptop.tap.started::<dxgi_ddi::DestroyResource>().iter().map(|gone| gone.adapter).collect();
        assert_eq!(gone, [if left == SHOWS { RENDERS } else { SHOWS }]);
        created -= 1;
        assert_eq!(created, 0);
        let second_present = laptop.present(swap_chain, 1, PresentFlags::NONE);
        assert_eq!(second_present, Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED));
        assert_eq!(laptop.call(&resize(swap_chain, (640, 480))), Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED));
        laptop.advance(10 * REFRESH_NS).unwrap();
        assert!(laptop.tap.marks::<mark::FrameEnded>().is_empty(), "each frame ends once");
        assert_eq!(laptop.call(&dxgi::ReleaseSwapChain { swap_chain }), Ok(()));
        assert!(laptop.tap.started::<dxgi_ddi::DestroyResource>().is_empty());
    }
}

#[test]
fn sizes_beyond_any_format_are_refused() {
    let mut laptop = Laptop::with(&named("igpu-tier3"));
    let (swap_chain, _) = covering(&mut laptop, SwapChainFlags::NONE);
    for size in [(16385, 1), (1, 16385), (u32::MAX, u32::MAX)] {
        assert_eq!(laptop.call(&resize(swap_chain, size)), Err(HResultCode::DXGI_ERROR_INVALID_CALL), "{size:?}");
        let outcome = laptop.create(desc(size.0, size.1, Format::B8G8R8A8_UNORM)).map(drop);
        assert_eq!(outcome, Err(HResultCode::DXGI_ERROR_INVALID_CALL), "{size:?}");
    }
}

#[test]
fn every_code_that_these_calls_give_has_a_name() {
    let codes = [
        HResultCode::DXGI_STATUS_OCCLUDED,
        HResultCode::DXGI_ERROR_WAS_STILL_DRAWING,
        HResultCode::DXGI_ERROR_INVALID_CALL,
        HResultCode::DXGI_ERROR_DEVICE_REMOVED,
        HResultCode::DXGI_ERROR_NOT_FOUND,
        HResultCode::DXGI_ERROR_NOT_CURRENTLY_AVAILABLE,
        HResultCode::E_INVALIDARG,
        HResultCode::E_HANDLE,
    ];
    assert_eq!(codes.map(|code| code.name().is_some()), [true; 8]);
    assert_eq!(format!("{:?}", HResultCode(0x087a_0001)), "DXGI_STATUS_OCCLUDED");
}

/// Operation of an application on its window and swap chain.
#[derive(Debug, Clone)]
enum Step {
    Present(u32, bool),
    Advance(u64),
    Resize(u32, u32, u32),
    Window(u32, u32, u32, u32),
    FullScreen(bool),
    Latency(u32),
    Buffer(u32, bool),
    Wait,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0_u32..6, any::<bool>()).prop_map(|(interval, test)| Step::Present(interval, test)),
        4 => (0_u64..40_000_000).prop_map(Step::Advance),
        1 => (0_u32..18, 0_u32..2000, 0_u32..1200).prop_map(|(count, width, height)| Step::Resize(count, width, height)),
        1 => (0_u32..2000, 0_u32..1200, 0_u32..3, 0_u32..8).prop_map(|(w, h, on, state)| Step::Window(w, h, on, state)),
        1 => any::<bool>().prop_map(Step::FullScreen),
        1 => (0_u32..18).prop_map(Step::Latency),
        1 => (0_u32..4, any::<bool>()).prop_map(|(buffer, release)| Step::Buffer(buffer, release)),
        1 => Just(Step::Wait),
    ];
    proptest::collection::vec(step, 1..40)
}

/// Runs a program. Returns all events and results, ended frames, counted presents, and live primaries.
fn run(steps: &[Step], waitable: bool) -> (Vec<String>, Vec<u64>, u64, i64) {
    let mut laptop = Laptop::of(&[named("igpu-tier3"), named("dgpu")], &[mode(1920, 1080, 0), mode(1920, 1080, 90)]);
    let flags = if waitable { SwapChainFlags::FRAME_LATENCY_WAITABLE_OBJECT } else { SwapChainFlags::NONE };
    let (swap_chain, number) = covering(&mut laptop, flags);
    let mut primaries = Primaries::default();
    primaries.count(&laptop);
    let handle = laptop.call(&dxgi::GetFrameLatencyWaitableObject { swap_chain }).unwrap();
    let (mut messages, mut ended, mut now_ns) = (Vec::new(), Vec::new(), 0);
    for step in steps {
        let answer = match *step {
            Step::Present(sync_interval, test) => {
                let flags = if test { PresentFlags::TEST } else { PresentFlags::NONE };
                format!("{:?}", laptop.call(&dxgi::Present1 { swap_chain, sync_interval, flags }))
            }
            Step::Advance(by_ns) => {
                now_ns += by_ns;
                format!("{:?}", laptop.advance(now_ns))
            }
            Step::Resize(buffer_count, width, height) => {
                let resize = dxgi::ResizeBuffers { buffer_count, flags, ..resize(swap_chain, (width, height)) };
                format!("{:?}", laptop.call(&resize))
            }
            Step::Window(client_width, client_height, display, state) => {
                let state = WindowState(state);
                let set = dxgi::SetWindow { window: number, client_width, client_height, display, state };
                format!("{:?}", laptop.call(&set))
            }
            Step::FullScreen(fullscreen) => {
                format!("{:?}", laptop.call(&dxgi::SetFullscreenState { swap_chain, fullscreen }))
            }
            Step::Latency(latency) => {
                format!("{:?}", laptop.call(&dxgi::SetMaximumFrameLatency { swap_chain, latency }))
            }
            Step::Buffer(buffer, true) => format!("{:?}", laptop.call(&dxgi::ReleaseBuffer { swap_chain, buffer })),
            Step::Buffer(buffer, false) => format!("{:?}", laptop.call(&dxgi::GetBuffer { swap_chain, buffer })),
            Step::Wait => {
                format!("{:?}", laptop.call(&dxgi::BeginWaitForFrameLatency { handle, timeout_ms: 0 }))
            }
        };
        ended.extend(laptop.tap.marks::<mark::FrameEnded>().iter().map(|end| end.present_count));
        primaries.count(&laptop);
        messages.push(format!("{answer} {:?}", laptop.tap.events));
        let finished = laptop.call(&dxgi::FinishPresent1 { swap_chain });
        messages.push(format!("{finished:?}"));
    }
    let presented = laptop.call(&dxgi::GetLastPresentCount { swap_chain }).unwrap();
    laptop.call(&dxgi::ReleaseSwapChain { swap_chain }).unwrap();
    ended.extend(laptop.tap.marks::<mark::FrameEnded>().iter().map(|end| end.present_count));
    primaries.count(&laptop);
    (messages, ended, presented, primaries.0)
}

proptest! {
    #[test]
    fn any_program_of_a_swap_chain_runs_the_same_twice_and_ends_every_frame_once(
        steps in steps(),
        waitable in any::<bool>(),
    ) {
        let (messages, mut ended, presented, primaries) = run(&steps, waitable);
        prop_assert_eq!(&run(&steps, waitable).0, &messages);
        ended.sort_unstable();
        prop_assert_eq!(ended, (1..=presented).collect::<Vec<_>>());
        prop_assert_eq!(primaries, 0, "nothing stays alive");
    }
}

#[test]
fn the_calls_of_swap_chains_are_named_as_the_headers_name_them() {
    assert_eq!((dxgi::ResizeBuffers::NAME, dxgi::GetBuffer::NAME), ("ResizeBuffers", "GetBuffer"));
}

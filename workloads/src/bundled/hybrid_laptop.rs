//! Workload of a game on a machine whose display can be attached to another adapter than the rendering adapter.

use super::adapter_queries::{AdapterQuery, query_adapter, start_application};
use super::concurrent_programs::{ConcurrentPrograms, Program};
use super::error::WorkloadError;
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::presented_game::{Game, chain_desc, size};
use super::presented_machine::PresentedMachine;
use super::refusal::required;
use super::renderer::create_queue;
use super::steps::Steps;
use super::workload::{Scenario, Workload};
use taut_capture::{Caller, Callers};
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, Call, CommandQueueId, DeviceId, KmtQueryAdapterInfoType, NtStatus, SwapChainDesc, SwapChainFlags, d3d12,
    dxgi,
};

/// Game on a laptop's panel.
pub struct HybridLaptop;

/// MinimumFeatureLevel of the device: 11_0 (d3dcommon.h: D3D_FEATURE_LEVEL).
pub(super) const MINIMUM_FEATURE_LEVEL: u32 = 0xb000;
/// Sizes of swap chain and panel.
const SIZES: &[&str] = &["2560x1600", "1280x720", "1366x768", "1920x1080", "2560x1440", "3440x1440", "3840x2160"];
/// Formats that the flip model supports.
const FORMATS: &[&str] = &["B8G8R8A8_UNORM", "R8G8B8A8_UNORM", "R10G10B10A2_UNORM", "R16G16B16A16_FLOAT"];

/// Parameters of a game in simulated time.
pub(super) const GAME: [Parameter; 10] = [
    Parameter::number("seed", 1, 0, u64::MAX, "decides the variation of frame times"),
    Parameter::SINGLE_THREADED,
    Parameter::word("size", SIZES, "size of the swap chain and of the panel's mode"),
    Parameter::number("fps", 165, 1, 1000, "frames per second of the game, and refresh rate of the panel"),
    Parameter::number("frames", 1650, 1, 100_000_000, "frames presented"),
    Parameter::word("format", FORMATS, "format of the swap chain"),
    Parameter::number("interval", 1, 0, 4, "SyncInterval"),
    Parameter::word("tearing", &["off", "on"], "frames may be displayed in the middle of a refresh; needs interval=0"),
    Parameter::number("gpu_us", 0, 0, 1_000_000, "GPU time of a frame in µs; 0: half of the frame time"),
    Parameter::number("spread_percent", 10, 0, 100, "maximum deviation of a frame's GPU time, in percent"),
];

/// Parameter for a second program next to the game.
const BROWSER: Parameter = Parameter::word(
    "browser",
    &["off", "on"],
    "a browser window covers a quarter of the game's window; the display adapter draws it 60 times per second",
);
/// Parameter for queries before the device is created.
const QUERIES: Parameter = Parameter::word(
    "queries",
    &["off", "on"],
    "the game queries tier and WDDM 1.3 caps of each adapter, and DXGI the list of applications, before the device",
);
const PARAMETERS: [Parameter; 12] = {
    let [seed, plays, size, fps, frames, format, interval, tearing, gpu_us, spread] = GAME;
    [seed, plays, size, fps, frames, format, interval, tearing, gpu_us, spread, BROWSER, QUERIES]
};
/// Program of the game, by which DXGI queries the list of applications.
const PROGRAM: &str = "game.exe";
/// Duration of a browser's frame, in nanoseconds.
const BROWSER_FRAME_NS: u64 = 1_000_000_000 / 60;

impl Scenario for HybridLaptop {
    const WORKLOAD: Workload = Workload {
        name: "hybrid-laptop",
        description: "A game on a laptop with the panel on the integrated adapter; the discrete adapter renders. Its \
                      frames take one or two copies, in simulated time. A browser window may be visible too.",
        driver: "igpu-tier3+dgpu",
        parameters: &PARAMETERS,
        refused: &[dxgi::FinishPresent1::NAME],
        short: &[("frames", "40")],
    };

    const MACHINE: Option<&'static str> = Some("hybrid-laptop");

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let has_browser = parameters.word("browser") == "on";
        let ((mut game, device), machine) = in_phase(caller, 0, "setup", |caller| {
            let size = size(parameters.word("size"));
            let machine = PresentedMachine::new(callers.machine(), size, parameters.get("fps") * 1000);
            machine.describe(caller)?;
            if parameters.word("queries") == "on" {
                query_adapters(caller, machine.adapters())?;
            }
            let (device, queue) = device_of(caller, machine.render_adapter())?;
            let game = if has_browser { Game::under_another } else { Game::new };
            Ok(((game(caller, queue, parameters, 0)?, device), machine))
        })?;
        let frames = parameters.get("frames");
        if !has_browser {
            in_phase(caller, 1, "play", |caller| game.play(caller, frames))?;
            return in_phase(caller, 2, "leave", |caller| {
                game.leave(caller)?;
                required("ReleaseDevice", caller.release_device(device))
            });
        }
        let (mut concurrent_programs, of_browser) = in_phase(caller, 1, "play", |caller| {
            let mut concurrent_programs = ConcurrentPrograms::new(caller, game)?;
            let (of_browser, browser) = browser(caller, machine.display_adapter(), parameters)?;
            concurrent_programs.programs.push(Program::new(caller, browser)?);
            concurrent_programs.play(caller, frames)?;
            Ok((concurrent_programs, of_browser))
        })?;
        in_phase(caller, 2, "leave", |caller| {
            concurrent_programs.leave(caller)?;
            required("ReleaseDevice", caller.release_device(of_browser))?;
            required("ReleaseDevice", caller.release_device(device))
        })
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames"))
    }
}

/// Queries tier and WDDM 1.3 caps of each adapter, and starts the game's process. The game renders on the adapter without
/// the panel in any case.
fn query_adapters<K: Caller>(caller: &mut K, adapters: usize) -> Result<(), WorkloadError> {
    let types = [KmtQueryAdapterInfoType::CROSSADAPTERRESOURCE_SUPPORT, KmtQueryAdapterInfoType::WDDM_1_3_CAPS];
    for (adapter, info_type) in AdapterId::first(adapters).flat_map(|adapter| types.map(|one| (adapter, one))) {
        let (size_bytes, status, value) = (4, NtStatus::SUCCESS, None);
        query_adapter(caller, AdapterQuery { adapter, info_type, size_bytes, status, value })?;
    }
    start_application(caller, PROGRAM, None).map(drop)
}

/// Creates a device on an adapter, and a queue.
fn device_of<K: Caller>(caller: &mut K, adapter: AdapterId) -> Result<(DeviceId, CommandQueueId), WorkloadError> {
    let create = d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, adapter };
    let device = required("CreateDevice", caller.call(create))?;
    Ok((device, create_queue(caller, device)?))
}

/// Creates a browser on an adapter: half as wide and high as the game, 8 bits per channel, with a sixteenth of each
/// frame on the GPU.
fn browser<K: Caller>(
    caller: &mut K,
    adapter: AdapterId,
    parameters: &Parameters,
) -> Result<(DeviceId, Game), WorkloadError> {
    let (device, command_queue) = device_of(caller, adapter)?;
    let game = chain_desc(parameters);
    let desc = SwapChainDesc {
        width: (game.width / 2).max(1),
        height: (game.height / 2).max(1),
        format: Format::B8G8R8A8_UNORM,
        flags: SwapChainFlags::NONE,
        ..game
    };
    let create = dxgi::CreateSwapChainForHwnd { command_queue, desc, display: 0, covers: false };
    let swap_chain = required("CreateSwapChainForHwnd", caller.call(create))?;
    let browser = Game::of_chain(command_queue, swap_chain, parameters, 0).without_tearing();
    Ok((device, browser.at_pace(BROWSER_FRAME_NS, BROWSER_FRAME_NS / 16)))
}

//! A game on a machine whose display may hang on another adapter than the one that renders.

use super::error::WorkloadError;
use super::go_on::go_on;
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::presented_machine::PresentedMachine;
use super::random::Random;
use super::refusal::required;
use super::renderer::{create_queue, release_queue};
use super::steps::Steps;
use super::table::{Scenario, Workload};
use crate::caller::{Caller, Callers};
use taut_schemas::format::Format;
use taut_schemas::{
    Call, CommandQueueId, HResultCode, PresentFlags, SwapChainDesc, SwapChainFlags, SwapChainId, SwapEffect, d3d12,
    dxgi, machine,
};

/// A game in front of a panel.
pub struct HybridLaptop;

/// MinimumFeatureLevel of the device: 11_0 (d3dcommon.h: D3D_FEATURE_LEVEL).
const MINIMUM_FEATURE_LEVEL: u32 = 0xb000;
/// Sizes of swap chain and panel.
const SIZES: &[&str] = &["2560x1600", "1280x720", "1366x768", "1920x1080", "2560x1440", "3440x1440", "3840x2160"];
/// Formats of the flip model.
const FORMATS: &[&str] = &["B8G8R8A8_UNORM", "R8G8B8A8_UNORM", "R10G10B10A2_UNORM", "R16G16B16A16_FLOAT"];
const NS_PER_SECOND: u64 = 1_000_000_000;
/// How long the last frames may take.
const LAST_FRAMES_NS: u64 = 10 * NS_PER_SECOND;

impl Scenario for HybridLaptop {
    const WORKLOAD: Workload = Workload {
        name: "hybrid-laptop",
        description: "A game on a laptop whose panel hangs on the integrated adapter while the discrete one renders: its \
                      frames cross over in one copy or two, in simulated time.",
        driver: "igpu-tier3+dgpu",
        parameters: &[
            Parameter::number("seed", 1, (0, u64::MAX), "decides how far each frame's costs are from the others'"),
            Parameter::ONE_PLAYS,
            Parameter::word("size", SIZES, "size of the swap chain and of the panel's mode"),
            Parameter::number("fps", 165, (1, 1000), "frames a second of the game and refreshes of the panel"),
            Parameter::number("frames", 1650, (1, 100_000_000), "frames presented"),
            Parameter::word("format", FORMATS, "format of the swap chain"),
            Parameter::number("interval", 1, (0, 4), "SyncInterval"),
            Parameter::word(
                "tearing",
                &["off", "on"],
                "frames may be shown in the middle of a refresh; needs interval 0",
            ),
            Parameter::number(
                "gpu_us",
                0,
                (0, 1_000_000),
                "time of a frame on the graphics engine; 0 is half of its time",
            ),
            Parameter::number("spread_percent", 10, (0, 100), "how far a frame's costs may be from that"),
        ],
        refused: &[dxgi::FinishPresent1::NAME],
        short: &[("frames", "40")],
    };

    const MACHINE: Option<&'static str> = Some("hybrid-laptop");

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let (mut game, device) = in_phase(caller, (0, "setup"), |caller| {
            let size = size(parameters.word("size"));
            let machine = PresentedMachine::of(callers.machine(), size, parameters.get("fps") * 1000);
            machine.describe(caller)?;
            let create =
                d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, adapter: machine.renders() };
            let device = required("CreateDevice", caller.call(create))?;
            let queue = create_queue(caller, device)?;
            Ok((Game::new(caller, queue, parameters, size)?, device))
        })?;
        in_phase(caller, (1, "play"), |caller| game.play(caller, parameters.get("frames")))?;
        in_phase(caller, (2, "leave"), |caller| {
            game.leave(caller)?;
            required("ReleaseDevice", caller.release_device(device))
        })
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames"))
    }
}

fn size(word: &str) -> (u32, u32) {
    let number = |text: &str| text.parse().unwrap_or_default();
    word.split_once('x').map_or((0, 0), |(width, height)| (number(width), number(height)))
}

/// The game: what its frames cost, and where they go.
struct Game {
    queue: CommandQueueId,
    swap_chain: SwapChainId,
    random: Random,
    frame_ns: u64,
    gpu_ns: u64,
    spread_percent: u64,
    interval: u32,
    flags: PresentFlags,
    now_ns: u64,
}

impl Game {
    fn new<K: Caller>(
        caller: &mut K,
        queue: CommandQueueId,
        parameters: &Parameters,
        (width, height): (u32, u32),
    ) -> Result<Game, WorkloadError> {
        let interval = parameters.count("interval");
        let tears = parameters.word("tearing") == "on" && interval == 0;
        let desc = SwapChainDesc {
            width,
            height,
            format: Format::parse(parameters.word("format")).unwrap_or_default(),
            buffer_count: 3,
            swap_effect: SwapEffect::FLIP_DISCARD,
            flags: if tears { SwapChainFlags::ALLOW_TEARING } else { SwapChainFlags::NONE },
        };
        let create = dxgi::CreateSwapChainForHwnd { command_queue: queue, desc, display: 0, covers: true };
        let swap_chain = required("CreateSwapChainForHwnd", caller.call(create))?;
        let frame_ns = NS_PER_SECOND / parameters.get("fps").max(1);
        let gpu_ns = match parameters.get("gpu_us") {
            0 => frame_ns / 2,
            microseconds => microseconds * 1000,
        };
        Ok(Game {
            queue,
            swap_chain,
            random: Random::new(parameters.get("seed"), 0),
            frame_ns,
            gpu_ns,
            spread_percent: parameters.get("spread_percent"),
            interval,
            flags: if tears { PresentFlags::ALLOW_TEARING } else { PresentFlags::NONE },
            now_ns: 0,
        })
    }

    /// A cost around another, as far from it as costs may be.
    fn around(&mut self, ns: u64) -> u64 {
        let spread = ns / 100 * self.spread_percent;
        ns - spread + self.random.below(2 * spread + 1)
    }

    fn play<K: Caller>(&mut self, caller: &mut K, frames: u64) -> Result<(), WorkloadError> {
        for _ in 0..frames {
            go_on(caller)?;
            let (cpu_ns, gpu_ns) = (self.around(self.frame_ns), self.around(self.gpu_ns));
            let work = dxgi::SimulateWork { swap_chain: self.swap_chain, cpu_ns, gpu_ns };
            let until_ns = required("SimulateWork", caller.call(work))?;
            self.advance(caller, until_ns)?;
            let (swap_chain, sync_interval, flags) = (self.swap_chain, self.interval, self.flags);
            required("Present1", caller.call(dxgi::Present1 { swap_chain, sync_interval, flags }))?;
            self.wait_until_presented(caller)?;
            caller.step_done();
        }
        Ok(())
    }

    /// Time goes on; gives when something happens next.
    fn advance<K: Caller>(&mut self, caller: &mut K, until_at_ns: u64) -> Result<u64, WorkloadError> {
        let next = required("AdvanceSimulation", caller.call(machine::AdvanceSimulation { until_at_ns }))?;
        self.now_ns = until_at_ns;
        Ok(next)
    }

    /// Present1 comes back once few enough frames are on their way.
    fn wait_until_presented<K: Caller>(&mut self, caller: &mut K) -> Result<(), WorkloadError> {
        let finish = dxgi::FinishPresent1 { swap_chain: self.swap_chain };
        let mut next = None;
        loop {
            match caller.call(finish.clone()) {
                Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING) => {
                    let until_ns = next.map_or_else(|| self.advance(caller, self.now_ns), Ok)?;
                    next = Some(self.advance(caller, until_ns)?);
                }
                finished => return required("FinishPresent1", finished).map(drop),
            }
        }
    }

    fn leave<K: Caller>(&mut self, caller: &mut K) -> Result<(), WorkloadError> {
        let until_ns = self.now_ns + LAST_FRAMES_NS;
        let mut next = self.advance(caller, self.now_ns)?;
        while next < until_ns {
            next = self.advance(caller, next)?;
        }
        let release = dxgi::ReleaseSwapChain { swap_chain: self.swap_chain };
        required("ReleaseSwapChain", caller.call(release))?;
        release_queue(caller, self.queue)
    }
}

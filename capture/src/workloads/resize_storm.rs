//! A game whose window is dragged: its buffers are replaced again and again.

use super::error::WorkloadError;
use super::go_on::go_on;
use super::hybrid_laptop::{GAME, HybridLaptop, MINIMUM_FEATURE_LEVEL};
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::presented_game::{Game, chain_desc, size};
use super::presented_machine::PresentedMachine;
use super::random::Random;
use super::refusal::required;
use super::renderer::create_queue;
use super::steps::Steps;
use super::table::{Scenario, Workload};
use crate::caller::{Caller, Callers};
use taut_schemas::format::Format;
use taut_schemas::{Call, HResultCode, SwapChainDesc, d3d12, dxgi};

/// ResizeBuffers in a storm.
pub struct ResizeStorm;

const EVERY: Parameter = Parameter::number("every", 4, (1, 1_000_000), "frames from one ResizeBuffers to the next");
const REFERENCED: Parameter = Parameter::number(
    "referenced_percent",
    25,
    (0, 100),
    "of these, how many find a buffer that somebody still references",
);
const PARAMETERS: [Parameter; 12] = {
    let [seed, plays, size, fps, frames, format, interval, tearing, gpu_us, spread] = GAME;
    [seed, plays, size, fps, frames, format, interval, tearing, gpu_us, spread, EVERY, REFERENCED]
};
/// The smallest side that a window is dragged to.
const LEAST_SIDE: u64 = 64;

impl Scenario for ResizeStorm {
    const WORKLOAD: Workload = Workload {
        name: "resize-storm",
        description: "The game of hybrid-laptop, its window dragged: ResizeBuffers every few frames, each deciding anew how \
                      frames come to the display. Where a buffer is still referenced it is refused, and nothing is decided.",
        parameters: &PARAMETERS,
        refused: &[dxgi::FinishPresent1::NAME, dxgi::ResizeBuffers::NAME],
        ..HybridLaptop::WORKLOAD
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
            Ok((Game::new(caller, queue, parameters, 0)?, device))
        })?;
        in_phase(caller, (1, "drag"), |caller| {
            let mut window = Dragged::new(parameters);
            let (mut left, every) = (parameters.get("frames"), parameters.get("every"));
            while left > 0 {
                go_on(caller)?;
                let frames = left.min(every);
                game.play(caller, frames)?;
                window.resize(caller, &game)?;
                left -= frames;
            }
            Ok(())
        })?;
        in_phase(caller, (2, "leave"), |caller| {
            game.leave(caller)?;
            required("ReleaseDevice", caller.release_device(device))
        })
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames"))
    }
}

/// The window, and what its game makes of each new size.
struct Dragged {
    random: Random,
    greatest: SwapChainDesc,
    referenced_percent: u64,
}

impl Dragged {
    fn new(parameters: &Parameters) -> Dragged {
        Dragged {
            random: Random::new(parameters.get("seed"), u32::MAX),
            greatest: chain_desc(parameters),
            referenced_percent: parameters.get("referenced_percent"),
        }
    }

    /// A size that the window is dragged to, and so many buffers; now and then 0, which is the window's own.
    fn next(&mut self, swap_chain: taut_schemas::SwapChainId) -> dxgi::ResizeBuffers {
        let mut side = |greatest: u32| {
            let least = LEAST_SIDE.min(greatest.into());
            (least + self.random.below(u64::from(greatest) - least + 1)) as u32
        };
        let (width, height) = (side(self.greatest.width), side(self.greatest.height));
        let whole = self.random.once_in(4);
        let (width, height) = if whole { (0, 0) } else { (width, height) };
        let buffer_count = [0, 2, 3, 4][self.random.below(4) as usize];
        let flags = self.greatest.flags;
        dxgi::ResizeBuffers { swap_chain, buffer_count, width, height, format: Format::UNKNOWN, flags }
    }

    /// ResizeBuffers; where somebody still has a buffer, once in vain before.
    fn resize<K: Caller>(&mut self, caller: &mut K, game: &Game) -> Result<(), WorkloadError> {
        let swap_chain = game.swap_chain;
        let resize = self.next(swap_chain);
        if self.random.below(100) < self.referenced_percent {
            let buffer = 0;
            required("GetBuffer", caller.call(dxgi::GetBuffer { swap_chain, buffer }))?;
            match caller.call(resize.clone()) {
                Err(HResultCode::DXGI_ERROR_INVALID_CALL) => {}
                Err(hr) => return Err(WorkloadError::Refused { call: dxgi::ResizeBuffers::NAME, hr }),
                Ok(()) => return Err(WorkloadError::Granted { call: dxgi::ResizeBuffers::NAME }),
            }
            required("ReleaseBuffer", caller.call(dxgi::ReleaseBuffer { swap_chain, buffer }))?;
        }
        required("ResizeBuffers", caller.call(resize))
    }
}

//! Workload of a game whose window is resized continuously, which replaces its buffers.

use super::check_interrupted::check_interrupted;
use super::error::WorkloadError;
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
use super::workload::{Scenario, Workload};
use taut_capture::{Caller, Callers};
use taut_schemas::format::Format;
use taut_schemas::{Call, HResultCode, SwapChainDesc, d3d12, dxgi};

/// Frequent calls of ResizeBuffers.
pub struct ResizeStorm;

const EVERY: Parameter = Parameter::number("every", 4, 1, 1_000_000, "frames between two calls of ResizeBuffers");
const REFERENCED: Parameter = Parameter::number(
    "referenced_percent",
    25,
    0,
    100,
    "percentage of these calls during which a buffer is still referenced",
);
const PARAMETERS: [Parameter; 12] = {
    let [seed, plays, size, fps, frames, format, interval, tearing, gpu_us, spread] = GAME;
    [seed, plays, size, fps, frames, format, interval, tearing, gpu_us, spread, EVERY, REFERENCED]
};
/// Minimum side of a window in pixels.
const MIN_SIDE: u64 = 64;

impl Scenario for ResizeStorm {
    const WORKLOAD: Workload = Workload {
        name: "resize-storm",
        description: "The game of hybrid-laptop while its window is resized: it calls ResizeBuffers every few frames, \
                      and each call selects the present path again. The call fails while a buffer is still \
                      referenced, and then selects no path.",
        parameters: &PARAMETERS,
        refused: &[dxgi::FinishPresent1::NAME, dxgi::ResizeBuffers::NAME],
        ..HybridLaptop::WORKLOAD
    };

    const MACHINE: Option<&'static str> = Some("hybrid-laptop");

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let (mut game, device) = in_phase(caller, 0, "setup", |caller| {
            let size = size(parameters.word("size"));
            let machine = PresentedMachine::new(callers.machine(), size, parameters.get("fps") * 1000);
            machine.describe(caller)?;
            let create =
                d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, adapter: machine.render_adapter() };
            let device = required("CreateDevice", caller.call(create))?;
            let queue = create_queue(caller, device)?;
            Ok((Game::new(caller, queue, parameters, 0)?, device))
        })?;
        in_phase(caller, 1, "drag", |caller| {
            let mut window = Dragged::new(parameters);
            let (mut left, every) = (parameters.get("frames"), parameters.get("every"));
            while left > 0 {
                check_interrupted(caller)?;
                let frames = left.min(every);
                game.play(caller, frames)?;
                window.resize(caller, &game)?;
                left -= frames;
            }
            Ok(())
        })?;
        in_phase(caller, 2, "leave", |caller| {
            game.leave(caller)?;
            required("ReleaseDevice", caller.release_device(device))
        })
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames"))
    }
}

/// Window with the source of its new sizes.
struct Dragged {
    random: Random,
    max_size: SwapChainDesc,
    referenced_percent: u64,
}

impl Dragged {
    fn new(parameters: &Parameters) -> Dragged {
        Dragged {
            random: Random::new(parameters.get("seed"), u32::MAX),
            max_size: chain_desc(parameters),
            referenced_percent: parameters.get("referenced_percent"),
        }
    }

    /// Returns a random size and buffer count; sometimes 0, which means the window's own size.
    fn next(&mut self, swap_chain: taut_schemas::SwapChainId) -> dxgi::ResizeBuffers {
        let mut side = |max_size: u32| {
            let min_side = MIN_SIDE.min(max_size.into());
            (min_side + self.random.below(u64::from(max_size) - min_side + 1)) as u32
        };
        let (width, height) = (side(self.max_size.width), side(self.max_size.height));
        let whole = self.random.once_in(4);
        let (width, height) = if whole { (0, 0) } else { (width, height) };
        let buffer_count = [0, 2, 3, 4][self.random.below(4) as usize];
        let flags = self.max_size.flags;
        dxgi::ResizeBuffers { swap_chain, buffer_count, width, height, format: Format::UNKNOWN, flags }
    }

    /// Calls ResizeBuffers; if a buffer is referenced, a call that must fail comes first.
    fn resize<K: Caller>(&mut self, caller: &mut K, game: &Game) -> Result<(), WorkloadError> {
        let swap_chain = game.swap_chain;
        let resize = self.next(swap_chain);
        if self.random.below(100) < self.referenced_percent {
            let buffer = 0;
            required("GetBuffer", caller.call(dxgi::GetBuffer { swap_chain, buffer }))?;
            match caller.call(resize.clone()) {
                Err(HResultCode::DXGI_ERROR_INVALID_CALL) => {}
                Err(hr) => return Err(WorkloadError::CallFailed { call: dxgi::ResizeBuffers::NAME, hr }),
                Ok(()) => return Err(WorkloadError::UnexpectedSuccess { call: dxgi::ResizeBuffers::NAME }),
            }
            required("ReleaseBuffer", caller.call(dxgi::ReleaseBuffer { swap_chain, buffer }))?;
        }
        required("ResizeBuffers", caller.call(resize))
    }
}

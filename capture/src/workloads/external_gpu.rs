//! A game on an adapter that is plugged in and pulled out.

use super::error::WorkloadError;
use super::hybrid_laptop::{GAME, HybridLaptop, MINIMUM_FEATURE_LEVEL};
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::presented_game::{Game, size};
use super::presented_machine::PresentedMachine;
use super::refusal::required;
use super::renderer::create_queue;
use super::steps::Steps;
use super::table::{Scenario, Workload};
use crate::caller::{Caller, Callers};
use taut_schemas::{AdapterId, Call, DeviceId, HResultCode, d3d12, dxgi};

/// An adapter in a box outside: it appears, renders for the panel, and goes with frames on their way.
pub struct ExternalGpu;

const LEAVES: Parameter = Parameter::word(
    "leaves",
    &["render", "display"],
    "which adapter goes while frames are on their way; the display's comes back",
);
const PARAMETERS: [Parameter; 11] = {
    let [seed, plays, size, fps, frames, format, interval, tearing, gpu_us, spread] = GAME;
    [seed, plays, size, fps, frames, format, interval, tearing, gpu_us, spread, LEAVES]
};

impl Scenario for ExternalGpu {
    const WORKLOAD: Workload = Workload {
        name: "external-gpu",
        description: "A game that moves to an adapter outside once that is plugged in, and back when it is pulled out: \
                      frames on their way end, Present1 answers DXGI_ERROR_DEVICE_REMOVED, and nothing stays. (On a \
                      machine with one adapter there is none to plug in.)",
        parameters: &PARAMETERS,
        refused: &[dxgi::FinishPresent1::NAME, dxgi::Present1::NAME],
        ..HybridLaptop::WORKLOAD
    };

    const MACHINE: Option<&'static str> = Some("external-gpu");

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let size = size(parameters.word("size"));
        let machine = PresentedMachine::of(callers.machine(), size, parameters.get("fps") * 1000);
        let (inside, outside) = (machine.shows(), machine.renders());
        in_phase(caller, (0, "setup"), |caller| {
            machine.describe_parts(caller)?;
            machine.start(caller, inside)?;
            machine.displays().iter().try_for_each(|display| machine.connect(caller, display))
        })?;
        let frames = parameters.get("frames");
        let (before, with) = if inside == outside { (frames, 0) } else { (frames / 4, frames / 2) };
        let mut now_ns = in_phase(caller, (1, "before"), |caller| {
            let mut seat = Seat::take(caller, inside, parameters, 0)?;
            seat.game.play(caller, before)?;
            seat.leave(caller)
        })?;
        if inside == outside {
            return Ok(());
        }
        let mut seat = in_phase(caller, (2, "plugged in"), |caller| {
            machine.start(caller, outside)?;
            let mut seat = Seat::take(caller, outside, parameters, now_ns)?;
            seat.game.play(caller, with)?;
            Ok(seat)
        })?;
        now_ns = in_phase(caller, (3, "pulled out"), |caller| {
            let leaves = if parameters.word("leaves") == "display" { inside } else { outside };
            // Frames are on their way: the last Present1 came back before its frame was shown.
            machine.stop(caller, leaves)?;
            match seat.game.present(caller) {
                Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED) => {}
                Err(hr) => return Err(WorkloadError::Refused { call: dxgi::Present1::NAME, hr }),
                Ok(_) => return Err(WorkloadError::Granted { call: dxgi::Present1::NAME }),
            }
            let now_ns = seat.go(caller)?;
            if leaves == inside {
                machine.start(caller, inside)?;
            }
            Ok(now_ns)
        })?;
        in_phase(caller, (4, "after"), |caller| {
            let mut seat = Seat::take(caller, inside, parameters, now_ns)?;
            seat.game.play(caller, frames - before - with)?;
            seat.leave(caller).map(drop)
        })
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames"))
    }
}

/// The game on one adapter.
struct Seat {
    device: DeviceId,
    game: Game,
}

impl Seat {
    fn take<K: Caller>(
        caller: &mut K,
        adapter: AdapterId,
        parameters: &Parameters,
        now_ns: u64,
    ) -> Result<Seat, WorkloadError> {
        let create = d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, adapter };
        let device = required("CreateDevice", caller.call(create))?;
        let queue = create_queue(caller, device)?;
        Ok(Seat { device, game: Game::new(caller, queue, parameters, now_ns)? })
    }

    /// The last frames are shown, and everything is released; gives the time.
    fn leave<K: Caller>(mut self, caller: &mut K) -> Result<u64, WorkloadError> {
        self.game.show_the_rest(caller)?;
        self.go(caller)
    }

    /// Everything is released at once; gives the time.
    fn go<K: Caller>(mut self, caller: &mut K) -> Result<u64, WorkloadError> {
        self.game.release(caller)?;
        required("ReleaseDevice", caller.release_device(self.device))?;
        Ok(self.game.now_ns)
    }
}

//! Workload of a game on an external adapter that is plugged in and pulled out.

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
use super::workload::{Scenario, Workload};
use taut_capture::{Caller, Callers};
use taut_schemas::{AdapterId, Call, DeviceId, HResultCode, d3d12, dxgi};

/// External adapter that is plugged in, renders for the panel, and is removed while frames are queued.
pub struct ExternalGpu;

const LEAVES: Parameter = Parameter::word(
    "leaves",
    &["render", "display"],
    "adapter that is removed while frames are in flight; the display adapter returns later",
);
const PARAMETERS: [Parameter; 11] = {
    let [seed, plays, size, fps, frames, format, interval, tearing, gpu_us, spread] = GAME;
    [seed, plays, size, fps, frames, format, interval, tearing, gpu_us, spread, LEAVES]
};

impl Scenario for ExternalGpu {
    const WORKLOAD: Workload = Workload {
        name: "external-gpu",
        description: "A game that moves to an external adapter when it is plugged in, and back when it is unplugged: \
                      frames in flight end, Present1 returns DXGI_ERROR_DEVICE_REMOVED, and no object leaks. (On a \
                      machine with one adapter, nothing is plugged in.)",
        parameters: &PARAMETERS,
        refused: &[dxgi::FinishPresent1::NAME, dxgi::Present1::NAME],
        ..HybridLaptop::WORKLOAD
    };

    const MACHINE: Option<&'static str> = Some("external-gpu");

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let size = size(parameters.word("size"));
        let machine = PresentedMachine::new(callers.machine(), size, parameters.get("fps") * 1000);
        let (inside, outside) = (machine.display_adapter(), machine.render_adapter());
        in_phase(caller, 0, "setup", |caller| {
            machine.describe_parts(caller)?;
            machine.start(caller, inside)?;
            machine.displays().iter().try_for_each(|display| machine.connect(caller, display))
        })?;
        let frames = parameters.get("frames");
        let (before, with) = if inside == outside { (frames, 0) } else { (frames / 4, frames / 2) };
        let mut now_ns = in_phase(caller, 1, "before", |caller| {
            let mut game_on_adapter = GameOnAdapter::take(caller, inside, parameters, 0)?;
            game_on_adapter.game.play(caller, before)?;
            game_on_adapter.leave(caller)
        })?;
        if inside == outside {
            return Ok(());
        }
        let mut game_on_adapter = in_phase(caller, 2, "plugged in", |caller| {
            machine.start(caller, outside)?;
            let mut game_on_adapter = GameOnAdapter::take(caller, outside, parameters, now_ns)?;
            game_on_adapter.game.play(caller, with)?;
            Ok(game_on_adapter)
        })?;
        now_ns = in_phase(caller, 3, "pulled out", |caller| {
            let leaves = if parameters.word("leaves") == "display" { inside } else { outside };
            // Frames are still queued: the last Present1 returned before its frame was shown.
            machine.stop(caller, leaves)?;
            match game_on_adapter.game.present(caller) {
                Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED) => {}
                Err(hr) => return Err(WorkloadError::CallFailed { call: dxgi::Present1::NAME, hr }),
                Ok(_) => return Err(WorkloadError::UnexpectedSuccess { call: dxgi::Present1::NAME }),
            }
            let now_ns = game_on_adapter.go(caller)?;
            if leaves == inside {
                machine.start(caller, inside)?;
            }
            Ok(now_ns)
        })?;
        in_phase(caller, 4, "after", |caller| {
            let mut game_on_adapter = GameOnAdapter::take(caller, inside, parameters, now_ns)?;
            game_on_adapter.game.play(caller, frames - before - with)?;
            game_on_adapter.leave(caller).map(drop)
        })
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames"))
    }
}

/// Game with its device on one adapter.
struct GameOnAdapter {
    device: DeviceId,
    game: Game,
}

impl GameOnAdapter {
    fn take<K: Caller>(
        caller: &mut K,
        adapter: AdapterId,
        parameters: &Parameters,
        now_ns: u64,
    ) -> Result<GameOnAdapter, WorkloadError> {
        let create = d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, adapter };
        let device = required("CreateDevice", caller.call(create))?;
        let queue = create_queue(caller, device)?;
        Ok(GameOnAdapter { device, game: Game::new(caller, queue, parameters, now_ns)? })
    }

    /// Displays the last frames and releases all objects; returns the time in nanoseconds.
    fn leave<K: Caller>(mut self, caller: &mut K) -> Result<u64, WorkloadError> {
        self.game.show_the_rest(caller)?;
        self.go(caller)
    }

    /// Releases all objects immediately; returns the time in nanoseconds.
    fn go<K: Caller>(mut self, caller: &mut K) -> Result<u64, WorkloadError> {
        self.game.release(caller)?;
        required("ReleaseDevice", caller.release_device(self.device))?;
        Ok(self.game.now_ns)
    }
}

//! A game, and videos on displays that are added while it is played.

use super::error::WorkloadError;
use super::hybrid_laptop::{GAME, HybridLaptop, MINIMUM_FEATURE_LEVEL};
use super::parameters::Parameters;
use super::phase::in_phase;
use super::presented_game::{Game, chain_desc, size};
use super::presented_machine::PresentedMachine;
use super::refusal::required;
use super::renderer::create_queue;
use super::room::{Player, Room};
use super::steps::Steps;
use super::table::{Scenario, Workload};
use crate::caller::{Caller, Callers};
use taut_runtime::Display;
use taut_schemas::{Call, DeviceId, SwapChainDesc, d3d12, dxgi};

/// Displays are added one after another, and bandwidth runs out.
pub struct MultipleDisplays;

const MILLIHERTZ_NS: u64 = 1_000_000_000_000;

impl Scenario for MultipleDisplays {
    const WORKLOAD: Workload = Workload {
        name: "multiple-displays",
        description: "The game of hybrid-laptop, and displays that are added one after another, each with a video as large \
                      as it is: scan-out takes more and more bandwidth, until one copy is no longer promised.",
        parameters: &GAME,
        refused: &[dxgi::FinishPresent1::NAME],
        ..HybridLaptop::WORKLOAD
    };

    const MACHINE: Option<&'static str> = Some("docked-laptop");

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let size = size(parameters.word("size"));
        let machine = PresentedMachine::of(callers.machine(), size, parameters.get("fps") * 1000);
        let (mut room, device) = in_phase(caller, (0, "setup"), |caller| {
            machine.describe_before_displays(caller)?;
            let create =
                d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, adapter: machine.renders() };
            let device = required("CreateDevice", caller.call(create))?;
            if let Some(first) = machine.displays().first() {
                machine.connect(caller, first)?;
            }
            let queue = create_queue(caller, device)?;
            let game = Game::new(caller, queue, parameters, 0)?;
            Ok((Room::of(caller, game)?, device))
        })?;
        let parts = machine.displays().len().max(1) as u64;
        let frames = parameters.get("frames");
        in_phase(caller, (1, "play"), |caller| {
            for part in 0..parts {
                if let Some(display) = machine.displays().get(part as usize).filter(|_| part > 0) {
                    machine.connect(caller, display)?;
                    watch(&mut room, caller, device, (part as u32, display), parameters)?;
                }
                room.play(caller, frames * (part + 1) / parts - frames * part / parts)?;
            }
            Ok(())
        })?;
        in_phase(caller, (2, "leave"), |caller| {
            room.leave(caller)?;
            required("ReleaseDevice", caller.release_device(device))
        })
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames"))
    }
}

/// A video begins, as large as its display and as often as that is refreshed.
fn watch<K: Caller>(
    room: &mut Room,
    caller: &mut K,
    device: DeviceId,
    (number, display): (u32, &Display),
    parameters: &Parameters,
) -> Result<(), WorkloadError> {
    let command_queue = create_queue(caller, device)?;
    let desc = SwapChainDesc { width: display.width, height: display.height, ..chain_desc(parameters) };
    let create = dxgi::CreateSwapChainForHwnd { command_queue, desc, display: number, covers: true };
    let swap_chain = required("CreateSwapChainForHwnd", caller.call(create))?;
    let frame_ns = MILLIHERTZ_NS / display.refresh_millihertz.max(1);
    let game = Game::of_chain(command_queue, swap_chain, parameters, room.now_ns).at_pace(frame_ns, frame_ns / 16);
    room.players.push(Player::new(caller, game)?);
    Ok(())
}

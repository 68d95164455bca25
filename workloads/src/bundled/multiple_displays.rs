//! Workload of a game, with videos on displays that are connected while it runs.

use super::concurrent_programs::{ConcurrentPrograms, Program};
use super::error::WorkloadError;
use super::hybrid_laptop::{GAME, HybridLaptop, MINIMUM_FEATURE_LEVEL};
use super::parameters::Parameters;
use super::phase::in_phase;
use super::presented_game::{Game, chain_desc, size};
use super::presented_machine::PresentedMachine;
use super::refusal::required;
use super::renderer::create_queue;
use super::steps::Steps;
use super::workload::{Scenario, Workload};
use taut_capture::{Caller, Callers};
use taut_runtime::Display;
use taut_schemas::{Call, DeviceId, SwapChainDesc, d3d12, dxgi};

/// Displays that are connected one after another until bandwidth is exhausted.
pub struct MultipleDisplays;

// Period of 1 mHz in nanoseconds: divided by a rate in mHz it gives the period of a frame.
const MILLIHERTZ_NS: u64 = 1_000_000_000_000;

impl Scenario for MultipleDisplays {
    const WORKLOAD: Workload = Workload {
        name: "multiple-displays",
        description: "The game of hybrid-laptop with displays that are added one after another, each with a \
                      full-screen video: scan-out needs more and more bandwidth, until the static check no longer \
                      allows one copy.",
        parameters: &GAME,
        refused: &[dxgi::FinishPresent1::NAME],
        ..HybridLaptop::WORKLOAD
    };

    const MACHINE: Option<&'static str> = Some("docked-laptop");

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let size = size(parameters.word("size"));
        let machine = PresentedMachine::new(callers.machine(), size, parameters.get("fps") * 1000);
        let (mut concurrent_programs, device) = in_phase(caller, 0, "setup", |caller| {
            machine.describe_before_displays(caller)?;
            let create =
                d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, adapter: machine.render_adapter() };
            let device = required("CreateDevice", caller.call(create))?;
            if let Some(first) = machine.displays().first() {
                machine.connect(caller, first)?;
            }
            let queue = create_queue(caller, device)?;
            let game = Game::new(caller, queue, parameters, 0)?;
            Ok((ConcurrentPrograms::new(caller, game)?, device))
        })?;
        let parts = machine.displays().len().max(1) as u64;
        let frames = parameters.get("frames");
        in_phase(caller, 1, "play", |caller| {
            for part in 0..parts {
                if let Some(display) = machine.displays().get(part as usize).filter(|_| part > 0) {
                    machine.connect(caller, display)?;
                    watch(
                        &mut concurrent_programs,
                        caller,
                        device,
                        NumberedDisplay { number: part as u32, display },
                        parameters,
                    )?;
                }
                concurrent_programs.play(caller, frames * (part + 1) / parts - frames * part / parts)?;
            }
            Ok(())
        })?;
        in_phase(caller, 2, "leave", |caller| {
            concurrent_programs.leave(caller)?;
            required("ReleaseDevice", caller.release_device(device))
        })
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames"))
    }
}

/// Display with its number.
struct NumberedDisplay<'d> {
    number: u32,
    display: &'d Display,
}

/// Starts a video with the size and refresh rate of its display.
fn watch<K: Caller>(
    concurrent_programs: &mut ConcurrentPrograms,
    caller: &mut K,
    device: DeviceId,
    display: NumberedDisplay<'_>,
    parameters: &Parameters,
) -> Result<(), WorkloadError> {
    let NumberedDisplay { number, display } = display;
    let command_queue = create_queue(caller, device)?;
    let desc = SwapChainDesc { width: display.width, height: display.height, ..chain_desc(parameters) };
    let create = dxgi::CreateSwapChainForHwnd { command_queue, desc, display: number, covers: true };
    let swap_chain = required("CreateSwapChainForHwnd", caller.call(create))?;
    let frame_ns = MILLIHERTZ_NS / display.refresh_millihertz.max(1);
    let game = Game::of_chain(command_queue, swap_chain, parameters, concurrent_programs.now_ns)
        .at_pace(frame_ns, frame_ns / 16);
    concurrent_programs.programs.push(Program::new(caller, game)?);
    Ok(())
}

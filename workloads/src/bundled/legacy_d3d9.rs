//! Workload of a Direct3D 9 game, whose frames always reach another adapter's display in two copies.

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
use taut_schemas::format::Format;
use taut_schemas::{SwapChainDesc, SwapChainFlags, SwapEffect, d3d12, dxgi};

/// Game of `hybrid-laptop`, presented through an older interface (rule C-28).
pub struct LegacyD3d9;

impl Scenario for LegacyD3d9 {
    const WORKLOAD: Workload = Workload {
        name: "legacy-d3d9",
        description: "The game of hybrid-laptop on Direct3D 9: its frames take two copies with any display adapter. \
                      (Direct3D 9 has neither 16-bit float formats nor tearing: such formats become 8 bits per \
                      channel.)",
        parameters: &GAME,
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
            let adapter = machine.render_adapter();
            let create = d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, adapter };
            let device = required("CreateDevice", caller.call(create))?;
            let queue = create_queue(caller, device)?;
            let requested = chain_desc(parameters);
            let of_its_own = [Format::B8G8R8A8_UNORM, Format::R8G8B8A8_UNORM, Format::R10G10B10A2_UNORM];
            let desc = SwapChainDesc {
                format: if of_its_own.contains(&requested.format) { requested.format } else { Format::B8G8R8A8_UNORM },
                swap_effect: SwapEffect::FLIP_SEQUENTIAL,
                flags: SwapChainFlags::NONE,
                ..requested
            };
            let create = dxgi::CreateAdditionalSwapChain { adapter, desc, display: 0, covers: true };
            let swap_chain = required("CreateAdditionalSwapChain", caller.call(create))?;
            Ok((Game::of_chain(queue, swap_chain, parameters, 0).without_tearing(), device))
        })?;
        in_phase(caller, 1, "play", |caller| game.play(caller, parameters.get("frames")))?;
        in_phase(caller, 2, "leave", |caller| {
            game.leave(caller)?;
            required("ReleaseDevice", caller.release_device(device))
        })
    }

    fn steps(parameters: &Parameters) -> Steps {
        HybridLaptop::steps(parameters)
    }
}

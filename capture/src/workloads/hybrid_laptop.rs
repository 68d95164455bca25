//! A game on a machine whose display may hang on another adapter than the one that renders.

use super::error::WorkloadError;
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
use taut_schemas::{Call, d3d12, dxgi};

/// A game in front of a panel.
pub struct HybridLaptop;

/// MinimumFeatureLevel of the device: 11_0 (d3dcommon.h: D3D_FEATURE_LEVEL).
pub(super) const MINIMUM_FEATURE_LEVEL: u32 = 0xb000;
/// Sizes of swap chain and panel.
const SIZES: &[&str] = &["2560x1600", "1280x720", "1366x768", "1920x1080", "2560x1440", "3440x1440", "3840x2160"];
/// Formats of the flip model.
const FORMATS: &[&str] = &["B8G8R8A8_UNORM", "R8G8B8A8_UNORM", "R10G10B10A2_UNORM", "R16G16B16A16_FLOAT"];

/// What a game in simulated time can be told.
pub(super) const GAME: [Parameter; 10] = [
    Parameter::number("seed", 1, (0, u64::MAX), "decides how far each frame's costs are from the others'"),
    Parameter::ONE_PLAYS,
    Parameter::word("size", SIZES, "size of the swap chain and of the panel's mode"),
    Parameter::number("fps", 165, (1, 1000), "frames a second of the game and refreshes of the panel"),
    Parameter::number("frames", 1650, (1, 100_000_000), "frames presented"),
    Parameter::word("format", FORMATS, "format of the swap chain"),
    Parameter::number("interval", 1, (0, 4), "SyncInterval"),
    Parameter::word("tearing", &["off", "on"], "frames may be shown in the middle of a refresh; needs interval 0"),
    Parameter::number("gpu_us", 0, (0, 1_000_000), "time of a frame on the graphics engine; 0 is half of its time"),
    Parameter::number("spread_percent", 10, (0, 100), "how far a frame's costs may be from that"),
];

impl Scenario for HybridLaptop {
    const WORKLOAD: Workload = Workload {
        name: "hybrid-laptop",
        description: "A game on a laptop whose panel hangs on the integrated adapter while the discrete one renders: its \
                      frames cross over in one copy or two, in simulated time.",
        driver: "igpu-tier3+dgpu",
        parameters: &GAME,
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
            Ok((Game::new(caller, queue, parameters, 0)?, device))
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

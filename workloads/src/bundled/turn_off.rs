//! Workload of a developer who disables background work, "trading performance for determinism": the first usage of the
//! document "Background shader optimizations" (scenario S1).

use super::drawing_device::DrawingDevice;
use super::error::WorkloadError;
use super::mode::{NULL, set_developer_mode, try_mode};
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::steps::Steps;
use super::workload::{Scenario, Workload};
use taut_capture::{Caller, Callers};
use taut_schemas::{BackgroundProcessingMode as Mode, Call, HResultCode, MeasurementsAction as Action, d3d12};

/// Background work that is disabled while tasks run.
pub struct TurnOff;

impl Scenario for TurnOff {
    const WORKLOAD: Workload = Workload {
        name: "turn-off",
        description: "A developer disables background work while tasks are running: these tasks end, and no further \
                      task starts. Without developer mode the call fails, and the game continues with background \
                      work.",
        driver: "reference",
        parameters: &[
            Parameter::word(
                "developer_mode",
                &["on", "off"],
                "developer mode of the system, which this background processing mode needs",
            ),
            Parameter::UNUSED_SEED,
            Parameter::SINGLE_THREADED,
            Parameter::number("before", 64, 0, 1_000_000, "frames before the call, with intrusive measurements"),
            Parameter::number("after", 64, 0, 1_000_000, "frames after the call"),
            Parameter::SHADER,
            Parameter::number("draws", 4, 1, 10_000, "draws of each shader in a frame"),
        ],
        refused: &[d3d12::SetBackgroundProcessingMode::NAME],
        short: &[("before", "6"), ("draws", "52"), ("after", "2")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let allowed = parameters.word("developer_mode") == "on";
        let mut drawing = in_phase(caller, 0, "setup", |caller| {
            set_developer_mode(caller, allowed)?;
            DrawingDevice::set_up(caller, parameters)
        })?;
        in_phase(caller, 1, "before", |caller| {
            // This mode is allowed on all systems, and many measurements lead to many tasks.
            drawing.set(caller, Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL, NULL)?;
            drawing.fly_through(caller, parameters.get("before"))
        })?;
        in_phase(caller, 2, "turn off", |caller| turn_off(caller, &drawing, allowed))?;
        in_phase(caller, 3, "after", |caller| drawing.fly_through(caller, parameters.get("after")))?;
        drawing.leave(caller)
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("before").saturating_add(parameters.get("after")))
    }
}

/// Calls `SetBackgroundProcessingMode(DISABLE_BACKGROUND_WORK, KEEP_ALL, null, null)`.
fn turn_off<C: Caller>(caller: &mut C, drawing: &DrawingDevice, allowed: bool) -> Result<(), WorkloadError> {
    let set = try_mode(caller, drawing.device, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, NULL);
    let call = d3d12::SetBackgroundProcessingMode::NAME;
    match set {
        Ok(_) if allowed => Ok(()),
        Ok(_) => Err(WorkloadError::UnexpectedSuccess { call }),
        // Which error is returned depends on a setting; a removed device is a failure of the workload.
        Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED) => {
            Err(WorkloadError::CallFailed { call, hr: HResultCode::DXGI_ERROR_DEVICE_REMOVED })
        }
        Err(_) if !allowed => Ok(()),
        Err(hr) => Err(WorkloadError::CallFailed { call, hr }),
    }
}

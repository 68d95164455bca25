//! Workload of a tool that waits for a steady state that is never reached, because the constants keep changing.

use super::drawing_device::DrawingDevice;
use super::error::WorkloadError;
use super::event::wait;
use super::mode::{ModeEvent, NULL};
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::steps::Steps;
use super::workload::{Scenario, Workload};
use taut_capture::Callers;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action};

/// Maximum wait in milliseconds for the end of a commit.
const MAX_WAIT_MS: u32 = 60_000;

/// Constants that never settle.
pub struct NeverConverges;

impl Scenario for NeverConverges {
    const WORKLOAD: Workload = Workload {
        name: "never-converges",
        description: "Every pass draws with new constants and commits: the driver finds new specialisations each \
                      time, and desires further measurements until the limit of passes. (With the driver \
                      faulty-never-converges, no workload that queries the driver converges.)",
        driver: "reference",
        parameters: &[
            Parameter::UNUSED_SEED,
            Parameter::SINGLE_THREADED,
            Parameter::number("passes", 16, 1, 100_000, "maximum number of passes"),
            Parameter::SHADER,
            Parameter::number("draws", 160, 1, 10_000, "draws of each shader in a pass"),
        ],
        refused: &[],
        short: &[("passes", "3")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let mut drawing = in_phase(caller, 0, "setup", |caller| DrawingDevice::set_up(caller, parameters))?;
        in_phase(caller, 1, "converge", |caller| {
            for pass in 0..parameters.get("passes") {
                let action = if pass == 0 { Action::DISCARD_PREVIOUS } else { Action::KEEP_ALL };
                drawing.set(caller, Mode::ALLOW_INTRUSIVE_MEASUREMENTS, action, NULL)?;
                drawing.fly_through(caller, 1)?;
                drawing.drain(caller)?;
                let desired = drawing.set(
                    caller,
                    Mode::ALLOWED,
                    Action::COMMIT_RESULTS,
                    ModeEvent { event: drawing.done, want_further: true },
                )?;
                wait(caller, drawing.done, MAX_WAIT_MS)?;
                if !desired {
                    break;
                }
            }
            Ok(())
        })?;
        drawing.leave(caller)
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::UpTo(parameters.get("passes"))
    }
}

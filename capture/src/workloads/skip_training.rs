//! A game that renders for training purposes only if that is of use: the usage of CheckFeatureSupport in the document
//! "Background shader optimizations" (scenario S4).

use super::drawing_device::DrawingDevice;
use super::error::WorkloadError;
use super::event::wait;
use super::mode::NULL;
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::refusal::required;
use super::steps::Steps;
use super::table::{Scenario, Workload};
use crate::caller::{Caller, Callers};
use taut_schemas::{BackgroundProcessingMode as Mode, Bytes, DeviceId, Feature, MeasurementsAction as Action, d3d12};

/// Size of D3D12_FEATURE_DATA_D3D12_OPTIONS6, whose last member is BackgroundProcessingSupported.
const OPTIONS6_BYTES: usize = 20;

/// Longest wait for the end of the commit.
const MOST_WAIT_MS: u32 = 60_000;

/// Training, where it is of use.
pub struct SkipTraining;

impl Scenario for SkipTraining {
    const WORKLOAD: Workload = Workload {
        name: "skip-training",
        description: "A game trains the driver behind a menu before it plays. One that asks first (asks=yes) skips that where \
                      the driver has no background processing; one that does not (asks=no) renders in vain there, which \
                      does no harm.",
        driver: "reference",
        parameters: &[
            Parameter::word("asks", &["yes", "no"], "whether it asks CheckFeatureSupport first"),
            Parameter::NO_CHANCE,
            Parameter::ONE_PLAYS,
            Parameter::number("training", 64, (0, 1_000_000), "frames of the training"),
            Parameter::number("frames", 64, (0, 1_000_000), "frames played after it"),
            Parameter::SHADER,
            Parameter::number("draws", 4, (1, 10_000), "draws of each shader in a frame"),
        ],
        refused: &[],
        short: &[("training", "3"), ("frames", "3")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let mut drawing = in_phase(caller, (0, "setup"), |caller| DrawingDevice::set_up(caller, parameters))?;
        let asks = parameters.word("asks") == "yes";
        if !asks || supported(caller, drawing.device)? {
            in_phase(caller, (1, "training"), |caller| train(caller, &mut drawing, parameters.get("training")))?;
        }
        in_phase(caller, (2, "play"), |caller| drawing.fly_through(caller, parameters.get("frames")))?;
        drawing.leave(caller)
    }

    fn steps(parameters: &Parameters) -> Steps {
        // Where the driver has no background processing, the training is skipped.
        Steps::AtMost(parameters.get("training").saturating_add(parameters.get("frames")))
    }
}

/// Whether the driver has background processing.
pub(super) fn supported<C: Caller>(caller: &mut C, device: DeviceId) -> Result<bool, WorkloadError> {
    let (feature, data) = (Feature::D3D12_OPTIONS6, Bytes(vec![0; OPTIONS6_BYTES]));
    let options = required("CheckFeatureSupport", caller.call(d3d12::CheckFeatureSupport { device, feature, data }))?;
    Ok(options.0.iter().rev().take(4).any(|byte| *byte != 0))
}

fn train<C: Caller>(caller: &mut C, drawing: &mut DrawingDevice, frames: u64) -> Result<(), WorkloadError> {
    drawing.set(caller, (Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS), NULL)?;
    drawing.fly_through(caller, frames)?;
    drawing.drain(caller)?;
    drawing.set(caller, (Mode::ALLOWED, Action::COMMIT_RESULTS), (drawing.done, false))?;
    wait(caller, drawing.done, MOST_WAIT_MS).map(drop)
}

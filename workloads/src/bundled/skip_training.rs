//! Workload of a game that trains the driver only if background processing is supported: the usage of
//! CheckFeatureSupport in the document "Background shader optimizations" (scenario S4).

use super::drawing_device::DrawingDevice;
use super::error::WorkloadError;
use super::event::wait;
use super::mode::{ModeEvent, NULL};
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::refusal::required;
use super::steps::Steps;
use super::workload::{Scenario, Workload};
use taut_capture::{Caller, Callers};
use taut_schemas::{BackgroundProcessingMode as Mode, Bytes, DeviceId, Feature, MeasurementsAction as Action, d3d12};

/// Size of D3D12_FEATURE_DATA_D3D12_OPTIONS6 in bytes; its last member is BackgroundProcessingSupported.
const OPTIONS6_BYTES: usize = 20;

/// Maximum wait in milliseconds for the end of the commit.
const MAX_WAIT_MS: u32 = 60_000;

/// Game that skips training where it has no effect.
pub struct SkipTraining;

impl Scenario for SkipTraining {
    const WORKLOAD: Workload = Workload {
        name: "skip-training",
        description: "A game trains the driver during a menu, before play begins. With queries_support=yes it skips \
                      the training if the driver has no background processing; with queries_support=no it renders the \
                      training anyway, which has no effect on such a driver.",
        driver: "reference",
        parameters: &[
            Parameter::word("queries_support", &["yes", "no"], "call CheckFeatureSupport first").formerly("asks"),
            Parameter::UNUSED_SEED,
            Parameter::SINGLE_THREADED,
            Parameter::number("training", 64, 0, 1_000_000, "frames of the training"),
            Parameter::number("frames", 64, 0, 1_000_000, "frames after the training"),
            Parameter::SHADER,
            Parameter::number("draws", 4, 1, 10_000, "draws of each shader in a frame"),
        ],
        refused: &[],
        short: &[("training", "3"), ("frames", "3")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let mut drawing = in_phase(caller, 0, "setup", |caller| DrawingDevice::set_up(caller, parameters))?;
        let queries_support = parameters.word("queries_support") == "yes";
        if !queries_support || supported(caller, drawing.device)? {
            in_phase(caller, 1, "training", |caller| train(caller, &mut drawing, parameters.get("training")))?;
        }
        in_phase(caller, 2, "play", |caller| drawing.fly_through(caller, parameters.get("frames")))?;
        drawing.leave(caller)
    }

    fn steps(parameters: &Parameters) -> Steps {
        // The training is skipped if the driver does not support background processing.
        Steps::UpTo(parameters.get("training").saturating_add(parameters.get("frames")))
    }
}

/// Queries whether the driver supports background processing.
pub(crate) fn supported<C: Caller>(caller: &mut C, device: DeviceId) -> Result<bool, WorkloadError> {
    let (feature, data) = (Feature::D3D12_OPTIONS6, Bytes(vec![0; OPTIONS6_BYTES]));
    let options = required("CheckFeatureSupport", caller.call(d3d12::CheckFeatureSupport { device, feature, data }))?;
    // BackgroundProcessingSupported is a BOOL: the last four bytes.
    Ok(options.0.iter().rev().take(4).any(|byte| *byte != 0))
}

fn train<C: Caller>(caller: &mut C, drawing: &mut DrawingDevice, frames: u64) -> Result<(), WorkloadError> {
    drawing.set(caller, Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS, NULL)?;
    drawing.fly_through(caller, frames)?;
    drawing.drain(caller)?;
    let signal = ModeEvent { event: drawing.done, want_further: false };
    drawing.set(caller, Mode::ALLOWED, Action::COMMIT_RESULTS, signal)?;
    wait(caller, drawing.done, MAX_WAIT_MS).map(drop)
}

//! Workload of a tool that replays one captured frame to measure it, as PIX does: the loop of the document "Background
//! shader optimizations", usage "PIX single frame capture analysis" (scenario S3).

use super::drawing_device::DrawingDevice;
use super::error::WorkloadError;
use super::event::wait;
use super::mode::{ModeEvent, NULL};
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::steps::Steps;
use super::workload::{Scenario, Workload};
use taut_capture::{Caller, Callers};
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action};

/// Maximum wait in milliseconds for the end of a commit, in the corrected text.
const MAX_WAIT_MS: u32 = 60_000;

/// One frame, replayed until the driver has nothing left to optimise.
pub struct PixSingleFrame;

impl Scenario for PixSingleFrame {
    const WORKLOAD: Workload = Workload {
        name: "pix-single-frame",
        description: "A tool replays one frame until the driver desires no further measurements, and then measures \
                      the frame: the loop of the specification of background processing, as printed (text=verbatim) \
                      or with its two errors corrected (text=corrected).",
        driver: "reference",
        parameters: &[
            Parameter::word(
                "text",
                &["corrected", "verbatim"],
                "verbatim never discards measurements, replays one frame less because ++tries comes first, and waits \
                 without a timeout",
            ),
            Parameter::UNUSED_SEED,
            Parameter::SINGLE_THREADED,
            Parameter::number("tries", 10, 1, 1000, "maximum number of passes"),
            Parameter::SHADER,
            Parameter::number("draws", 4, 1, 10_000, "draws of each shader in the frame"),
            Parameter::number("measured", 8, 0, 100_000, "frames measured after the last pass"),
        ],
        refused: &[],
        short: &[("tries", "4"), ("measured", "2")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let mut drawing = in_phase(caller, 0, "setup", |caller| DrawingDevice::set_up(caller, parameters))?;
        let max_tries = parameters.count("tries");
        in_phase(caller, 1, "converge", |caller| match parameters.word("text") {
            "verbatim" => verbatim(caller, &mut drawing, max_tries),
            _ => corrected(caller, &mut drawing, max_tries),
        })?;
        in_phase(caller, 2, "measure", |caller| {
            (0..parameters.get("measured")).try_for_each(|_| drawing.play_captured(caller))
        })?;
        drawing.leave(caller)
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::UpTo(parameters.get("tries").saturating_add(parameters.get("measured")))
    }
}

/// Converges as printed: `while (wantMoreProfiling && ++tries < Max)`, `tries == 0 ? DISCARD_PREVIOUS : KEEP_ALL`, and
/// a wait without timeout.
fn verbatim<C: Caller>(caller: &mut C, drawing: &mut DrawingDevice, max_tries: u32) -> Result<(), WorkloadError> {
    let (mut want_more_profiling, mut tries) = (true, 0);
    loop {
        tries += u32::from(want_more_profiling);
        if !want_more_profiling || tries >= max_tries {
            return Ok(());
        }
        let action = if tries == 0 { Action::DISCARD_PREVIOUS } else { Action::KEEP_ALL };
        want_more_profiling = pass(caller, drawing, action, u32::MAX)?;
    }
}

/// Converges with `tries++` and a timeout.
fn corrected<C: Caller>(caller: &mut C, drawing: &mut DrawingDevice, max_tries: u32) -> Result<(), WorkloadError> {
    for tries in 0..max_tries {
        let action = if tries == 0 { Action::DISCARD_PREVIOUS } else { Action::KEEP_ALL };
        if !pass(caller, drawing, action, MAX_WAIT_MS)? {
            break;
        }
    }
    Ok(())
}

/// Measures one frame and waits for the resulting compilations; returns whether further measurements are desired.
fn pass<C: Caller>(
    caller: &mut C,
    drawing: &mut DrawingDevice,
    action: Action,
    timeout_ms: u32,
) -> Result<bool, WorkloadError> {
    drawing.set(caller, Mode::ALLOW_INTRUSIVE_MEASUREMENTS, action, NULL)?;
    drawing.play_captured(caller)?;
    let (mode, action) = (Mode::DISABLE_PROFILING_BY_SYSTEM, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    let desired = drawing.set(caller, mode, action, ModeEvent { event: drawing.done, want_further: true })?;
    wait(caller, drawing.done, timeout_ms)?;
    Ok(desired)
}

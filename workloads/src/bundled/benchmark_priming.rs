//! Benchmark that primes the driver with fly-throughs before it measures: usage "benchmark applications" of the
//! document "Background shader optimizations" (scenario S2), in three versions.

use super::drawing_device::DrawingDevice;
use super::error::WorkloadError;
use super::event::wait;
use super::mode::{ModeEvent, NULL, set_developer_mode};
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::steps::Steps;
use super::workload::{Scenario, Workload};
use taut_capture::{Caller, Callers};
use taut_schemas::{BackgroundProcessingMode as Mode, EventHandle, MeasurementsAction as Action};

/// Maximum wait in milliseconds for the end of the commit.
const MAX_WAIT_MS: u32 = 60_000;

/// Benchmark that primes the driver.
pub struct BenchmarkPriming;

impl Scenario for BenchmarkPriming {
    const WORKLOAD: Workload = Workload {
        name: "benchmark-priming",
        description: "A benchmark flies through its scene until the driver desires no further measurements, and then \
                      measures: as the specification of background processing prints it, with intrusive measurements \
                      and without waiting (text=verbatim), with a commit and a wait (text=corrected), or as the \
                      specification of 2019 prints it (text=2019). Developer mode is off: retail systems allow all of these calls.",
        driver: "reference",
        parameters: &[
            Parameter::word(
                "text",
                &["corrected", "verbatim", "2019"],
                "2019 flies through once, keeps all measurements, and commits without an event",
            ),
            Parameter::UNUSED_SEED,
            Parameter::SINGLE_THREADED,
            Parameter::number(
                "passes",
                1000,
                1,
                1_000_000,
                "maximum number of fly-throughs; the document has no limit, and with a driver that never converges \
                 the loop would not end",
            ),
            Parameter::number("frames", 64, 1, 1_000_000, "frames of a fly-through"),
            Parameter::SHADER,
            Parameter::number("draws", 4, 1, 10_000, "draws of each shader in a frame"),
            Parameter::number("measured", 64, 0, 1_000_000, "frames of the measured benchmark"),
        ],
        refused: &[],
        short: &[("frames", "4"), ("draws", "52"), ("passes", "4"), ("measured", "2")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        let mut drawing = in_phase(caller, 0, "setup", |caller| {
            set_developer_mode(caller, false)?;
            DrawingDevice::set_up(caller, parameters)
        })?;
        let (frames, passes) = (parameters.get("frames"), parameters.get("passes"));
        in_phase(caller, 1, "prime", |caller| match parameters.word("text") {
            "verbatim" => prime(caller, &mut drawing, frames, passes, |_, _| Ok(())),
            "2019" => once(caller, &mut drawing, frames),
            _ => {
                // The mode changes only while the GPU is idle, so that the set of measured draws is defined (rule B-29).
                prime(caller, &mut drawing, frames, passes, |caller, drawing| drawing.drain(caller))?;
                drawing.set(
                    caller,
                    Mode::ALLOWED,
                    Action::COMMIT_RESULTS,
                    ModeEvent { event: drawing.done, want_further: false },
                )?;
                wait(caller, drawing.done, MAX_WAIT_MS).map(drop)
            }
        })?;
        in_phase(caller, 2, "benchmark", |caller| drawing.fly_through(caller, parameters.get("measured")))?;
        drawing.leave(caller)
    }

    fn steps(parameters: &Parameters) -> Steps {
        let (frames, measured) = (parameters.get("frames"), parameters.get("measured"));
        match parameters.word("text") {
            "2019" => Steps::Exactly(frames.saturating_add(measured)),
            _ => Steps::UpTo(frames.saturating_mul(parameters.get("passes")).saturating_add(measured)),
        }
    }
}

/// Primes as in the document's `while (furtherMeasurementsDesired)`: intrusive mode throughout, no commit.
fn prime<C: Caller>(
    caller: &mut C,
    drawing: &mut DrawingDevice,
    frames: u64,
    passes: u64,
    before_query: impl Fn(&mut C, &DrawingDevice) -> Result<(), WorkloadError>,
) -> Result<(), WorkloadError> {
    drawing.set(caller, Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS, NULL)?;
    for _ in 0..passes {
        drawing.fly_through(caller, frames)?;
        before_query(caller, drawing)?;
        let signal = ModeEvent { event: EventHandle::NULL, want_further: true };
        if !drawing.set(caller, Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL, signal)? {
            break;
        }
    }
    Ok(())
}

/// Primes as in the document's text before 2023: one fly-through, whose results are committed when the mode returns to
/// allowed.
fn once<C: Caller>(caller: &mut C, drawing: &mut DrawingDevice, frames: u64) -> Result<(), WorkloadError> {
    drawing.set(caller, Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL, NULL)?;
    drawing.fly_through(caller, frames)?;
    drawing.set(caller, Mode::ALLOWED, Action::COMMIT_RESULTS, NULL).map(drop)
}

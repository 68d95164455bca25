//! A tool that plays one captured frame again and again and wants to measure it, as PIX does: the loop of the document
//! "Background shader optimizations", usage "PIX single frame capture analysis" (scenario S3).

use super::caller::{Caller, Callers};
use super::error::WorkloadError;
use super::kit::required;
use super::parameters::{Parameter, Parameters};
use super::renderer::{Pipeline, Renderer, event, wait};
use super::table::{Scenario, Workload};
use taut_schemas::{BackgroundProcessingMode as Mode, EventHandle, MeasurementsAction as Action, PhaseEdge, api, mark};
use taut_shaders::BUNDLED;

/// One frame, played until the driver has nothing left to optimise.
pub struct PixSingleFrame;

const PHASES: [&str; 3] = ["setup", "converge", "measure"];

impl Scenario for PixSingleFrame {
    const WORKLOAD: Workload = Workload {
        name: "pix-single-frame",
        description: "A tool plays one frame until the driver desires no further measurements, then measures it: the \
                      document's loop, as printed (text=verbatim) or with its two mistakes corrected (text=corrected).",
        driver: "reference",
        parameters: &[
            Parameter::word(
                "text",
                &["corrected", "verbatim"],
                "verbatim never discards and plays one frame less, because ++tries comes first; and waits without end",
            ),
            Parameter::number("seed", 1, (0, u64::MAX), "not used: the frame is always the same"),
            Parameter::number("threads", 1, (1, 1), "application threads"),
            Parameter::number("tries", 10, (1, 1000), "most passes"),
            Parameter::number("draws", 4, (1, 10_000), "draws of each of the seven shaders in the frame"),
            Parameter::number("measured", 8, (0, 100_000), "frames measured after the last pass"),
        ],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut caller = callers.caller(0);
        let caller = &mut caller;
        phase(caller, 0, PhaseEdge::BEGIN);
        let mut renderer = Renderer::new(caller)?;
        let pipelines: Result<Vec<Pipeline>, _> =
            BUNDLED.iter().map(|bundled| renderer.pipeline(caller, bundled)).collect();
        let pipelines = pipelines?;
        let done = event(caller)?;
        phase(caller, 0, PhaseEdge::END);

        let draws = u32::try_from(parameters.get("draws")).unwrap_or(u32::MAX);
        let frame = Frame { pipelines: &pipelines, draws };
        let most = u32::try_from(parameters.get("tries")).unwrap_or(u32::MAX);
        phase(caller, 1, PhaseEdge::BEGIN);
        match parameters.word("text") {
            "verbatim" => verbatim(caller, &mut renderer, &frame, (done, most))?,
            _ => corrected(caller, &mut renderer, &frame, (done, most))?,
        }
        phase(caller, 1, PhaseEdge::END);

        phase(caller, 2, PhaseEdge::BEGIN);
        for _ in 0..parameters.get("measured") {
            frame.play(caller, &mut renderer)?;
        }
        phase(caller, 2, PhaseEdge::END);
        required("CloseHandle", caller.call(api::CloseHandle { event: done }))?;
        for pipeline in &pipelines {
            let release = api::ReleasePipelineState { pipeline_state: pipeline.id };
            required("ReleasePipelineState", caller.call(release))?;
        }
        let device = renderer.device;
        renderer.release(caller)?;
        required("ReleaseDevice", caller.release_device(device))
    }
}

/// The captured frame.
struct Frame<'a> {
    pipelines: &'a [Pipeline],
    draws: u32,
}

impl Frame<'_> {
    /// Plays it, and waits until it is done.
    fn play<C: Caller>(&self, caller: &mut C, renderer: &mut Renderer) -> Result<(), WorkloadError> {
        renderer.frame(caller, self.pipelines, (0, self.draws))?;
        renderer.wait_for(caller, 0)
    }
}

/// `while (++tries < MaxTries && wantMoreMeasurements)`, `tries == 0 ? DISCARD_PREVIOUS : KEEP_ALL`, and a wait without end.
fn verbatim<C: Caller>(
    caller: &mut C,
    renderer: &mut Renderer,
    frame: &Frame<'_>,
    (done, most): (EventHandle, u32),
) -> Result<(), WorkloadError> {
    let (mut tries, mut desired) = (0, true);
    loop {
        tries += 1;
        if !(tries < most && desired) {
            return Ok(());
        }
        // tries is never 0 here: nothing is ever discarded.
        pass(caller, renderer, frame, (Action::KEEP_ALL, done, u32::MAX), &mut desired)?;
    }
}

/// The same with `tries++`, and a time limit.
fn corrected<C: Caller>(
    caller: &mut C,
    renderer: &mut Renderer,
    frame: &Frame<'_>,
    (done, most): (EventHandle, u32),
) -> Result<(), WorkloadError> {
    let mut desired = true;
    for tries in 0..most {
        if !desired {
            break;
        }
        let action = if tries == 0 { Action::DISCARD_PREVIOUS } else { Action::KEEP_ALL };
        pass(caller, renderer, frame, (action, done, 60_000), &mut desired)?;
    }
    Ok(())
}

/// Measures one frame, and waits until what was found is compiled.
fn pass<C: Caller>(
    caller: &mut C,
    renderer: &mut Renderer,
    frame: &Frame<'_>,
    (action, done, timeout_ms): (Action, EventHandle, u32),
    desired: &mut bool,
) -> Result<(), WorkloadError> {
    let set = renderer.set_mode(caller, (Mode::ALLOW_INTRUSIVE_MEASUREMENTS, action), EventHandle::NULL, false);
    required("SetBackgroundProcessingMode", set)?;
    frame.play(caller, renderer)?;
    let commit = (Mode::DISABLE_PROFILING_BY_SYSTEM, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    let set = renderer.set_mode(caller, commit, done, true);
    *desired = required("SetBackgroundProcessingMode", set)?;
    wait(caller, done, timeout_ms).map(drop)
}

fn phase<C: Caller>(caller: &mut C, phase_index: u32, edge: PhaseEdge) {
    let name = PHASES[phase_index as usize].to_owned();
    caller.mark(mark::WorkloadPhase { phase_index, edge, name });
}

//! Checks of static estimates: a rejected specialisation must not be built.

use super::drawing_machine::DrawingMachine;
use crate::checks::bench::Bench;
use crate::checks::tally::{NotApplicable, Tally};
use std::collections::BTreeSet;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action, VariantChange, d3d12_callbacks};

/// Number of measured frames: enough for any reasonable threshold of a driver.
const FRAMES: u32 = 120;

/// A pipeline state with slots and their values.
type Specialisation = (u64, Vec<u32>, Vec<u32>);

/// B-74: the driver does not queue a specialisation that it reports as rejected by its estimate. No task runs in this
/// check, so that all specialisations are of generic shaders: for a variant, the estimate of the same values may be higher.
pub(in crate::checks) fn respects_its_estimates(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut tally = Tally::default();
    let mut committed = DrawingMachine::new(bench)?;
    let mut refused = BTreeSet::new();
    committed.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    committed.draw(0, 4);
    committed.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    judge(&committed, &mut refused, "a commit", &mut tally);
    let mut played = DrawingMachine::new(bench)?;
    refused.clear();
    played.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    for frame in 0..FRAMES {
        played.submit(0, 4);
        judge(&played, &mut refused, &format!("frame {frame}"), &mut tally);
        played.complete();
        judge(&played, &mut refused, &format!("frame {frame}"), &mut tally);
    }
    if tally.cases == 0 {
        return Err(NotApplicable("the driver queues no task".to_owned()));
    }
    Ok(tally)
}

/// Checks the reports and queued work of the last input.
fn judge(drawing: &DrawingMachine<'_>, refused: &mut BTreeSet<Specialisation>, what: &str, tally: &mut Tally) {
    let reports = drawing.calls::<d3d12_callbacks::ReportVariant>().into_iter();
    let reports = reports.filter(|reports| reports.change == VariantChange::ESTIMATED);
    refused.extend(reports.map(|reports| (reports.pipeline_state.0, reports.slots, reports.words)));
    for call in drawing.calls::<d3d12_callbacks::QueueProcessingWork>() {
        let slots = call.slots.len();
        let known = refused.contains(&(call.pipeline_state.0, call.slots, call.words));
        let (pipeline, context) = (call.pipeline_state.0, call.context);
        tally.count_result(known.then(|| {
            format!(
                "pipeline state {pipeline}, {what}: context {context} is queued for values of {slots} slots that the driver \
                 says promise too little"
            )
        }));
    }
}

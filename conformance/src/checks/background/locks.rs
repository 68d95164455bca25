//! Checks of the driver's own locks.

use super::drawing_machine::DrawingMachine;
use crate::checks::bench::{Bench, DEVICE};
use crate::checks::tally::{NotApplicable, Tally};
use taut_schemas::{
    BackgroundProcessingMode as Mode, MeasurementsAction as Action, d3d12, d3d12_callbacks, d3d12_ddi, rule,
};

/// Number of frames measured before anything is cancelled: too few for the thresholds of drivers by 4.4 of the
/// project's rules.
const FRAMES: u32 = 49;

/// B-55: a cancel inside the driver's queue call takes no lock that the driver holds there. Work that is queued while
/// work is disabled or while the device is destroyed is cancelled in this way.
pub(in crate::checks) fn releases_its_locks(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut tally = Tally::default();
    let mut disabled = measured(bench)?;
    disabled.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    disabled.drain();
    frames(&mut disabled, 24, 64, &mut tally);
    let mut destroyed = measured(bench)?;
    let _ = destroyed.call(&d3d12::ReleaseDevice { device: DEVICE });
    frames(&mut destroyed, 4, 4, &mut tally);
    if tally.cases == 0 {
        return Err(NotApplicable("nothing that the driver queues is cancelled at once".to_owned()));
    }
    Ok(tally)
}

/// Creates a machine with almost as many draws as its driver's threshold.
fn measured<'d>(bench: &Bench<'d>) -> Result<DrawingMachine<'d>, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    for _ in 0..FRAMES {
        drawing.draw(0, 4);
    }
    Ok(drawing)
}

/// Draws frames, and checks each input in which work is cancelled while it is queued.
fn frames(drawing: &mut DrawingMachine<'_>, frames: u32, draws: u32, tally: &mut Tally) {
    for _ in 0..frames {
        drawing.submit(0, draws);
        judge(drawing, tally);
        drawing.complete();
        judge(drawing, tally);
    }
}

fn judge(drawing: &DrawingMachine<'_>, tally: &mut Tally) {
    let queued = drawing.calls::<d3d12_callbacks::QueueProcessingWork>().len();
    if queued > 0 && !drawing.calls::<d3d12_ddi::CancelBackgroundWork>().is_empty() {
        let hangs = drawing.violations(rule::B_55).into_iter().next();
        tally.count_result(hangs.map(|violation| violation.description));
    }
}

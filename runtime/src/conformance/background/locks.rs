//! Locks that a driver has of its own.

use super::drawing_machine::DrawingMachine;
use crate::conformance::bench::{Bench, DEVICE};
use crate::conformance::tally::{NotApplicable, Tally};
use taut_schemas::{
    BackgroundProcessingMode as Mode, MeasurementsAction as Action, d3d12, d3d12_callbacks, d3d12_ddi, rule,
};

/// Frames that are measured before anything is cancelled: less than a driver by 4.4 of the project's rules decides by.
const FRAMES: u32 = 49;

/// B-55: a cancel that comes within the driver's call to queue wants no lock that the driver holds there. What is queued while
/// work is disabled is cancelled so, and what is queued while the device is destroyed.
pub(in crate::conformance) fn lets_go_of_its_locks(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut tally = Tally::default();
    let mut disabled = measured(bench)?;
    disabled.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    disabled.drain();
    frames(&mut disabled, (24, 64), &mut tally);
    let mut destroyed = measured(bench)?;
    let _ = destroyed.call(&d3d12::ReleaseDevice { device: DEVICE });
    frames(&mut destroyed, (4, 4), &mut tally);
    if tally.cases == 0 {
        return Err(NotApplicable("nothing that the driver queues is cancelled at once".to_owned()));
    }
    Ok(tally)
}

/// A machine that has drawn nearly as much as its driver decides by.
fn measured<'d>(bench: &Bench<'d>) -> Result<DrawingMachine<'d>, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    for _ in 0..FRAMES {
        drawing.draw(0, 4);
    }
    Ok(drawing)
}

/// Draws so many frames of so many draws, and judges each input in which something is cancelled while it is queued.
fn frames(drawing: &mut DrawingMachine<'_>, (frames, draws): (u32, u32), tally: &mut Tally) {
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
        tally.judge_other(hangs.map(|violation| violation.description));
    }
}

//! `passes`: from one SetBackgroundProcessingMode to the next.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::background::Pass;
use taut_analyze::columns::Events;
use taut_schemas::{BackgroundProcessingMode, MeasurementsAction};

pub(super) const TABLE: Table = Table {
    name: "passes",
    description: "One pass of background processing: the time from one accepted SetBackgroundProcessingMode to the next; pass \
                  0 is the time before the first. What is counted in all of them together is all there is.",
    columns: columns![
        pass: I64, "Its number, from 0.";
        mode: Text, "D3D12_BACKGROUND_PROCESSING_MODE without its prefix; of pass 0 `ALLOWED`.";
        action: Text, "D3D12_MEASUREMENTS_ACTION without its prefix; of pass 0 `KEEP_ALL`.";
        began_stamp: I64, "When the call began, in ticks.";
        began_ns: I64, "The same in nanoseconds since the trace's first stamp.";
        thread: I64, "The thread that made it; null for pass 0.";
        further_desired: Bool, "Whether further measurements are desired, as the driver answered; null if it was not asked, cannot say or left its answer unwritten.";
        opportunities: I64, "Calls of QueueProcessingWork that the runtime accepted; those made while the mode is set are in the pass that begins.";
        tasks_queued: I64, "Tasks that came into the queue.";
        tasks_started: I64, "Tasks that began.";
        tasks_finished: I64, "Tasks that ran to their end.";
        tasks_cancelled: I64, "Tasks that were cancelled.";
        tasks_failed: I64, "Tasks whose work failed.";
        variants: I64, "Variants that the driver installed.";
        abandoned: I64, "Results that it did not take.";
        presents: I64, "Presents.";
        draws: I64, "Draws submitted in it and done.";
        draws_served: I64, "Those that a variant served.";
        guard_misses: I64, "Draws before which a guard did not hold.";
        executed: I64, "Instructions of the shader form that the draws executed, guards included.";
        generic_executed: I64, "Instructions that the generic shaders execute for them.";
    ],
    fields_of: None,
    make: Make::Whole(make),
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let background = analysis.background()?;
    let events = Events::new(&analysis.trace().header().schema);
    let all = || background.passes.iter();
    frame.column("pass", || (0..all().len() as u64).collect::<Vec<u64>>());
    let (modes, actions) = (events.names::<BackgroundProcessingMode>(), events.names::<MeasurementsAction>());
    frame.column("mode", || all().map(|pass| modes.of(&pass.mode)).collect::<Vec<String>>());
    frame.column("action", || all().map(|pass| actions.of(&pass.action)).collect::<Vec<String>>());
    frame.column("began_stamp", || all().map(|pass| pass.began_stamp).collect::<Vec<_>>());
    let began = || all().map(|pass| analysis.since_start_ns(pass.began_stamp));
    frame.column("began_ns", || began().collect::<Vec<Option<u64>>>());
    frame.column("thread", || all().map(|pass| pass.thread).collect::<Vec<_>>());
    frame.column("further_desired", || all().map(|pass| pass.further_desired).collect::<Vec<_>>());
    let mut count = |name: &str, of: fn(&Pass) -> u64| {
        frame.column(name, || all().map(of).collect::<Vec<u64>>());
    };
    count("opportunities", |pass| pass.counts.opportunities);
    count("tasks_queued", |pass| pass.counts.queued);
    count("tasks_started", |pass| pass.counts.started);
    count("tasks_finished", |pass| pass.counts.finished);
    count("tasks_cancelled", |pass| pass.counts.cancelled);
    count("tasks_failed", |pass| pass.counts.failed);
    count("variants", |pass| pass.counts.variants);
    count("abandoned", |pass| pass.counts.abandoned);
    count("presents", |pass| pass.counts.frames);
    count("draws", |pass| pass.counts.draws);
    count("draws_served", |pass| pass.counts.draws_served);
    count("guard_misses", |pass| pass.counts.guard_misses);
    count("executed", |pass| pass.counts.executed);
    count("generic_executed", |pass| pass.counts.generic_executed);
    Ok(())
}

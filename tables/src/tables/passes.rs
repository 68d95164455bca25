//! `passes`: background processing, from one SetBackgroundProcessingMode to the next.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::background::{Background, Pass};
use taut_analyze::events::{Events, ValueNames};
use taut_schemas::{BackgroundProcessingMode, MeasurementsAction};

pub(super) const TABLE: Table = Table {
    name: "passes",
    description: "One pass of background processing: the time from one accepted SetBackgroundProcessingMode to the next; pass \
                  0 is the time before the first. What is counted in all of them together is all there is.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfBackground(make),
};

columns! {
    row of rows: &PassRows<'_>;
    pass: I64, "Its number, from 0.", row.number;
    mode: Text, "D3D12_BACKGROUND_PROCESSING_MODE without its prefix; of pass 0 `ALLOWED`.", rows.modes.of(&row.pass.mode);
    action: Text, "D3D12_MEASUREMENTS_ACTION without its prefix; of pass 0 `KEEP_ALL`.", rows.actions.of(&row.pass.action);
    began_stamp: I64, "When the call began, in ticks.", row.pass.began_stamp;
    began_ns: I64, "The same in nanoseconds since the trace's first stamp.", rows.analysis.since_start_ns(row.pass.began_stamp);
    thread: I64, "The thread that made it; null for pass 0.", row.pass.thread;
    further_desired: Bool, "Whether further measurements are desired, as the driver answered; null if it was not asked, cannot say or left its answer unwritten.", row.pass.further_desired;
    opportunities: I64, "Calls of QueueProcessingWork that the runtime accepted; those made while the mode is set are in the pass that begins.", row.pass.counts.opportunities;
    tasks_queued: I64, "Tasks that came into the queue.", row.pass.counts.queued;
    tasks_started: I64, "Tasks that began.", row.pass.counts.started;
    tasks_finished: I64, "Tasks that ran to their end.", row.pass.counts.finished;
    tasks_cancelled: I64, "Tasks that were cancelled.", row.pass.counts.cancelled;
    tasks_failed: I64, "Tasks whose work failed.", row.pass.counts.failed;
    variants: I64, "Variants that the driver installed.", row.pass.counts.variants;
    discarded: I64, "Results that it did not take.", row.pass.counts.discarded;
    presents: I64, "Presents.", row.pass.counts.frames;
    draws: I64, "Draws submitted in it and done.", row.pass.counts.draws;
    variant_draws: I64, "Those that a variant served.", row.pass.counts.variant_draws;
    guard_misses: I64, "Draws before which a guard did not hold.", row.pass.counts.guard_misses;
    executed: I64, "Instructions of the shader form that the draws executed, guards included.", row.pass.counts.executed;
    counted_draws: I64, "Draws whose code had counters in it.", row.pass.counts.counted_draws;
    counter_executed: I64, "Instructions of counters, of those executed.", row.pass.counts.counter_executed;
    generic_executed: I64, "Instructions that the generic shaders execute for them.", row.pass.counts.generic_executed;
}

struct PassRows<'a> {
    analysis: &'a Analysis,
    background: &'a Background,
    modes: ValueNames<'a, BackgroundProcessingMode>,
    actions: ValueNames<'a, MeasurementsAction>,
}

struct PassRow<'a> {
    number: u64,
    pass: &'a Pass,
}

fn make(analysis: &Analysis, background: &Background, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let events = Events::new(&analysis.trace().header().schema);
    let (modes, actions) = (events.names(), events.names());
    fill(&PassRows { analysis, background, modes, actions }, frame)
}

impl<'a> PassRows<'a> {
    fn all(&self) -> impl Iterator<Item = PassRow<'a>> {
        (0..).zip(&self.background.passes).map(|(number, pass)| PassRow { number, pass })
    }
}

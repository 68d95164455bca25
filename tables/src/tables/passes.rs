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
    description: "One row per pass of background processing: the time from one accepted SetBackgroundProcessingMode to \
                  the next; pass 0 is the time before the first. The counts of all passes add up to the totals.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfBackground(make),
};

columns! {
    row of rows: &PassRows<'_>;
    pass: I64, "Number of the pass, from 0.", row.number;
    mode: Text, "D3D12_BACKGROUND_PROCESSING_MODE without its prefix; `ALLOWED` for pass 0.", rows.modes.of(&row.pass.mode);
    action: Text, "D3D12_MEASUREMENTS_ACTION without its prefix; `KEEP_ALL` for pass 0.", rows.actions.of(&row.pass.action);
    began_stamp: I64, "Begin of the call, in ticks; the trace's first stamp for pass 0.", row.pass.began_stamp;
    began_ns: I64, "Begin of the call, in ns since the first stamp.", rows.analysis.since_start_ns(row.pass.began_stamp);
    thread: I64, "Thread of the call; null for pass 0.", row.pass.thread;
    further_desired: Bool, "True if the driver desires further measurements; null if the driver was not queried, does not support the query or wrote no answer.", row.pass.further_desired;
    opportunities: I64, "QueueProcessingWork calls that the runtime accepted; calls during SetBackgroundProcessingMode count in the new pass.", row.pass.counts.opportunities;
    tasks_queued: I64, "Tasks that entered the queue.", row.pass.counts.queued;
    tasks_started: I64, "Tasks that started.", row.pass.counts.started;
    tasks_finished: I64, "Tasks that ran to their end.", row.pass.counts.finished;
    tasks_cancelled: I64, "Tasks that were cancelled.", row.pass.counts.cancelled;
    tasks_failed: I64, "Tasks whose work failed.", row.pass.counts.failed;
    variants: I64, "Variants that the driver installed.", row.pass.counts.variants;
    discarded: I64, "Results that the driver discarded.", row.pass.counts.discarded;
    presents: I64, "Number of Presents.", row.pass.counts.frames;
    draws: I64, "Draws submitted in the pass and completed.", row.pass.counts.draws;
    variant_draws: I64, "Draws that ran a variant.", row.pass.counts.variant_draws;
    guard_misses: I64, "Draws before which a guard did not hold.", row.pass.counts.guard_misses;
    executed: I64, "Shader instructions that the draws executed, including guards.", row.pass.counts.executed;
    counted_draws: I64, "Draws whose code contained counters.", row.pass.counts.counted_draws;
    counter_executed: I64, "Part of `executed` in counter code.", row.pass.counts.counter_executed;
    generic_executed: I64, "Shader instructions that the generic shaders execute for these draws.", row.pass.counts.generic_executed;
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

//! `tasks`: background tasks.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::background::{Background, Task};
use taut_analyze::events::{Events, ValueNames};
use taut_schemas::{CancelReason, PipelineStateId, VariantId, WorkPriority};

pub(super) const TABLE: Table = Table {
    name: "tasks",
    description: "One background task that a driver queued, from there to its end, in the order in which they were \
                  accepted.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfBackground(make),
};

columns! {
    row of rows: &TaskRows<'_>;
    task: I64, "Its number.", row.id.0;
    sequence: I64, "Its number in the order in which the device accepted tasks; null as long as it only waits.", row.sequence;
    pipeline_state: U64, "Handle of the pipeline state it is for; null if the driver does not say.", Some(pipeline(row)?.0);
    name: Text, "Name of the pipeline state: the one it was last given, that of its shader, or its handle.", Some(rows.background.pipeline_name(pipeline(row)?));
    state: Text, "`queued` or `running` at the end of the trace; `finished`, `failed` or `cancelled`.", row.state().name();
    pass: I64, "The pass it was queued in, by its number in the table `passes`.", row.pass;
    queued_stamp: I64, "When QueueProcessingWork had taken it, in ticks.", row.queued_stamp;
    queued_ns: I64, "The same in nanoseconds since the trace's first stamp.", rows.ns(row.queued_stamp);
    queued_thread: I64, "The thread that queued it.", row.queued_thread;
    started_stamp: I64, "When it began; null if it never did.", Some(row.started?.stamp);
    started_ns: I64, "The same in nanoseconds.", rows.ns(Some(row.started?.stamp));
    worker: I64, "The worker thread it ran on, from 0.", Some(row.started?.worker);
    priority: Text, "At which priority it ran last: `IDLE` or `ABOVE_IDLE`; null if it never began.", row.started.map(|_| rows.priorities.of(&row.priority));
    boosted: Bool, "It ran above idle priority at some time.", row.boosted;
    priority_refused: Bool, "The operating system refused a priority that it was to run at.", row.priority_refused;
    stopped_stamp: I64, "When it ended; null if it never did.", row.stopped_stamp;
    stopped_ns: I64, "The same in nanoseconds.", rows.ns(row.stopped_stamp);
    cancelled_stamp: I64, "When it was cancelled; null if it was not.", Some(row.cancelled?.stamp);
    cancel_reason: Text, "Why: `DISABLED` or `DEVICE_DESTROYED`.", Some(rows.reasons.of(&row.cancelled?.reason));
    refused: Bool, "It was cancelled before QueueProcessingWork returned: it was never in the queue.", row.refused;
    queue_wait_ns: I64, "How long it waited in the queue.", rows.analysis.ticks_to_ns(row.queue_wait_ticks()?);
    run_ns: I64, "How long it ran.", rows.analysis.ticks_to_ns(row.run_ticks()?);
    decided_by_submission: I64, "The latest submission whose measurements the driver decided by; null if by none.", Some(row.decided_by_submission).filter(|by| *by != 0);
    candidate_slots: I64, "Slots of constants that the driver wanted to take as fixed.", row.fixed_slots;
    length_before: I64, "Instructions in the text of the generic shader; null if the task's work was not done.", Some(row.outcome.as_ref()?.length_before);
    length_after: I64, "Instructions in the text of the specialised one.", Some(row.outcome.as_ref()?.length_after);
    specialised_slots: I64, "Slots whose values were folded.", Some(row.outcome.as_ref()?.folded_slots);
    variant: U64, "The variant that the driver installed; null if it abandoned the result.", Some(row.variant.0).filter(|_| row.variant != VariantId::NULL);
}

struct TaskRows<'a> {
    analysis: &'a Analysis,
    background: &'a Background,
    /// Tasks in the order of their numbers.
    tasks: Vec<&'a Task>,
    priorities: ValueNames<'a, WorkPriority>,
    reasons: ValueNames<'a, CancelReason>,
}

fn make(analysis: &Analysis, background: &Background, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let events = Events::new(&analysis.trace().header().schema);
    let (priorities, reasons) = (events.names(), events.names());
    let mut tasks: Vec<&Task> = background.tasks.iter().collect();
    tasks.sort_by_key(|task| task.id);
    fill(&TaskRows { analysis, background, tasks, priorities, reasons }, frame)
}

impl<'a> TaskRows<'a> {
    fn all(&self) -> impl Iterator<Item = &'a Task> {
        self.tasks.iter().copied()
    }

    fn ns(&self, stamp: Option<u64>) -> Option<u64> {
        self.analysis.since_start_ns(stamp?)
    }
}

/// Pipeline state that a task is for, if its driver reports one.
fn pipeline(task: &Task) -> Option<PipelineStateId> {
    Some(task.pipeline_state).filter(|id| *id != PipelineStateId::NULL)
}

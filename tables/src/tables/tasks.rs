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
    description: "One row per background task that a driver queued, ordered by `task`.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfBackground(make),
};

columns! {
    row of rows: &TaskRows<'_>;
    task: I64, "Number of the task.", row.id.0;
    sequence: I64, "Number of the task in the order in which the device accepted tasks; null for a task that is only queued.", row.sequence;
    pipeline_state: U64, "Handle of the task's pipeline state; null if the driver reports none.", Some(pipeline(row)?.0);
    name: Text, "Name of the pipeline state: the last one set, else the shader's name, else the handle.", Some(rows.background.pipeline_name(pipeline(row)?));
    state: Text, "`queued` or `running` at the end of the trace; `finished`, `failed` or `cancelled`.", row.state().name();
    pass: I64, "Number, in `passes`, of the pass in which the task was queued.", row.pass;
    queued_stamp: I64, "Return of QueueProcessingWork, in ticks.", row.queued_stamp;
    queued_ns: I64, "Return of QueueProcessingWork, in ns since the first stamp.", rows.ns(row.queued_stamp);
    queued_thread: I64, "Thread that queued the task.", row.queued_thread;
    started_stamp: I64, "Start, in ticks; null if the task never started.", Some(row.started?.stamp);
    started_ns: I64, "Start, in ns.", rows.ns(Some(row.started?.stamp));
    worker: I64, "Number of the worker thread, from 0.", Some(row.started?.worker);
    priority: Text, "Last priority: `IDLE` or `ABOVE_IDLE`; null if the task never started.", row.started.map(|_| rows.priorities.of(&row.priority));
    boosted: Bool, "True if the task ran above idle priority at some time.", row.boosted;
    priority_refused: Bool, "True if the operating system refused a priority of the task.", row.priority_refused;
    stopped_stamp: I64, "End, in ticks; null if the task never ended.", row.stopped_stamp;
    stopped_ns: I64, "End, in ns.", rows.ns(row.stopped_stamp);
    cancelled_stamp: I64, "Cancellation, in ticks; null if not cancelled.", Some(row.cancelled?.stamp);
    cancel_reason: Text, "Reason of the cancellation: `DISABLED` or `DEVICE_DESTROYED`.", Some(rows.reasons.of(&row.cancelled?.reason));
    refused: Bool, "True if cancelled before QueueProcessingWork returned: the task never entered the queue.", row.refused;
    queue_wait_ns: I64, "Time in the queue.", rows.analysis.ticks_to_ns(row.queue_wait_ticks()?);
    run_ns: I64, "Run time.", rows.analysis.ticks_to_ns(row.run_ticks()?);
    decided_by_submission: I64, "Latest submission whose measurements led the driver to the task; null if none did.", Some(row.decided_by_submission).filter(|by| *by != 0);
    candidate_slots: I64, "Constant slots that the driver assumed to be fixed.", row.fixed_slots;
    length_before: I64, "Static instruction count of the generic shader; null if the task's work was not done.", Some(row.outcome.as_ref()?.length_before);
    length_after: I64, "Static instruction count of the specialised shader.", Some(row.outcome.as_ref()?.length_after);
    specialised_slots: I64, "Constant slots whose values were folded.", Some(row.outcome.as_ref()?.folded_slots);
    variant: U64, "Installed variant; null if the driver installed none.", Some(row.variant.0).filter(|_| row.variant != VariantId::NULL);
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

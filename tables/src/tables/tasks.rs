//! `tasks`: background tasks.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::background::Task;
use taut_analyze::columns::Events;
use taut_schemas::{CancelReason, PipelineStateId, VariantId, WorkPriority};

pub(super) const TABLE: Table = Table {
    name: "tasks",
    description: "One background task that a driver queued, from there to its end, in the order in which they were \
                  accepted.",
    columns: columns![
        task: I64, "Its number.";
        sequence: I64, "Its number in the order in which the device accepted tasks; null as long as it only waits.";
        pipeline_state: U64, "Handle of the pipeline state it is for; null if the driver does not say.";
        name: Text, "Name of the pipeline state: the one it was last given, that of its shader, or its handle.";
        state: Text, "`queued` or `running` at the end of the trace; `finished`, `failed` or `cancelled`.";
        pass: I64, "The pass it was queued in, by its number in the table `passes`.";
        queued_stamp: I64, "When QueueProcessingWork had taken it, in ticks.";
        queued_ns: I64, "The same in nanoseconds since the trace's first stamp.";
        queued_thread: I64, "The thread that queued it.";
        started_stamp: I64, "When it began; null if it never did.";
        started_ns: I64, "The same in nanoseconds.";
        worker: I64, "The worker thread it ran on, from 0.";
        priority: Text, "At which priority it ran last: `IDLE` or `ABOVE_IDLE`; null if it never began.";
        boosted: Bool, "It ran above idle priority at some time.";
        stopped_stamp: I64, "When it ended; null if it never did.";
        stopped_ns: I64, "The same in nanoseconds.";
        cancelled_stamp: I64, "When it was cancelled; null if it was not.";
        cancel_reason: Text, "Why: `DISABLED` or `DEVICE_DESTROYED`.";
        refused: Bool, "It was cancelled before QueueProcessingWork returned: it was never in the queue.";
        queue_wait_ns: I64, "How long it waited in the queue.";
        run_ns: I64, "How long it ran.";
        decided_by_submission: I64, "The latest submission whose measurements the driver decided by; null if by none.";
        asked_slots: I64, "Slots of constants that the driver wanted to take as fixed.";
        length_before: I64, "Instructions in the text of the generic shader; null if the task's work was not done.";
        length_after: I64, "Instructions in the text of the specialised one.";
        folded_slots: I64, "Slots whose values were folded.";
        variant: U64, "The variant that the driver installed; null if it abandoned the result.";
    ],
    fields_of: None,
    make: Make::Whole(make),
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let background = analysis.background()?;
    let events = Events::new(&analysis.trace().header().schema);
    let (priorities, reasons) = (events.names::<WorkPriority>(), events.names::<CancelReason>());
    let mut tasks: Vec<&Task> = background.tasks.iter().collect();
    tasks.sort_by_key(|task| task.id);
    let all = || tasks.iter().copied();
    let ns = |stamp: Option<u64>| analysis.since_start_ns(stamp?);
    let ticks = |ticks: Option<u64>| analysis.ticks_to_ns(ticks?);
    let cancelled = |task: &Task| task.cancelled.map(|cancelled| cancelled.stamp);
    let started = |task: &Task| task.started.map(|started| started.stamp);
    frame.column("task", || all().map(|task| task.id.0).collect::<Vec<_>>());
    frame.column("sequence", || all().map(|task| task.sequence).collect::<Vec<_>>());
    let pipeline = |task: &Task| Some(task.pipeline_state).filter(|id| *id != PipelineStateId::NULL);
    frame.column("pipeline_state", || all().map(|task| Some(pipeline(task)?.0)).collect::<Vec<_>>());
    let name = |task: &Task| pipeline(task).map(|id| background.pipeline_name(id));
    frame.column("name", || all().map(name).collect::<Vec<Option<String>>>());
    frame.column("state", || all().map(|task| task.state().name()).collect::<Vec<&str>>());
    frame.column("pass", || all().map(|task| task.pass).collect::<Vec<_>>());
    frame.column("queued_stamp", || all().map(|task| task.queued_stamp).collect::<Vec<_>>());
    frame.column("queued_ns", || all().map(|task| ns(task.queued_stamp)).collect::<Vec<_>>());
    frame.column("queued_thread", || all().map(|task| task.queued_thread).collect::<Vec<_>>());
    frame.column("started_stamp", || all().map(started).collect::<Vec<_>>());
    frame.column("started_ns", || all().map(|task| ns(started(task))).collect::<Vec<_>>());
    frame.column("worker", || all().map(|task| Some(task.started?.worker)).collect::<Vec<Option<u32>>>());
    let priority = |task: &Task| task.started.map(|_| priorities.of(&task.priority));
    frame.column("priority", || all().map(priority).collect::<Vec<Option<String>>>());
    frame.column("boosted", || all().map(|task| task.boosted).collect::<Vec<_>>());
    frame.column("stopped_stamp", || all().map(|task| task.stopped_stamp).collect::<Vec<_>>());
    frame.column("stopped_ns", || all().map(|task| ns(task.stopped_stamp)).collect::<Vec<_>>());
    frame.column("cancelled_stamp", || all().map(cancelled).collect::<Vec<_>>());
    let reason = |task: &Task| Some(reasons.of(&task.cancelled?.reason));
    frame.column("cancel_reason", || all().map(reason).collect::<Vec<Option<String>>>());
    frame.column("refused", || all().map(|task| task.refused).collect::<Vec<_>>());
    frame.column("queue_wait_ns", || all().map(|task| ticks(task.queue_wait_ticks())).collect::<Vec<_>>());
    frame.column("run_ns", || all().map(|task| ticks(task.run_ticks())).collect::<Vec<_>>());
    let decided = |task: &Task| Some(task.decided_by_submission).filter(|by| *by != 0);
    frame.column("decided_by_submission", || all().map(decided).collect::<Vec<_>>());
    frame.column("asked_slots", || all().map(|task| task.asked_slots).collect::<Vec<_>>());
    let mut outcome = |name: &str, of: fn(&taut_schemas::CompileOutcome) -> u32| {
        frame.column(name, || all().map(|task| task.outcome.as_ref().map(of)).collect::<Vec<Option<u32>>>());
    };
    outcome("length_before", |outcome| outcome.length_before);
    outcome("length_after", |outcome| outcome.length_after);
    outcome("folded_slots", |outcome| outcome.folded_slots);
    let variant = |task: &Task| Some(task.variant.0).filter(|_| task.variant != VariantId::NULL);
    frame.column("variant", || all().map(variant).collect::<Vec<_>>());
    Ok(())
}

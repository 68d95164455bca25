//! A worker thread for background tasks.

use super::idle_thread::{IdleThread, Performed, perform};
use super::places::WorkerPlaces;
use super::priority::WorkerPriorities;
use crate::event_stream::EventSink;
use crate::shell::Shell;
use std::sync::Arc;
use taut_schemas::{AdapterId, TaskResult, machine};
use taut_traces::Clock;

/// Which worker it is.
pub(super) struct WorkerPlace {
    pub adapter: AdapterId,
    /// Its number among the adapter's workers.
    pub worker: u32,
    /// The number of its thread, which no other worker has.
    pub thread: u32,
}

/// Runs until the session ends. Only the work itself is done at the task's priority, by another thread: one that is hardly
/// ever run must not hold a lock that the application waits for.
pub(super) fn run<S: EventSink>(
    shell: &Arc<Shell>,
    (priorities, places): (&WorkerPriorities, &WorkerPlaces),
    (WorkerPlace { adapter, worker, thread: number }, idle_thread): (WorkerPlace, Option<IdleThread>),
    sink: S,
) {
    let mut thread = shell.thread(sink);
    let tells_time = !matches!(shell.clock, Clock::Logical);
    // Dropped before the thread with low priority: nobody may name a thread that has ended.
    let _registration = idle_thread.as_ref().map(|idle_thread| priorities.register(number, idle_thread.id()));
    while let Some((task, work, _place)) = thread.start_work(adapter, worker, places) {
        let Performed { outcome, processor } = match &idle_thread {
            Some(idle_thread) if priorities.is_low(number) => idle_thread.perform(&work),
            _ => perform(&work),
        };
        let failed = match outcome {
            Ok(made) => {
                // Where there is no time, runs that are alike have to be recorded alike.
                let processor = if tells_time { processor } else { 0 };
                let priority_refused = priorities.was_refused(number);
                let finish = machine::FinishBackgroundWork { task, priority_refused, processor };
                thread.try_call_given(&finish, Some(TaskResult { task, made })).err()
            }
            Err(reason) => Some(reason),
        };
        if let Some(reason) = failed {
            // Refused if the task was at its end before its driver panicked.
            let _ = thread.try_call_given(&machine::FailBackgroundWork { task, reason }, ());
        }
    }
}

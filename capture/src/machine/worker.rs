//! Worker thread for background tasks.

use super::idle_thread::{IdleThread, Performed, perform};
use super::places::WorkerPlaces;
use super::priority::WorkerPriorities;
use crate::event_stream::EventSink;
use crate::shell::Shell;
use std::sync::Arc;
use taut_schemas::{AdapterId, TaskResult, machine};
use taut_traces::Clock;

/// Identity of a worker.
pub(super) struct WorkerPlace {
    pub adapter: AdapterId,
    /// Index among the adapter's workers.
    pub worker: u32,
    /// Number of the worker's thread, unique in the session.
    pub thread: u32,
}

/// Worker of an adapter, with the thread that runs its work at idle priority.
pub(super) struct Worker {
    pub place: WorkerPlace,
    pub idle_thread: Option<IdleThread>,
}

/// Runs until the session ends. Only the work itself runs at the task's priority, on another thread: a thread that
/// hardly ever runs must not hold a lock that the application waits for.
pub(super) fn run<S: EventSink>(
    shell: &Arc<Shell>,
    priorities: &WorkerPriorities,
    places: &WorkerPlaces,
    worker: Worker,
    sink: S,
) {
    let Worker { place: WorkerPlace { adapter, worker, thread: number }, idle_thread } = worker;
    let mut thread = shell.thread(sink);
    let has_time = !matches!(shell.clock, Clock::Logical);
    // Dropped before the idle thread, because the handle of an ended thread must not be used.
    let handle = idle_thread.as_ref().and_then(IdleThread::handle);
    let _registration = handle.map(|handle| priorities.register(number, handle));
    while let Some((task, work, _place)) = thread.start_work(adapter, worker, places) {
        let Performed { outcome, processor } = match &idle_thread {
            Some(idle_thread) if priorities.is_low(number) => idle_thread.perform(&work),
            _ => perform(&work),
        };
        let failed = match outcome {
            Ok(work_product) => {
                // With a logical clock equal runs must give equal traces, so the processor is not recorded.
                let processor = if has_time { processor } else { 0 };
                let priority_refused = priorities.was_refused(number);
                let finish = machine::FinishBackgroundWork { task, priority_refused, processor };
                thread.try_call_with(&finish, Some(TaskResult { task, work_product })).err()
            }
            Err(reason) => Some(reason),
        };
        if let Some(reason) = failed {
            // Fails if the task had ended before its driver panicked.
            let _ = thread.try_call_with(&machine::FailBackgroundWork { task, reason }, ());
        }
    }
}

//! A worker thread for background tasks.

use super::labourer::{Labourer, perform};
use super::priority::WorkerPriorities;
use crate::event_stream::EventSink;
use crate::shell::Shell;
use std::sync::Arc;
use taut_schemas::{AdapterId, TaskResult, machine};

/// Which worker it is.
pub(super) struct Place {
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
    priorities: &WorkerPriorities,
    (Place { adapter, worker, thread: number }, labourer): (Place, Option<Labourer>),
    sink: S,
) {
    let mut thread = shell.thread(sink);
    // Dropped before the labourer: nobody may name a thread that has ended.
    let _employment = labourer.as_ref().map(|labourer| priorities.employ(number, labourer.id()));
    while let Some((task, work)) = thread.start_work(adapter, worker) {
        let made = match &labourer {
            Some(labourer) if priorities.is_low(number) => labourer.perform(&work),
            _ => perform(&work),
        };
        // Refused only if the task is not running, which it is.
        let _ = match made {
            Ok(made) => thread.call_given(&machine::FinishBackgroundWork { task }, Some(TaskResult { task, made })),
            Err(reason) => thread.call(&machine::FailBackgroundWork { task, reason }),
        };
    }
}

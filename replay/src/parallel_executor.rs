//! Executor of a replay: runs background and GPU work ahead of time on all cores.

use foldhash::HashMap;
use std::any::Any;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use taut_runtime::{Executor, SharedCode, catch, panic_message};
use taut_schemas::{BackgroundWork, DrawRun, GpuWork, TaskId, WorkProduct};

/// Started work whose result was not taken yet. The time of its execution does not affect a result, so work starts as soon
/// as it is queued.
#[derive(Default)]
pub(crate) struct ParallelExecutor {
    tasks: HashMap<u64, (Arc<dyn BackgroundWork>, PendingResult<WorkProduct>)>,
    draws: HashMap<u64, PendingResult<Vec<DrawRun>>>,
}

/// Result of work, or the payload of its panic.
type WorkResult<T> = Result<T, Box<dyn Any + Send>>;

/// Receiver for the result of work that is under way.
type PendingResult<T> = Receiver<WorkResult<T>>;

/// Starts work on the thread pool; it uses the same shared code as the calling thread.
fn begin<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> PendingResult<T> {
    let (done, result) = channel();
    let shared = SharedCode::current();
    let run = move || match shared {
        Some(shared) => shared.within(run),
        None => run(),
    };
    // Sending fails only if the replay has ended and dropped the receiver.
    rayon::spawn(move || drop(done.send(catch(run))));
    result
}

/// Unwraps a result. A panic of the work continues on the thread that takes the result.
fn unwrap_or_resume<T>(result: WorkResult<T>) -> T {
    result.unwrap_or_else(|panic| resume_unwind(panic))
}

impl ParallelExecutor {
    /// Removes a task's work and returns its panic message, or `Some(None)` if the work did not panic. `None` for work
    /// that was not started or whose result was taken.
    pub fn failure_of_task(&mut self, task: TaskId) -> Option<Option<String>> {
        let (_, result) = self.tasks.remove(&task.0)?;
        result.recv().ok().map(failure)
    }

    /// Returns the panic message of a submission's work, as [`failure_of_task`](Self::failure_of_task) does for tasks.
    pub fn failure_of_submission(&mut self, submission: u64) -> Option<Option<String>> {
        self.draws.remove(&submission)?.recv().ok().map(failure)
    }
}

fn failure<T>(result: WorkResult<T>) -> Option<String> {
    result.err().map(|panic| panic_message(&*panic))
}

impl Executor for ParallelExecutor {
    fn queued(&mut self, task: TaskId, work: &Arc<dyn BackgroundWork>) {
        let begun = Arc::clone(work);
        self.tasks.insert(task.0, (Arc::clone(work), begin(move || begun.run())));
    }

    fn submitted(&mut self, submission: u64, work: &Arc<dyn GpuWork>) {
        let work = Arc::clone(work);
        self.draws.insert(submission, begin(move || work.run()));
    }

    fn background(&mut self, task: TaskId, work: &Arc<dyn BackgroundWork>) -> Option<WorkProduct> {
        let (begun, result) = self.tasks.remove(&task.0)?;
        if !Arc::ptr_eq(&begun, work) {
            // The driver replaced the work because it found nothing to do (rule B-70): the result of the original work
            // is dropped, and so is its panic.
            return Some(work.run());
        }
        result.recv().ok().map(unwrap_or_resume)
    }

    fn gpu(&mut self, submission: u64, _: &Arc<dyn GpuWork>) -> Option<Vec<DrawRun>> {
        self.draws.remove(&submission)?.recv().ok().map(unwrap_or_resume)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_schemas::CompileOutcome;

    struct Work;

    impl BackgroundWork for Work {
        fn run(&self) -> WorkProduct {
            WorkProduct { outcome: CompileOutcome::default(), product: Arc::new(()) }
        }
    }

    #[test]
    fn a_result_is_returned_once_and_only_for_work_handed_out() {
        let (mut executor, work) = (ParallelExecutor::default(), Arc::new(Work) as Arc<dyn BackgroundWork>);
        executor.queued(TaskId(1), &work);
        assert!(executor.background(TaskId(2), &work).is_none());
        assert!(executor.background(TaskId(1), &work).is_some());
        assert!(executor.background(TaskId(1), &work).is_none());
    }

    struct Panicking;

    impl BackgroundWork for Panicking {
        fn run(&self) -> WorkProduct {
            panic!("a fault")
        }
    }

    #[test]
    fn b70_work_that_a_driver_found_void_is_not_what_was_begun_and_does_not_panic() {
        let mut executor = ParallelExecutor::default();
        executor.queued(TaskId(1), &(Arc::new(Panicking) as Arc<dyn BackgroundWork>));
        assert!(executor.background(TaskId(1), &(Arc::new(Work) as Arc<dyn BackgroundWork>)).is_some());
    }
}

//! Who does a replay's work: every core, ahead of time.

use foldhash::HashMap;
use std::any::Any;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use taut_runtime::{Executor, SharedCode, catch, panic_message};
use taut_schemas::{BackgroundWork, DrawRun, GpuWork, TaskId, WorkProduct};

/// Work that was handed out and not yet asked for. Results do not depend on when they are made, so it begins at once.
#[derive(Default)]
pub(crate) struct ParallelExecutor {
    tasks: HashMap<u64, (Arc<dyn BackgroundWork>, Making<WorkProduct>)>,
    draws: HashMap<u64, Making<Vec<DrawRun>>>,
}

/// What work gave, or what it panicked with.
type Made<T> = Result<T, Box<dyn Any + Send>>;

/// What is going to be made.
type Making<T> = Receiver<Made<T>>;

/// Has work done by somebody, who shares code as this thread does.
fn begin<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> Making<T> {
    let (done, result) = channel();
    let shared = SharedCode::current();
    let run = move || match shared {
        Some(shared) => shared.within(run),
        None => run(),
    };
    // Nobody waits any more when the replay has ended.
    rayon::spawn(move || drop(done.send(catch(run))));
    result
}

/// What was made. A panic is that of whoever wants it.
fn taken<T>(made: Made<T>) -> T {
    made.unwrap_or_else(|panic| resume_unwind(panic))
}

impl ParallelExecutor {
    /// What the work of a task panicked with, if it did. `None` of work that was not handed out, or whose result was taken.
    pub fn failure_of_task(&mut self, task: TaskId) -> Option<Option<String>> {
        let (_, result) = self.tasks.remove(&task.0)?;
        result.recv().ok().map(failure)
    }

    /// The same of a submission.
    pub fn failure_of_submission(&mut self, submission: u64) -> Option<Option<String>> {
        self.draws.remove(&submission)?.recv().ok().map(failure)
    }
}

fn failure<T>(made: Made<T>) -> Option<String> {
    made.err().map(|panic| panic_message(&*panic))
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
            // Its driver found nothing to do before it ran (rule B-70): what was begun is nobody's, and so is its panic.
            return Some(work.run());
        }
        result.recv().ok().map(taken)
    }

    fn gpu(&mut self, submission: u64, _: &Arc<dyn GpuWork>) -> Option<Vec<DrawRun>> {
        self.draws.remove(&submission)?.recv().ok().map(taken)
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
    fn a_result_is_given_once_and_only_of_work_that_was_handed_out() {
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

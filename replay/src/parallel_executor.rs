//! Who does a replay's work: every core, ahead of time.

use foldhash::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use taut_runtime::Executor;
use taut_schemas::{BackgroundWork, DrawRun, GpuWork, TaskId, WorkProduct};

/// Work that was handed out and not yet asked for. Results do not depend on when they are made, so it begins at once.
#[derive(Default)]
pub(crate) struct ParallelExecutor {
    tasks: HashMap<u64, Receiver<WorkProduct>>,
    draws: HashMap<u64, Receiver<Vec<DrawRun>>>,
}

impl Executor for ParallelExecutor {
    fn queued(&mut self, task: TaskId, work: &Arc<dyn BackgroundWork>) {
        let (work, (done, result)) = (Arc::clone(work), channel());
        // Nobody waits any more when the replay has ended.
        rayon::spawn(move || drop(done.send(work.run())));
        self.tasks.insert(task.0, result);
    }

    fn submitted(&mut self, submission: u64, work: &Arc<dyn GpuWork>) {
        let (work, (done, result)) = (Arc::clone(work), channel());
        rayon::spawn(move || drop(done.send(work.run())));
        self.draws.insert(submission, result);
    }

    fn background(&mut self, task: TaskId, _: &Arc<dyn BackgroundWork>) -> Option<WorkProduct> {
        self.tasks.remove(&task.0)?.recv().ok()
    }

    fn gpu(&mut self, submission: u64, _: &Arc<dyn GpuWork>) -> Option<Vec<DrawRun>> {
        self.draws.remove(&submission)?.recv().ok()
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
}

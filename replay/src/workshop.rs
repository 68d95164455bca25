//! Where replay has its work done: ahead of time, on all cores.

use foldhash::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use taut_runtime::Labour;
use taut_schemas::{BackgroundWork, DrawRun, GpuWork, TaskId, WorkProduct};

/// Work that was handed out and not yet asked for. Results do not depend on when they are made, so it begins at once.
#[derive(Default)]
pub(crate) struct Workshop {
    tasks: HashMap<u64, Receiver<WorkProduct>>,
    draws: HashMap<u64, Receiver<Vec<DrawRun>>>,
}

impl Labour for Workshop {
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

    fn background(&mut self, task: TaskId, work: &Arc<dyn BackgroundWork>) -> WorkProduct {
        let made = self.tasks.remove(&task.0).and_then(|result| result.recv().ok());
        made.unwrap_or_else(|| work.run())
    }

    fn gpu(&mut self, submission: u64, work: &Arc<dyn GpuWork>) -> Vec<DrawRun> {
        let made = self.draws.remove(&submission).and_then(|result| result.recv().ok());
        made.unwrap_or_else(|| work.run())
    }
}

//! Thread priorities of background tasks in the operating system.

use super::thread_handle::ThreadHandle;
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_schemas::WorkPriority;

/// Priority of each thread that runs a worker's tasks. If the system rejects a change, only the timing differs. Only
/// threads of normal priority call this.
pub struct WorkerPriorities {
    workers: Mutex<Vec<Worker>>,
    set_priority: fn(&ThreadHandle, WorkPriority) -> bool,
}

impl Default for WorkerPriorities {
    fn default() -> Self {
        Self { workers: Mutex::default(), set_priority: ThreadHandle::set_priority }
    }
}

#[derive(Clone)]
struct Worker {
    /// Thread that runs the worker's tasks at idle priority. `None` before it starts and after it ends.
    thread: Option<ThreadHandle>,
    wanted: WorkPriority,
    /// Priority that was last set or attempted.
    applied: WorkPriority,
    /// True if the system rejected it.
    refused: bool,
}

// A new thread has normal priority and its first task is expected to be idle, so registration sets the priority.
const ABSENT: Worker =
    Worker { thread: None, wanted: WorkPriority::IDLE, applied: WorkPriority::ABOVE_IDLE, refused: false };

impl Worker {
    /// Sets the wanted priority, unless it is already set.
    fn apply(&mut self, set_priority: fn(&ThreadHandle, WorkPriority) -> bool) {
        if let Some(thread) = self.thread.as_ref().filter(|_| self.wanted != self.applied) {
            self.refused = !set_priority(thread, self.wanted);
            self.applied = self.wanted;
        }
    }
}

impl WorkerPriorities {
    /// False in tests with shuttle, whose threads have no priorities. Each worker then runs all of its tasks itself.
    pub(super) const ARE_SUPPORTED: bool = !cfg!(test);

    /// Sets the priority at which this worker's task should run from now on.
    pub fn want(&self, worker: u32, priority: WorkPriority) {
        self.with(worker, |worker| worker.wanted = priority);
    }

    /// True if this worker's task should run at idle priority, on another thread than the worker: a thread with idle
    /// priority may be unable to raise it again.
    pub(super) fn is_low(&self, worker: u32) -> bool {
        self.with(worker, |worker| worker.wanted == WorkPriority::IDLE)
    }

    /// True if the system rejected the last priority of this worker's task.
    pub(super) fn was_refused(&self, worker: u32) -> bool {
        self.with(worker, |worker| worker.refused)
    }

    /// Registers the thread that runs this worker's tasks, until the returned value is dropped.
    pub(super) fn register(&self, worker: u32, thread: ThreadHandle) -> Registration<'_> {
        self.with(worker, |worker| worker.thread = Some(thread));
        Registration { priorities: self, worker }
    }

    fn with<R>(&self, worker: u32, change: impl FnOnce(&mut Worker) -> R) -> R {
        let mut workers: MutexGuard<'_, Vec<Worker>> = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let at = worker as usize;
        if workers.len() <= at {
            workers.resize(at + 1, ABSENT);
        }
        let result = change(&mut workers[at]);
        workers[at].apply(self.set_priority);
        result
    }
}

/// Registration of the thread that runs a worker's tasks.
pub(super) struct Registration<'a> {
    priorities: &'a WorkerPriorities,
    worker: u32,
}

impl Drop for Registration<'_> {
    fn drop(&mut self) {
        self.priorities.with(self.worker, |worker| *worker = ABSENT);
    }
}

#[cfg(all(test, any(target_os = "linux", windows)))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_priority_that_the_system_refuses_is_noted() {
        let priorities = WorkerPriorities { set_priority: |_, _| false, ..WorkerPriorities::default() };
        let thread = std::thread::spawn(|| ());
        let registration = priorities.register(3, ThreadHandle::new(&thread).unwrap());
        assert!(priorities.was_refused(3) && !priorities.was_refused(2));
        drop(registration);
        assert!(!priorities.was_refused(3), "nobody is told anything any more");
        thread.join().unwrap();
    }
}

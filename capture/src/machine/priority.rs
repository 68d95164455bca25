//! The priorities of the workers' tasks, as the operating system has them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_schemas::WorkPriority;
use thread_priority::ThreadId;

/// The priority of each thread that does a worker's tasks. A system that does not let itself be told changes nothing but
/// the timing. Only threads of ordinary priority call this.
pub struct WorkerPriorities {
    workers: Mutex<Vec<Worker>>,
    tell: fn(ThreadId, WorkPriority) -> bool,
}

impl Default for WorkerPriorities {
    fn default() -> Self {
        Self { workers: Mutex::default(), tell: tell_the_system }
    }
}

#[derive(Clone, Copy)]
struct Worker {
    /// The thread that does its tasks at low priority. None before it came and after it went.
    thread: Option<ThreadId>,
    wanted: WorkPriority,
    /// What the system was told last.
    told: WorkPriority,
    /// And it refused.
    refused: bool,
}

const ABSENT: Worker =
    Worker { thread: None, wanted: WorkPriority::IDLE, told: WorkPriority::ABOVE_IDLE, refused: false };

impl Worker {
    /// Tells the system, if it is not told already.
    fn apply(&mut self, tell: fn(ThreadId, WorkPriority) -> bool) {
        if let Some(thread) = self.thread.filter(|_| self.wanted != self.told) {
            self.refused = !tell(thread, self.wanted);
            self.told = self.wanted;
        }
    }
}

impl WorkerPriorities {
    /// Under a test's scheduler threads have no priorities, and a worker does all its work itself.
    pub(super) const ARE_HEEDED: bool = !cfg!(test);

    /// A task of this worker is to run at this priority, from now on.
    pub fn want(&self, worker: u32, priority: WorkPriority) {
        self.with(worker, |worker| worker.wanted = priority);
    }

    /// This worker's task is to run at low priority. One that is not may be done by the worker itself: a thread that was
    /// low once may have to stay so.
    pub(super) fn is_low(&self, worker: u32) -> bool {
        self.with(worker, |worker| worker.wanted == WorkPriority::IDLE)
    }

    /// The system refused the priority that this worker's task was last to run at.
    pub(super) fn was_refused(&self, worker: u32) -> bool {
        self.with(worker, |worker| worker.refused)
    }

    /// This thread does this worker's tasks, as long as the value lives.
    pub(super) fn register(&self, worker: u32, thread: ThreadId) -> Registration<'_> {
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
        workers[at].apply(self.tell);
        result
    }
}

/// A thread that does a worker's tasks.
pub(super) struct Registration<'a> {
    priorities: &'a WorkerPriorities,
    worker: u32,
}

impl Drop for Registration<'_> {
    fn drop(&mut self) {
        self.priorities.with(self.worker, |worker| *worker = ABSENT);
    }
}

/// Whether the system did as it was told.
#[cfg(target_os = "linux")]
fn tell_the_system(thread: ThreadId, priority: WorkPriority) -> bool {
    use thread_priority::{
        NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
    };
    let policy = match priority {
        WorkPriority::IDLE => NormalThreadSchedulePolicy::Idle,
        _ => NormalThreadSchedulePolicy::Other,
    };
    // 48 of 99 is niceness 0, which is set besides the policy.
    let Ok(level) = 48_u8.try_into() else { return false };
    let level = ThreadPriority::Crossplatform(level);
    set_thread_priority_and_policy(thread, level, ThreadSchedulePolicy::Normal(policy)).is_ok()
}

#[cfg(windows)]
fn tell_the_system(thread: ThreadId, priority: WorkPriority) -> bool {
    use thread_priority::{WinAPIThreadPriority, set_winapi_thread_priority};
    let priority = match priority {
        WorkPriority::IDLE => WinAPIThreadPriority::Idle,
        _ => WinAPIThreadPriority::Normal,
    };
    set_winapi_thread_priority(thread, priority).is_ok()
}

// Elsewhere a thread's policy cannot be changed from another thread without privileges.
#[cfg(not(any(target_os = "linux", windows)))]
fn tell_the_system(_: ThreadId, _: WorkPriority) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_priority_that_the_system_refuses_is_noted() {
        let priorities = WorkerPriorities { tell: |_, _| false, ..WorkerPriorities::default() };
        let employment = priorities.register(3, thread_priority::thread_native_id());
        assert!(priorities.was_refused(3) && !priorities.was_refused(2));
        drop(employment);
        assert!(!priorities.was_refused(3), "nobody is told anything any more");
    }
}

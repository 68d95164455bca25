//! The workers' priorities, as the operating system has them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_schemas::WorkPriority;
use thread_priority::{ThreadId, thread_native_id};

/// The priority of each worker's thread. A system that does not let itself be told changes nothing but the timing.
#[derive(Default)]
pub struct WorkerPriorities {
    workers: Mutex<Vec<Worker>>,
}

#[derive(Clone, Copy)]
struct Worker {
    /// None before it came and after it went.
    thread: Option<ThreadId>,
    wanted: WorkPriority,
    /// It is doing a task's work.
    busy: bool,
    /// What the system was told last.
    told: WorkPriority,
}

const ABSENT: Worker = Worker { thread: None, wanted: WorkPriority::IDLE, busy: false, told: WorkPriority::ABOVE_IDLE };

impl Worker {
    /// Tells the system, if it is not told already. A thread that does no work is ready for the next task at once.
    fn apply(&mut self) {
        let now = if self.busy { self.wanted } else { WorkPriority::ABOVE_IDLE };
        if let Some(thread) = self.thread.filter(|_| now != self.told) {
            set(thread, now);
            self.told = now;
        }
    }
}

impl WorkerPriorities {
    /// A task of this worker is to run at this priority, from now on.
    pub fn want(&self, worker: u32, priority: WorkPriority) {
        self.with(worker, |worker| worker.wanted = priority);
    }

    /// The calling thread is this worker, as long as the value lives.
    pub(super) fn attend(&self, worker: u32) -> Attendance<'_> {
        self.with(worker, |worker| worker.thread = Some(thread_native_id()));
        Attendance { priorities: self, worker }
    }

    /// The worker begins a task's work.
    pub(super) fn begin(&self, worker: u32) {
        self.with(worker, |worker| worker.busy = true);
    }

    /// The worker has done it.
    pub(super) fn end(&self, worker: u32) {
        self.with(worker, |worker| worker.busy = false);
    }

    fn with(&self, worker: u32, change: impl FnOnce(&mut Worker)) {
        let mut workers: MutexGuard<'_, Vec<Worker>> = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let at = worker as usize;
        if workers.len() <= at {
            workers.resize(at + 1, ABSENT);
        }
        change(&mut workers[at]);
        workers[at].apply();
    }
}

/// A worker's presence.
pub(super) struct Attendance<'a> {
    priorities: &'a WorkerPriorities,
    worker: u32,
}

impl Drop for Attendance<'_> {
    fn drop(&mut self) {
        // Nobody may name a thread that has ended.
        self.priorities.with(self.worker, |worker| worker.thread = None);
    }
}

#[cfg(target_os = "linux")]
fn set(thread: ThreadId, priority: WorkPriority) {
    use thread_priority::{
        NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
    };
    let policy = match priority {
        WorkPriority::IDLE => NormalThreadSchedulePolicy::Idle,
        _ => NormalThreadSchedulePolicy::Other,
    };
    // 48 of 99 is niceness 0, which is set besides the policy.
    if let Ok(level) = 48_u8.try_into() {
        let level = ThreadPriority::Crossplatform(level);
        let _ = set_thread_priority_and_policy(thread, level, ThreadSchedulePolicy::Normal(policy));
    }
}

#[cfg(windows)]
fn set(thread: ThreadId, priority: WorkPriority) {
    use thread_priority::{WinAPIThreadPriority, set_winapi_thread_priority};
    let priority = match priority {
        WorkPriority::IDLE => WinAPIThreadPriority::Idle,
        _ => WinAPIThreadPriority::Normal,
    };
    let _ = set_winapi_thread_priority(thread, priority);
}

// Elsewhere a thread's policy cannot be changed from another thread without privileges.
#[cfg(not(any(target_os = "linux", windows)))]
fn set(_: ThreadId, _: WorkPriority) {}

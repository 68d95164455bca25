//! Thread that registered itself with a session.

use super::recorder::Recorder;
use super::sink::SessionSink;
use crate::app_thread::AppThread;
use crate::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock whose holders leave no partial changes, so that poisoning can be ignored.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Thread that registered itself; `None` inside once it or the session has ended.
pub(super) struct RegisteredThread<R: Recorder> {
    thread: Mutex<Option<AppThread<SessionSink<R::Sink>>>>,
}

impl<R: Recorder> RegisteredThread<R> {
    pub fn new(thread: AppThread<SessionSink<R::Sink>>) -> RegisteredThread<R> {
        RegisteredThread { thread: Mutex::new(Some(thread)) }
    }

    pub fn lock(&self) -> MutexGuard<'_, Option<AppThread<SessionSink<R::Sink>>>> {
        locked(&self.thread)
    }

    /// True if the thread or the session has ended. A thread in a call, whose lock is taken, has not.
    pub fn is_over(&self) -> bool {
        self.thread.try_lock().is_ok_and(|thread| thread.is_none())
    }
}

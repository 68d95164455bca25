//! Which thread of a session the calling thread is.
//!
//! A thread finds its own among its locals. It locks it for each call; nobody else does, but who ends the session.

use super::recorder::Recorder;
use super::shared::Shared;
use super::sink::SessionSink;
use crate::app_thread::AppThread;
use crate::sync::{Mutex, MutexGuard, PoisonError, thread_local};
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Takes a lock whose holders leave nothing half done.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread that registered itself; none once it or the session has ended.
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

    /// Whether the thread or the session has ended. One that makes a call has not.
    pub fn is_over(&self) -> bool {
        self.thread.try_lock().is_ok_and(|thread| thread.is_none())
    }
}

/// What a thread has of its registration: when the thread ends, its events are handed over.
struct Registration<R: Recorder> {
    thread: Arc<RegisteredThread<R>>,
}

impl<R: Recorder> Drop for Registration<R> {
    fn drop(&mut self) {
        // Under the lock, so that the session does not end in between.
        drop(self.thread.lock().take());
    }
}

/// A registration, whatever records the session.
trait AnyRegistration: Any {
    /// As [`RegisteredThread::is_over`].
    fn is_over(&self) -> bool;
}

impl<R: Recorder> AnyRegistration for Registration<R> {
    fn is_over(&self) -> bool {
        self.thread.is_over()
    }
}

thread_local! {
    /// The sessions that this thread has made calls in, by their ids: seldom more than one.
    static REGISTRATIONS: RefCell<Vec<(u64, Rc<dyn AnyRegistration>)>> = RefCell::new(Vec::new());
}

impl<R: Recorder> Shared<R> {
    /// Runs on the calling thread's own thread of the session: on one that registers now, if this is its first call.
    pub fn on_current_thread<T>(&self, run: impl FnOnce(&mut AppThread<SessionSink<R::Sink>>) -> T) -> T {
        if let Some(registration) = self.registration()
            && let Some(thread) = registration.thread.lock().as_mut()
        {
            return run(thread);
        }
        run(&mut self.late_thread())
    }

    /// The calling thread's. `None` for one that comes after the session's end.
    fn registration(&self) -> Option<Rc<Registration<R>>> {
        let find = |all: &RefCell<Vec<(u64, Rc<dyn AnyRegistration>)>>| {
            all.borrow()
                .iter()
                .find(|(session, _)| *session == self.id)
                .map(|(_, registration)| Rc::clone(registration))
        };
        if let Ok(Some(registration)) = REGISTRATIONS.try_with(find) {
            let registration: Rc<dyn Any> = registration;
            return registration.downcast().ok();
        }
        let registration = Rc::new(Registration { thread: self.register()? });
        // A thread that is past its locals' end cannot keep it: such a call is a thread of its own.
        let _ = REGISTRATIONS.try_with(|all| {
            let mut all = all.borrow_mut();
            all.retain(|(_, registration)| !registration.is_over());
            all.push((self.id, Rc::clone(&registration) as Rc<dyn AnyRegistration>));
        });
        Some(registration)
    }
}

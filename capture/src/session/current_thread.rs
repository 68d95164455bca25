//! Lookup of the calling thread's thread object in a session.
//!
//! The object is found in a thread-local list. Each call locks it; the only other code that locks it is the end of the
//! session.

use super::recorder::Recorder;
use super::registered_thread::RegisteredThread;
use super::shared::Shared;
use super::sink::SessionSink;
use crate::app_thread::AppThread;
use crate::sync::thread_local;
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Registration held by a thread: when the thread ends, its events are flushed.
struct Registration<R: Recorder> {
    thread: Arc<RegisteredThread<R>>,
}

impl<R: Recorder> Drop for Registration<R> {
    fn drop(&mut self) {
        // Dropped under the lock, so that the session cannot end in between.
        drop(self.thread.lock().take());
    }
}

/// Registration with any type of recorder.
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
    /// Sessions that this thread has made calls in, by id: rarely more than one.
    static REGISTRATIONS: RefCell<Vec<(u64, Rc<dyn AnyRegistration>)>> = RefCell::new(Vec::new());
}

impl<R: Recorder> Shared<R> {
    /// Runs `run` on the calling thread's thread object; the first call registers it.
    pub fn on_current_thread<T>(&self, run: impl FnOnce(&mut AppThread<SessionSink<R::Sink>>) -> T) -> T {
        if let Some(registration) = self.registration()
            && let Some(thread) = registration.thread.lock().as_mut()
        {
            return run(thread);
        }
        run(&mut self.late_thread())
    }

    /// Returns the calling thread's registration; `None` after the session's end.
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
        // During the destruction of thread locals the registration cannot be stored; such a call has a thread object of
        // its own.
        let _ = REGISTRATIONS.try_with(|all| {
            let mut all = all.borrow_mut();
            // Registrations in ended sessions are removed, so that the list stays short.
            all.retain(|(_, registration)| !registration.is_over());
            all.push((self.id, Rc::clone(&registration) as Rc<dyn AnyRegistration>));
        });
        Some(registration)
    }
}

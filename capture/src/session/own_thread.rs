//! Which thread of a session the calling thread is.
//!
//! A thread finds its own among its locals. It locks it for each call; nobody else does, but who ends the session.

use super::life::Life;
use super::recorder::Recorder;
use super::sink::Sink;
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
pub(super) struct Slot<R: Recorder> {
    thread: Mutex<Option<AppThread<Sink<R::Sink>>>>,
}

impl<R: Recorder> Slot<R> {
    pub fn new(thread: AppThread<Sink<R::Sink>>) -> Slot<R> {
        Slot { thread: Mutex::new(Some(thread)) }
    }

    pub fn lock(&self) -> MutexGuard<'_, Option<AppThread<Sink<R::Sink>>>> {
        locked(&self.thread)
    }

    /// Whether the thread or the session has ended. One that makes a call has not.
    pub fn is_over(&self) -> bool {
        self.thread.try_lock().is_ok_and(|thread| thread.is_none())
    }
}

/// A thread's hold on its slot: when the thread ends, its events are handed over.
struct Seat<R: Recorder> {
    slot: Arc<Slot<R>>,
}

impl<R: Recorder> Drop for Seat<R> {
    fn drop(&mut self) {
        // Under the lock, so that the session does not end in between.
        drop(self.slot.lock().take());
    }
}

/// A seat in a session of any kind.
trait AnySeat: Any {
    /// As [`Slot::is_over`].
    fn is_over(&self) -> bool;
}

impl<R: Recorder> AnySeat for Seat<R> {
    fn is_over(&self) -> bool {
        self.slot.is_over()
    }
}

thread_local! {
    /// The sessions that this thread has made calls in, by their ids: seldom more than one.
    static SEATS: RefCell<Vec<(u64, Rc<dyn AnySeat>)>> = RefCell::new(Vec::new());
}

impl<R: Recorder> Life<R> {
    /// Runs on the calling thread's own thread of the session: on one that registers now, if this is its first call.
    pub fn on_own_thread<T>(&self, run: impl FnOnce(&mut AppThread<Sink<R::Sink>>) -> T) -> T {
        if let Some(seat) = self.seat()
            && let Some(thread) = seat.slot.lock().as_mut()
        {
            return run(thread);
        }
        run(&mut self.late_thread())
    }

    /// The calling thread's seat. `None` for one that comes after the session's end.
    fn seat(&self) -> Option<Rc<Seat<R>>> {
        let find = |seats: &RefCell<Vec<(u64, Rc<dyn AnySeat>)>>| {
            seats.borrow().iter().find(|(session, _)| *session == self.id).map(|(_, seat)| Rc::clone(seat))
        };
        if let Ok(Some(seat)) = SEATS.try_with(find) {
            let seat: Rc<dyn Any> = seat;
            return seat.downcast().ok();
        }
        let seat = Rc::new(Seat { slot: self.register()? });
        // A thread that is past its locals' end cannot keep it: such a call is a thread of its own.
        let _ = SEATS.try_with(|seats| {
            let mut seats = seats.borrow_mut();
            seats.retain(|(_, seat)| !seat.is_over());
            seats.push((self.id, Rc::clone(&seat) as Rc<dyn AnySeat>));
        });
        Some(seat)
    }
}

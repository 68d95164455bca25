//! The thread that does the work of a worker's tasks.
//!
//! While its priority is low it is hardly ever run, and without privileges a system may not let it be raised again. So it
//! takes no lock that anyone else waits for: the worker takes tasks and hands in results in its place.

use super::processor;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use taut_runtime::{catch, panic_message};
use taut_schemas::{BackgroundWork, WorkProduct};
use thread_priority::{ThreadId, thread_native_id};

/// Work that was done.
pub(super) struct Performed {
    /// What it made, or what its panic said.
    pub outcome: Result<WorkProduct, String>,
    /// The processor that it ended on, from 1; 0 where nobody knows.
    pub processor: u32,
}

/// A worker's second thread.
pub(super) struct IdleThread {
    /// None once it is to end.
    orders: Option<Sender<Arc<dyn BackgroundWork>>>,
    made: Receiver<Performed>,
    id: ThreadId,
    thread: Option<JoinHandle<()>>,
}

impl IdleThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(worker: u32) -> std::io::Result<IdleThread> {
        let (orders, work) = channel::<Arc<dyn BackgroundWork>>();
        let (hand_in, made) = channel();
        let (tell, told) = channel();
        let run = move || {
            // Whoever started it waits for this.
            let _ = tell.send(thread_native_id());
            for work in work {
                if hand_in.send(perform(&work)).is_err() {
                    return;
                }
            }
        };
        let thread = Some(Builder::new().name(format!("task {worker}")).spawn(run)?);
        let id = told.recv().map_err(std::io::Error::other)?;
        Ok(IdleThread { orders: Some(orders), made, id, thread })
    }

    /// The thread, as the system knows it.
    pub fn id(&self) -> ThreadId {
        self.id
    }

    /// Has the work done, and waits for it.
    pub fn perform(&self, work: &Arc<dyn BackgroundWork>) -> Performed {
        let ordered = self.orders.as_ref().is_some_and(|orders| orders.send(Arc::clone(work)).is_ok());
        let made = if ordered { self.made.recv().ok() } else { None };
        made.unwrap_or_else(|| perform(work))
    }
}

impl Drop for IdleThread {
    fn drop(&mut self) {
        self.orders = None;
        // Panics are caught where they happen.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Does the work on the calling thread.
pub(super) fn perform(work: &Arc<dyn BackgroundWork>) -> Performed {
    let outcome = catch(|| work.run()).map_err(|panic| panic_message(&*panic));
    Performed { outcome, processor: processor::current() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Says on which thread it was done, or fails.
    struct Errand {
        fails: bool,
    }

    impl BackgroundWork for Errand {
        fn run(&self) -> WorkProduct {
            assert!(!self.fails, "out of luck");
            WorkProduct { outcome: Default::default(), product: Arc::new(std::thread::current().id()) }
        }
    }

    #[test]
    fn work_is_done_on_a_thread_of_its_own_and_a_panic_does_not_end_that() {
        let idle_thread = IdleThread::start(3).unwrap();
        let done_by = || {
            let errand: Arc<dyn BackgroundWork> = Arc::new(Errand { fails: false });
            *idle_thread.perform(&errand).outcome.unwrap().product.downcast::<std::thread::ThreadId>().unwrap()
        };
        let first = done_by();
        let errand: Arc<dyn BackgroundWork> = Arc::new(Errand { fails: true });
        assert_eq!(idle_thread.perform(&errand).outcome.err().unwrap(), "out of luck");
        assert!(done_by() == first && first != std::thread::current().id());
    }
}

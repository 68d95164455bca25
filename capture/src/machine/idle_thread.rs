//! Thread that runs a worker's tasks at idle priority.
//!
//! A thread with idle priority hardly ever runs, and without privileges a system may not allow raising its priority
//! again. So it takes no lock that another thread waits for: the worker starts and ends tasks for it.

use super::processor;
use super::signals::without_signals;
use super::thread_handle::ThreadHandle;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use taut_runtime::{catch, panic_message};
use taut_schemas::{BackgroundWork, WorkProduct};

/// Finished work.
pub(super) struct Performed {
    /// Product of the work, or the message of its panic.
    pub outcome: Result<WorkProduct, String>,
    /// Processor on which the work ended, from 1; 0 if unknown.
    pub processor: u32,
}

/// Second thread of a worker.
pub(super) struct IdleThread {
    /// `None` once the thread should end.
    orders: Option<Sender<Arc<dyn BackgroundWork>>>,
    done: Receiver<Performed>,
    thread: Option<JoinHandle<()>>,
}

impl IdleThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system cannot create a thread.
    pub fn start(worker: u32) -> std::io::Result<IdleThread> {
        let (orders, work) = channel::<Arc<dyn BackgroundWork>>();
        let (hand_in, done) = channel();
        let run = move || {
            for work in work {
                if hand_in.send(perform(&work)).is_err() {
                    return;
                }
            }
        };
        let spawn = || Builder::new().name(format!("task {worker}")).spawn(run);
        let thread = Some(without_signals(spawn)?);
        Ok(IdleThread { orders: Some(orders), done, thread })
    }

    /// Returns the handle by which the thread's priority is set.
    pub fn handle(&self) -> Option<ThreadHandle> {
        self.thread.as_ref().and_then(ThreadHandle::new)
    }

    /// Runs the work on the thread and waits for it.
    pub fn perform(&self, work: &Arc<dyn BackgroundWork>) -> Performed {
        let ordered = self.orders.as_ref().is_some_and(|orders| orders.send(Arc::clone(work)).is_ok());
        let done = if ordered { self.done.recv().ok() } else { None };
        done.unwrap_or_else(|| perform(work))
    }
}

impl Drop for IdleThread {
    fn drop(&mut self) {
        self.orders = None;
        // Panics of the work are caught on the thread, so joining cannot fail because of them.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Runs the work on the calling thread.
pub(super) fn perform(work: &Arc<dyn BackgroundWork>) -> Performed {
    let outcome = catch(|| work.run()).map_err(|panic| panic_message(&*panic));
    Performed { outcome, processor: processor::current() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Work whose product is the id of its thread, or that panics.
    struct TestWork {
        fails: bool,
    }

    impl BackgroundWork for TestWork {
        fn run(&self) -> WorkProduct {
            assert!(!self.fails, "out of luck");
            WorkProduct { outcome: Default::default(), product: Arc::new(std::thread::current().id()) }
        }
    }

    #[test]
    fn work_is_done_on_a_thread_of_its_own_and_a_panic_does_not_end_that() {
        let idle_thread = IdleThread::start(3).unwrap();
        let done_by = || {
            let test_work: Arc<dyn BackgroundWork> = Arc::new(TestWork { fails: false });
            *idle_thread.perform(&test_work).outcome.unwrap().product.downcast::<std::thread::ThreadId>().unwrap()
        };
        let first = done_by();
        let test_work: Arc<dyn BackgroundWork> = Arc::new(TestWork { fails: true });
        assert_eq!(idle_thread.perform(&test_work).outcome.err().unwrap(), "out of luck");
        assert!(done_by() == first && first != std::thread::current().id());
    }
}

//! Work on a thread of its own, while the caller's thread polls for signals.

use crate::failure::{Failure, internal};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// Interval of polls for signals: an interrupt takes effect within 0.1 s, the end of a recording included.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Stack of a thread that plans queries: nested expressions recurse. The program `taut-tables` has the same.
const STACK_BYTES: usize = 128 << 20;

/// Process in which work ran first; 0 before. Its threads, those of the pools included, are missing in a fork.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Checks that this process is not the fork of one that has done work.
///
/// # Errors
/// The process is one.
pub fn check_process(py: Python<'_>) -> PyResult<()> {
    let own = process::id();
    match PROCESS.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed) {
        Err(first) if first != own => {
            let why = "this process is a fork of one that has used tautline, and has none of its threads: use spawn \
                       (multiprocessing.set_start_method(\"spawn\"))";
            Err(Failure::other(why).raise(py))
        }
        _ => Ok(()),
    }
}

/// Removes the unfinished files of operations that were interrupted, at the end of the interpreter. A fork leaves those of
/// its parent.
#[pyfunction]
pub fn remove_unfinished() {
    if PROCESS.load(Ordering::Relaxed) == process::id() {
        taut_console::remove_unfinished();
    }
}

/// Starts a thread for work.
///
/// # Errors
/// The system gives no thread.
pub fn start(work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let thread = Builder::new().name("tautline".to_owned()).stack_size(STACK_BYTES).spawn(work);
    thread.map(|_| ()).map_err(|error| Failure::other(format!("no thread for the work: {error}")))
}

/// Receives a value without the interpreter's lock, and polls for signals meanwhile. `None` after the last value.
///
/// # Errors
/// A signal handler raised an exception.
pub fn receive<T: Send>(py: Python<'_>, receiver: &Mutex<Receiver<T>>) -> PyResult<Option<T>> {
    loop {
        let received = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(POLL_INTERVAL)
        });
        match received {
            Ok(value) => return Ok(Some(value)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}

/// Text of a panic.
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a message")
}

/// Runs work that reads. After an interrupt, its thread ends by itself, and its result is dropped.
///
/// # Errors
/// The work failed, or a signal handler raised an exception.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    check_process(py)?;
    let (sender, receiver) = channel();
    start(move || {
        let result = catch_unwind(AssertUnwindSafe(work));
        // The caller may have been interrupted.
        let _ = sender.send(result);
    })
    .map_err(|error| error.raise(py))?;
    let receiver = Mutex::new(receiver);
    finished(py, receive(py, &receiver)?)
}

/// Reaction of work to an interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterStop {
    /// The work ends soon, and the caller waits for its output.
    Waits,
    /// The work cannot be stopped; its thread ends later, and leaves no output.
    Abandons,
}

/// Runs work that writes. After an interrupt, `stop` is called; as it says, the exception is raised at once, or after the
/// work has ended.
///
/// # Errors
/// As [`run`].
pub fn run_until<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    stop: impl Fn() -> AfterStop,
    mut poll: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    check_process(py)?;
    let (sender, receiver) = channel();
    start(move || {
        let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    })
    .map_err(|error| error.raise(py))?;
    let receiver = Mutex::new(receiver);
    let mut stopped = None;
    loop {
        let received = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(POLL_INTERVAL)
        });
        match received {
            Err(RecvTimeoutError::Timeout) if stopped.is_none() => {
                if let Err(error) = py.check_signals().and_then(|()| poll(py)) {
                    if stop() == AfterStop::Abandons {
                        return Err(error);
                    }
                    stopped = Some(error);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            received => return stopped.map_or_else(|| finished(py, received.ok()), Err),
        }
    }
}

type Caught<T> = Result<Result<T, Failure>, Box<dyn Any + Send>>;

fn finished<T>(py: Python<'_>, received: Option<Caught<T>>) -> PyResult<T> {
    match received {
        Some(Ok(result)) => result.map_err(|error| error.raise(py)),
        Some(Err(panic)) => Err(internal(panic_text(&*panic))),
        None => Err(internal("the thread of the work has ended without a result")),
    }
}

//! Progress of an operation on another thread, passed to a function of Python.

use crate::failure::Failure;
use crate::work::{AfterStop, run_until};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{Builder, park_timeout};
use std::time::Duration;
use taut_app::{Progress, Step};

/// Interval at which progress is measured.
const MEASURE_INTERVAL: Duration = Duration::from_millis(20);

/// Progress of an operation on another thread.
#[derive(Default)]
pub struct Meter {
    done: AtomicU64,
    all: AtomicU64,
}

impl Meter {
    /// Passes the progress to a function of Python, if it has changed.
    fn report(&self, py: Python<'_>, function: Option<&Py<PyAny>>, last: &mut (u64, u64)) -> PyResult<()> {
        let Some(function) = function else { return Ok(()) };
        let now = (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed));
        if *last != now {
            *last = now;
            function.call1(py, now)?;
        }
        Ok(())
    }
}

/// Ends the thread that measures, also after a panic of the work.
struct Measuring<'a> {
    is_over: &'a AtomicBool,
    thread: Option<std::thread::Thread>,
}

impl Drop for Measuring<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.iter().for_each(std::thread::Thread::unpark);
    }
}

impl Progress for Meter {
    fn watch(&self, step: Step<'_>, work: &mut dyn FnMut()) {
        let is_over = AtomicBool::new(false);
        // A trace that was read before counts on.
        let before = (step.done)();
        let measure = || {
            let done = (step.done)().saturating_sub(before);
            // Work in several passes begins its count again.
            self.done.store(if step.total > 0 { done.min(step.total) } else { done }, Ordering::Relaxed);
        };
        self.all.store(step.total, Ordering::Relaxed);
        std::thread::scope(|scope| {
            let measured = Builder::new().spawn_scoped(scope, || {
                while !is_over.load(Ordering::Relaxed) {
                    measure();
                    park_timeout(MEASURE_INTERVAL);
                }
            });
            // Without a thread, progress is known at the end alone.
            let thread = measured.ok().map(|thread| thread.thread().clone());
            let _measuring = Measuring { is_over: &is_over, thread };
            work();
        });
        measure();
    }
}

/// Runs an operation whose progress `function` receives. The operation gets the meter, and a flag that is set after an
/// interrupt.
pub fn with_progress<T: Send + 'static>(
    py: Python<'_>,
    function: Option<Py<PyAny>>,
    work: impl FnOnce(&Meter, &AtomicBool) -> Result<T, Failure> + Send + 'static,
    stop: impl Fn() -> AfterStop,
) -> PyResult<T> {
    let shared = Arc::new((Meter::default(), AtomicBool::new(false)));
    let of_work = Arc::clone(&shared);
    let mut last = (0, 0);
    let (meter, is_stopped) = &*shared;
    let result = run_until(
        py,
        move || work(&of_work.0, &of_work.1),
        || {
            is_stopped.store(true, Ordering::Relaxed);
            stop()
        },
        |py| meter.report(py, function.as_ref(), &mut last),
    )?;
    meter.report(py, function.as_ref(), &mut last)?;
    Ok(result)
}

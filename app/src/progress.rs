//! Progress of an operation, which the caller may show.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A part of an operation whose progress can be counted.
pub struct Step<'a> {
    /// Number of items; 0 if it is unknown. A count beyond it starts over, for work that makes several passes.
    pub total: u64,
    /// Activity and items, such as `recording steps`.
    pub name: &'static str,
    /// Number of items done, callable from any thread.
    pub done: &'a (dyn Fn() -> u64 + Sync),
}

/// Receiver of progress.
pub trait Progress {
    /// Calls `work` once, and may show the progress of the step meanwhile.
    fn watch(&self, step: Step<'_>, work: &mut dyn FnMut());

    /// Receives a message about the work that remains.
    fn note(&self, _: &str) {}
}

/// Progress that is not shown.
pub struct NoProgress;

impl Progress for NoProgress {
    fn watch(&self, _: Step<'_>, work: &mut dyn FnMut()) {
        work();
    }
}

/// Runs `work` as a step, and returns its result.
pub(crate) fn watched<R>(progress: &dyn Progress, step: Step<'_>, work: impl FnOnce() -> R) -> R {
    let mut state = Work::Waiting(work);
    progress.watch(step, &mut || state.advance());
    // A receiver that does not call the work leaves it to this function.
    state.advance();
    state.result()
}

/// Work that is called at most once.
enum Work<F, R> {
    Waiting(F),
    Done(R),
    /// The work panicked.
    Lost,
}

impl<R, F: FnOnce() -> R> Work<F, R> {
    fn advance(&mut self) {
        *self = match std::mem::replace(self, Work::Lost) {
            Work::Waiting(work) => Work::Done(work()),
            done => done,
        };
    }

    fn result(self) -> R {
        match self {
            Work::Done(result) => result,
            Work::Waiting(work) => work(),
            Work::Lost => std::panic::resume_unwind(Box::new("the receiver of progress has lost a panic of the work")),
        }
    }
}

/// Reader that counts the bytes read through it.
pub(crate) struct CountingReader<R> {
    reader: R,
    read: Arc<AtomicU64>,
}

impl<R> CountingReader<R> {
    /// Wraps a reader; returns it with its counter.
    pub fn new(reader: R) -> (CountingReader<R>, Arc<AtomicU64>) {
        let read = Arc::new(AtomicU64::new(0));
        (CountingReader { reader, read: Arc::clone(&read) }, read)
    }
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Receiver that never calls the work.
    struct Idle;

    impl Progress for Idle {
        fn watch(&self, _: Step<'_>, _: &mut dyn FnMut()) {}
    }

    #[test]
    fn work_runs_once_whatever_the_receiver_does() {
        for progress in [&NoProgress as &dyn Progress, &Idle] {
            let mut runs = 0;
            let step = Step { total: 5, name: "testing", done: &|| 3 };
            let result = watched(progress, step, || {
                runs += 1;
                7
            });
            assert_eq!((result, runs), (7, 1));
        }
    }

    #[test]
    fn a_reader_counts_what_it_returns() {
        let (mut reader, read) = CountingReader::new(&b"twelve bytes"[..]);
        let text = std::io::read_to_string(&mut reader).unwrap_or_default();
        assert_eq!((text.as_str(), read.load(Ordering::Relaxed)), ("twelve bytes", 12));
    }
}

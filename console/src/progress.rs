//! Progress bars: on stderr, only where that is a terminal, with rate and time to go.

use crate::printing::{columns_of_stderr, is_dumb};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{IsTerminal, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use taut_schemas::grouped;

/// How often a bar is drawn anew.
const INTERVAL: Duration = Duration::from_millis(100);

/// A terminal with fewer columns is shown no bar.
const NARROW_COLUMNS: u16 = 72;

/// A bar for `total` things of one kind, or nothing where nobody would see it.
pub fn bar(total: u64, what: &'static str, quiet: bool) -> ProgressBar {
    if quiet || is_dumb() || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    // Where the figures take all the room there is none for a bar.
    let is_narrow = columns_of_stderr().is_some_and(|columns| columns < NARROW_COLUMNS);
    let style = ProgressStyle::with_template(match is_narrow {
        true => "{msg} {percent} %, {eta} to go",
        false => "{msg} {wide_bar} {human_pos}/{human_len} {rate}, {eta} to go",
    });
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(10));
    let rate = |state: &ProgressState, text: &mut dyn Write| {
        // A line that cannot be put together is not worth a word.
        let _ = write!(text, "{}/s", grouped(state.per_sec() as u64));
    };
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("rate", rate)).with_message(what)
}

/// Does `work` and shows beside it how far it is: `done` of `total` things, which is asked for ten times a second. What
/// counts on beyond the total begins anew: the second time round.
pub fn beside<R>(
    total: u64,
    what: &'static str,
    quiet: bool,
    done: impl Fn() -> u64 + Sync,
    work: impl FnOnce() -> R,
) -> R {
    let bar = bar(total, what, quiet);
    if bar.is_hidden() || total == 0 {
        return work();
    }
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                std::thread::park_timeout(INTERVAL);
                bar.set_position(round(done(), total));
            }
            bar.finish_and_clear();
        });
        let ending = Ending { ended: &ended, watcher: watcher.thread().clone() };
        let result = work();
        drop(ending);
        result
    })
}

/// A reader that counts the bytes it gives.
pub struct Counting<R> {
    reader: R,
    read: Arc<AtomicU64>,
}

impl<R> Counting<R> {
    /// Wraps a reader; the count goes up as it is read.
    pub fn new(reader: R) -> (Counting<R>, Arc<AtomicU64>) {
        let read = Arc::new(AtomicU64::new(0));
        (Counting { reader, read: Arc::clone(&read) }, read)
    }
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Where in its round a count stands that may go round several times.
fn round(done: u64, total: u64) -> u64 {
    match done % total {
        0 if done > 0 => total,
        within => within,
    }
}

/// Lets the watcher end, also where the work panics.
struct Ending<'a> {
    ended: &'a AtomicBool,
    watcher: std::thread::Thread,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        self.watcher.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_goes_round_is_shown_within_its_round() {
        assert_eq!([0, 1, 10, 11, 20].map(|done| round(done, 10)), [0, 1, 10, 1, 10]);
    }

    #[test]
    fn a_reader_counts_what_it_gives() {
        let (mut reader, read) = Counting::new(&b"twelve bytes"[..]);
        let text = std::io::read_to_string(&mut reader).unwrap_or_default();
        assert_eq!((text.as_str(), read.load(Ordering::Relaxed)), ("twelve bytes", 12));
    }

    #[test]
    fn what_was_done_is_given_back() {
        assert_eq!(beside(5, "testing", false, || 3, || 7), 7);
        assert_eq!(beside(0, "testing", true, || 3, || 8), 8);
    }
}

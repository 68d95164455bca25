//! Progress bars with rate and remaining time, shown on stderr if that is a terminal.

use crate::printing::{columns_of_stderr, is_dumb};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use taut_schemas::grouped;

/// Interval between two updates of a bar.
const INTERVAL: Duration = Duration::from_millis(100);

/// Width below which a terminal shows the figures without a bar.
const NARROW_COLUMNS: u16 = 72;

/// Creates a bar for `total` items; hidden with `quiet`, or if stderr is not a terminal.
pub fn bar(total: u64, what: &'static str, quiet: bool) -> ProgressBar {
    if quiet || is_dumb() || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    // On a narrow terminal the figures leave no space for a bar.
    let is_narrow = columns_of_stderr().is_some_and(|columns| columns < NARROW_COLUMNS);
    let style = ProgressStyle::with_template(match is_narrow {
        true => "{msg} {percent} %, {eta} to go",
        false => "{msg} {wide_bar} {human_pos}/{human_len} {rate}, {eta} to go",
    });
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(10));
    let rate = |state: &ProgressState, text: &mut dyn Write| {
        // Formatting into the buffer cannot fail in a way that matters.
        let _ = write!(text, "{}/s", grouped(state.per_sec() as u64));
    };
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("rate", rate)).with_message(what)
}

/// Runs `work` while a bar shows its progress: `done` of `total` items, polled ten times a second. A count beyond the
/// total starts over, for work that makes several passes.
pub fn with_progress<R>(
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
        let watch = || {
            while !ended.load(Ordering::Relaxed) {
                // The guard unparks the thread at the end of the work.
                std::thread::park_timeout(INTERVAL);
                bar.set_position(round(done(), total));
            }
            bar.finish_and_clear();
        };
        // If the system cannot start a thread, there is no bar.
        let watcher = std::thread::Builder::new().spawn_scoped(scope, watch);
        let ending = watcher.ok().map(|watcher| WatcherGuard { ended: &ended, watcher: watcher.thread().clone() });
        let result = work();
        drop(ending);
        result
    })
}

/// Position within the current pass of a count that may make several.
fn round(done: u64, total: u64) -> u64 {
    match done % total {
        0 if done > 0 => total,
        within => within,
    }
}

/// Guard that stops the watching thread, also if the work panics.
struct WatcherGuard<'a> {
    ended: &'a AtomicBool,
    watcher: std::thread::Thread,
}

impl Drop for WatcherGuard<'_> {
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
    fn the_result_of_the_work_is_returned() {
        assert_eq!(with_progress(5, "testing", false, || 3, || 7), 7);
        assert_eq!(with_progress(0, "testing", true, || 3, || 8), 8);
    }
}

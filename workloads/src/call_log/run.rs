//! Playback of a log on its own threads, in its own order.

use super::line_source::{LineSource, Numbering, StoredLines};
use super::log::CallLog;
use super::plan::Plan;
use super::player::LogPlayer;
use super::summary::RunSummary;
use super::turn_lock::TurnLock;
use crate::bundled::WorkloadError;
use crate::bundled::renderer::create_device;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope};
use taut_capture::{Caller, Callers};

/// Plays a log: creates the device on thread 0, marks position 0, and makes each line's call on the line's thread, in
/// the log's order. `plan` must be for the same log and for the driver of `callers`.
///
/// # Errors
/// The device or a thread cannot be created. Calls that fail otherwise are in the summary.
pub fn run<C: Callers>(log: &CallLog, plan: &Plan, callers: &C) -> Result<RunSummary, WorkloadError> {
    run_counting(log, plan, callers, &AtomicU64::new(0))
}

/// Plays a log as [`run`] does; `played` counts the lines played, updated after each thread's turn.
///
/// # Errors
/// As [`run`].
pub fn run_counting<C: Callers>(
    log: &CallLog,
    plan: &Plan,
    callers: &C,
    played: &AtomicU64,
) -> Result<RunSummary, WorkloadError> {
    let threads = log.threads();
    let mut summary = play(StoredLines::new(&log.lines, Numbering::default()), threads, plan, callers, played)?.0;
    summary.threads = threads;
    Ok(summary)
}

/// Plays the lines of a source, which has threads 0 to `max_threads` - 1. Returns the source with the summary.
///
/// # Errors
/// As [`run`].
pub(crate) fn play<S: LineSource, C: Callers>(
    mut source: S,
    max_threads: u32,
    plan: &Plan,
    callers: &C,
    played: &AtomicU64,
) -> Result<(RunSummary, S), WorkloadError> {
    let mut main = callers.caller(0);
    let device = create_device(&mut main)?;
    let mut player = LogPlayer::new(plan, device, source.numbering());
    player.announce(&mut main, 0);
    player.last_stamp = main.last_stamp();

    let first = source.next_thread();
    let state = State { source, player, started: BTreeSet::from([0]) };
    let playback = Playback {
        turn_lock: TurnLock::new(max_threads.max(1), first, state),
        start_error: Mutex::new(None),
        callers,
        played,
    };
    // Each thread but the main one is started at the end of the turn before its first, so threads start in the order of
    // the log.
    std::thread::scope(|scope| {
        let is_started = match first {
            Some(thread) if thread != 0 => playback.start(scope, thread),
            _ => true,
        };
        if is_started {
            playback.run(scope, 0, main);
        }
    });
    match playback.start_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => {
            let State { source, mut player, started } = playback.turn_lock.into_inner();
            player.summary.threads = started.len() as u32;
            Ok((player.summary, source))
        }
    }
}

/// State that passes from thread to thread.
struct State<'a, S> {
    source: S,
    player: LogPlayer<'a>,
    /// Threads that were started.
    started: BTreeSet<u32>,
}

/// State shared by the threads that play a log.
struct Playback<'a, S, C> {
    turn_lock: TurnLock<State<'a, S>>,
    /// Error of starting a thread.
    start_error: Mutex<Option<WorkloadError>>,
    callers: &'a C,
    /// Number of lines played.
    played: &'a AtomicU64,
}

impl<S: LineSource, C: Callers> Playback<'_, S, C> {
    /// Plays the turns of one thread.
    fn run<'scope, 'env>(&'env self, scope: &'scope Scope<'scope, 'env>, thread: u32, mut caller: C::Caller<'env>) {
        while let Some(mut held) = self.turn_lock.wait(thread) {
            let State { source, player, started } = held.value();
            started.insert(thread);
            caller.observe(player.last_stamp);
            let mut lines = 0;
            let next_thread = loop {
                // Dropping the turn without `pass_to` makes it the last, so the other threads end, too.
                if caller.is_interrupted() {
                    return;
                }
                source.play_next(|line| player.play(&mut caller, line));
                lines += 1;
                let next_thread = source.next_thread();
                if next_thread != Some(thread) {
                    break next_thread;
                }
            };
            player.last_stamp = caller.last_stamp();
            self.played.fetch_add(lines, Ordering::Relaxed);
            let to_start = next_thread.filter(|next| !started.contains(next));
            if to_start.is_some_and(|next| !self.start(scope, next)) {
                return;
            }
            held.pass_to(next_thread);
        }
    }

    /// Starts a thread.
    fn start<'scope, 'env>(&'env self, scope: &'scope Scope<'scope, 'env>, thread: u32) -> bool {
        let builder = Builder::new().name(format!("application {thread}"));
        let started = builder.spawn_scoped(scope, move || self.run(scope, thread, self.callers.caller(thread)));
        match started {
            Ok(_) => true,
            Err(source) => {
                let start_error = WorkloadError::Thread { thread, source };
                *self.start_error.lock().unwrap_or_else(PoisonError::into_inner) = Some(start_error);
                false
            }
        }
    }
}

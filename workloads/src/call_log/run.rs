//! Playback of a log on its own threads, in its own order.

use super::line::LogLine;
use super::log::CallLog;
use super::plan::Plan;
use super::player::LogPlayer;
use super::summary::RunSummary;
use super::turn_lock::TurnLock;
use crate::bundled::WorkloadError;
use crate::bundled::renderer::create_device;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
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
    let mut main = callers.caller(0);
    let device = create_device(&mut main)?;
    let mut player = LogPlayer::new(plan, device);
    player.announce(&mut main, 0);
    player.last_stamp = main.last_stamp();
    player.summary.threads = log.threads();

    let threads = log.threads();
    let playback = Playback {
        lines: &log.lines,
        schedule: Schedule::new(&log.lines),
        turn_lock: TurnLock::new(threads, player),
        start_error: Mutex::new(None),
        callers,
        played,
    };
    // Each thread but the main one is started at the end of the turn before its first, so threads start in the order of
    // the log.
    std::thread::scope(|scope| {
        if !playback.schedule.is_first_turn(0) || playback.start(scope, 0) {
            playback.run(scope, 0, main);
        }
    });
    match playback.start_error.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(playback.turn_lock.into_inner().summary),
    }
}

/// Consecutive lines of one thread.
struct LineRange {
    thread: u32,
    lines: Range<usize>,
}

/// Turns of the threads.
struct Schedule {
    turns: Vec<LineRange>,
    /// Indices of each thread's turns.
    of_thread: BTreeMap<u32, Vec<usize>>,
}

impl Schedule {
    fn new(lines: &[LogLine]) -> Schedule {
        let mut turns: Vec<LineRange> = Vec::new();
        let mut of_thread: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut at = 0;
        for line_range in lines.chunk_by(|line, next| line.thread == next.thread) {
            let thread = line_range[0].thread;
            of_thread.entry(thread).or_default().push(turns.len());
            turns.push(LineRange { thread, lines: at..at + line_range.len() });
            at += line_range.len();
        }
        Schedule { turns, of_thread }
    }

    fn thread(&self, turn: usize) -> Option<u32> {
        self.turns.get(turn).map(|line_range| line_range.thread)
    }

    /// True if the turn is the first of a thread other than the main one, which must be started.
    fn is_first_turn(&self, turn: usize) -> bool {
        let thread = self.thread(turn).filter(|thread| *thread != 0);
        let turns = thread.and_then(|thread| self.of_thread.get(&thread));
        turns.is_some_and(|turns| turns.first() == Some(&turn))
    }
}

/// State shared by the threads that play a log.
struct Playback<'a, C> {
    lines: &'a [LogLine],
    schedule: Schedule,
    turn_lock: TurnLock<LogPlayer<'a>>,
    /// Error of starting a thread.
    start_error: Mutex<Option<WorkloadError>>,
    callers: &'a C,
    /// Number of lines played.
    played: &'a AtomicU64,
}

impl<C: Callers> Playback<'_, C> {
    /// Plays the turns of one thread.
    fn run<'scope, 'env>(&'env self, scope: &'scope Scope<'scope, 'env>, thread: u32, mut caller: C::Caller<'env>) {
        let turns = self.schedule.of_thread.get(&thread).map_or(&[][..], Vec::as_slice);
        for &turn in turns {
            let next_thread = self.schedule.thread(turn + 1);
            let Some(mut held) = self.turn_lock.wait(thread, turn, next_thread) else { return };
            let player = held.value();
            caller.observe(player.last_stamp);
            for line in &self.lines[self.schedule.turns[turn].lines.clone()] {
                // Dropping the turn without `succeed` breaks the lock, so the other threads end, too.
                if caller.is_interrupted() {
                    return;
                }
                player.play(&mut caller, line);
            }
            player.last_stamp = caller.last_stamp();
            self.played.fetch_add(self.schedule.turns[turn].lines.len() as u64, Ordering::Relaxed);
            if self.schedule.is_first_turn(turn + 1) && !self.start(scope, turn + 1) {
                return;
            }
            held.succeed();
        }
    }

    /// Starts the thread whose first turn this is.
    fn start<'scope, 'env>(&'env self, scope: &'scope Scope<'scope, 'env>, turn: usize) -> bool {
        let Some(thread) = self.schedule.thread(turn) else { return false };
        let builder = Builder::new().name(format!("application {thread}"));
        let started = builder.spawn_scoped(scope, move || self.run(scope, thread, self.callers.caller(thread)));
        match started {
            Ok(_) => true,
            Err(source) => {
                let start_error = WorkloadError::Thread { thread, source };
                *self.start_error.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(start_error);
                false
            }
        }
    }
}

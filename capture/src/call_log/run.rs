//! Plays a log on its own threads, in its own order.

use super::line::LogLine;
use super::log::CallLog;
use super::plan::Plan;
use super::player::LogPlayer;
use super::summary::RunSummary;
use super::turn_lock::TurnLock;
use crate::caller::{Caller, Callers};
use crate::workloads::WorkloadError;
use crate::workloads::renderer::create_device;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{Builder, Scope};

/// Plays a log: creates the device on thread 0, marks position 0, and then makes each line's call on the line's thread,
/// in the log's order. `plan` was made for the same log and the driver behind `callers`.
///
/// # Errors
/// There is no device, or no thread. Calls that fail otherwise are in the summary.
pub fn run<C: Callers>(log: &CallLog, plan: &Plan, callers: &C) -> Result<RunSummary, WorkloadError> {
    run_counting(log, plan, callers, &AtomicU64::new(0))
}

/// The same; `played` counts the lines that have been played, a thread's turn at a time.
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
        schedule: Schedule::of(&log.lines),
        turn_lock: TurnLock::new(threads, player),
        refused: Mutex::new(None),
        callers,
        played,
    };
    // Every thread but the main one is started by the thread whose turn comes before its first.
    std::thread::scope(|scope| {
        if !playback.schedule.is_entrance(0) || playback.start(scope, 0) {
            playback.run(scope, 0, main);
        }
    });
    match playback.refused.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(playback.turn_lock.into_inner().summary),
    }
}

/// Lines that one thread plays before another has its turn.
struct Stretch {
    thread: u32,
    lines: Range<usize>,
}

/// Who plays what.
struct Schedule {
    turns: Vec<Stretch>,
    /// By thread, its turns.
    of_thread: BTreeMap<u32, Vec<usize>>,
}

impl Schedule {
    fn of(lines: &[LogLine]) -> Schedule {
        let mut turns: Vec<Stretch> = Vec::new();
        let mut of_thread: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut at = 0;
        for stretch in lines.chunk_by(|line, next| line.thread == next.thread) {
            let thread = stretch[0].thread;
            of_thread.entry(thread).or_default().push(turns.len());
            turns.push(Stretch { thread, lines: at..at + stretch.len() });
            at += stretch.len();
        }
        Schedule { turns, of_thread }
    }

    fn thread(&self, turn: usize) -> Option<u32> {
        self.turns.get(turn).map(|stretch| stretch.thread)
    }

    /// The turn is the first of a thread that has to be started: any but the main one.
    fn is_entrance(&self, turn: usize) -> bool {
        let thread = self.thread(turn).filter(|thread| *thread != 0);
        let turns = thread.and_then(|thread| self.of_thread.get(&thread));
        turns.is_some_and(|turns| turns.first() == Some(&turn))
    }
}

/// A log being played: what its threads share.
struct Playback<'a, C> {
    lines: &'a [LogLine],
    schedule: Schedule,
    turn_lock: TurnLock<LogPlayer<'a>>,
    /// Why a thread could not be started.
    refused: Mutex<Option<WorkloadError>>,
    callers: &'a C,
    /// Lines played.
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
                // The turn is not kept, so the threads after this one end, too.
                if caller.is_interrupted() {
                    return;
                }
                player.play(&mut caller, line);
            }
            player.last_stamp = caller.last_stamp();
            self.played.fetch_add(self.schedule.turns[turn].lines.len() as u64, Ordering::Relaxed);
            if self.schedule.is_entrance(turn + 1) && !self.start(scope, turn + 1) {
                return;
            }
            held.keep();
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
                let refused = WorkloadError::Thread { thread, source };
                *self.refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(refused);
                false
            }
        }
    }
}

//! The buffers between the recording threads and the block writer.

mod entering;
mod telling;

use crate::clock::Clock;
use crate::end_cause::EndWatch;
use crate::error::WriteError;
use crate::gap::{Gap, GapCause};
use crate::handover::{Handover, Rows};
use crate::map::Piece;
use crate::options::{OnFull, WriteOptions};
use crate::own::Own;
use crate::segment_watch::SegmentWatch;
use crate::slot::Slot;
use crate::snapshot_watch::SnapshotWatch;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use telling::OnUnkept;

/// What the block writer is to do next.
#[derive(Debug)]
pub(crate) enum Next {
    /// Write what the recording says of itself.
    Tell(Vec<Own>),
    /// Take these records.
    Take(Handover),
    /// Close a block, so that slots are freed: there are no others.
    Free,
    /// Close all blocks.
    Flush,
    /// Nothing more.
    End,
}

/// What the keeper is to do next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Chore {
    /// Make a slot.
    Make,
    /// Nothing came up in the time.
    TimeOut,
    /// Nothing more.
    End,
}

/// Counts the events that a thread was given, kept or not.
pub(crate) type Gauge = Arc<AtomicU64>;

/// What is to be called when the output fails.
struct OnFailure(Box<dyn FnOnce(&WriteError) + Send>);

impl fmt::Debug for OnFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnFailure")
    }
}

#[derive(Debug, Default)]
struct State {
    filled: VecDeque<Handover>,
    spare: Vec<Slot>,
    /// Slots of threads that have ended, beyond what there is to be.
    retired: Vec<Slot>,
    /// Slots that may still be made; negative where there are too many.
    unmade: isize,
    /// The keeper makes one.
    is_making: bool,
    /// By stream, the events up to the last record that was handed over.
    settled: BTreeMap<u32, u64>,
    /// Uses of slots so far.
    turns: u64,
    /// Large records handed over, and those that are in the file.
    large: (u64, u64),
    /// Of the writers that are there.
    gauges: Vec<(u32, Gauge)>,
    /// By thread, the events of the writers that have left.
    left: BTreeMap<u32, u64>,
    /// Threads that wait for their end.
    leaving: usize,
    /// Threads that wait for their first slot, which is being made: nobody else gets it.
    entering: usize,
    /// By thread, the events that are accounted for in what an output took that then failed.
    accounted: BTreeMap<u32, u64>,
    /// What is to be said of the recording.
    own: Vec<Own>,
    /// The clock of the stamps, if they are times.
    clock: Option<Clock>,
    /// Blocks are to be closed.
    flush: bool,
    on_failure: Vec<OnFailure>,
    /// Why slots do not outlive the process, until somebody hears of it.
    unkept: Option<String>,
    on_unkept: Option<OnUnkept>,
    /// Nothing is taken any more: the trace is finished, or its output failed.
    closed: bool,
    /// The writer was dropped: the trace gets no footer.
    abandoned: bool,
    /// The recording was told to end before its workload did.
    interrupted: bool,
}

impl State {
    /// Gives a slot to a stream, its first event behind those that were handed over and those lost since.
    fn begin(&mut self, slot: &mut Slot, key: u32, stream: u32, lost_before: u64) {
        let first = self.settled.get(&stream).copied().unwrap_or_default().saturating_add(lost_before);
        slot.take(key, stream, self.turns, first, lost_before);
        self.turns += 1;
    }

    fn give_back(&mut self, mut slot: Slot) {
        slot.free();
        if self.unmade >= 0 {
            self.spare.push(slot);
            return;
        }
        self.unmade += 1;
        // What stands in a file cannot be given to anybody else.
        if slot.is_kept() {
            self.retired.push(slot);
        }
    }

    /// Gives records their place among the stream's events, and puts them in the queue.
    fn hand_over(&mut self, handover: Handover) {
        let settled = self.settled.entry(handover.thread).or_default();
        *settled = settled.saturating_add(handover.lost_before);
        if let Rows::Slot(slot) = &handover.rows {
            slot.settle(*settled);
        }
        *settled = settled.saturating_add(handover.rows.records()).saturating_add(handover.lost_after);
        self.filled.push_back(handover);
    }
}

/// A bounded set of buffers.
#[derive(Debug)]
pub(crate) struct Pool {
    state: Mutex<State>,
    filled: Condvar,
    freed: Condvar,
    /// Of the keeper.
    chores: Condvar,
    key: u32,
    buffer_bytes: usize,
    spare_buffers: usize,
    on_full: OnFull,
    /// Slots outlive the process: they are free when what they hold is in the file, not when it has been taken.
    is_kept: bool,
    /// Hears why the recording is to end.
    pub ends: EndWatch,
    /// Hears of snapshots.
    pub snapshots: SnapshotWatch,
    /// Hears of segments.
    pub segments: SegmentWatch,
    bytes_written: AtomicU64,
}

/// Spare slots that the keeper has ready. The others are made when threads outrun the block writer so far: a short recording
/// should not pay for memory it never uses.
const AHEAD: usize = 2;

impl Pool {
    pub fn new(options: &WriteOptions, key: u32, is_kept: bool) -> Pool {
        Pool {
            state: Mutex::new(State { unmade: options.spare_buffers.clamp(1, 1 << 20) as isize, ..State::default() }),
            filled: Condvar::new(),
            freed: Condvar::new(),
            chores: Condvar::new(),
            key,
            buffer_bytes: options.buffer_bytes.clamp(1 << 8, 1 << 30),
            spare_buffers: options.spare_buffers.max(1),
            on_full: options.on_full,
            is_kept,
            ends: EndWatch::default(),
            snapshots: SnapshotWatch::default(),
            segments: SegmentWatch::default(),
            bytes_written: AtomicU64::new(0),
        }
    }

    /// No state is half changed when a lock is given up, so a panic elsewhere does not matter here.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does that finds no slot.
    pub fn on_full(&self) -> OnFull {
        self.on_full
    }

    /// Bytes that a slot has for records.
    pub fn buffer_bytes(&self) -> usize {
        self.buffer_bytes
    }

    /// Whether slots outlive the process.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Hands a full slot over and gets an empty one for it, before whose records so many events were lost.
    ///
    /// # Errors
    /// There is no empty one and it is not waited for: gives the full one back.
    pub fn swap(&self, mut full: Handover, lost: u64, on_full: OnFull) -> Result<Slot, Handover> {
        let mut state = self.state();
        loop {
            let spare;
            (state, spare) = self.spare(state, |state| state.entering);
            match (spare, full) {
                (None, Handover { rows: Rows::Slot(mut slot), thread, .. }) if state.closed => {
                    state.begin(&mut slot, self.key, thread, 0);
                    return Ok(slot);
                }
                (Some(mut slot), full) => {
                    let thread = full.thread;
                    if !matches!(full.rows, Rows::Empty) {
                        state.hand_over(full);
                    }
                    state.begin(&mut slot, self.key, thread, lost);
                    self.filled.notify_one();
                    return Ok(slot);
                }
                (None, back) if state.closed || on_full == OnFull::Drop => return Err(back),
                (None, back) => full = back,
            }
            // All may be held by blocks that are not full.
            self.filled.notify_one();
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Hands over a record that is larger than a slot, behind so many lost events, and waits until it has been taken; `slot`,
    /// which is empty, begins behind it.
    pub fn hand_over_large(&self, thread: u32, record: Vec<u8>, lost_before: u64, slot: &mut Slot) {
        let mut state = self.state();
        if state.closed {
            return;
        }
        state.hand_over(Handover { thread, rows: Rows::Large(record), lost_before, lost_after: 0, last: false });
        state.begin(slot, self.key, thread, 0);
        state.large.0 += 1;
        let ticket = state.large.0;
        self.filled.notify_one();
        while !state.closed && state.large.1 < ticket {
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Another large record has been taken.
    pub fn took_large(&self) {
        self.state().large.1 += 1;
        self.freed.notify_all();
    }

    /// Hands a thread's last buffer over, and forgets its gauge. Every thread brings a buffer of its own; where threads
    /// come and go more quickly than the block writer takes their buffers, a thread's end waits as a full buffer does, or
    /// its last events are lost. Not where slots are kept: the next thread's begin waits for them.
    pub fn leave(&self, mut last: Handover, gauge: &Gauge) {
        let mut state = self.state();
        if let Some(at) = state.gauges.iter().position(|(_, known)| Arc::ptr_eq(known, gauge)) {
            state.gauges.swap_remove(at);
            *state.left.entry(last.thread).or_default() += gauge.load(Ordering::Relaxed);
        }
        state.unmade -= 1;
        if state.entering > 0 {
            // The slot that somebody waits for may be none any more.
            self.freed.notify_all();
        }
        while !state.closed && last.rows.records() > 0 && state.filled.len() > 2 * self.spare_buffers {
            match self.on_full {
                OnFull::Drop if self.is_kept => break,
                OnFull::Drop => {
                    last.lost_after += last.rows.records();
                    let (from, to) = last.rows.stamps().unwrap_or_default();
                    let (stream, events) = (last.thread, last.rows.records());
                    state.own.push(Own::Gap(Gap { stream, cause: GapCause::NoBuffer, events, from, to }));
                    if let Rows::Slot(slot) = std::mem::replace(&mut last.rows, Rows::Empty) {
                        state.give_back(slot);
                    }
                }
                OnFull::Block => {
                    state.leaving += 1;
                    state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.leaving -= 1;
                }
            }
        }
        if !state.closed {
            state.hand_over(last);
            self.filled.notify_one();
        }
    }

    /// What the block writer is to do; `holds` says that slots are only waiting for their blocks.
    pub fn next(&self, holds: bool) -> Next {
        let mut state = self.state();
        loop {
            if !state.own.is_empty() {
                return Next::Tell(std::mem::take(&mut state.own));
            }
            if let Some(handover) = state.filled.pop_front() {
                if state.leaving > 0 {
                    self.freed.notify_all();
                }
                return Next::Take(handover);
            }
            if state.closed {
                return Next::End;
            }
            if std::mem::take(&mut state.flush) {
                return Next::Flush;
            }
            if holds && state.spare.is_empty() && state.unmade <= 0 {
                return Next::Free;
            }
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Writers that are there.
    pub fn threads(&self) -> usize {
        self.state().gauges.len()
    }

    /// Has the block writer close all blocks when it has taken what was handed over.
    pub fn ask_for_flush(&self) {
        self.state().flush = true;
        self.filled.notify_one();
    }

    /// The output has taken so many bytes.
    pub fn wrote(&self, bytes_written: u64) {
        self.bytes_written.store(bytes_written, Ordering::Relaxed);
    }

    /// Bytes that the output has taken.
    pub fn bytes_written(&self) -> u64 {
        self.bytes_written.load(Ordering::Relaxed)
    }

    /// Gives slots back, which hold nothing that is not in the file.
    pub fn give_back(&self, slots: impl IntoIterator<Item = Slot>) {
        let mut state = self.state();
        slots.into_iter().for_each(|slot| state.give_back(slot));
        self.freed.notify_all();
    }

    /// What the keeper is to do, or nothing for so long.
    pub fn chore(&self, wait: Option<Duration>) -> Chore {
        let mut state = self.state();
        loop {
            if state.closed {
                return Chore::End;
            }
            if state.unmade > 0 && state.spare.len() < AHEAD {
                state.unmade -= 1;
                let Some(slot) = state.retired.pop() else {
                    state.is_making = true;
                    return Chore::Make;
                };
                state.spare.push(slot);
                self.freed.notify_all();
                continue;
            }
            match wait {
                None => state = self.chores.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(wait) => {
                    let ended = self.chores.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner);
                    if ended.1.timed_out() {
                        return Chore::TimeOut;
                    }
                    state = ended.0;
                }
            }
        }
    }

    /// Another slot is there.
    pub fn made(&self, memory: Piece) {
        let mut state = self.state();
        state.is_making = false;
        state.spare.push(Slot::new(memory, self.buffer_bytes));
        drop(state);
        self.freed.notify_all();
    }

    /// Takes nothing more; wakes whoever waits.
    pub fn close(&self) {
        self.state().closed = true;
        self.filled.notify_all();
        self.freed.notify_all();
        self.chores.notify_all();
    }

    /// Closes, and leaves the trace unfinished.
    pub fn abandon(&self) {
        self.state().abandoned = true;
        self.close();
    }

    /// The recording ends before its workload did.
    pub fn mark_interrupted(&self) {
        self.state().interrupted = true;
    }

    /// Whether it does.
    pub fn is_interrupted(&self) -> bool {
        self.state().interrupted
    }

    /// Whether the trace is to be left unfinished.
    pub fn abandoned(&self) -> bool {
        self.state().abandoned
    }

    /// By thread, the events that its writers were given.
    pub fn given(&self) -> BTreeMap<u32, u64> {
        let state = self.state();
        let mut given = state.left.clone();
        for (thread, gauge) in &state.gauges {
            *given.entry(*thread).or_default() += gauge.load(Ordering::Relaxed);
        }
        given
    }

    /// Has `call` hear of it when the output fails.
    pub fn on_failure(&self, call: Box<dyn FnOnce(&WriteError) + Send>) {
        self.state().on_failure.push(OnFailure(call));
    }

    /// The output failed, after it had taken what accounts for so many events of each thread. Takes nothing more.
    pub fn fail(&self, error: &WriteError, accounted: BTreeMap<u32, u64>) {
        self.account(accounted);
        self.tell_failure(error);
    }

    /// What lies beside the output failed, or bringing it to disk: takes nothing more. The trace gets what was handed over, and
    /// no footer. What the output accounts for is said when it has ended, or was said if it failed before.
    pub fn fail_beside(&self, error: &WriteError) {
        self.state().abandoned = true;
        self.tell_failure(error);
    }

    fn tell_failure(&self, error: &WriteError) {
        let calls = std::mem::take(&mut self.state().on_failure);
        self.close();
        calls.into_iter().for_each(|OnFailure(call)| call(error));
    }

    /// The output accounts for so many events of each thread.
    pub fn account(&self, accounted: BTreeMap<u32, u64>) {
        self.state().accounted = accounted;
    }

    /// By thread, the events that were given to it and that the failed output does not account for.
    pub fn lost_to_failure(&self) -> Vec<(u32, u64)> {
        let given = self.given();
        let state = self.state();
        let accounted = |thread: &u32| state.accounted.get(thread).copied().unwrap_or_default();
        let lost = given.iter().map(|(thread, given)| (*thread, given.saturating_sub(accounted(thread))));
        lost.filter(|(_, lost)| *lost > 0).collect()
    }
}

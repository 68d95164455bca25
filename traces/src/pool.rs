//! The buffers between the recording threads and the block writer.

use crate::error::WriteError;
use crate::options::{OnFull, WriteOptions};
use crate::row_head::{ROW_HEAD_BYTES, row_head};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Records of one thread, on their way to the block writer.
#[derive(Debug)]
pub(crate) struct Handover {
    pub thread: u32,
    /// Records in order: `u32` size of the row, `u16` code, `u64` stamp, row.
    pub rows: Vec<u8>,
    /// Events lost before the first record.
    pub lost_before: u64,
    /// Events lost after the last one; only at the end.
    pub lost_after: u64,
    /// The thread is done.
    pub last: bool,
}

impl Handover {
    /// Counts its records as lost instead.
    fn lose_rows(&mut self) {
        let mut at = 0;
        while let Some((row_bytes, _, _)) = row_head(&self.rows, at) {
            at += ROW_HEAD_BYTES + row_bytes as usize;
            self.lost_after += 1;
        }
        self.rows = Vec::new();
    }
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
    spare: Vec<Vec<u8>>,
    /// Spare buffers that may still be made.
    unmade: usize,
    /// Of the writers that are there.
    gauges: Vec<(u32, Gauge)>,
    /// By thread, the events of the writers that have left.
    left: BTreeMap<u32, u64>,
    /// Threads that wait for their end.
    leaving: usize,
    /// By thread, the events that are accounted for in what an output took that then failed.
    accounted: BTreeMap<u32, u64>,
    on_failure: Vec<OnFailure>,
    /// Nothing is taken any more: the trace is finished, or its output failed.
    closed: bool,
    /// The writer was dropped: the trace gets no footer.
    abandoned: bool,
    /// The recording was told to end before its workload did.
    interrupted: bool,
}

/// A bounded set of buffers.
#[derive(Debug)]
pub(crate) struct Pool {
    state: Mutex<State>,
    filled: Condvar,
    freed: Condvar,
    buffer_bytes: usize,
    spare_buffers: usize,
    on_full: OnFull,
}

/// Room behind a buffer's nominal size, so that records seldom grow it. Columns are read in words, which needs a few
/// bytes behind the last record.
const SLACK_BYTES: usize = 4096;

/// Spare buffers that are there from the start. The others are made when threads outrun the block writer so far:
/// a short recording should not pay for memory it never uses.
const MADE_AT_FIRST: usize = 4;

impl Pool {
    pub fn new(options: &WriteOptions) -> Pool {
        let buffer_bytes = options.buffer_bytes.clamp(1 << 8, 1 << 30);
        let made = options.spare_buffers.clamp(1, MADE_AT_FIRST);
        let spare = (0..made).map(|_| fresh(buffer_bytes)).collect();
        let unmade = options.spare_buffers.saturating_sub(made);
        Pool {
            state: Mutex::new(State { spare, unmade, ..State::default() }),
            filled: Condvar::new(),
            freed: Condvar::new(),
            buffer_bytes,
            spare_buffers: options.spare_buffers.max(1),
            on_full: options.on_full,
        }
    }

    /// No state is half changed when a lock is given up, so a panic elsewhere does not matter here.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Size at which a buffer is handed over.
    pub fn buffer_bytes(&self) -> usize {
        self.buffer_bytes
    }

    /// A buffer for a new thread, and its gauge.
    pub fn enter(&self, thread: u32) -> (Vec<u8>, Gauge) {
        let gauge = Gauge::default();
        self.state().gauges.push((thread, Arc::clone(&gauge)));
        (fresh(self.buffer_bytes), gauge)
    }

    /// Hands a full buffer over and gets an empty one for it.
    ///
    /// # Errors
    /// There is no empty one and `on_full` is `Drop`: gives the full one back.
    pub fn swap(&self, full: Handover) -> Result<Vec<u8>, Handover> {
        let mut state = self.state();
        loop {
            if state.closed {
                let mut rows = full.rows;
                rows.clear();
                return Ok(rows);
            }
            let spare = state.spare.pop();
            if spare.is_some() || state.unmade > 0 {
                state.unmade -= usize::from(spare.is_none());
                state.filled.push_back(full);
                self.filled.notify_one();
                drop(state);
                return Ok(spare.unwrap_or_else(|| fresh(self.buffer_bytes)));
            }
            match self.on_full {
                OnFull::Drop => return Err(full),
                OnFull::Block => state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Hands a thread's last buffer over, and forgets its gauge. Every thread brings a buffer of its own; where threads
    /// come and go more quickly than the block writer takes their buffers, a thread's end waits as a full buffer does, or
    /// its last events are lost.
    pub fn leave(&self, mut last: Handover, gauge: &Gauge) {
        let mut state = self.state();
        if let Some(at) = state.gauges.iter().position(|(_, known)| Arc::ptr_eq(known, gauge)) {
            state.gauges.swap_remove(at);
            *state.left.entry(last.thread).or_default() += gauge.load(Ordering::Relaxed);
        }
        while !state.closed && !last.rows.is_empty() && state.filled.len() > 2 * self.spare_buffers {
            match self.on_full {
                OnFull::Drop => last.lose_rows(),
                OnFull::Block => {
                    state.leaving += 1;
                    state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.leaving -= 1;
                }
            }
        }
        if !state.closed {
            state.filled.push_back(last);
            self.filled.notify_one();
        }
    }

    /// The next filled buffer; `None` once the pool is closed and empty.
    pub fn take(&self) -> Option<Handover> {
        let mut state = self.state();
        loop {
            if let Some(handover) = state.filled.pop_front() {
                if state.leaving > 0 {
                    self.freed.notify_all();
                }
                return Some(handover);
            }
            if state.closed {
                return None;
            }
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives an emptied buffer back. One that a large record grew is replaced; a finished thread's is not kept.
    pub fn give_back(&self, mut rows: Vec<u8>, last: bool) {
        if last {
            return;
        }
        if rows.capacity() > 2 * (self.buffer_bytes + SLACK_BYTES) {
            rows = fresh(self.buffer_bytes);
        }
        rows.clear();
        self.state().spare.push(rows);
        self.freed.notify_one();
    }

    /// Takes nothing more; wakes whoever waits.
    pub fn close(&self) {
        self.state().closed = true;
        self.filled.notify_all();
        self.freed.notify_all();
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
        let mut state = self.state();
        let calls = std::mem::take(&mut state.on_failure);
        state.accounted = accounted;
        drop(state);
        self.close();
        calls.into_iter().for_each(|OnFailure(call)| call(error));
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

/// An empty buffer whose memory has been touched: a first touch costs ten times a warm write, and the recording
/// thread should not pay it.
fn fresh(buffer_bytes: usize) -> Vec<u8> {
    let mut buffer = vec![1; buffer_bytes + SLACK_BYTES];
    buffer.clear();
    buffer
}

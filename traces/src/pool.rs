//! The buffers between the recording threads and the block writer.

use crate::options::{OnFull, WriteOptions};
use std::collections::VecDeque;
use std::sync::atomic::AtomicU64;
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

/// Counts the events that a thread was given, kept or not.
pub(crate) type Gauge = Arc<AtomicU64>;

#[derive(Debug, Default)]
struct State {
    filled: VecDeque<Handover>,
    spare: Vec<Vec<u8>>,
    /// Spare buffers that may still be made.
    unmade: usize,
    gauges: Vec<(u32, Gauge)>,
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

    /// Hands a thread's last buffer over. Never waits: every thread brought a buffer of its own.
    pub fn leave(&self, last: Handover) {
        let mut state = self.state();
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

    /// Threads and the gauges of their writers.
    pub fn gauges(&self) -> Vec<(u32, Gauge)> {
        self.state().gauges.clone()
    }
}

/// An empty buffer whose memory has been touched: a first touch costs ten times a warm write, and the recording
/// thread should not pay it.
fn fresh(buffer_bytes: usize) -> Vec<u8> {
    let mut buffer = vec![1; buffer_bytes + SLACK_BYTES];
    buffer.clear();
    buffer
}

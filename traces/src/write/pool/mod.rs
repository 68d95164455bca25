//! Pool of buffers (slots) between the recording threads and the block writer.

mod callbacks;
mod ending;
mod entering;
mod failure;
mod full_cause;
mod reporting;
mod space;

use crate::format::clock::Clock;
use crate::format::end_cause::EndWatch;
use crate::format::gap::{Gap, GapCause};
use crate::format::metadata::MetadataRecord;
use crate::live::handover::{Handover, Rows};
use crate::live::map::SlotMemory;
use crate::live::segment_watch::SegmentWatch;
use crate::live::slot::Slot;
use crate::write::options::{OnFull, WriteOptions};
use crate::write::snapshot_watch::SnapshotWatch;
use callbacks::{OnFailure, OnNotPersistent};
pub(crate) use full_cause::FullCause;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Next job of the block writer.
#[derive(Debug)]
pub(crate) enum Next {
    /// Write metadata.
    WriteMetadata(Vec<MetadataRecord>),
    /// Encode these records.
    Take(Handover),
    /// Close the oldest block so that its slots become free: no other slot is available.
    Free,
    /// Close all blocks.
    Flush,
    /// Stop.
    End,
}

/// Next job of the maintenance thread.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum MaintenanceJob {
    /// Create a slot.
    Make,
    /// Run the periodic jobs: the wait has timed out.
    TimeOut,
    /// Stop.
    End,
}

/// Counter of the events passed to a thread writer, recorded or lost.
pub(crate) type Gauge = Arc<AtomicU64>;

#[derive(Debug, Default)]
struct State {
    filled: VecDeque<Handover>,
    spare: Vec<Slot>,
    /// Slots of ended threads beyond the pool's capacity.
    retired: Vec<Slot>,
    /// Number of slots that may still be created; negative while there are too many.
    creatable: isize,
    /// True while the maintenance thread creates a slot.
    is_making: bool,
    /// Number of events up to the last record handed over, by stream.
    next_ordinals: BTreeMap<u32, u64>,
    /// Number of slot uses so far.
    turns: u64,
    /// Number of large records handed over, and number of large records in the file.
    large: (u64, u64),
    /// Gauges of the current thread writers.
    gauges: Vec<(u32, Gauge)>,
    /// Events of the thread writers that have ended, by thread.
    left: BTreeMap<u32, u64>,
    /// Number of threads that wait in [`Pool::leave_pool`].
    leaving: usize,
    /// Number of threads that wait for their first slot; free slots are reserved for them.
    entering: usize,
    /// Events that the output accounted for before it failed, by thread.
    accounted: BTreeMap<u32, u64>,
    /// Metadata to be written.
    metadata: Vec<MetadataRecord>,
    /// Clock of the stamps; `None` for the logical clock.
    clock: Option<Clock>,
    /// True if all blocks are to be closed.
    flush: bool,
    on_failure: Vec<OnFailure>,
    /// Cause for which slots do not survive the process, until a listener takes it.
    not_persistent: Option<String>,
    on_not_persistent: Option<OnNotPersistent>,
    /// Number of existing slots, in use or free.
    slots: usize,
    /// Capacity of the existing slots, in bytes.
    capacity_bytes: usize,
    /// True if slots were returned because of a full disk.
    is_reduced: bool,
    /// Set when the disk is full: no thread gets another slot, and events that do not fit into the current slots are
    /// lost.
    full: Option<FullCause>,
    /// True if the output failed: the records in the slots are not in the trace.
    failed: bool,
    /// True when nothing is accepted any more: the trace is finished, or its output failed.
    closed: bool,
    /// True if the writer was dropped: the trace gets no footer.
    abandoned: bool,
    /// True if the recording ended before its workload did.
    interrupted: bool,
}

impl State {
    /// Assigns a slot to a stream. The slot's first event follows the stream's events so far and `lost_before` losses.
    fn begin(&mut self, slot: &mut Slot, key: u32, stream: u32, lost_before: u64) {
        let first = self.next_ordinals.get(&stream).copied().unwrap_or_default().saturating_add(lost_before);
        slot.take(key, stream, self.turns, first, lost_before);
        self.turns += 1;
    }

    /// True if every slot may belong to a thread, so that threads with full slots would wait for each other: more
    /// threads entered after slots were returned.
    fn is_short(&self) -> bool {
        self.is_reduced && self.slots <= self.gauges.len()
    }

    /// True if threads get no further slots: the pool is closed, or the disk is full.
    fn is_closed_to_threads(&self) -> bool {
        self.closed || self.full.is_some()
    }

    fn return_slot(&mut self, mut slot: Slot) {
        slot.free();
        if self.creatable >= 0 {
            self.spare.push(slot);
            return;
        }
        self.creatable += 1;
        // Dropping a slot of the sidecar would not free its space in the file, so it is retired for reuse.
        if slot.is_persistent() {
            self.retired.push(slot);
        } else {
            self.removed(&slot);
        }
    }

    /// True if another slot may be created within the permitted number, and either all slots together have less than
    /// their capacity, or threads could wait for each other without it.
    fn may_create_slot(&self) -> bool {
        self.creatable > 0
            && (self.capacity_bytes < CAPACITY_BYTES || self.slots <= self.gauges.len() + MIN_SPARE_SLOTS)
    }

    /// Subtracts a removed slot from the number and the capacity of the existing slots.
    fn removed(&mut self, slot: &Slot) {
        self.slots = self.slots.saturating_sub(1);
        self.capacity_bytes = self.capacity_bytes.saturating_sub(slot.room());
    }

    /// Capacity of the next slot: `buffer_bytes`, or less where all slots together would take more than
    /// [`CAPACITY_BYTES`]. Each takes an eighth of the rest, so that later threads have room, too.
    fn next_capacity(&self, buffer_bytes: usize) -> usize {
        let rest = CAPACITY_BYTES.saturating_sub(self.capacity_bytes);
        buffer_bytes.min((rest / 8).max(MIN_CAPACITY_BYTES))
    }

    /// Assigns records their ordinals among the stream's events and queues them for the block writer.
    fn hand_over(&mut self, handover: Handover) {
        let ordinal = self.next_ordinals.entry(handover.thread).or_default();
        *ordinal = ordinal.saturating_add(handover.lost_before);
        if let Rows::Slot(slot) = &handover.rows {
            slot.set_first_ordinal(*ordinal);
        }
        *ordinal = ordinal.saturating_add(handover.rows.records()).saturating_add(handover.lost_after);
        self.filled.push_back(handover);
    }
}

/// Bounded pool of buffers.
#[derive(Debug)]
pub(crate) struct Pool {
    state: Mutex<State>,
    filled: Condvar,
    freed: Condvar,
    /// Signals the maintenance thread.
    maintenance_jobs: Condvar,
    key: u32,
    buffer_bytes: usize,
    spare_buffers: usize,
    on_full: OnFull,
    /// True if slots are in the sidecar and survive the process: they become free when their records are in the file,
    /// not when these are encoded.
    is_persistent: bool,
    /// Listener for the end of the recording.
    pub ends: EndWatch,
    /// Listener for snapshots.
    pub snapshots: SnapshotWatch,
    /// Listener for new segments.
    pub segments: SegmentWatch,
    bytes_written: AtomicU64,
}

/// Number of spare slots that the maintenance thread creates ahead of demand. Further slots are created only when the
/// threads record faster than the block writer writes, so that a short recording does not allocate unused memory.
const MIN_SPARE_SLOTS: usize = 2;

/// Max capacity of all slots together, in bytes, for every `buffer_bytes` and number of threads. The documented limit
/// of a recording's memory is 256 MiB and four times the size of its file, and the other buffers use about half of it.
const CAPACITY_BYTES: usize = 128 << 20;

/// Minimum capacity of a slot, in bytes. A larger record bypasses the slot.
const MIN_CAPACITY_BYTES: usize = 4 << 10;

impl Pool {
    pub fn new(options: &WriteOptions, key: u32, is_persistent: bool) -> Pool {
        Pool {
            state: Mutex::new(State {
                creatable: options.spare_buffers.clamp(1, 1 << 20) as isize,
                ..State::default()
            }),
            filled: Condvar::new(),
            freed: Condvar::new(),
            maintenance_jobs: Condvar::new(),
            key,
            buffer_bytes: options.buffer_bytes.clamp(1 << 8, 1 << 30),
            spare_buffers: options.spare_buffers.max(1),
            on_full: options.on_full,
            is_persistent,
            ends: EndWatch::default(),
            snapshots: SnapshotWatch::default(),
            segments: SegmentWatch::default(),
            bytes_written: AtomicU64::new(0),
        }
    }

    /// Locks the state, ignoring poisoning: no critical section leaves a partial change if it panics.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Behaviour of a thread that finds no slot.
    pub fn on_full(&self) -> OnFull {
        self.on_full
    }

    /// Size of a slot's record area, in bytes.
    pub fn buffer_bytes(&self) -> usize {
        self.buffer_bytes
    }

    /// Capacity of the next slot, in bytes: its memory needs no more.
    pub fn next_capacity(&self) -> usize {
        self.state().next_capacity(self.buffer_bytes)
    }

    /// True if slots survive the process.
    pub fn is_persistent(&self) -> bool {
        self.is_persistent
    }

    /// Hands over a full slot and returns an empty one, before whose records `lost` events were lost.
    ///
    /// # Errors
    /// No empty slot is available and the call does not wait; returns the full one.
    // On Windows a handover has two handles of its file; the caller puts it back at once.
    #[cfg_attr(windows, allow(clippy::result_large_err))]
    pub fn swap(&self, mut full: Handover, lost: u64, on_full: OnFull) -> Result<Slot, Handover> {
        let mut state = self.state();
        loop {
            let spare;
            (state, spare) = self.spare(state, |state| state.entering);
            // After a failed output, the records in a sidecar slot are the only copy, so the slot must not be reused.
            let stays = state.failed && self.is_persistent;
            match (spare, full) {
                // After the end, events are ignored, so the thread continues with its own slot.
                (None, Handover { rows: Rows::Slot(mut slot), thread, .. }) if state.closed && !stays => {
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
                (None, back) if state.is_closed_to_threads() || on_full == OnFull::Drop => return Err(back),
                (None, back) => full = back,
            }
            // All slots may be held by open blocks, which the block writer has to close.
            self.filled.notify_one();
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Hands over a record that is larger than a slot, preceded by `lost_before` lost events, and waits until it is
    /// written; the empty `slot` continues after it. Returns `false` if the pool accepts nothing any more.
    pub fn hand_over_large(&self, thread: u32, record: Vec<u8>, lost_before: u64, slot: &mut Slot) -> bool {
        let mut state = self.state();
        if state.is_closed_to_threads() {
            return false;
        }
        state.hand_over(Handover { thread, rows: Rows::Large(record), lost_before, lost_after: 0, last: false });
        // Assigned after the large record was counted, so that the slot's ordinal follows it.
        state.begin(slot, self.key, thread, 0);
        state.large.0 += 1;
        let ticket = state.large.0;
        self.filled.notify_one();
        while !state.closed && state.large.1 < ticket {
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        true
    }

    /// Signals that a large record has been written.
    pub fn took_large(&self) {
        self.state().large.1 += 1;
        self.freed.notify_all();
    }

    /// Hands over a thread's last buffer and removes its gauge. Every thread adds a buffer of its own. If threads end
    /// faster than the block writer takes their buffers, a thread waits here, or its last events are lost, depending on
    /// `on_full`. Slots in the sidecar are not dropped here: the start of the next thread waits for them.
    pub fn leave_pool(&self, mut last: Handover, gauge: &Gauge) {
        let mut state = self.state();
        if let Some(at) = state.gauges.iter().position(|(_, known)| Arc::ptr_eq(known, gauge)) {
            state.gauges.swap_remove(at);
            *state.left.entry(last.thread).or_default() += gauge.load(Ordering::Relaxed);
        }
        state.creatable -= 1;
        if state.entering > 0 {
            // The slot for which a thread waits may no longer be created.
            self.freed.notify_all();
        }
        while !state.closed && last.rows.records() > 0 && state.filled.len() > 2 * self.spare_buffers {
            match self.on_full {
                OnFull::Drop if self.is_persistent => break,
                OnFull::Drop => {
                    last.lost_after += last.rows.records();
                    let (from, to) = last.rows.stamps().unwrap_or_default();
                    let (stream, events) = (last.thread, last.rows.records());
                    state.metadata.push(MetadataRecord::Gap(Gap {
                        stream,
                        cause: GapCause::NoBuffer,
                        events,
                        from,
                        to,
                    }));
                    if let Rows::Slot(slot) = std::mem::replace(&mut last.rows, Rows::Empty) {
                        state.return_slot(slot);
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

    /// Waits for the next job of the block writer; `holds` is true if slots wait only for their blocks to be closed.
    pub fn next(&self, holds: bool) -> Next {
        let mut state = self.state();
        loop {
            if !state.metadata.is_empty() {
                return Next::WriteMetadata(std::mem::take(&mut state.metadata));
            }
            if let Some(handover) = state.filled.pop_front() {
                if state.leaving > 0 {
                    self.freed.notify_all();
                }
                return Next::Take(handover);
            }
            // Checked after the queue, so that everything handed over before the end is written.
            if state.closed {
                return Next::End;
            }
            if std::mem::take(&mut state.flush) {
                return Next::Flush;
            }
            if holds && state.spare.is_empty() && state.creatable <= 0 {
                return Next::Free;
            }
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Number of current thread writers.
    pub fn threads(&self) -> usize {
        self.state().gauges.len()
    }

    /// Requests that the block writer closes all blocks after the records handed over so far.
    pub fn request_flush(&self) {
        self.state().flush = true;
        self.filled.notify_one();
    }

    /// Publishes the number of bytes written.
    pub fn wrote(&self, bytes_written: u64) {
        self.bytes_written.store(bytes_written, Ordering::Relaxed);
    }

    /// Number of bytes written to the output.
    pub fn bytes_written(&self) -> u64 {
        self.bytes_written.load(Ordering::Relaxed)
    }

    /// Returns slots whose records are all in the file.
    pub fn return_slots(&self, slots: impl IntoIterator<Item = Slot>) {
        let mut state = self.state();
        slots.into_iter().for_each(|slot| state.return_slot(slot));
        self.freed.notify_all();
    }

    /// Waits up to `wait` for the next job of the maintenance thread.
    pub fn next_job(&self, wait: Option<Duration>) -> MaintenanceJob {
        let mut state = self.state();
        loop {
            if state.closed {
                return MaintenanceJob::End;
            }
            let may_create_slot = state.may_create_slot();
            if (may_create_slot || state.is_short()) && state.spare.len() < MIN_SPARE_SLOTS && state.full.is_none() {
                state.creatable -= isize::from(may_create_slot);
                let Some(slot) = state.retired.pop() else {
                    state.is_making = true;
                    return MaintenanceJob::Make;
                };
                state.spare.push(slot);
                self.freed.notify_all();
                continue;
            }
            match wait {
                None => state = self.maintenance_jobs.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(wait) => {
                    let ended = self.maintenance_jobs.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner);
                    if ended.1.timed_out() {
                        return MaintenanceJob::TimeOut;
                    }
                    state = ended.0;
                }
            }
        }
    }

    /// Adds a newly created slot.
    pub fn created(&self, memory: SlotMemory) {
        let mut state = self.state();
        state.is_making = false;
        let slot = Slot::new(memory, state.next_capacity(self.buffer_bytes));
        state.slots += 1;
        state.capacity_bytes += slot.room();
        state.spare.push(slot);
        drop(state);
        self.freed.notify_all();
    }

    /// Number of events passed to the writers of each thread.
    pub fn produced(&self) -> BTreeMap<u32, u64> {
        let state = self.state();
        let mut produced = state.left.clone();
        for (thread, gauge) in &state.gauges {
            *produced.entry(*thread).or_default() += gauge.load(Ordering::Relaxed);
        }
        produced
    }
}

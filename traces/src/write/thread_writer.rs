//! Thread writer: appends one recording thread's events to a slot that no other thread writes.

use crate::format::gap::{GapCause, GapCounter};
use crate::format::limit;
use crate::format::metadata::MetadataRecord;
use crate::format::row_head::{ROW_HEAD_BYTES, record_bytes, row_head};
use crate::live::handover::{Handover, Rows};
use crate::live::map::generation;
use crate::live::provider_mask::ProviderMask;
use crate::live::slot::{SLACK_BYTES, Slot};
use crate::write::options::OnFull;
use crate::write::pool::{Gauge, Pool};
use crate::write::snapshot_trigger::{EventWatch, NO_LINE};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use taut_schemas::{Encoder, EventCode};

/// Writer of the events of one thread. When dropped, it hands over its remaining records, for which it may have to wait
/// as for a full buffer.
///
/// Events recorded after [`TraceWriter::finish`](crate::TraceWriter::finish) are ignored; events that were still in
/// this thread's buffer then are counted as lost. Events of a forked child are ignored as well: its recording belongs
/// to the parent.
#[derive(Debug)]
pub struct ThreadWriter {
    /// Current slot; `None` if none was available yet.
    slot: Option<Slot>,
    /// Number of events passed to this writer, recorded or lost.
    gauge: Gauge,
    thread: u32,
    /// Events lost before the slot's first record.
    lost_before: u64,
    /// Buffer for a record that does not fit into a slot; empty otherwise.
    large: Vec<u8>,
    /// Events lost after the slot's records because no buffer was free.
    dropped: GapCounter,
    /// Events lost after the slot's records because they could not be written.
    refused: GapCounter,
    generation: u32,
    on_full: OnFull,
    pool: Arc<Pool>,
    providers: ProviderMask,
    /// Line of the snapshot trigger's event; `NO_LINE` without a trigger.
    watched: u16,
    watch: Option<Arc<EventWatch>>,
    /// Number of handover requests that were handled.
    handovers: u32,
    /// Time spent waiting for buffers since the last [`make_room`](Self::make_room).
    waited: Duration,
}

impl ThreadWriter {
    /// Creates a writer for a recorder of the process generation `of_generation`.
    pub(crate) fn new(
        thread: u32,
        pool: Arc<Pool>,
        providers: ProviderMask,
        watch: Option<Arc<EventWatch>>,
        of_generation: u32,
    ) -> Self {
        let watched = watch.as_ref().map_or(NO_LINE, |watch| watch.line());
        // A forked child has no maintenance thread, and the pool's lock may have been held during the fork.
        let is_child = of_generation != generation();
        let (slot, gauge) = if is_child { (None, Gauge::default()) } else { pool.enter(thread) };
        let (generation, handovers) = (of_generation, providers.handovers());
        let (large, lost_before, dropped, refused) = (Vec::new(), 0, GapCounter::default(), GapCounter::default());
        let on_full = pool.on_full();
        Self {
            slot,
            gauge,
            thread,
            lost_before,
            large,
            dropped,
            refused,
            generation,
            on_full,
            pool,
            providers,
            watched,
            watch,
            handovers,
            waited: Duration::ZERO,
        }
    }

    /// Makes the writer wait for buffers even if other threads drop events. A sequence of records that is only useful
    /// without gaps, such as a rundown, needs this.
    #[must_use]
    pub fn blocking(self) -> Self {
        let mut writer = self;
        writer.on_full = OnFull::Block;
        writer
    }

    /// Hands over the records so far, waiting for a buffer if necessary.
    pub fn hand_over(&mut self) {
        if self.slot.as_ref().is_some_and(|slot| slot.filled() > 0) && self.generation == generation() {
            let _ = self.replace_buffer();
        }
    }

    /// Number of the thread.
    pub fn thread(&self) -> u32 {
        self.thread
    }

    /// Providers whose events are recorded; callers skip the others.
    #[inline]
    pub fn providers(&self) -> &ProviderMask {
        &self.providers
    }

    /// Records an event: its code, its stamp in ticks, and `payload`, which encodes its fields in the order of the
    /// header's schema table. `payload` is called again if the fields do not fit into the rest of a buffer. Takes no
    /// lock and does not allocate, unless a buffer is full or a record is larger than one.
    #[inline]
    pub fn event(&mut self, code: EventCode, stamp: u64, payload: impl Fn(&mut Encoder<'_>)) {
        if self.generation != generation() {
            return;
        }
        // Read by [`TraceWriter::finish`](crate::TraceWriter::finish) only, to count events it could not collect; so
        // relaxed ordering suffices.
        let events = self.gauge.load(Ordering::Relaxed) + 1;
        self.gauge.store(events, Ordering::Relaxed);
        if events == 1 {
            self.queue_stream_info();
        }
        // The single call of `payload`, so that it can be inlined.
        while !self.slot.as_mut().is_some_and(|slot| slot.write(code, stamp, &mut self.large, &payload)) {
            if !self.make_space(stamp) {
                return;
            }
        }
        if code.id() == self.watched {
            self.notice();
        }
    }

    /// Passes the last record to the snapshot trigger.
    #[cold]
    fn notice(&self) {
        let last = self.slot.as_ref().and_then(Slot::last_row);
        if let (Some(watch), Some((code, row))) = (&self.watch, last) {
            watch.notice(code, row);
        }
    }

    /// Records the identity of the stream's thread in the trace.
    #[cold]
    fn queue_stream_info(&self) {
        self.pool.queue_stream_info(self.thread);
    }

    /// Provides space for a record that did not fit. Returns `false` if the caller must not write the record again,
    /// because it was handed over as a large record or counted as lost.
    #[cold]
    fn make_space(&mut self, stamp: u64) -> bool {
        let (large, row_bytes) =
            (std::mem::take(&mut self.large), self.slot.as_mut().map_or(0, Slot::take_wanted_bytes));
        if !large.is_empty() && !self.slot.as_ref().is_some_and(Slot::is_torn) {
            match row_head(&large, 0) {
                Some((row_bytes, ..)) if row_bytes > 0 => self.hand_over_large(large, stamp),
                // The payload encoded another size in its second call.
                _ => self.refuse(Some(stamp)),
            }
            return false;
        }
        if row_bytes > limit::ROW_BYTES {
            self.refuse(Some(stamp));
            return false;
        }
        if !self.replace_buffer() {
            self.drop_one(stamp);
            return false;
        }
        if record_bytes(row_bytes) > self.slot.as_ref().map_or(0, Slot::room) {
            self.large = vec![0; record_bytes(row_bytes)];
        }
        true
    }

    /// Hands over a record that is larger than a slot; the slot is empty.
    fn hand_over_large(&mut self, mut record: Vec<u8>, stamp: u64) {
        if let (Some(watch), Some((row_bytes, code, _))) = (&self.watch, row_head(&record, 0))
            && code.id() == self.watched
        {
            let row = record.get(ROW_HEAD_BYTES..).and_then(|row| row.get(..row_bytes as usize));
            watch.notice(code, row.unwrap_or_default());
        }
        record.extend_from_slice(&[0; SLACK_BYTES]);
        if let Some(slot) = &mut self.slot {
            let lost_before = std::mem::take(&mut self.lost_before);
            let began = Instant::now();
            let is_taken = self.pool.hand_over_large(self.thread, record, lost_before, slot);
            self.waited += began.elapsed();
            if !is_taken {
                self.lost_before = lost_before;
                self.drop_one(stamp);
            }
        }
    }

    /// Replaces the buffer if it is nearly full, or if a handover was requested, waiting if necessary. To be called
    /// where no lock is held for which other threads wait. Afterwards at least an eighth of a buffer is free, unless
    /// events were lost.
    #[inline]
    pub fn make_room(&mut self) {
        let handovers = self.providers.handovers();
        let is_requested = handovers != self.handovers;
        let nearly_full =
            |slot: &Slot| slot.filled() > 0 && (is_requested || slot.filled() + slot.room() / 8 >= slot.room());
        if self.slot.as_ref().is_none_or(nearly_full) && self.generation == generation() {
            let _ = self.replace_buffer();
        }
        self.handovers = handovers;
        self.waited = Duration::ZERO;
    }

    /// Time spent waiting for buffers while recording events, since the last call or the last
    /// [`make_room`](Self::make_room). Other threads waited as well if they needed locks of this thread.
    #[inline]
    pub fn take_waited(&mut self) -> Duration {
        std::mem::take(&mut self.waited)
    }

    /// Counts a record that could not be written as lost; the next record begins a new buffer.
    #[cold]
    fn refuse(&mut self, stamp: Option<u64>) {
        self.refused.add(stamp);
        self.store_losses();
    }

    /// Counts a record as lost because no buffer is free.
    #[cold]
    fn drop_one(&mut self, stamp: u64) {
        self.dropped.add(Some(stamp));
        self.store_losses();
    }

    fn store_losses(&mut self) {
        self.slot.iter_mut().for_each(|slot| slot.lose(self.dropped.events, self.refused.events));
    }

    /// Replaces the buffer; `false` if no other one is available.
    #[cold]
    fn replace_buffer(&mut self) -> bool {
        if self.slot.as_ref().is_some_and(Slot::is_torn) {
            self.refuse(None);
        }
        let full = self.handover(false);
        let began = Instant::now();
        let swapped = self.pool.swap(full, self.dropped.events + self.refused.events, self.on_full);
        self.waited += began.elapsed();
        match swapped {
            Ok(slot) => {
                self.slot = Some(slot);
                self.lost_before = self.dropped.events + self.refused.events;
                self.queue_gaps();
                true
            }
            Err(full) => {
                if let Rows::Slot(mut slot) = full.rows {
                    slot.shut();
                    self.slot = Some(slot);
                }
                false
            }
        }
    }

    /// Queues the gaps since the last call for the trace.
    fn queue_gaps(&mut self) {
        let cause = if self.pool.is_full() { GapCause::Storage } else { GapCause::NoBuffer };
        let dropped = self.dropped.take(self.thread, cause);
        let refused = self.refused.take(self.thread, GapCause::Refused);
        dropped.into_iter().chain(refused).for_each(|gap| self.pool.queue_metadata(MetadataRecord::Gap(gap)));
    }

    fn handover(&mut self, last: bool) -> Handover {
        let rows = self.slot.take().map_or(Rows::Empty, Rows::Slot);
        let lost_after = if last { self.dropped.events + self.refused.events } else { 0 };
        Handover { thread: self.thread, rows, lost_before: self.lost_before, lost_after, last }
    }
}

impl Drop for ThreadWriter {
    fn drop(&mut self) {
        if self.generation != generation() {
            return;
        }
        if self.slot.as_ref().is_some_and(Slot::is_torn) {
            self.refuse(None);
        }
        let last = self.handover(true);
        self.queue_gaps();
        self.pool.leave_pool(last, &self.gauge);
    }
}

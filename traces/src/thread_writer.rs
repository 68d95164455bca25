//! The recording thread's end: appends records to a slot that nobody else writes.

use crate::gap::{GapCause, Losing};
use crate::handover::{Handover, Rows};
use crate::limit;
use crate::map::generation;
use crate::options::OnFull;
use crate::own::Own;
use crate::pool::{Gauge, Pool};
use crate::provider_mask::ProviderMask;
use crate::row_head::{ROW_HEAD_BYTES, record_bytes, row_head};
use crate::slot::{SLACK_BYTES, Slot};
use crate::snapshot_trigger::{EventWatch, NO_LINE};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use taut_schemas::{Encoder, EventCode};

/// Writes the events of one thread. Hands the rest over when dropped, for which it may have to wait as for a full buffer.
///
/// Events recorded after [`TraceWriter::finish`](crate::TraceWriter::finish) go nowhere; it counts as lost those that
/// were still in this thread's buffer then. So do events of a child that a `fork` made: what it has is its parent's.
#[derive(Debug)]
pub struct ThreadWriter {
    /// None if there was none yet.
    slot: Option<Slot>,
    /// Events given to this writer, kept or not.
    gauge: Gauge,
    thread: u32,
    /// Of the slot.
    lost_before: u64,
    /// Room for a record that no slot has room for; empty but while there is one.
    large: Vec<u8>,
    /// Behind the slot's records: since no buffer was free, and since they could not be written.
    dropped: Losing,
    refused: Losing,
    generation: u32,
    on_full: OnFull,
    pool: Arc<Pool>,
    providers: ProviderMask,
    /// The line of events that somebody waits for, if anybody does.
    watched: u16,
    watch: Option<Arc<EventWatch>>,
    /// How often it was asked to hand over what it has, and did.
    handovers: u32,
    /// What it waited for buffers since room was made last.
    waited: Duration,
}

impl ThreadWriter {
    /// One of the recorder that belongs to this generation of processes.
    pub(crate) fn new(
        thread: u32,
        pool: Arc<Pool>,
        providers: ProviderMask,
        watch: Option<Arc<EventWatch>>,
        of_generation: u32,
    ) -> Self {
        let watched = watch.as_ref().map_or(NO_LINE, |watch| watch.line());
        // In a child that a `fork` made, nobody makes slots, and somebody may have held the pool's lock.
        let is_child = of_generation != generation();
        let (slot, gauge) = if is_child { (None, Gauge::default()) } else { pool.enter(thread) };
        let (generation, handovers) = (of_generation, providers.handovers());
        let (large, lost_before, dropped, refused) = (Vec::new(), 0, Losing::default(), Losing::default());
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

    /// The same, which waits for buffers whatever other threads do: what it records is of use as a whole.
    #[must_use]
    pub fn patient(self) -> Self {
        let mut writer = self;
        writer.on_full = OnFull::Block;
        writer
    }

    /// Hands over what it has, waiting for a buffer if it has to.
    pub fn hand_over(&mut self) {
        if self.slot.as_ref().is_some_and(|slot| slot.filled() > 0) && self.generation == generation() {
            let _ = self.turn();
        }
    }

    /// Number of the thread.
    pub fn thread(&self) -> u32 {
        self.thread
    }

    /// The providers whose events are to be given to it: who calls does not prepare the others.
    #[inline]
    pub fn providers(&self) -> &ProviderMask {
        &self.providers
    }

    /// Records an event: its code, its stamp in ticks, and `payload`, which encodes its fields in the order of the
    /// header's schema table; where they do not fit into what is left of a buffer, it is asked again. Takes no lock and
    /// allocates nothing, except where a buffer is full or a record does not fit into one.
    #[inline]
    pub fn event(&mut self, code: EventCode, stamp: u64, payload: impl Fn(&mut Encoder<'_>)) {
        if self.generation != generation() {
            return;
        }
        // Nobody but `finish` reads it, and only to count what it could not get hold of.
        let events = self.gauge.load(Ordering::Relaxed) + 1;
        self.gauge.store(events, Ordering::Relaxed);
        if events == 1 {
            self.introduce();
        }
        // The payload is asked at one place, so that it can be part of it.
        while !self.slot.as_mut().is_some_and(|slot| slot.write(code, stamp, &mut self.large, &payload)) {
            if !self.make_place(stamp) {
                return;
            }
        }
        if code.id() == self.watched {
            self.notice();
        }
    }

    /// The last record is of an event that somebody waits for.
    #[cold]
    fn notice(&self) {
        let last = self.slot.as_ref().and_then(Slot::last_row);
        if let (Some(watch), Some((code, row))) = (&self.watch, last) {
            watch.notice(code, row);
        }
    }

    /// Says in the trace whose the stream is.
    #[cold]
    fn introduce(&self) {
        self.pool.introduce(self.thread);
    }

    /// Makes place for a record that found none; `false` if there is nothing more to be done for it.
    #[cold]
    fn make_place(&mut self, stamp: u64) -> bool {
        let (large, row_bytes) =
            (std::mem::take(&mut self.large), self.slot.as_mut().map_or(0, Slot::take_wanted_bytes));
        if !large.is_empty() && !self.slot.as_ref().is_some_and(Slot::is_torn) {
            match row_head(&large, 0) {
                Some((row_bytes, ..)) if row_bytes > 0 => self.hand_over_large(large),
                // It had another size the second time.
                _ => self.refuse(Some(stamp)),
            }
            return false;
        }
        if row_bytes > limit::ROW_BYTES {
            self.refuse(Some(stamp));
            return false;
        }
        if !self.turn() {
            self.drop_one(stamp);
            return false;
        }
        if record_bytes(row_bytes) > self.slot.as_ref().map_or(0, Slot::room) {
            self.large = vec![0; record_bytes(row_bytes)];
        }
        true
    }

    /// Hands over an event that is larger than a slot; the slot is empty.
    fn hand_over_large(&mut self, mut record: Vec<u8>) {
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
            self.pool.hand_over_large(self.thread, record, lost_before, slot);
            self.waited += began.elapsed();
        }
    }

    /// Changes the buffer now if it is nearly full, waiting if it has to: to be said where nothing is held that others wait
    /// for. An eighth of a buffer is then free, or what came before was lost. So does a thread that was asked to hand over what it
    /// has.
    #[inline]
    pub fn make_room(&mut self) {
        let handovers = self.providers.handovers();
        let is_asked = handovers != self.handovers;
        let nearly_full =
            |slot: &Slot| slot.filled() > 0 && (is_asked || slot.filled() + slot.room() / 8 >= slot.room());
        if self.slot.as_ref().is_none_or(nearly_full) && self.generation == generation() {
            let _ = self.turn();
        }
        self.handovers = handovers;
        self.waited = Duration::ZERO;
    }

    /// How long it waited for buffers while events were recorded, since this was asked or [room was made](Self::make_room): what
    /// others had to wait for, too, if they wait for what its thread holds then.
    #[inline]
    pub fn take_waited(&mut self) -> Duration {
        std::mem::take(&mut self.waited)
    }

    /// Counts the record after the last whole one as lost, and has the next one begin a new buffer.
    #[cold]
    fn refuse(&mut self, stamp: Option<u64>) {
        self.refused.add(stamp);
        self.say_lost();
    }

    /// Counts one as lost since there is no buffer for it.
    #[cold]
    fn drop_one(&mut self, stamp: u64) {
        self.dropped.add(Some(stamp));
        self.say_lost();
    }

    fn say_lost(&mut self) {
        self.slot.iter_mut().for_each(|slot| slot.lose(self.dropped.events, self.refused.events));
    }

    /// Changes the buffer; `false` if there is none to change it for.
    #[cold]
    fn turn(&mut self) -> bool {
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
                self.tell_gaps();
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

    /// Says in the trace what was lost until now.
    fn tell_gaps(&mut self) {
        let dropped = self.dropped.take(self.thread, GapCause::NoBuffer);
        let refused = self.refused.take(self.thread, GapCause::Refused);
        dropped.into_iter().chain(refused).for_each(|gap| self.pool.tell(Own::Gap(gap)));
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
        self.tell_gaps();
        self.pool.leave(last, &self.gauge);
    }
}

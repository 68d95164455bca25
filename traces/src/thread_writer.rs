//! The recording thread's end: appends records to a slot that nobody else writes.

use crate::limit;
use crate::map::generation;
use crate::pool::{Gauge, Handover, Pool, Rows};
use crate::provider_mask::ProviderMask;
use crate::row_head::{ROW_HEAD_BYTES, write_row_head};
use crate::slot::{NoRoom, SLACK_BYTES, Slot};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use taut_schemas::{Encoder, EventCode};

/// Writes the events of one thread. Hands the rest over when dropped, for which it may have to wait as for a full buffer.
///
/// Events recorded after [`TraceWriter::finish`](crate::TraceWriter::finish) go nowhere; it counts as lost those that
/// were still in this thread's buffer then. So do events of a child that a `fork` made: what it has is its parent's.
#[derive(Debug)]
pub struct ThreadWriter {
    /// None if there was none yet.
    slot: Option<Slot>,
    /// The slot is to be changed first: there is none, or after a loss, so that it is counted in its place.
    turn: bool,
    /// Events given to this writer, kept or not.
    events: u64,
    gauge: Gauge,
    thread: u32,
    /// Of the slot.
    lost_before: u64,
    /// Behind the slot's records: since no buffer was free, and since they could not be written.
    dropped: u64,
    refused: u64,
    generation: u32,
    pool: Arc<Pool>,
    providers: ProviderMask,
}

impl ThreadWriter {
    pub(crate) fn new(thread: u32, pool: Arc<Pool>, providers: ProviderMask) -> Self {
        let (slot, gauge) = pool.enter(thread);
        let (turn, generation) = (slot.is_none(), generation());
        let (events, lost_before, dropped, refused) = (0, 0, 0, 0);
        Self { slot, turn, events, gauge, thread, lost_before, dropped, refused, generation, pool, providers }
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
        self.events += 1;
        // Nobody but `finish` reads it, and only to count what it could not get hold of.
        self.gauge.store(self.events, Ordering::Relaxed);
        match &mut self.slot {
            Some(slot) if !self.turn && !slot.is_torn() => match slot.write(code, stamp, &payload) {
                Ok(()) => {}
                Err(no_room) => self.event_elsewhere(code, stamp, no_room, &payload),
            },
            _ => self.event_elsewhere(code, stamp, NoRoom::Full, &payload),
        }
    }

    /// Records an event for which there is no room.
    #[cold]
    fn event_elsewhere(
        &mut self,
        code: EventCode,
        stamp: u64,
        mut no_room: NoRoom,
        payload: &dyn Fn(&mut Encoder<'_>),
    ) {
        loop {
            let row_bytes = if let NoRoom::Row(row_bytes) = no_room { row_bytes } else { 0 };
            if row_bytes > limit::ROW_BYTES {
                return self.refuse();
            }
            if !self.turn() {
                return self.drop_one();
            }
            let Some(slot) = &mut self.slot else { return };
            if row_bytes + ROW_HEAD_BYTES > slot.room() {
                return self.large(code, stamp, payload);
            }
            match slot.write(code, stamp, payload) {
                Ok(()) => return,
                Err(NoRoom::Full) => return self.refuse(),
                Err(row) => no_room = row,
            }
        }
    }

    /// Records an event that is larger than a slot; the slot is empty.
    fn large(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>)) {
        let mut record = vec![0; ROW_HEAD_BYTES];
        payload(&mut Encoder::new(&mut record));
        write_row_head(&mut record, code, stamp, 0);
        record.extend_from_slice(&[0; SLACK_BYTES]);
        if let Some(slot) = &mut self.slot {
            let lost_before = std::mem::take(&mut self.lost_before);
            self.pool.hand_over_large(self.thread, record, lost_before, slot);
        }
    }

    /// Changes the buffer now if it is nearly full, waiting if it has to: to be said where nothing is held that others wait
    /// for. An eighth of a buffer is then free, or what came before was lost.
    #[inline]
    pub fn make_room(&mut self) {
        let nearly_full = |slot: &Slot| slot.filled() > 0 && slot.filled() + slot.room() / 8 >= slot.room();
        if self.slot.as_ref().is_none_or(nearly_full) && self.generation == generation() {
            let _ = self.turn();
        }
    }

    /// Counts the record after the last whole one as lost, and has the next one begin a new buffer.
    #[cold]
    fn refuse(&mut self) {
        self.refused += 1;
        self.say_lost();
    }

    /// Counts one as lost since there is no buffer for it.
    #[cold]
    fn drop_one(&mut self) {
        self.dropped += 1;
        self.say_lost();
    }

    fn say_lost(&mut self) {
        self.turn = true;
        self.slot.iter_mut().for_each(|slot| slot.lose(self.dropped, self.refused));
    }

    /// Changes the buffer; `false` if there is none to change it for.
    #[cold]
    fn turn(&mut self) -> bool {
        if self.slot.as_ref().is_some_and(Slot::is_torn) {
            self.refuse();
        }
        let full = self.handover(false);
        match self.pool.swap(full, self.dropped + self.refused) {
            Ok(slot) => {
                self.slot = Some(slot);
                self.lost_before = std::mem::take(&mut self.dropped) + std::mem::take(&mut self.refused);
                self.turn = false;
                true
            }
            Err(full) => {
                if let Rows::Slot(slot) = full.rows {
                    self.slot = Some(slot);
                }
                self.turn = true;
                false
            }
        }
    }

    fn handover(&mut self, last: bool) -> Handover {
        let rows = self.slot.take().map_or(Rows::Empty, Rows::Slot);
        let lost_after = if last { self.dropped + self.refused } else { 0 };
        Handover { thread: self.thread, rows, lost_before: self.lost_before, lost_after, last }
    }
}

impl Drop for ThreadWriter {
    fn drop(&mut self) {
        if self.generation != generation() {
            return;
        }
        if self.slot.as_ref().is_some_and(Slot::is_torn) {
            self.refuse();
        }
        let last = self.handover(true);
        self.pool.leave(last, &self.gauge);
    }
}

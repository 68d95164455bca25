//! The recording thread's end: appends records to a buffer that nobody else touches.

use crate::limit;
use crate::pool::{Gauge, Handover, Pool};
use crate::row_head::ROW_HEAD_BYTES;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use taut_schemas::{Encoder, EventCode};

/// Writes the events of one thread. Hands the rest over when dropped, for which it may have to wait as for a full buffer.
///
/// Events recorded after [`TraceWriter::finish`](crate::TraceWriter::finish) go nowhere; it counts as lost those that
/// were still in this thread's buffer then.
#[derive(Debug)]
pub struct ThreadWriter {
    rows: Vec<u8>,
    /// End of the last complete record. A payload that panics leaves `rows` longer.
    complete: usize,
    /// Size at which the buffer is handed over; 0 after a loss, so that it is counted in its place.
    turn_at: usize,
    /// Events given to this writer, kept or not.
    events: u64,
    gauge: Gauge,
    thread: u32,
    lost_before: u64,
    lost: u64,
    pool: Arc<Pool>,
}

impl ThreadWriter {
    pub(crate) fn new(thread: u32, pool: Arc<Pool>) -> Self {
        let (rows, gauge) = pool.enter(thread);
        let turn_at = pool.buffer_bytes();
        Self { rows, complete: 0, turn_at, events: 0, gauge, thread, lost_before: 0, lost: 0, pool }
    }

    /// Number of the thread.
    pub fn thread(&self) -> u32 {
        self.thread
    }

    /// Records an event: its code, its stamp in ticks, and `payload`, which encodes its fields in the order of the
    /// header's schema table. Takes no lock and allocates nothing, except where a buffer is full or a record does not
    /// fit into one.
    #[inline]
    pub fn event(&mut self, code: EventCode, stamp: u64, payload: impl FnOnce(&mut Encoder<'_>)) {
        self.events += 1;
        // Nobody but `finish` reads it, and only to count what it could not get hold of.
        self.gauge.store(self.events, Ordering::Relaxed);
        if (self.rows.len() >= self.turn_at || self.rows.len() != self.complete) && !self.turn() {
            self.lost += 1;
            return;
        }
        let mut head = [0; ROW_HEAD_BYTES];
        head[4..6].copy_from_slice(&code.0.to_le_bytes());
        head[6..].copy_from_slice(&stamp.to_le_bytes());
        let start = self.complete;
        self.rows.extend_from_slice(&head);
        payload(&mut Encoder::new(&mut self.rows));
        let row_bytes = self.rows.len().saturating_sub(start + ROW_HEAD_BYTES);
        if row_bytes > limit::ROW_BYTES {
            return self.refuse();
        }
        if let Some(size) = self.rows.get_mut(start..start + 4) {
            size.copy_from_slice(&(row_bytes as u32).to_le_bytes());
        }
        self.complete = self.rows.len();
    }

    /// Changes the buffer now if it is nearly full, waiting if it has to: to be said where nothing is held that others wait
    /// for. An eighth of a buffer is then free, or what came before was lost.
    #[inline]
    pub fn make_room(&mut self) {
        if self.complete > 0 && self.complete + self.pool.buffer_bytes() / 8 >= self.turn_at {
            let _ = self.turn();
        }
    }

    /// Counts the record after the last complete one as lost, and has the next one begin a new buffer.
    #[cold]
    fn refuse(&mut self) {
        self.rows.truncate(self.complete);
        self.lost += 1;
        self.turn_at = 0;
    }

    /// Changes the buffer; `false` if there is none to change it for.
    #[cold]
    fn turn(&mut self) -> bool {
        if self.rows.len() != self.complete {
            self.refuse();
        }
        let full = self.handover(false);
        match self.pool.swap(full) {
            Ok(rows) => {
                self.rows = rows;
                self.complete = 0;
                self.lost_before = std::mem::take(&mut self.lost);
                self.turn_at = self.pool.buffer_bytes();
                true
            }
            Err(full) => {
                self.rows = full.rows;
                self.turn_at = 0;
                false
            }
        }
    }

    fn handover(&mut self, last: bool) -> Handover {
        let mut rows = std::mem::take(&mut self.rows);
        rows.truncate(self.complete);
        let lost_after = if last { self.lost } else { 0 };
        Handover { thread: self.thread, rows, lost_before: self.lost_before, lost_after, last }
    }
}

impl Drop for ThreadWriter {
    fn drop(&mut self) {
        if self.rows.len() != self.complete {
            self.refuse();
        }
        let last = self.handover(true);
        self.pool.leave(last, &self.gauge);
    }
}

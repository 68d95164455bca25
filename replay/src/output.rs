//! Writer for the trace that a replay produces.

use crate::thread::Thread;
use taut_schemas::{Encoder, EventCode};
use taut_traces::TraceWriter;

/// Optional output trace of a replay.
///
/// Events keep their recorded stamps where that preserves the order in which they happen in this replay; an event that
/// would come before one already written, or that the recording lacks, takes the next free stamp. Replaying the new
/// trace therefore repeats this replay.
pub(crate) struct Output<'w> {
    writer: Option<&'w TraceWriter>,
    /// Stamp and thread of the last event written.
    last: (u64, u32),
}

impl<'w> Output<'w> {
    pub fn new(writer: Option<&'w TraceWriter>) -> Output<'w> {
        Output { writer, last: (0, 0) }
    }

    /// True if an output trace is written.
    pub fn is_wanted(&self) -> bool {
        self.writer.is_some()
    }

    /// Writes an event of a thread at `stamp`, or at the first later stamp that keeps the order. Events that the
    /// recording lacks may pass 0.
    pub fn write(&mut self, thread: &mut Thread, stamp: u64, code: EventCode, row: &[u8]) {
        let Some(writer) = self.writer else { return };
        let (last_stamp, last_thread) = self.last;
        // Readers order events by (stamp, thread), so the same stamp may be used again only by a thread with a larger
        // number.
        let after_all = if thread.number > last_thread { last_stamp } else { last_stamp.saturating_add(1) };
        let stamp = stamp.max(after_all).max(thread.last_written_stamp.saturating_add(1));
        self.last = (stamp, thread.number);
        thread.last_written_stamp = stamp;
        let writer = thread.writer.get_or_insert_with(|| writer.thread(thread.number));
        writer.event(code, stamp, |encoder: &mut Encoder<'_>| encoder.raw(row));
    }
}

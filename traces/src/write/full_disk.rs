//! Handling of a full disk: the sidecar's share of it, and the slots that are returned when the trace needs the space.
//!
//! A sidecar exists for the case that the process is killed. So the trace has the first claim to the space of both:
//! when a write of it fails for lack of space, empty slots are returned to the file system and the write is repeated.
//!
//! The recording ends when none are left, or before, when the free space is what the end of the trace needs: threads
//! get no other slots, their events are counted as lost, and each slot is returned when its records are in the trace.
//! The end grows with each block by an entry of the footer, so its size is estimated again before each block. If the
//! file system does not report the space (a user's quota), the first failed write ends the recording, and the slots
//! provide the space of the end.

use crate::format::error::WriteError;
use crate::live::free_space::free_bytes;
use crate::live::sidecar::Sidecar;
use crate::write::pool::Pool;
use std::sync::Arc;

/// Size that each slot may add to the end of the trace beyond its records, in bytes: a block of records, a gap block,
/// and the footer entries of both.
const BYTES_PER_SLOT: u64 = 1024;

/// Size reserved for other blocks at the end, and for partial pages, in bytes.
const MARGIN_BYTES: u64 = 16 << 10;

/// Sidecar of a recording whose slots can free space for the trace.
#[derive(Debug, Clone)]
pub(crate) struct FullDisk {
    pub pool: Arc<Pool>,
    pub sidecar: Arc<Sidecar>,
}

impl FullDisk {
    /// Returns slots to the file system after a write of `bytes` bytes failed with `error`; `false` if there were none.
    pub fn make_room(&self, error: &WriteError, bytes: u64) -> bool {
        let is_reported = free_bytes(self.sidecar.path()).is_some_and(|free| free < bytes);
        if is_reported && self.sidecar.return_slots(self.pool.take_free()) {
            return true;
        }
        self.pool.end_for_space(error);
        self.sidecar.return_slots(self.pool.take_free())
    }

    /// Ends the recording if the disk has less free space than the next bytes of the trace and its end need; `true` if
    /// the disk counts as full.
    pub fn reserve(&self, next_bytes: u64, end_bytes: u64, error: impl FnOnce() -> WriteError) -> bool {
        if self.pool.is_full() {
            return true;
        }
        let end_bytes = end_bytes + MARGIN_BYTES + self.pool.slots() * BYTES_PER_SLOT;
        self.sidecar.reserve(end_bytes);
        let Some(free) = free_bytes(self.sidecar.path()).filter(|free| *free < next_bytes + end_bytes) else {
            return false;
        };
        // Slots that the pool can do without go first; the recording goes on if they suffice.
        let returned = self.pool.take_free();
        let returned_bytes = returned.len() as u64 * self.sidecar.slot_bytes();
        self.sidecar.return_slots(returned);
        free + returned_bytes < next_bytes + end_bytes && self.pool.end_for_space(&error())
    }
}

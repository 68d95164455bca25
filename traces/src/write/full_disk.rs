//! Handling of a full disk: the sidecar's share of the free space, and the return of slots when the trace needs space.
//!
//! A sidecar is only needed if the process is killed, so the trace has priority: if a write to the trace fails for lack
//! of space, empty slots are returned to the file system and the write is repeated.
//!
//! The recording ends when no empty slot is left, or earlier, when the remaining free space is needed for metadata and
//! footer. From then on, threads get no new slots, their events are counted as lost, and each slot is returned when its
//! records are in the trace. Each block adds an entry to the footer, so the footer's size is estimated again before
//! each block. If the file system does not report the free space (a user's quota), the first failed write ends the
//! recording, and the returned slots provide the space for the footer.

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
        self.pool.end_on_full_disk(error);
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
        // Slots that the pool does not need are returned first; the recording continues if their space suffices.
        let returned = self.pool.take_free();
        let returned_bytes = returned.len() as u64 * self.sidecar.slot_bytes();
        self.sidecar.return_slots(returned);
        free + returned_bytes < next_bytes + end_bytes && self.pool.end_on_full_disk(&error())
    }
}

//! The quantities whose greatest value the report looks for.

use crate::world::Live;

/// A quantity that follows from what lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Heaps, and the implicit heaps of committed resources.
    RealBytes,
    /// What resources take: placed ones their SizeInBytes, committed ones their implicit heaps.
    TakenBytes,
    /// Allocated bytes of all resources.
    AllocatedBytes,
    /// Heaps, and committed resources at their SizeInBytes.
    TotalBytes,
    /// Allocated bytes of placed resources.
    PlacedBytes,
    /// Number of placed resources.
    Placed,
    /// Bytes of heaps.
    HeapBytes,
    /// Number of heaps.
    Heaps,
    /// Allocated bytes of committed resources.
    CommittedBytes,
    /// Number of committed resources.
    Committed,
    /// Requested bytes of buffers.
    BufferRequestedBytes,
    /// Allocated bytes of buffers.
    BufferAllocatedBytes,
    /// Bytes of buffers if each were a multiple of 64 KiB.
    BufferPadded64kBytes,
}

impl Measure {
    /// Every measure, each at the place of its own number.
    pub const ALL: [Measure; 13] = [
        Measure::RealBytes,
        Measure::TakenBytes,
        Measure::AllocatedBytes,
        Measure::TotalBytes,
        Measure::PlacedBytes,
        Measure::Placed,
        Measure::HeapBytes,
        Measure::Heaps,
        Measure::CommittedBytes,
        Measure::Committed,
        Measure::BufferRequestedBytes,
        Measure::BufferAllocatedBytes,
        Measure::BufferPadded64kBytes,
    ];

    /// Name in JSON, unit last.
    pub fn name(self) -> &'static str {
        match self {
            Measure::RealBytes => "real_bytes",
            Measure::TakenBytes => "taken_bytes",
            Measure::AllocatedBytes => "allocated_bytes",
            Measure::TotalBytes => "total_bytes",
            Measure::PlacedBytes => "placed_bytes",
            Measure::Placed => "placed",
            Measure::HeapBytes => "heap_bytes",
            Measure::Heaps => "heaps",
            Measure::CommittedBytes => "committed_bytes",
            Measure::Committed => "committed",
            Measure::BufferRequestedBytes => "buffer_requested_bytes",
            Measure::BufferAllocatedBytes => "buffer_allocated_bytes",
            Measure::BufferPadded64kBytes => "buffer_padded_64k_bytes",
        }
    }

    /// Its value.
    pub fn of(self, live: &Live) -> u128 {
        let (buffers, textures) = (&live.buffers, &live.textures);
        match self {
            Measure::RealBytes => live.real_bytes(),
            Measure::TakenBytes => buffers.taken_bytes() + textures.taken_bytes(),
            Measure::AllocatedBytes => buffers.allocated().bytes + textures.allocated().bytes,
            Measure::TotalBytes => live.heaps.bytes + buffers.committed.bytes + textures.committed.bytes,
            Measure::PlacedBytes => buffers.placed.bytes + textures.placed.bytes,
            Measure::Placed => u128::from(buffers.placed.count + textures.placed.count),
            Measure::HeapBytes => live.heaps.bytes,
            Measure::Heaps => live.heaps.count.into(),
            Measure::CommittedBytes => buffers.committed.bytes + textures.committed.bytes,
            Measure::Committed => u128::from(buffers.committed.count + textures.committed.count),
            Measure::BufferRequestedBytes => buffers.requested_bytes,
            Measure::BufferAllocatedBytes => buffers.allocated().bytes,
            Measure::BufferPadded64kBytes => buffers.padded_64k_bytes,
        }
    }
}

//! Quantities whose peaks the report determines.

use super::Peaks;
use crate::memory::Live;

/// A quantity computed from the live resources and heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Explicit heaps, and implicit heaps of committed resources.
    RealBytes,
    /// Memory in use by resources: SizeInBytes of placed resources, implicit heaps of committed ones.
    InUseBytes,
    /// Sum of SizeInBytes of all resources.
    AllocatedBytes,
    /// Explicit heaps, plus committed resources at their SizeInBytes.
    TotalBytes,
    /// Sum of SizeInBytes of placed resources.
    PlacedBytes,
    /// Number of placed resources.
    Placed,
    /// Total size of explicit heaps.
    HeapBytes,
    /// Number of explicit heaps.
    Heaps,
    /// Sum of SizeInBytes of committed resources.
    CommittedBytes,
    /// Number of committed resources.
    Committed,
    /// Requested bytes of buffers.
    BufferRequestedBytes,
    /// Sum of SizeInBytes of buffers.
    BufferAllocatedBytes,
    /// Size of buffers if each were rounded up to a multiple of 64 KiB.
    BufferPadded64kBytes,
}

impl Measure {
    /// All measures, indexed by discriminant: `Sweep::peak` relies on it.
    pub const ALL: [Measure; 13] = [
        Measure::RealBytes,
        Measure::InUseBytes,
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

    /// Name in JSON, with the unit last.
    pub fn name(self) -> &'static str {
        match self {
            Measure::RealBytes => Peaks::KEY.real_bytes,
            Measure::InUseBytes => Peaks::KEY.in_use_bytes,
            Measure::AllocatedBytes => Peaks::KEY.allocated_bytes,
            Measure::TotalBytes => Peaks::KEY.total_bytes,
            Measure::PlacedBytes => Peaks::KEY.placed_bytes,
            Measure::Placed => Peaks::KEY.placed,
            Measure::HeapBytes => Peaks::KEY.heap_bytes,
            Measure::Heaps => Peaks::KEY.heaps,
            Measure::CommittedBytes => Peaks::KEY.committed_bytes,
            Measure::Committed => Peaks::KEY.committed,
            Measure::BufferRequestedBytes => Peaks::KEY.buffer_requested_bytes,
            Measure::BufferAllocatedBytes => Peaks::KEY.buffer_allocated_bytes,
            Measure::BufferPadded64kBytes => Peaks::KEY.buffer_padded_64k_bytes,
        }
    }

    /// The value for the given live resources and heaps.
    pub fn of(self, live: &Live) -> u128 {
        let (buffers, textures) = (&live.buffers, &live.textures);
        match self {
            Measure::RealBytes => live.real_bytes(),
            Measure::InUseBytes => buffers.in_use_bytes() + textures.in_use_bytes(),
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

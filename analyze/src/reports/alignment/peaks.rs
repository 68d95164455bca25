//! Peaks of all measures.

use super::figures::narrow;
use super::measure::Measure;
use super::sweep::Sweep;
use crate::memory::World;
use crate::reports::figures::figures;

figures! {
    /// Peak value of a measure and the time of its first occurrence.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct PeakFigure {
        value: u64, Count, "Peak of the measure, in bytes or as a count.", after peaks;
        at_stamp: u64, Stamp, same;
        #[serde(skip_serializing_if = "Option::is_none")] at_seq: Option<u64>, Id, same;
    }
}

figures! {
    /// Peak of every measure.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Peaks {
        real_bytes: PeakFigure, Bytes, same;
        in_use_bytes: PeakFigure, Bytes, same;
        allocated_bytes: PeakFigure, Bytes, same;
        total_bytes: PeakFigure, Bytes, same;
        placed_bytes: PeakFigure, Bytes, same;
        placed: PeakFigure, Count, same;
        heap_bytes: PeakFigure, Bytes, same;
        heaps: PeakFigure, Count, same;
        committed_bytes: PeakFigure, Bytes, same;
        committed: PeakFigure, Count, same;
        buffer_requested_bytes: PeakFigure, Bytes, "A measure in `peaks`: `requested_bytes` of live buffers.", after objects_of_rundown;
        buffer_allocated_bytes: PeakFigure, Bytes, "A measure in `peaks`: `allocated_bytes` of live buffers.", after buffer_requested_bytes;
        buffer_padded_64k_bytes: PeakFigure, Bytes, "A measure in `peaks`: `padded_64k_bytes` of live buffers.", after buffer_allocated_bytes;
    }
}

impl Peaks {
    /// Peaks of a world.
    pub(super) fn of(world: &World, sweep: &Sweep) -> Peaks {
        let peak = |measure| {
            let peak = sweep.peak(measure);
            let at = peak.turn.map_or(world.start, |turn| world.moment(turn));
            PeakFigure { value: narrow(peak.value), at_stamp: at.stamp, at_seq: at.seq }
        };
        Peaks {
            real_bytes: peak(Measure::RealBytes),
            in_use_bytes: peak(Measure::InUseBytes),
            allocated_bytes: peak(Measure::AllocatedBytes),
            total_bytes: peak(Measure::TotalBytes),
            placed_bytes: peak(Measure::PlacedBytes),
            placed: peak(Measure::Placed),
            heap_bytes: peak(Measure::HeapBytes),
            heaps: peak(Measure::Heaps),
            committed_bytes: peak(Measure::CommittedBytes),
            committed: peak(Measure::Committed),
            buffer_requested_bytes: peak(Measure::BufferRequestedBytes),
            buffer_allocated_bytes: peak(Measure::BufferAllocatedBytes),
            buffer_padded_64k_bytes: peak(Measure::BufferPadded64kBytes),
        }
    }
}

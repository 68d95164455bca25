//! Memory of each heap type over time, reduced to the resolution of a screen.

use crate::analysis::Analysis;
use crate::memory::{Moment, World};
use crate::reports::alignment::residency::memory_change;
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::HeapType;

/// Number of buckets. Each retains the state with the peak of memory held and the last state.
const BUCKETS: usize = 400;

/// Memory of each heap type over time; index i of each column belongs to point i.
#[derive(Debug, Default, Serialize)]
pub(super) struct ResidencySeries {
    /// Unit of `at`: `ms`, or `ticks` if the clock is logical or has no frequency.
    unit: &'static str,
    at: Vec<f64>,
    /// Name of what `seq` counts in the file that the trace was recorded from.
    seq_unit: &'static str,
    seq: Vec<Option<u64>>,
    /// Number of creations and releases so far.
    changes: Vec<u64>,
    /// Per type: D3D12_HEAP_TYPE without its prefix, memory of its heaps, and budget if one is set.
    types: Vec<(String, Vec<u64>, Option<u64>)>,
}

/// Bytes by heap type.
type BytesByType = BTreeMap<HeapType, u128>;

pub(super) fn residency_series(analysis: &Analysis, world: &World) -> ResidencySeries {
    let mut bytes_by_type: BytesByType =
        world.changes.iter().filter_map(|change| memory_change(world, change.kind)).map(|(of, ..)| (of, 0)).collect();
    let per_bucket = world.changes.len().div_ceil(BUCKETS).max(1);
    let mut points: Vec<(u64, Moment, BytesByType)> = Vec::new();
    for (number, bucket) in world.changes.chunks(per_bucket).enumerate() {
        let mut max_state: Option<(u128, (u64, Moment, BytesByType))> = None;
        let before = (number * per_bucket) as u64;
        for (changes, change) in (before + 1..).zip(bucket) {
            if let Some((heap_type, bytes, comes)) = memory_change(world, change.kind) {
                let of_type = bytes_by_type.entry(heap_type).or_default();
                *of_type = if comes { *of_type + bytes } else { of_type.saturating_sub(bytes) };
            }
            let all: u128 = bytes_by_type.values().sum();
            if max_state.as_ref().is_none_or(|(max_state, _)| all > *max_state) {
                max_state = Some((all, (changes, change.moment, bytes_by_type.clone())));
            }
        }
        points.extend(max_state.map(|(_, point)| point));
        let last = (
            before + bucket.len() as u64,
            bucket.last().map_or(world.end, |change| change.moment),
            bytes_by_type.clone(),
        );
        if points.last().is_none_or(|(changes, ..)| *changes < last.0) {
            points.push(last);
        }
    }
    let budgets = analysis.heap_budgets();
    let timed = analysis.time_ns(1).is_some();
    let (unit, positions) = (if timed { "ms" } else { "ticks" }, analysis.file_positions());
    let mut series = ResidencySeries { unit, seq_unit: positions.unit, ..Default::default() };
    series.types = bytes_by_type
        .keys()
        .map(|heap_type| (format!("{heap_type:?}"), Vec::new(), budgets.get(heap_type).copied()))
        .collect();
    for (changes, moment, bytes_by_type) in points {
        let since = moment.stamp.saturating_sub(world.start.stamp);
        series.at.push(analysis.time_ns(since).map_or(since as f64, |ns| ns as f64 / 1e6));
        series.seq.push(moment.seq.map(|seq| positions.number(seq)));
        series.changes.push(changes);
        for ((_, values, _), bytes) in series.types.iter_mut().zip(bytes_by_type.values()) {
            values.push(u64::try_from(*bytes).unwrap_or(u64::MAX));
        }
    }
    series
}

//! Memory over time, reduced to the resolution of a screen.

use crate::analysis::Analysis;
use crate::memory::{Live, World};
use serde::Serialize;

/// Number of buckets over time, and over changes, so that bursts within a short time remain visible. Each bucket
/// retains the state with the peak of memory held, the one with the peak of memory in use, and the last state.
const BUCKETS: u64 = 500;

/// Memory over time; index i of each column belongs to point i.
#[derive(Debug, Default, Serialize)]
pub(super) struct MemorySeries {
    /// Unit of `at`: `ms`, or `ticks` if the clock is logical or has no frequency.
    unit: &'static str,
    at: Vec<f64>,
    /// Stamps as text: JavaScript has no integers of 64 bits.
    stamps: Vec<String>,
    /// Index of the first point of the peak of memory in use.
    peak: usize,
    /// Name of what `seq` counts in the file that the trace was recorded from.
    seq_unit: &'static str,
    seq: Vec<Option<u64>>,
    /// Number of creations and releases so far.
    changes: Vec<u64>,
    real_bytes: Vec<u64>,
    in_use_bytes: Vec<u64>,
    requested_bytes: Vec<u64>,
    padded_64k_bytes: Vec<u64>,
    resources: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Point {
    stamp: u64,
    seq: Option<u64>,
    changes: u64,
    real_bytes: u64,
    in_use_bytes: u64,
    requested_bytes: u64,
    padded_64k_bytes: u64,
    resources: u64,
}

pub(super) fn memory_series(analysis: &Analysis, world: &World) -> MemorySeries {
    let timed = analysis.time_ns(1).is_some();
    let (unit, positions) = (if timed { "ms" } else { "ticks" }, analysis.file_positions());
    let mut series = MemorySeries { unit, seq_unit: positions.unit, ..Default::default() };
    let span = world.end.stamp.saturating_sub(world.start.stamp).max(1);
    let all = (world.changes.len() as u64).max(1);
    let part = |of: u64, all: u64| u128::from(of) * u128::from(BUCKETS) / u128::from(all);
    let bucket_index =
        |point: &Point| (part(point.stamp.saturating_sub(world.start.stamp), span), part(point.changes, all));
    let mut push = |point: Point| {
        let since = point.stamp.saturating_sub(world.start.stamp);
        series.at.push(analysis.time_ns(since).map_or(since as f64, |ns| ns as f64 / 1e6));
        series.stamps.push(point.stamp.to_string());
        series.seq.push(point.seq.map(|seq| positions.number(seq)));
        series.changes.push(point.changes);
        series.real_bytes.push(point.real_bytes);
        series.in_use_bytes.push(point.in_use_bytes);
        series.requested_bytes.push(point.requested_bytes);
        series.padded_64k_bytes.push(point.padded_64k_bytes);
        series.resources.push(point.resources);
    };
    let mut live = Live::default();
    let mut bucket: Option<BucketStates> = None;
    for (changes, change) in (1_u64..).zip(&world.changes) {
        live.turn(world, change.kind);
        let point = Point::of(&live, change.moment.stamp, change.moment.seq, changes);
        bucket = match bucket {
            Some(bucket) if bucket_index(&bucket.last) == bucket_index(&point) => Some(bucket.and(point)),
            full => {
                full.into_iter().flat_map(BucketStates::points).for_each(&mut push);
                Some(BucketStates { max_real: point, max_taken: point, last: point })
            }
        };
    }
    bucket.into_iter().flat_map(BucketStates::points).for_each(&mut push);
    // The last state lasts until the end of the trace.
    if !world.changes.is_empty() {
        push(Point::of(&live, world.end.stamp, world.end.seq, all));
    }
    // `max_by_key` returns the last of equal elements, hence the reversed order.
    let by_use = series.in_use_bytes.iter().enumerate().rev().max_by_key(|(_, bytes)| **bytes);
    series.peak = by_use.map_or(0, |(index, _)| index);
    series
}

/// States of a bucket that the series retains.
struct BucketStates {
    max_real: Point,
    max_taken: Point,
    last: Point,
}

impl BucketStates {
    fn and(self, point: Point) -> BucketStates {
        let more = point.real_bytes > self.max_real.real_bytes;
        let more_allocated = point.in_use_bytes > self.max_taken.in_use_bytes;
        BucketStates {
            max_real: if more { point } else { self.max_real },
            max_taken: if more_allocated { point } else { self.max_taken },
            last: point,
        }
    }

    /// The distinct points in order.
    fn points(self) -> Vec<Point> {
        let mut points = vec![self.max_real, self.max_taken, self.last];
        points.sort_by_key(|point| point.changes);
        points.dedup_by_key(|point| point.changes);
        points
    }
}

impl Point {
    fn of(live: &Live, stamp: u64, seq: Option<u64>, changes: u64) -> Point {
        let narrow = |sum: u128| u64::try_from(sum).unwrap_or(u64::MAX);
        let all = live.resources();
        Point {
            stamp,
            seq,
            changes,
            real_bytes: narrow(live.real_bytes()),
            in_use_bytes: narrow(all.in_use_bytes()),
            requested_bytes: narrow(all.requested_bytes),
            padded_64k_bytes: narrow(all.padded_64k_bytes),
            resources: all.allocated().count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(changes: u64, real_bytes: u64, in_use_bytes: u64) -> Point {
        let zero = Point {
            stamp: 0,
            seq: None,
            changes,
            real_bytes,
            in_use_bytes,
            requested_bytes: 0,
            padded_64k_bytes: 0,
            resources: 0,
        };
        Point { stamp: changes, ..zero }
    }

    #[test]
    fn a_bucket_retains_its_peak_of_resources_if_heaps_do_not_change() {
        let first = point(1, 100, 10);
        let bucket = BucketStates { max_real: first, max_taken: first, last: first };
        let bucket = [point(2, 100, 90), point(3, 100, 20)].into_iter().fold(bucket, BucketStates::and);
        let points: Vec<(u64, u64)> = bucket.points().iter().map(|point| (point.changes, point.in_use_bytes)).collect();
        assert_eq!(points, [(1, 10), (2, 90), (3, 20)]);
    }
}

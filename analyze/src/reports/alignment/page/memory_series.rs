//! Memory over time, in as many points as a screen has.

use crate::analysis::Analysis;
use crate::render::log_line;
use crate::world::{Live, World};
use serde::Serialize;

/// Stretches that are told apart, of time and of changes each, so that what happens in a moment can be looked at closer.
/// Of each stretch are kept the state with most in all, the one in which resources take most, and the last.
const STRETCHES: u64 = 500;

/// Memory over time; element i of each column belongs to moment i.
#[derive(Debug, Default, Serialize)]
pub(super) struct MemorySeries {
    /// The unit of `at`: `ms`, or `ticks` where the clock has no frequency.
    unit: &'static str,
    at: Vec<f64>,
    seq: Vec<Option<u64>>,
    /// Creations and releases until then.
    changes: Vec<u64>,
    real_bytes: Vec<u64>,
    taken_bytes: Vec<u64>,
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
    taken_bytes: u64,
    requested_bytes: u64,
    padded_64k_bytes: u64,
    resources: u64,
}

pub(super) fn memory_series(analysis: &Analysis, world: &World) -> MemorySeries {
    let timed = analysis.ticks_to_ns(1).is_some();
    let mut series = MemorySeries { unit: if timed { "ms" } else { "ticks" }, ..Default::default() };
    let span = world.end.stamp.saturating_sub(world.start.stamp).max(1);
    let all = (world.changes.len() as u64).max(1);
    let part = |of: u64, all: u64| u128::from(of) * u128::from(STRETCHES) / u128::from(all);
    let stretch = |point: &Point| (part(point.stamp.saturating_sub(world.start.stamp), span), part(point.changes, all));
    let mut push = |point: Point| {
        let since = point.stamp.saturating_sub(world.start.stamp);
        series.at.push(analysis.ticks_to_ns(since).map_or(since as f64, |ns| ns as f64 / 1e6));
        series.seq.push(point.seq.map(log_line));
        series.changes.push(point.changes);
        series.real_bytes.push(point.real_bytes);
        series.taken_bytes.push(point.taken_bytes);
        series.requested_bytes.push(point.requested_bytes);
        series.padded_64k_bytes.push(point.padded_64k_bytes);
        series.resources.push(point.resources);
    };
    let mut live = Live::default();
    let mut kept: Option<Kept> = None;
    for (changes, change) in (1_u64..).zip(&world.changes) {
        live.turn(world, change.kind);
        let point = Point::of(&live, change.moment.stamp, change.moment.seq, changes);
        kept = match kept {
            Some(kept) if stretch(&kept.last) == stretch(&point) => Some(kept.and(point)),
            full => {
                full.into_iter().flat_map(Kept::points).for_each(&mut push);
                Some(Kept { most: point, most_taken: point, last: point })
            }
        };
    }
    kept.into_iter().flat_map(Kept::points).for_each(&mut push);
    if !world.changes.is_empty() {
        push(Point::of(&live, world.end.stamp, world.end.seq, all));
    }
    series
}

/// What is kept of a stretch.
struct Kept {
    most: Point,
    most_taken: Point,
    last: Point,
}

impl Kept {
    fn and(self, point: Point) -> Kept {
        let more = point.real_bytes > self.most.real_bytes;
        let more_allocated = point.taken_bytes > self.most_taken.taken_bytes;
        Kept {
            most: if more { point } else { self.most },
            most_taken: if more_allocated { point } else { self.most_taken },
            last: point,
        }
    }

    /// The points in their order, each once.
    fn points(self) -> Vec<Point> {
        let mut points = vec![self.most, self.most_taken, self.last];
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
            taken_bytes: narrow(all.taken_bytes()),
            requested_bytes: narrow(all.requested_bytes),
            padded_64k_bytes: narrow(all.padded_64k_bytes),
            resources: all.allocated().count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(changes: u64, real_bytes: u64, taken_bytes: u64) -> Point {
        let zero = Point {
            stamp: 0,
            seq: None,
            changes,
            real_bytes,
            taken_bytes,
            requested_bytes: 0,
            padded_64k_bytes: 0,
            resources: 0,
        };
        Point { stamp: changes, ..zero }
    }

    #[test]
    fn a_stretch_keeps_its_greatest_sum_of_resources_where_the_heaps_stay_as_they_are() {
        let first = point(1, 100, 10);
        let kept = Kept { most: first, most_taken: first, last: first };
        let kept = [point(2, 100, 90), point(3, 100, 20)].into_iter().fold(kept, Kept::and);
        let points: Vec<(u64, u64)> = kept.points().iter().map(|point| (point.changes, point.taken_bytes)).collect();
        assert_eq!(points, [(1, 10), (2, 90), (3, 20)]);
    }
}

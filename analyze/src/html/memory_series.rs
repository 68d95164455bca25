//! Memory over time, in as many points as a screen has.

use crate::analysis::Analysis;
use crate::world::{Live, World};
use serde::Serialize;

/// Stretches of time that are told apart. Of each its greatest and its last state is kept.
const STRETCHES: u64 = 1500;

/// Memory over time; element i of each column belongs to moment i.
#[derive(Debug, Default, Serialize)]
pub(super) struct MemorySeries {
    /// The unit of `at`: `ms`, or `ticks` where the clock has no frequency.
    unit: &'static str,
    at: Vec<f64>,
    seq: Vec<Option<u64>>,
    total_bytes: Vec<u64>,
    allocated_bytes: Vec<u64>,
    requested_bytes: Vec<u64>,
    padded_64k_bytes: Vec<u64>,
    resources: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Point {
    stamp: u64,
    seq: Option<u64>,
    total_bytes: u64,
    allocated_bytes: u64,
    requested_bytes: u64,
    padded_64k_bytes: u64,
    resources: u64,
}

pub(super) fn memory_series(analysis: &Analysis, world: &World) -> MemorySeries {
    let timed = analysis.ticks_to_ns(1).is_some();
    let mut series = MemorySeries { unit: if timed { "ms" } else { "ticks" }, ..Default::default() };
    let span = world.end.stamp.saturating_sub(world.start.stamp).max(1);
    let stretch = |stamp: u64| {
        let since = stamp.saturating_sub(world.start.stamp);
        u128::from(since) * u128::from(STRETCHES) / u128::from(span)
    };
    let mut push = |point: Point| {
        let since = point.stamp.saturating_sub(world.start.stamp);
        series.at.push(analysis.ticks_to_ns(since).map_or(since as f64, |ns| ns as f64 / 1e6));
        series.seq.push(point.seq);
        series.total_bytes.push(point.total_bytes);
        series.allocated_bytes.push(point.allocated_bytes);
        series.requested_bytes.push(point.requested_bytes);
        series.padded_64k_bytes.push(point.padded_64k_bytes);
        series.resources.push(point.resources);
    };
    let mut live = Live::default();
    let (mut most, mut last): (Option<Point>, Option<Point>) = (None, None);
    for change in &world.changes {
        live.turn(world, change.kind);
        let point = Point::of(&live, change.moment.stamp, change.moment.seq);
        if last.is_some_and(|last| stretch(last.stamp) != stretch(point.stamp)) {
            flush(&mut most, &mut last, &mut push);
        }
        if most.is_none_or(|most| point.total_bytes > most.total_bytes) {
            most = Some(point);
        }
        last = Some(point);
    }
    flush(&mut most, &mut last, &mut push);
    if !world.changes.is_empty() {
        push(Point::of(&live, world.end.stamp, world.end.seq));
    }
    series
}

/// Gives out the greatest state of a stretch and the last, which may be one.
fn flush(most: &mut Option<Point>, last: &mut Option<Point>, push: &mut impl FnMut(Point)) {
    let (Some(most), Some(last)) = (most.take(), last.take()) else { return };
    push(most);
    if most.stamp != last.stamp {
        push(last);
    }
}

impl Point {
    fn of(live: &Live, stamp: u64, seq: Option<u64>) -> Point {
        let narrow = |sum: u128| u64::try_from(sum).unwrap_or(u64::MAX);
        let all = live.resources();
        Point {
            stamp,
            seq,
            total_bytes: narrow(live.heaps.bytes + all.committed.bytes),
            allocated_bytes: narrow(all.allocated().bytes),
            requested_bytes: narrow(all.requested_bytes),
            padded_64k_bytes: narrow(all.padded_64k_bytes),
            resources: all.allocated().count,
        }
    }
}

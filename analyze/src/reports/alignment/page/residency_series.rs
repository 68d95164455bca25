//! What each type of heap holds over time, in as many points as a screen has.

use crate::analysis::Analysis;
use crate::render::log_line;
use crate::reports::alignment::residency::what_changes;
use crate::world::{Moment, World};
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::HeapType;

/// Stretches that are told apart. Of each are kept the state in which most is held, and the last.
const STRETCHES: usize = 400;

/// Memory of each type over time; element i of each column belongs to moment i.
#[derive(Debug, Default, Serialize)]
pub(super) struct ResidencySeries {
    /// The unit of `at`: `ms`, or `ticks` where the clock has no frequency.
    unit: &'static str,
    at: Vec<f64>,
    seq: Vec<Option<u64>>,
    /// Creations and releases until then.
    changes: Vec<u64>,
    /// D3D12_HEAP_TYPE without its prefix, what heaps of this type hold, and what they may hold, if that is said.
    types: Vec<(String, Vec<u64>, Option<u64>)>,
}

/// Bytes by type.
type Held = BTreeMap<HeapType, u128>;

pub(super) fn residency_series(analysis: &Analysis, world: &World) -> ResidencySeries {
    let mut held: Held =
        world.changes.iter().filter_map(|change| what_changes(world, change.kind)).map(|(of, ..)| (of, 0)).collect();
    let per_stretch = world.changes.len().div_ceil(STRETCHES).max(1);
    let mut points: Vec<(u64, Moment, Held)> = Vec::new();
    for (number, stretch) in world.changes.chunks(per_stretch).enumerate() {
        let mut most: Option<(u128, (u64, Moment, Held))> = None;
        let before = (number * per_stretch) as u64;
        for (changes, change) in (before + 1..).zip(stretch) {
            if let Some((heap_type, bytes, comes)) = what_changes(world, change.kind) {
                let of_type = held.entry(heap_type).or_default();
                *of_type = if comes { *of_type + bytes } else { of_type.saturating_sub(bytes) };
            }
            let all: u128 = held.values().sum();
            if most.as_ref().is_none_or(|(most, _)| all > *most) {
                most = Some((all, (changes, change.moment, held.clone())));
            }
        }
        points.extend(most.map(|(_, point)| point));
        let last =
            (before + stretch.len() as u64, stretch.last().map_or(world.end, |change| change.moment), held.clone());
        if points.last().is_none_or(|(changes, ..)| *changes < last.0) {
            points.push(last);
        }
    }
    let budgets = analysis.heap_budgets();
    let timed = analysis.ticks_to_ns(1).is_some();
    let mut series = ResidencySeries { unit: if timed { "ms" } else { "ticks" }, ..Default::default() };
    series.types =
        held.keys().map(|heap_type| (format!("{heap_type:?}"), Vec::new(), budgets.get(heap_type).copied())).collect();
    for (changes, moment, held) in points {
        let since = moment.stamp.saturating_sub(world.start.stamp);
        series.at.push(analysis.ticks_to_ns(since).map_or(since as f64, |ns| ns as f64 / 1e6));
        series.seq.push(moment.seq.map(log_line));
        series.changes.push(changes);
        for ((_, values, _), bytes) in series.types.iter_mut().zip(held.values()) {
            values.push(u64::try_from(*bytes).unwrap_or(u64::MAX));
        }
    }
    series
}

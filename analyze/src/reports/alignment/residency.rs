//! What each type of heap holds at most: what a budget of video memory is measured against.

use super::figures::narrow;
use crate::world::{Backing, ChangeKind, HeapBudgets, Resource, ResourceIndex, World};
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::HeapType;

/// A type of heap and its memory over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResidencyFigures {
    /// D3D12_HEAP_TYPE without its prefix.
    pub name: String,
    /// The most that heaps of this type hold, implicit ones among them.
    pub peak_bytes: u64,
    /// Stamp of the API call that reaches it.
    pub at_stamp: u64,
    /// Line of the call log that the call is; left out where the workload follows no log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_seq: Option<u64>,
    /// What they hold at the end of the trace.
    pub end_bytes: u64,
    /// What they may hold; left out where nobody says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_bytes: Option<u64>,
    /// The part of the trace's time in which they hold more than that; left out without a budget, and where the trace has no
    /// time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_budget_ratio: Option<f64>,
}

#[derive(Default)]
struct Running {
    bytes: u128,
    peak_bytes: u128,
    at: usize,
}

impl ResidencyFigures {
    /// Those of a world, by type.
    pub fn all(world: &World) -> Vec<ResidencyFigures> {
        let mut types: BTreeMap<HeapType, Running> = BTreeMap::new();
        for (at, change) in world.changes.iter().enumerate() {
            let Some((heap_type, bytes, comes)) = what_changes(world, change.kind) else { continue };
            let running = types.entry(heap_type).or_default();
            running.bytes = if comes { running.bytes + bytes } else { running.bytes - bytes };
            if running.bytes > running.peak_bytes {
                (running.peak_bytes, running.at) = (running.bytes, at);
            }
        }
        let figures = types.into_iter().map(|(heap_type, running)| {
            let at = world.changes[running.at].moment;
            ResidencyFigures {
                name: format!("{heap_type:?}"),
                peak_bytes: narrow(running.peak_bytes),
                at_stamp: at.stamp,
                at_seq: at.seq,
                end_bytes: narrow(running.bytes),
                budget_bytes: None,
                over_budget_ratio: None,
            }
        });
        figures.collect()
    }

    /// Says of each type how it keeps its budget, if it has one.
    pub fn measure(all: &mut [ResidencyFigures], world: &World, budgets: &HeapBudgets) {
        for (heap_type, budget_bytes) in budgets {
            let name = format!("{heap_type:?}");
            if let Some(figures) = all.iter_mut().find(|figures| figures.name == name) {
                figures.budget_bytes = Some(*budget_bytes);
                figures.over_budget_ratio = over_budget_ratio(world, *heap_type, *budget_bytes);
            }
        }
    }
}

/// The part of a world's time in which heaps of a type hold more than their budget.
fn over_budget_ratio(world: &World, of: HeapType, budget_bytes: u64) -> Option<f64> {
    let span = world.end.stamp.checked_sub(world.start.stamp).filter(|span| *span > 0)?;
    let (mut bytes, mut over_ticks, mut since) = (0_u128, 0_u64, world.start.stamp);
    for change in &world.changes {
        let Some((_, changed, comes)) = what_changes(world, change.kind).filter(|(found, ..)| *found == of) else {
            continue;
        };
        if bytes > u128::from(budget_bytes) {
            over_ticks = over_ticks.saturating_add(change.moment.stamp.saturating_sub(since));
        }
        since = change.moment.stamp;
        bytes = if comes { bytes + changed } else { bytes.saturating_sub(changed) };
    }
    if bytes > u128::from(budget_bytes) {
        over_ticks = over_ticks.saturating_add(world.end.stamp.saturating_sub(since));
    }
    Some(over_ticks as f64 / span as f64)
}

/// Which type of heap's memory a change is of, how much, and whether it comes or goes.
pub(super) fn what_changes(world: &World, kind: ChangeKind) -> Option<(HeapType, u128, bool)> {
    let heap = |index| {
        let heap = world.heap(index);
        (heap.desc.properties.heap_type, u128::from(heap.size_bytes))
    };
    let resource = |index: ResourceIndex| of_committed(world.resource(index));
    let ((heap_type, bytes), comes) = match kind {
        ChangeKind::HeapCreated(index) => (heap(index), true),
        ChangeKind::HeapReleased(index) => (heap(index), false),
        ChangeKind::ResourceCreated(index) => (resource(index)?, true),
        ChangeKind::ResourceReleased(index) => (resource(index)?, false),
    };
    Some((heap_type, bytes, comes))
}

fn of_committed(resource: &Resource) -> Option<(HeapType, u128)> {
    match resource.backing {
        Backing::Committed { heap_type, .. } => Some((heap_type, resource.taken_bytes().into())),
        Backing::Placed { .. } | Backing::Reserved => None,
    }
}

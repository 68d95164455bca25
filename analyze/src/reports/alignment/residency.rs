//! Peak memory of each heap type, which is compared to budgets of video memory.

use super::figures::narrow;
use crate::memory::{Backing, ChangeKind, HeapBudgets, Resource, ResourceIndex, World};
use crate::reports::figures::figures;
use std::collections::BTreeMap;
use taut_schemas::HeapType;

figures! {
    /// Memory of a heap type over time.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ResidencyFigures {
        at_stamp: u64, Stamp, same;
        #[serde(skip_serializing_if = "Option::is_none")] at_seq: Option<u64>, Id, same;
        name: String, Text, same;
        peak_bytes: u64, Bytes, "Peak memory of the heap type, first reached at `at_stamp`.";
        end_bytes: u64, Bytes, "Memory at the end of the trace.";
        #[serde(skip_serializing_if = "Option::is_none")] budget_bytes: Option<u64>, Bytes, "Budget of the heap type (`--heap-budget`); absent without one.";
        #[serde(skip_serializing_if = "Option::is_none")] over_budget_ratio: Option<f64>, Ratio, "Share of the trace's duration above `budget_bytes`.";
    }
}

#[derive(Default)]
struct Running {
    bytes: u128,
    peak_bytes: u128,
    at: usize,
}

impl ResidencyFigures {
    /// Computes the figures of each heap type.
    pub fn all(world: &World) -> Vec<ResidencyFigures> {
        let mut types: BTreeMap<HeapType, Running> = BTreeMap::new();
        for (at, change) in world.changes.iter().enumerate() {
            let Some((heap_type, bytes, comes)) = memory_change(world, change.kind) else { continue };
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

    /// Sets the budget figures of each type that has a budget.
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

/// Share of a world's duration in which heaps of a type exceed their budget.
fn over_budget_ratio(world: &World, of: HeapType, budget_bytes: u64) -> Option<f64> {
    let span = world.end.stamp.checked_sub(world.start.stamp).filter(|span| *span > 0)?;
    let (mut bytes, mut over_ticks, mut since) = (0_u128, 0_u64, world.start.stamp);
    for change in &world.changes {
        let Some((_, changed, comes)) = memory_change(world, change.kind).filter(|(found, ..)| *found == of) else {
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

/// Heap type and bytes of a change, and true if memory is created; `None` if the change affects no heap memory.
pub(super) fn memory_change(world: &World, kind: ChangeKind) -> Option<(HeapType, u128, bool)> {
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
        Backing::Committed { heap_type, .. } => Some((heap_type, resource.in_use_bytes().into())),
        Backing::Placed { .. } | Backing::Reserved | Backing::Unknown => None,
    }
}

//! What each type of heap holds at most: what a budget of video memory is measured against.

use super::figures::narrow;
use crate::world::{Backing, ChangeKind, Resource, ResourceIndex, World};
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::HeapType;

/// A type of heap and its memory over time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
            }
        });
        figures.collect()
    }
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

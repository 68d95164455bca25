//! `memory`: live memory after each change.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::memory::{Change, ChangeKind, Live, World};

pub(super) const TABLE: Table = Table {
    name: "memory",
    description: "One row per creation or release of a heap or resource, in order, with totals right after the change.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfWorld(make),
};

columns! {
    row of rows: &ChangeRows<'_>;
    at_stamp: I64, "Begin of the call, in ticks.", row.change.moment.stamp;
    at_ns: I64, "Begin of the call, in ns since the first stamp.", rows.analysis.since_start_ns(row.change.moment.stamp);
    at_seq: I64, "`seq` of the call log line of the call; null without a call log.", row.change.moment.seq;
    at_thread: I64, "Thread of the call.", row.change.moment.thread;
    change: Text, "`heap_created`, `heap_released`, `resource_created` or `resource_released`.", row.change.kind.name();
    object: U64, "Handle of the heap or resource.", rows.object(row.change);
    heaps: I64, "Number of live heaps.", row.live.heaps.count;
    heap_bytes: I64, "Total size of live heaps.", unsigned(row.live.heaps.bytes);
    total_bytes: I64, "Total size of live heaps, plus SizeInBytes of live committed resources.", unsigned(row.live.heaps.bytes + row.live.resources().committed.bytes);
    placed: I64, "Number of live placed resources.", row.live.resources().placed.count;
    placed_bytes: I64, "Total SizeInBytes of live placed resources.", unsigned(row.live.resources().placed.bytes);
    committed: I64, "Number of live committed resources.", row.live.resources().committed.count;
    committed_bytes: I64, "Total SizeInBytes of live committed resources.", unsigned(row.live.resources().committed.bytes);
    requested_bytes: I64, "Total payload of live resources.", unsigned(row.live.resources().requested_bytes);
    allocated_bytes: I64, "Total SizeInBytes of live resources.", unsigned(row.live.resources().allocated().bytes);
    padded_64k_bytes: I64, "Total size of live buffers, each rounded up to 64 KiB.", unsigned(row.live.resources().padded_64k_bytes);
    real_bytes: I64, "Size of heaps, including implicit ones: `total_bytes` plus `granularity_bytes`.", unsigned(row.live.real_bytes());
    in_use_bytes: I64, "Memory of live resources: `allocated_bytes` plus `granularity_bytes`.", unsigned(row.live.resources().in_use_bytes());
    rounding_bytes: I64, "`allocated_bytes` minus `requested_bytes`.", row.live.resources().rounding_bytes();
    granularity_bytes: I64, "Bytes of implicit heaps beyond SizeInBytes of their resources.", row.live.resources().granularity_bytes;
}

struct ChangeRows<'a> {
    analysis: &'a Analysis,
    world: &'a World,
}

/// A change, with the totals after it.
struct ChangeRow<'a> {
    change: &'a Change,
    live: Live,
}

fn make(analysis: &Analysis, world: &World, frame: &mut Frame<'_>) -> Result<(), TableError> {
    fill(&ChangeRows { analysis, world }, frame)
}

impl<'a> ChangeRows<'a> {
    fn all(&self) -> impl Iterator<Item = ChangeRow<'a>> {
        let (world, mut live) = (self.world, Live::default());
        world.changes.iter().map(move |change| {
            live.turn(world, change.kind);
            ChangeRow { change, live }
        })
    }

    fn object(&self, change: &Change) -> u64 {
        match change.kind {
            ChangeKind::HeapCreated(heap) | ChangeKind::HeapReleased(heap) => self.world.heap(heap).id.0,
            ChangeKind::ResourceCreated(resource) | ChangeKind::ResourceReleased(resource) => {
                self.world.resource(resource).id.0
            }
        }
    }
}

fn unsigned(sum: u128) -> u64 {
    u64::try_from(sum).unwrap_or(u64::MAX)
}

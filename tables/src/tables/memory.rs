//! `memory`: what lives, right after each change.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::world::{Change, ChangeKind, Live, World};

pub(super) const TABLE: Table = Table {
    name: "memory",
    description: "One creation or release of a heap or resource, and the sums over what lives right after it, in order.",
    columns: columns![
        at_stamp: I64, "When the call began, in ticks.";
        at_ns: I64, "The same in nanoseconds since the trace's first stamp.";
        at_seq: I64, "`seq` of the call log's line; null where the workload follows no log.";
        at_thread: I64, "The thread that made the call.";
        change: Text, "`heap_created`, `heap_released`, `resource_created` or `resource_released`.";
        object: U64, "Handle of the heap or resource.";
        heaps: I64, "Live heaps.";
        heap_bytes: I64, "Their sizes together.";
        total_bytes: I64, "Heaps, and committed resources at their SizeInBytes.";
        placed: I64, "Live placed resources.";
        placed_bytes: I64, "Their SizeInBytes together.";
        committed: I64, "Live committed resources.";
        committed_bytes: I64, "Their SizeInBytes together.";
        requested_bytes: I64, "What the application asked for.";
        allocated_bytes: I64, "SizeInBytes of all live resources.";
        padded_64k_bytes: I64, "What live buffers would take if each were a multiple of 64 KiB.";
        real_bytes: I64, "Heaps, implicit ones among them: `total_bytes` and `granularity_bytes` together.";
        taken_bytes: I64, "What resources take: `allocated_bytes` and `granularity_bytes` together.";
        rounding_bytes: I64, "`allocated_bytes` less `requested_bytes`.";
        granularity_bytes: I64, "What implicit heaps take beyond their resources' SizeInBytes.";
    ],
    fields_of: None,
    make: Make::Whole(make),
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let world = analysis.world()?;
    let all = || world.changes.iter();
    frame.moments(analysis, "at_", all().map(|change| Some(change.moment)));
    frame.column("change", || all().map(|change| change.kind.name()).collect::<Vec<&str>>());
    frame.column("object", || all().map(|change| object(world, change)).collect::<Vec<u64>>());
    let mut unsigned = |name: &str, value: fn(&Live) -> u128| {
        frame.column(name, || lives(world, |live| u64::try_from(value(live)).unwrap_or(u64::MAX)));
    };
    unsigned("heaps", |live| live.heaps.count.into());
    unsigned("heap_bytes", |live| live.heaps.bytes);
    unsigned("total_bytes", |live| live.heaps.bytes + live.resources().committed.bytes);
    unsigned("placed", |live| live.resources().placed.count.into());
    unsigned("placed_bytes", |live| live.resources().placed.bytes);
    unsigned("committed", |live| live.resources().committed.count.into());
    unsigned("committed_bytes", |live| live.resources().committed.bytes);
    unsigned("requested_bytes", |live| live.resources().requested_bytes);
    unsigned("allocated_bytes", |live| live.resources().allocated().bytes);
    unsigned("padded_64k_bytes", |live| live.resources().padded_64k_bytes);
    unsigned("real_bytes", Live::real_bytes);
    unsigned("taken_bytes", |live| live.resources().taken_bytes());
    let mut signed = |name: &str, value: fn(&Live) -> i128| {
        frame.column(name, || lives(world, |live| i64::try_from(value(live)).ok()));
    };
    signed("rounding_bytes", |live| live.resources().rounding_bytes());
    signed("granularity_bytes", |live| live.resources().granularity_bytes);
    Ok(())
}

/// A figure of what lives, right after each change.
fn lives<T>(world: &World, value: impl Fn(&Live) -> T) -> Vec<T> {
    let mut live = Live::default();
    let after = |change: &Change| {
        live.turn(world, change.kind);
        value(&live)
    };
    world.changes.iter().map(after).collect()
}

fn object(world: &World, change: &Change) -> u64 {
    match change.kind {
        ChangeKind::HeapCreated(heap) | ChangeKind::HeapReleased(heap) => world.heap(heap).id.0,
        ChangeKind::ResourceCreated(resource) | ChangeKind::ResourceReleased(resource) => world.resource(resource).id.0,
    }
}

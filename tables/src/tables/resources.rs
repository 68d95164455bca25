//! `resources`: resources and their lifetimes.

use super::column::columns;
use super::frame::Frame;
use super::placements::outlive_heaps;
use super::{Make, Table};
use crate::error::TableError;
use std::cell::OnceCell;
use taut_analyze::Analysis;
use taut_analyze::events::{Events, ValueNames};
use taut_analyze::memory::{Backing, Moment, Resource, ResourceIndex, Turn, World};
use taut_schemas::format::Format;
use taut_schemas::{Dimension, TextureLayout};

pub(super) const TABLE: Table = Table {
    name: "resources",
    description: "One row per resource ever created, in order of creation: description, size and lifetime.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfWorld(make),
};

columns! {
    row of rows: &ResourceRows<'_>;
    resource: U64, "Handle of the resource.", row.resource.id.0;
    name: Text, "Last name set; empty without a name.", rows.world.resource_name(row.index);
    phase: Text, "Phase of the workload at creation; null outside phases.", Some(rows.world.phases[row.resource.phase?.0 as usize].name.as_str());
    kind: Text, "`placed`, `committed`, `reserved`, or `unknown` for Direct3D 11 in an imported trace.", row.resource.backing.name();
    heap: U64, "Handle of the heap of a placed resource; null for other resources.", Some(place(row.resource)?.0);
    heap_offset_bytes: I64, "HeapOffset of a placed resource.", Some(place(row.resource)?.1);
    dimension: Text, "D3D12_RESOURCE_DIMENSION without its prefix.", rows.dimensions.of(&row.resource.desc.dimension);
    requested_alignment_bytes: I64, "D3D12_RESOURCE_DESC::Alignment, as requested; null in an imported trace. In a snapshot, this column and those up to `sample_count` are null.", rows.unless_imported(row.resource.desc.alignment_bytes);
    width: I64, "Width: bytes of a buffer, texels of a texture.", rows.unless_snapshot(row.resource.desc.width);
    height: I64, "Height.", rows.unless_snapshot(row.resource.desc.height);
    depth_or_array_size: I64, "DepthOrArraySize.", rows.unless_snapshot(u32::from(row.resource.desc.depth_or_array_size));
    mip_levels: I64, "MipLevels.", rows.unless_snapshot(u32::from(row.resource.desc.mip_levels));
    format: Text, "DXGI_FORMAT without its prefix.", rows.unless_snapshot(rows.formats.of(&row.resource.desc.format));
    sample_count: I64, "SampleDesc.Count.", rows.unless_snapshot(row.resource.desc.sample_count);
    layout: Text, "D3D12_TEXTURE_LAYOUT without its prefix.", rows.layouts.of(&row.resource.desc.layout);
    flags: I64, "D3D12_RESOURCE_FLAGS.", row.resource.desc.flags.0;
    tight: Bool, "True with D3D12_RESOURCE_FLAG_USE_TIGHT_ALIGNMENT.", row.resource.is_tight();
    requested_bytes: I64, "Payload: a buffer's width, a texture's texels; null in a snapshot.", rows.unless_snapshot(row.resource.requested_bytes);
    size_bytes: I64, "SizeInBytes; null if not in the trace.", Some(row.resource.allocation?.size_bytes);
    alignment_bytes: I64, "Alignment of the allocation.", Some(row.resource.allocation?.alignment_bytes);
    rounding_bytes: I64, "`size_bytes` minus `requested_bytes`.", row.resource.allocation.and_then(|_| rows.unless_snapshot(row.resource.rounding_bytes()));
    granularity_bytes: I64, "Bytes of a committed resource's implicit heap beyond `size_bytes`.", row.resource.allocation.map(|_| row.resource.granularity_bytes());
    guaranteed_saving_bytes: I64, "Min saving by tight alignment with any driver.", rows.unless_snapshot(row.resource.guaranteed_saving_bytes());
    padded_64k_bytes: I64, "Width of a buffer, rounded up to 64 KiB; null for textures.", row.resource.is_buffer().then(|| rows.unless_snapshot(row.resource.padded_64k_bytes())).flatten();
    created_stamp: I64, "Creation, in ticks.", rows.at(row.resource.created).stamp;
    created_ns: I64, "Creation, in ns since the first stamp.", rows.ns(row.resource.created);
    created_seq: I64, "`seq` of the call log line of the creation; null without a call log.", rows.at(row.resource.created).seq;
    created_thread: I64, "Thread of the creation.", rows.at(row.resource.created).thread;
    released_stamp: I64, "Release, in ticks; null if never released.", Some(rows.at(row.resource.released?).stamp);
    released_ns: I64, "Release, in ns.", rows.ns(row.resource.released?);
    released_seq: I64, "`seq` of the call log line of the release.", rows.at(row.resource.released?).seq;
    released_thread: I64, "Thread of the release.", Some(rows.at(row.resource.released?).thread);
    lifetime_ns: I64, "Time from creation to release; null if never released.", rows.analysis.lifetime_ns(rows.world, row.resource.created, row.resource.released);
    outlives_heap: Bool, "True if the heap is released before the resource; null without a row in `placements`.", rows.outlive_heaps()[row.index.0 as usize];
}

struct ResourceRows<'a> {
    analysis: &'a Analysis,
    world: &'a World,
    dimensions: ValueNames<'a, Dimension>,
    formats: ValueNames<'a, Format>,
    layouts: ValueNames<'a, TextureLayout>,
    /// By resource; computed on first use, because it walks all heaps.
    outlive: OnceCell<Vec<Option<bool>>>,
}

fn make(analysis: &Analysis, world: &World, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let events = Events::new(&analysis.trace().header().schema);
    let (dimensions, formats, layouts) = (events.names(), events.names(), events.names());
    fill(&ResourceRows { analysis, world, dimensions, formats, layouts, outlive: OnceCell::new() }, frame)
}

impl<'a> ResourceRows<'a> {
    fn all(&self) -> impl Iterator<Item = ResourceRow<'a>> {
        (0..).map(ResourceIndex).zip(&self.world.resources).map(|(index, resource)| ResourceRow { index, resource })
    }

    fn at(&self, turn: Turn) -> Moment {
        self.world.moment(turn)
    }

    /// Returns a value that snapshots do not have: `None` for a snapshot.
    fn unless_snapshot<T>(&self, value: T) -> Option<T> {
        (!self.world.is_snapshot()).then_some(value)
    }

    /// As [`unless_snapshot`](Self::unless_snapshot), for values that imported traces do not have either.
    fn unless_imported<T>(&self, value: T) -> Option<T> {
        self.unless_snapshot(value).filter(|_| !self.world.is_imported)
    }

    fn outlive_heaps(&self) -> &[Option<bool>] {
        self.outlive.get_or_init(|| outlive_heaps(self.world))
    }

    fn ns(&self, turn: Turn) -> Option<u64> {
        self.analysis.since_start_ns(self.at(turn).stamp)
    }
}

struct ResourceRow<'a> {
    index: ResourceIndex,
    resource: &'a Resource,
}

/// Heap and offset of a placed resource.
fn place(resource: &Resource) -> Option<(u64, u64)> {
    match resource.backing {
        Backing::Placed { heap, heap_offset_bytes } => Some((heap.0, heap_offset_bytes)),
        Backing::Committed { .. } | Backing::Reserved | Backing::Unknown => None,
    }
}

//! `resources`: resources and their lifetimes.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::columns::Events;
use taut_analyze::world::{Backing, Resource, ResourceIndex, World};
use taut_schemas::format::Format;
use taut_schemas::{Dimension, TextureLayout};

pub(super) const TABLE: Table = Table {
    name: "resources",
    description: "One resource ever created, with its description, its size and its lifetime, in order of creation.",
    columns: columns![
        resource: U64, "Handle of the resource.";
        name: Text, "Name it was last given; empty if none.";
        phase: Text, "Part of the workload it was created in; null outside any.";
        kind: Text, "`placed`, `committed` or `reserved`.";
        heap: U64, "Handle of the heap it is placed in; null if it is not.";
        heap_offset_bytes: I64, "HeapOffset of a placed resource.";
        dimension: Text, "D3D12_RESOURCE_DIMENSION without its prefix.";
        requested_alignment_bytes: I64, "D3D12_RESOURCE_DESC::Alignment, as asked for.";
        width: I64, "Width: bytes of a buffer, texels of a texture.";
        height: I64, "Height.";
        depth_or_array_size: I64, "DepthOrArraySize.";
        mip_levels: I64, "MipLevels.";
        format: Text, "DXGI_FORMAT without its prefix.";
        sample_count: I64, "SampleDesc.Count.";
        layout: Text, "D3D12_TEXTURE_LAYOUT without its prefix.";
        flags: I64, "D3D12_RESOURCE_FLAGS.";
        tight: Bool, "It has D3D12_RESOURCE_FLAG_USE_TIGHT_ALIGNMENT.";
        requested_bytes: I64, "What the application fills: a buffer's width, a texture's texels.";
        size_bytes: I64, "SizeInBytes; null if the trace does not tell.";
        alignment_bytes: I64, "Alignment that it got.";
        rounding_bytes: I64, "`size_bytes` less `requested_bytes`.";
        granularity_bytes: I64, "What the implicit heap of a committed resource takes beyond `size_bytes`.";
        guaranteed_saving_bytes: I64, "What tight alignment would save for certain.";
        padded_64k_bytes: I64, "A buffer's width as a multiple of 64 KiB; null for textures.";
        created_stamp: I64, "When it was created, in ticks.";
        created_ns: I64, "The same in nanoseconds since the trace's first stamp.";
        created_seq: I64, "`seq` of the call log's line that created it; null where the workload follows no log.";
        created_thread: I64, "The thread that created it.";
        released_stamp: I64, "When it was released; null if it lives to the end.";
        released_ns: I64, "The same in nanoseconds.";
        released_seq: I64, "`seq` of the call log's line that released it.";
        released_thread: I64, "The thread that released it.";
        lifetime_ns: I64, "How long it lived; null if it lives to the end.";
    ],
    fields_of: None,
    make: Make::Whole(make),
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let world = analysis.world()?;
    let all = || world.resources.iter();
    frame.column("resource", || all().map(|resource| resource.id.0).collect::<Vec<_>>());
    let names = || (0..all().len() as u32).map(|index| world.resource_name(ResourceIndex(index)));
    frame.column("name", || names().collect::<Vec<&str>>());
    let phase = |resource: &Resource| Some(world.phases[resource.phase?.0 as usize].name.as_str());
    frame.column("phase", || all().map(phase).collect::<Vec<Option<&str>>>());
    frame.column("kind", || all().map(|resource| resource.backing.name()).collect::<Vec<&str>>());
    frame.column("heap", || all().map(|resource| place(resource).map(|(heap, _)| heap)).collect::<Vec<_>>());
    let offsets = || all().map(|resource| place(resource).map(|(_, offset_bytes)| offset_bytes));
    frame.column("heap_offset_bytes", || offsets().collect::<Vec<_>>());
    descriptions(analysis, world, frame);
    sizes(world, frame);
    frame.moments(analysis, "created_", all().map(|resource| Some(world.moment(resource.created))));
    frame.moments(analysis, "released_", all().map(|resource| Some(world.moment(resource.released?))));
    let lifetimes = || all().map(|resource| analysis.lifetime_ns(world, resource.created, resource.released));
    frame.column("lifetime_ns", || lifetimes().collect::<Vec<_>>());
    Ok(())
}

fn place(resource: &Resource) -> Option<(u64, u64)> {
    match resource.backing {
        Backing::Placed { heap, heap_offset_bytes } => Some((heap.0, heap_offset_bytes)),
        Backing::Committed { .. } | Backing::Reserved => None,
    }
}

fn descriptions(analysis: &Analysis, world: &World, frame: &mut Frame<'_>) {
    let events = Events::new(&analysis.trace().header().schema);
    let descs = || world.resources.iter().map(|resource| &resource.desc);
    let dimensions = events.names::<Dimension>();
    frame.column("dimension", || descs().map(|desc| dimensions.of(&desc.dimension)).collect::<Vec<String>>());
    frame.column("requested_alignment_bytes", || descs().map(|desc| desc.alignment_bytes).collect::<Vec<_>>());
    frame.column("width", || descs().map(|desc| desc.width).collect::<Vec<_>>());
    frame.column("height", || descs().map(|desc| desc.height).collect::<Vec<_>>());
    let depths = || descs().map(|desc| u32::from(desc.depth_or_array_size)).collect::<Vec<_>>();
    frame.column("depth_or_array_size", depths);
    frame.column("mip_levels", || descs().map(|desc| u32::from(desc.mip_levels)).collect::<Vec<_>>());
    let formats = events.names::<Format>();
    frame.column("format", || descs().map(|desc| formats.of(&desc.format)).collect::<Vec<String>>());
    frame.column("sample_count", || descs().map(|desc| desc.sample_count).collect::<Vec<_>>());
    let layouts = events.names::<TextureLayout>();
    frame.column("layout", || descs().map(|desc| layouts.of(&desc.layout)).collect::<Vec<String>>());
    frame.column("flags", || descs().map(|desc| desc.flags.0).collect::<Vec<_>>());
    frame.column("tight", || world.resources.iter().map(Resource::is_tight).collect::<Vec<bool>>());
}

fn sizes(world: &World, frame: &mut Frame<'_>) {
    let all = || world.resources.iter();
    frame.column("requested_bytes", || all().map(|resource| resource.requested_bytes).collect::<Vec<_>>());
    let sizes = || all().map(|resource| Some(resource.allocation?.size_bytes));
    frame.column("size_bytes", || sizes().collect::<Vec<_>>());
    let alignments = || all().map(|resource| Some(resource.allocation?.alignment_bytes));
    frame.column("alignment_bytes", || alignments().collect::<Vec<_>>());
    let differences = |of: fn(&Resource) -> i128| {
        let differences =
            world.resources.iter().map(|resource| resource.allocation.and_then(|_| i64::try_from(of(resource)).ok()));
        differences.collect::<Vec<Option<i64>>>()
    };
    frame.column("rounding_bytes", || differences(Resource::rounding_bytes));
    frame.column("granularity_bytes", || differences(Resource::granularity_bytes));
    frame.column("guaranteed_saving_bytes", || all().map(Resource::guaranteed_saving_bytes).collect::<Vec<u64>>());
    let padded = || all().map(|resource| resource.is_buffer().then(|| resource.padded_64k_bytes()));
    frame.column("padded_64k_bytes", || padded().collect::<Vec<_>>());
}

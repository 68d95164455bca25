//! `resources`: resources and their lifetimes.

use super::Table;
use super::frame::Frame;
use crate::analysis::Analysis;
use crate::columns::Events;
use crate::error::AnalyzeError;
use crate::world::{Backing, Resource, World};
use polars::prelude::DataFrame;

pub(super) const TABLE: Table = Table {
    name: "resources",
    description: "One resource ever created, with its description, its size and its lifetime, in order of creation.",
    make,
};

fn make(analysis: &Analysis<'_>) -> Result<DataFrame, AnalyzeError> {
    let world = analysis.world();
    let mut frame = Frame::default();
    let all = || world.resources.iter();
    frame.column("resource", all().map(|resource| resource.id.0).collect::<Vec<_>>());
    frame.column("kind", all().map(kind).collect::<Vec<_>>());
    frame.column("heap", all().map(|resource| place(resource).map(|(heap, _)| heap)).collect::<Vec<_>>());
    let offsets = all().map(|resource| place(resource).map(|(_, offset_bytes)| offset_bytes));
    frame.column("heap_offset_bytes", offsets.collect::<Vec<_>>());
    descriptions(analysis, world, &mut frame);
    sizes(world, &mut frame);
    frame.moments("created_", all().map(|resource| Some(world.moment(resource.created))));
    frame.moments("released_", all().map(|resource| Some(world.moment(resource.released?))));
    let lifetimes = all().map(|resource| analysis.lifetime_ns(world, resource.created, resource.released));
    frame.column("lifetime_ns", lifetimes.collect::<Vec<_>>());
    frame.finish()
}

fn kind(resource: &Resource) -> &'static str {
    match resource.backing {
        Backing::Placed { .. } => "placed",
        Backing::Committed { .. } => "committed",
        Backing::Reserved => "reserved",
    }
}

fn place(resource: &Resource) -> Option<(u64, u64)> {
    match resource.backing {
        Backing::Placed { heap, heap_offset_bytes } => Some((heap.0, heap_offset_bytes)),
        Backing::Committed { .. } | Backing::Reserved => None,
    }
}

fn descriptions(analysis: &Analysis<'_>, world: &World, frame: &mut Frame) {
    let events = Events::new(&analysis.trace().header().schema);
    let descs = || world.resources.iter().map(|resource| &resource.desc);
    let names = |enumeration: &'static str, value: fn(&Resource) -> u32| {
        let names = world.resources.iter().map(|resource| events.value_name(enumeration, value(resource).into()));
        names.collect::<Vec<String>>()
    };
    frame.column("dimension", names("Dimension", |resource| resource.desc.dimension.0));
    frame.column("requested_alignment_bytes", descs().map(|desc| desc.alignment_bytes).collect::<Vec<_>>());
    frame.column("width", descs().map(|desc| desc.width).collect::<Vec<_>>());
    frame.column("height", descs().map(|desc| desc.height).collect::<Vec<_>>());
    frame.column("depth_or_array_size", descs().map(|desc| u32::from(desc.depth_or_array_size)).collect::<Vec<_>>());
    frame.column("mip_levels", descs().map(|desc| u32::from(desc.mip_levels)).collect::<Vec<_>>());
    frame.column("format", names("Format", |resource| resource.desc.format.0));
    frame.column("sample_count", descs().map(|desc| desc.sample_count).collect::<Vec<_>>());
    frame.column("layout", names("TextureLayout", |resource| resource.desc.layout.0));
    frame.column("flags", descs().map(|desc| desc.flags.0).collect::<Vec<_>>());
    frame.column("tight", world.resources.iter().map(Resource::is_tight).collect::<Vec<bool>>());
}

fn sizes(world: &World, frame: &mut Frame) {
    let all = || world.resources.iter();
    frame.column("requested_bytes", all().map(|resource| resource.requested_bytes).collect::<Vec<_>>());
    frame.column("size_bytes", all().map(|resource| Some(resource.allocation?.size_bytes)).collect::<Vec<_>>());
    let alignments = all().map(|resource| Some(resource.allocation?.alignment_bytes));
    frame.column("alignment_bytes", alignments.collect::<Vec<_>>());
    let differences = |of: fn(&Resource) -> i128| {
        let differences = world.resources.iter().map(|resource| {
            let difference = resource.allocation.map(|_| of(resource));
            difference.map(|difference| i64::try_from(difference).unwrap_or(i64::MAX))
        });
        differences.collect::<Vec<Option<i64>>>()
    };
    frame.column("rounding_bytes", differences(Resource::rounding_bytes));
    frame.column("granularity_bytes", differences(Resource::granularity_bytes));
    let padded = all().map(|resource| resource.is_buffer().then(|| resource.padded_64k_bytes()));
    frame.column("padded_64k_bytes", padded.collect::<Vec<_>>());
}

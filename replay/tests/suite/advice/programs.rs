//! Small programs that create resources, and the runtime's answers for them.

use proptest::prelude::*;
use taut_analyze::memory::{Allocation, Backing, Moment, NewResource, World, WorldBuilder};
use taut_runtime::{AllocationKind, Profile, RuleSet, Settings, alloc_info, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    AllocationInfo, Dimension, HResultCode, HeapDesc, HeapId, HeapType, MipRegion, ResourceDesc, ResourceFlags,
    ResourceId,
};
use taut_traces::{AdapterWorld, Ticks};

pub const DRIVERS: [&str; 5] = ["reference", "peer", "tightest", "legacy", "large-pages"];
const HEAP: HeapId = HeapId(1);

/// Returns the world of a driver model and rules, as in a trace's header.
pub fn header(name: &str, rules: RuleSet) -> (taut_traces::World, Profile, Settings) {
    let profile = Profile::named(name).expect("a bundled profile");
    let settings = Settings { rules, ..Settings::default() };
    let world = taut_traces::World {
        adapters: vec![AdapterWorld {
            driver: name.to_owned(),
            profile: serde_json::to_value(&profile).expect("a profile"),
        }],
        rules: rules.to_string(),
        settings: serde_json::to_value(&settings).expect("settings"),
        clock: Ticks::default(),
        providers: None,
        ..Default::default()
    };
    (world, profile, settings)
}

/// Generates buffers, legal and illegal.
pub fn buffers() -> impl Strategy<Value = ResourceDesc> {
    (1_u64..200_000, prop::sample::select(vec![0_u32, 0x400, 0x10, 0x4]))
        .prop_map(|(width, flags)| ResourceDesc { flags: ResourceFlags(flags), ..ResourceDesc::buffer(width) })
}

/// Generates textures, legal and illegal.
pub fn textures() -> impl Strategy<Value = ResourceDesc> {
    let formats = vec![
        Format::R8_UNORM,
        Format::R8G8B8A8_UNORM,
        Format::R16G16B16A16_FLOAT,
        Format::R32G32B32A32_FLOAT,
        Format::BC1_UNORM,
        Format::BC7_UNORM,
    ];
    let extents = (1_u64..300, 1_u32..1200, 1_u16..6, 0_u16..3);
    let flags = prop::sample::select(vec![0_u32, 0x400, 0x1, 0x4, 0x10]);
    let samples = prop::sample::select(vec![1_u32, 1, 1, 4]);
    let alignment = prop::sample::select(vec![0_u64, 0, 4096, 65536]);
    (extents, prop::sample::select(formats), flags, samples, alignment).prop_map(
        |((width, height, depth_or_array_size, mip_levels), format, flags, sample_count, alignment_bytes)| {
            ResourceDesc {
                dimension: Dimension::TEXTURE2D,
                width,
                height,
                depth_or_array_size,
                mip_levels,
                format,
                sample_count,
                alignment_bytes,
                flags: ResourceFlags(flags),
                ..Default::default()
            }
        },
    )
}

/// Returns the kind of an allocation query.
pub fn kind_of(committed: bool) -> AllocationKind {
    if committed { AllocationKind::Committed } else { AllocationKind::Placed }
}

/// Returns the runtime's answer for one resource; `None` if it is rejected.
pub fn answer(
    profile: &Profile,
    settings: &Settings,
    desc: &ResourceDesc,
    kind: AllocationKind,
) -> Option<AllocationInfo> {
    let info = alloc_info(settings, &*driver(profile), &[*desc], kind);
    let answer = AllocationInfo { size_bytes: info.size_bytes, alignment_bytes: info.alignment_bytes };
    (info.hr == HResultCode::S_OK).then_some(answer)
}

/// Creates a world of these resources, without those that the runtime rejects.
pub fn world(profile: &Profile, settings: &Settings, requested: &[(ResourceDesc, bool)]) -> World {
    let mut builder = WorldBuilder::default();
    let mut moment = Moment::default();
    builder.create_heap(moment, HEAP, HeapDesc { size_bytes: 1 << 40, ..Default::default() });
    let mut offset_bytes = 0_u64;
    for (index, (desc, committed)) in requested.iter().enumerate() {
        let Some(info) = answer(profile, settings, desc, kind_of(*committed)) else { continue };
        moment.stamp += 1;
        let heap_offset_bytes = offset_bytes.next_multiple_of(info.alignment_bytes.max(1));
        offset_bytes = heap_offset_bytes + info.size_bytes;
        let backing = match committed {
            true => Backing::Committed { implicit_heap_bytes: info.size_bytes, heap_type: HeapType::DEFAULT },
            false => Backing::Placed { heap: HEAP, heap_offset_bytes },
        };
        let allocation = Some(Allocation { size_bytes: info.size_bytes, alignment_bytes: info.alignment_bytes });
        let (id, mip_region) = (ResourceId(index as u64 + 2), MipRegion::default());
        builder.create_resource(moment, NewResource { id, desc: *desc, mip_region, backing, allocation });
    }
    builder.finish(Moment::default(), moment)
}

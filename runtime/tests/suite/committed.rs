//! Tests of committed resources and their implicit heaps (rules ), and of invalid ones.

use super::descs::*;
use super::world::{DEVICE, World};
use taut_runtime::{DdiVersion, Profile, Settings, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    ClearValue, DdiHeapFlags, HResultCode, HeapFlags, HeapId, HeapProperties, HeapType, MessageId, ResourceDesc,
    ResourceFlags, TextureLayout, d3d12,
};

const RGBA8: Format = Format::R8G8B8A8_UNORM;

fn committed(desc: ResourceDesc) -> d3d12::CreateCommittedResource {
    let heap_properties = HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() };
    d3d12::CreateCommittedResource { device: DEVICE, heap_properties, desc, ..Default::default() }
}

#[test]
fn a40_a_committed_resource_is_one_allocation_of_whole_pages() {
    let mut world = World::new("reference");
    let addresses = [1, 4096, 4097].map(|width| {
        let created = world.committed(tight_buffer(width)).unwrap();
        let creation = world.creation();
        let heap = creation.heap_desc.unwrap();
        assert_eq!((heap.size_bytes, heap.alignment_bytes), (width.next_multiple_of(KIB_4), KIB_4));
        assert_eq!((creation.heap, creation.resource), (HeapId::NULL, created));
        world.address_of(created)
    });
    assert_eq!(addresses.map(|address| address - addresses[0]), [0, KIB_4, 2 * KIB_4]);
}

#[test]
fn a41_implicit_heaps_are_marked_from_ddi_0115() {
    for (version, marked) in [(88, false), (111, false), (114, false), (115, true), (116, true)] {
        let mut profile = Profile::named("legacy").unwrap();
        profile.ddi_version = DdiVersion(version);
        let mut world = World::with(driver(&profile), Settings::default());
        for desc in [buffer(1), texture(RGBA8, 16, 16)] {
            world.committed(desc).unwrap();
            let flags = world.creation().heap_desc.unwrap().flags;
            assert_eq!(flags.contains(DdiHeapFlags::IMPLICIT), marked, "{version}");
            assert!(flags.contains(DdiHeapFlags::BUFFERS | DdiHeapFlags::NON_RT_DS_TEXTURES));
        }
        let heap = world.heap(KIB_64, 0, HeapType::DEFAULT, HeapFlags::NONE);
        assert!(!world.creation().heap_desc.unwrap().flags.contains(DdiHeapFlags::IMPLICIT), "never for CreateHeap");
        world.placed(heap, 0, buffer(1)).unwrap();
        assert_eq!(world.creation().heap_desc, None);
    }
}

#[test]
fn deny_flags_are_not_for_implicit_heaps() {
    let mut world = World::new("reference");
    for heap_flags in [HeapFlags::DENY_BUFFERS, HeapFlags(0xc0), HeapFlags(0x44)] {
        let created = world.call(&d3d12::CreateCommittedResource { heap_flags, ..committed(buffer(1)) });
        assert_eq!(created, Err(HResultCode::E_INVALIDARG));
        assert_eq!(world.message_ids(), [MessageId::CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS]);
    }
}

#[test]
fn only_what_could_be_a_back_buffer_is_displayed() {
    let mut world = World::new("reference");
    let mut created = |desc| {
        let heap_flags = HeapFlags::ALLOW_DISPLAY;
        world.call(&d3d12::CreateCommittedResource { heap_flags, ..committed(desc) }).is_ok()
    };
    let target = ResourceDesc { flags: ResourceFlags::ALLOW_RENDER_TARGET, ..texture(RGBA8, 64, 64) };
    assert!(created(target));
    assert!(!created(texture(RGBA8, 64, 64)));
    assert!(!created(msaa(RGBA8, 64, 64, 4)));
    assert!(!created(buffer(64)));
}

#[test]
fn clear_values_are_for_render_targets_and_depth_stencils() {
    let mut world = World::new("reference");
    let mut created = |desc, format| {
        let clear_value = Some(ClearValue { format, ..Default::default() });
        let created = world.call(&d3d12::CreateCommittedResource { clear_value, ..committed(desc) });
        created.map_err(|_| world.message_ids()[0])
    };
    let target = ResourceDesc { flags: ResourceFlags::ALLOW_RENDER_TARGET, ..texture(RGBA8, 64, 64) };
    let depth = ResourceDesc { flags: ResourceFlags::ALLOW_DEPTH_STENCIL, ..texture(Format::R32_TYPELESS, 64, 64) };
    assert!(created(target, RGBA8).is_ok());
    assert!(created(target, Format::R8G8B8A8_UNORM_SRGB).is_ok());
    assert!(created(depth, Format::D32_FLOAT).is_ok());
    assert_eq!(created(target, Format::R8_UNORM), Err(MessageId::CREATERESOURCE_INVALIDCLEARVALUEFORMAT));
    assert_eq!(created(target, Format(999)), Err(MessageId::CREATERESOURCE_UNRECOGNIZEDCLEARVALUEFORMAT));
    assert_eq!(created(texture(RGBA8, 4, 4), RGBA8), Err(MessageId::CREATERESOURCE_INVALIDCLEARVALUE));
    assert_eq!(created(buffer(1), Format::UNKNOWN), Err(MessageId::CREATERESOURCE_INVALIDCLEARVALUE));
}

#[test]
fn descriptions_that_no_resource_has_are_refused_with_their_message() {
    use taut_schemas::Dimension as D;
    let base = texture(RGBA8, 64, 64);
    let target = ResourceFlags::ALLOW_RENDER_TARGET;
    let cases = [
        (ResourceDesc { dimension: D::UNKNOWN, ..base }, MessageId::CREATERESOURCE_INVALIDDIMENSIONALITY),
        (ResourceDesc { dimension: D(9), ..base }, MessageId::CREATERESOURCE_UNRECOGNIZEDDIMENSIONALITY),
        (buffer(0), MessageId::CREATERESOURCE_INVALIDDIMENSIONS),
        (ResourceDesc { height: 2, ..buffer(1) }, MessageId::CREATERESOURCE_INVALIDDIMENSIONS),
        (ResourceDesc { mip_levels: 2, ..buffer(1) }, MessageId::CREATERESOURCE_INVALIDMIPLEVELS),
        (ResourceDesc { format: RGBA8, ..buffer(1) }, MessageId::CREATERESOURCE_INVALIDFORMAT),
        (ResourceDesc { layout: TextureLayout::UNKNOWN, ..buffer(1) }, MessageId::CREATERESOURCE_INVALIDLAYOUT),
        (ResourceDesc { sample_count: 2, ..buffer(1) }, MessageId::CREATERESOURCE_INVALIDSAMPLEDESC),
        (ResourceDesc { flags: target, ..buffer(1) }, MessageId::CREATERESOURCE_INVALIDMISCFLAGS),
        (ResourceDesc { width: 16385, ..base }, MessageId::CREATERESOURCE_INVALIDDIMENSIONS),
        (ResourceDesc { height: 0, ..base }, MessageId::CREATERESOURCE_INVALIDDIMENSIONS),
        (ResourceDesc { depth_or_array_size: 2049, ..base }, MessageId::CREATERESOURCE_INVALIDDIMENSIONS),
        (ResourceDesc { dimension: D::TEXTURE1D, ..base }, MessageId::CREATERESOURCE_INVALIDDIMENSIONS),
        (ResourceDesc { dimension: D::TEXTURE3D, width: 2049, ..base }, MessageId::CREATERESOURCE_INVALIDDIMENSIONS),
        (ResourceDesc { mip_levels: 8, ..base }, MessageId::CREATERESOURCE_INVALIDMIPLEVELS),
        (ResourceDesc { mip_levels: 2, ..msaa(RGBA8, 64, 64, 4) }, MessageId::CREATERESOURCE_INVALIDMIPLEVELS),
        (ResourceDesc { sample_count: 0, ..base }, MessageId::CREATERESOURCE_INVALIDSAMPLEDESC),
        (ResourceDesc { sample_count: 3, flags: target, ..base }, MessageId::CREATERESOURCE_INVALIDSAMPLEDESC),
        (ResourceDesc { sample_quality: 1, ..base }, MessageId::CREATERESOURCE_INVALIDSAMPLEDESC),
        (ResourceDesc { sample_count: 4, ..base }, MessageId::CREATERESOURCE_INVALIDMISCFLAGS),
        (ResourceDesc { format: Format::UNKNOWN, ..base }, MessageId::CREATERESOURCE_INVALIDFORMAT),
        (ResourceDesc { format: Format(1000), ..base }, MessageId::CREATERESOURCE_UNRECOGNIZEDFORMAT),
        (ResourceDesc { layout: TextureLayout(4), ..base }, MessageId::CREATERESOURCE_UNRECOGNIZEDLAYOUT),
        (ResourceDesc { layout: TextureLayout::ROW_MAJOR, ..base }, MessageId::CREATERESOURCE_INVALIDLAYOUT),
        (ResourceDesc { flags: ResourceFlags(0x200), ..base }, MessageId::CREATERESOURCE_INVALIDMISCFLAGS),
        (ResourceDesc { flags: ResourceFlags(0x3), ..base }, MessageId::CREATERESOURCE_INVALIDMISCFLAGS),
    ];
    let mut world = World::new("reference");
    for (desc, id) in cases {
        assert_eq!(world.info(desc).size_bytes, INVALID, "{desc:?}");
        assert_eq!(world.message_ids(), [id], "{desc:?}");
        assert_eq!(world.committed(desc), Err(HResultCode::E_INVALIDARG), "{desc:?}");
        assert_eq!(world.message_ids(), [id], "{desc:?}");
    }
}

#[test]
fn row_major_textures_are_for_crossing_adapters_that_have_them() {
    let flags = ResourceFlags::ALLOW_CROSS_ADAPTER;
    let desc = ResourceDesc { layout: TextureLayout::ROW_MAJOR, flags, ..texture(RGBA8, 64, 64) };
    assert_ne!(World::new("reference").info(desc).size_bytes, INVALID);
    let info = World::new("peer").info(desc);
    assert_eq!((info.size_bytes, info.alignment_bytes), (INVALID, KIB_64));
}

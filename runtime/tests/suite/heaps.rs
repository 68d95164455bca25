//! Tests of heaps and the resources that they allow (rules ).

use super::descs::*;
use super::world::World;
use taut_runtime::{Profile, Settings, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, CpuPageProperty, DdiHeapFlags, HResult, HResultCode, HeapDesc, HeapFlags, HeapId, HeapProperties,
    HeapType, MemoryPool, MessageId, ResourceDesc, ResourceFlags, d3d12,
};

const BUFFERS: HeapFlags = HeapFlags(0xc0);
const TARGETS: HeapFlags = HeapFlags(0x84);
const TEXTURES: HeapFlags = HeapFlags(0x44);
const RGBA8: Format = Format::R8G8B8A8_UNORM;
const REFUSED: HResult<HeapId> = Err(HResultCode::E_INVALIDARG);

fn heap(size_bytes: u64, alignment_bytes: u64) -> HeapDesc {
    let properties = HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() };
    HeapDesc { size_bytes, alignment_bytes, properties, flags: HeapFlags::NONE }
}

fn custom(cpu_page_property: CpuPageProperty, memory_pool: MemoryPool) -> HeapDesc {
    let properties =
        HeapProperties { heap_type: HeapType::CUSTOM, cpu_page_property, memory_pool, ..Default::default() };
    HeapDesc { properties, ..heap(KIB_64, 0) }
}

#[test]
fn a05_heap_alignment_is_64_kib_or_4_mib() {
    let mut world = World::new("reference");
    for alignment in [0, KIB_64, MIB_4] {
        let created = world.try_heap(heap(100, alignment)).unwrap();
        let desc = world.call(&d3d12::GetHeapDesc { heap: created }).unwrap();
        assert_eq!(desc.alignment_bytes, alignment.max(KIB_64));
        assert_eq!(desc.size_bytes, 100);
    }
    for alignment in [1, 256, KIB_4, 2 * KIB_64, 8 << 20, u64::MAX] {
        let next = world.state.adapter(AdapterId::FIRST).device.next_object();
        assert_eq!(world.try_heap(heap(10 * KIB_64, alignment)), REFUSED);
        assert_eq!(world.message_ids(), [MessageId::CREATEHEAP_INVALIDALIGNMENT]);
        assert!(world.messages()[0].description.contains(&alignment.to_string()));
        assert_eq!(world.state.adapter(AdapterId::FIRST).device.next_object(), next, "no object was made");
    }
}

#[test]
fn a05_a_heap_has_a_size() {
    let mut world = World::new("reference");
    assert_eq!(world.try_heap(heap(0, 0)), REFUSED);
    assert_eq!(world.message_ids(), [MessageId::CREATEHEAP_INVALIDSIZE]);
    assert_eq!(world.try_heap(heap(u64::MAX, MIB_4)), Err(HResultCode::E_OUTOFMEMORY));
    assert_eq!(world.message_ids(), [MessageId::CREATEHEAP_OUTOFMEMORY_RETURN]);
}

#[test]
fn a05_a_custom_heap_names_page_property_and_pool() {
    let mut world = World::new("reference");
    let (unknown, none) = (CpuPageProperty::UNKNOWN, MemoryPool::UNKNOWN);
    for desc in [
        custom(unknown, none),
        custom(CpuPageProperty::NOT_AVAILABLE, none),
        custom(unknown, MemoryPool::L0),
        HeapDesc { properties: HeapProperties { memory_pool: MemoryPool::L0, ..heap(1, 0).properties }, ..heap(1, 0) },
    ] {
        assert_eq!(world.try_heap(desc), REFUSED);
        assert_eq!(world.message_ids(), [MessageId::CREATEHEAP_INVALIDPROPERTIES]);
    }
    assert!(world.try_heap(custom(CpuPageProperty::WRITE_BACK, MemoryPool::L0)).is_ok());
    assert!(world.try_heap(custom(CpuPageProperty::NOT_AVAILABLE, MemoryPool::L1)).is_ok());
    let mut unified = World::new("peer");
    assert_eq!(unified.try_heap(custom(CpuPageProperty::NOT_AVAILABLE, MemoryPool::L1)), REFUSED);
}

#[test]
fn a05_unknown_numbers_have_messages_of_their_own() {
    let mut world = World::new("reference");
    let with = |properties| HeapDesc { properties, ..heap(1, 0) };
    let base = HeapProperties { heap_type: HeapType::CUSTOM, ..Default::default() };
    let cases = [
        (HeapProperties { heap_type: HeapType(0), ..base }, MessageId::CREATEHEAP_UNRECOGNIZEDHEAPTYPE),
        (HeapProperties { heap_type: HeapType(6), ..base }, MessageId::CREATEHEAP_UNRECOGNIZEDHEAPTYPE),
        (
            HeapProperties { cpu_page_property: CpuPageProperty(4), ..base },
            MessageId::CREATEHEAP_UNRECOGNIZEDCPUPAGEPROPERTIES,
        ),
        (HeapProperties { memory_pool: MemoryPool(3), ..base }, MessageId::CREATEHEAP_UNRECOGNIZEDMEMORYPOOL),
    ];
    for (properties, id) in cases {
        assert_eq!(world.try_heap(with(properties)), REFUSED);
        assert_eq!(world.message_ids(), [id]);
    }
    assert_eq!(world.try_heap(HeapDesc { flags: HeapFlags(0x4000), ..heap(1, 0) }), REFUSED);
    assert_eq!(world.message_ids(), [MessageId::CREATEHEAP_UNRECOGNIZEDMISCFLAGS]);
}

#[test]
fn a05_flags_that_no_heap_has_are_refused() {
    let mut world = World::new("reference");
    let upload = HeapDesc {
        properties: HeapProperties { heap_type: HeapType::UPLOAD, ..Default::default() },
        flags: HeapFlags::SHARED,
        ..heap(1, 0)
    };
    let flagged = |flags| HeapDesc { flags, ..heap(1, 0) };
    for desc in [
        flagged(TARGETS | HeapFlags::ALLOW_DISPLAY),
        flagged(TEXTURES | HeapFlags::ALLOW_DISPLAY),
        flagged(BUFFERS | HeapFlags::DENY_BUFFERS),
        flagged(HeapFlags::SHARED_CROSS_ADAPTER),
        flagged(HeapFlags::HARDWARE_PROTECTED),
        upload,
    ] {
        assert_eq!(world.try_heap(desc), REFUSED, "{desc:?}");
        assert_eq!(world.message_ids(), [MessageId::CREATEHEAP_INVALIDMISCFLAGS]);
    }
    assert!(world.try_heap(flagged(TEXTURES | HeapFlags::SHARED)).is_ok());
    assert!(world.try_heap(flagged(HeapFlags::CREATE_NOT_ZEROED)).is_ok());
}

#[test]
fn a05_gpu_upload_heaps_need_the_driver() {
    let mut profile = Profile::named("reference").unwrap();
    profile.caps.gpu_upload_heaps = false;
    let mut world = World::with(driver(&profile), Settings::default());
    let properties = HeapProperties { heap_type: HeapType::GPU_UPLOAD, ..Default::default() };
    assert_eq!(world.try_heap(HeapDesc { properties, ..heap(1, 0) }), REFUSED);
    assert_eq!(world.message_ids(), [MessageId::CREATEHEAP_INVALIDHEAPTYPE]);
    assert!(World::new("reference").try_heap(HeapDesc { properties, ..heap(1, 0) }).is_ok());
}

#[test]
fn a05_with_heap_tier_1_a_heap_takes_one_kind() {
    let mut profile = Profile::named("reference").unwrap();
    profile.caps.resource_heap_tier = 1;
    let mut world = World::with(driver(&profile), Settings::default());
    assert_eq!(world.try_heap(heap(1, 0)), REFUSED);
    assert!(world.try_heap(HeapDesc { flags: BUFFERS, ..heap(1, 0) }).is_ok());
}

#[test]
fn a05_a_heap_takes_the_kinds_its_flags_allow() {
    let mut world = World::new("reference");
    let target = ResourceDesc { flags: ResourceFlags::ALLOW_RENDER_TARGET, ..texture(RGBA8, 64, 64) };
    let kinds = [buffer(1), texture(RGBA8, 64, 64), target];
    for (flags, takes) in [
        (HeapFlags::NONE, [true, true, true]),
        (BUFFERS, [true, false, false]),
        (TEXTURES, [false, true, false]),
        (TARGETS, [false, false, true]),
        (HeapFlags::DENY_BUFFERS, [false, true, true]),
    ] {
        let heap = world.heap(KIB_64, 0, HeapType::DEFAULT, flags);
        for (desc, taken) in kinds.into_iter().zip(takes) {
            assert_eq!(world.placed(heap, 0, desc).is_ok(), taken, "{flags:?} {desc:?}");
            assert_eq!(world.messages().is_empty(), taken);
        }
    }
    for heap_type in [HeapType::UPLOAD, HeapType::READBACK] {
        let heap = world.heap(KIB_64, 0, heap_type, HeapFlags::NONE);
        assert!(world.placed(heap, 0, buffer(1)).is_ok());
        assert!(world.placed(heap, 0, texture(RGBA8, 4, 4)).is_err());
        let written = ResourceDesc { flags: ResourceFlags::ALLOW_UNORDERED_ACCESS, ..buffer(1) };
        assert!(world.placed(heap, 0, written).is_err());
    }
}

#[test]
fn a05_msaa_needs_a_heap_at_4_mib() {
    let mut world = World::new("peer");
    let [low, high] = [KIB_64, MIB_4].map(|alignment| world.heap(MIB_4, alignment, HeapType::DEFAULT, TARGETS));
    for desc in [msaa(RGBA8, 64, 64, 2), tightened(msaa(RGBA8, 64, 64, 2)), aligned(KIB_64, msaa(RGBA8, 64, 64, 2))] {
        assert_eq!(world.placed(low, 0, desc), Err(HResultCode::E_INVALIDARG));
        assert!(world.messages()[0].description.contains("65536"));
        assert!(world.placed(high, 0, desc).is_ok());
    }
}

#[test]
fn a05_an_offset_is_a_multiple_of_the_alignment() {
    let mut world = World::new("reference");
    let heap = world.heap(MIB_4, 0, HeapType::DEFAULT, HeapFlags::NONE);
    assert!(world.placed(heap, KIB_64, buffer(1)).is_ok());
    assert_eq!(world.placed(heap, KIB_4, buffer(1)), Err(HResultCode::E_INVALIDARG));
    let text = &world.messages()[0].description;
    assert!(text.contains("4096") && text.contains("65536"), "{text}");
    assert!(world.placed(heap, KIB_4, aligned(KIB_4, texture(RGBA8, 4, 4))).is_ok());
}

#[test]
fn a05_a_resource_ends_within_its_heap() {
    let mut world = World::new("reference");
    let heap = world.heap(KIB_64, 0, HeapType::DEFAULT, BUFFERS);
    assert!(world.placed(heap, 0, buffer(32)).is_ok());
    for (offset, desc) in [(KIB_64, buffer(32)), (0, buffer(KIB_64 + 1)), (!0xffff, buffer(32))] {
        assert_eq!(world.placed(heap, offset, desc), Err(HResultCode::E_INVALIDARG));
        let text = &world.messages()[0].description;
        assert!(text.contains("65536") && text.contains(&offset.to_string()), "{text}");
    }
}

#[test]
fn a20_a_tight_resource_may_lie_at_multiples_of_its_own_alignment() {
    let mut world = World::new("reference");
    let heap = world.heap(1024, 0, HeapType::DEFAULT, HeapFlags::NONE);
    for offset in [0_u64, 256, 512, 768] {
        assert!(world.placed(heap, offset, tight_buffer(100)).is_ok());
    }
    assert!(world.placed(heap, 128, tight_buffer(100)).is_err());
    assert_eq!(world.try_heap(super::heaps::heap(1024, 256)), REFUSED, "heap alignment is what it was");
}

#[test]
fn a22_a_placed_buffer_has_its_heaps_address_and_offset() {
    let mut world = World::new("reference");
    let heap = world.heap(MIB_4, MIB_4, HeapType::DEFAULT, HeapFlags::NONE);
    let first = world.placed(heap, 0, tight_buffer(100)).unwrap();
    let other = world.placed(heap, 768, tight_buffer(100)).unwrap();
    let base = world.address_of(first);
    assert!(base != 0 && base.is_multiple_of(MIB_4));
    assert_eq!(world.address_of(other), base + 768);
    assert_eq!(world.desc_of(other).alignment_bytes, 256);
    assert_eq!(world.desc_of(other).flags, TIGHT);
    let texture = world.placed(heap, 0, tight_texture(RGBA8, 4, 4)).unwrap();
    assert_eq!(world.address_of(texture), 0, "textures have no address to give");
}

#[test]
fn the_driver_gets_pools_pages_and_kinds() {
    let ddi_heap = |world: &mut World, heap_type, flags| {
        world.heap(KIB_64, 0, heap_type, flags);
        world.creation().heap_desc.unwrap()
    };
    let mut world = World::new("reference");
    let desc = ddi_heap(&mut world, HeapType::DEFAULT, BUFFERS);
    assert_eq!(desc.flags, DdiHeapFlags::BUFFERS);
    assert_eq!((desc.memory_pool, desc.cpu_page_property), (MemoryPool::L1, CpuPageProperty::NOT_AVAILABLE));
    let desc = ddi_heap(&mut world, HeapType::UPLOAD, HeapFlags::DENY_BUFFERS);
    assert_eq!(desc.flags, DdiHeapFlags::RT_DS_TEXTURES | DdiHeapFlags::NON_RT_DS_TEXTURES);
    assert_eq!((desc.memory_pool, desc.cpu_page_property), (MemoryPool::L0, CpuPageProperty::WRITE_COMBINE));
    let desc = ddi_heap(&mut World::new("peer"), HeapType::UPLOAD, HeapFlags::NONE);
    assert_eq!((desc.memory_pool, desc.cpu_page_property), (MemoryPool::L0, CpuPageProperty::WRITE_BACK));
}

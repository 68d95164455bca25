//! Restrictions of older adapters: capabilities of OPTIONS8 and OPTIONS12, resource heap tier 1, and the messages about them.

use super::descs::{KIB_4, KIB_64, aligned, buffer, texture};
use super::world::{DEVICE, World};
use taut_runtime::{Profile, Settings, driver};
use taut_schemas::format::Format;
use taut_schemas::{Bytes, Feature, HResultCode, HeapFlags, HeapProperties, HeapType, MessageId, ResourceDesc, d3d12};

const RGBA8: Format = Format::R8G8B8A8_UNORM;

/// Creates a machine with the reference driver, whose profile has another line among its capabilities.
fn with_cap(line: &str) -> World {
    let text = include_str!("../../src/driver/profiles/reference.toml");
    let text = text.replacen("[caps]\n", &format!("[caps]\n{line}\n"), 1);
    World::with(driver(&Profile::parse(&text, "profile").unwrap()), Settings::default())
}

/// Returns the words of a feature's struct.
fn words(world: &mut World, feature: Feature, size_bytes: usize) -> Vec<u32> {
    let data = Bytes(vec![0; size_bytes]);
    let answer = world.call(&d3d12::CheckFeatureSupport { device: DEVICE, feature, data }).unwrap();
    answer.0.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn options8_and_options12_report_the_capabilities() {
    let mut newer = World::new("reference");
    assert_eq!(words(&mut newer, Feature::D3D12_OPTIONS8, 4), [1]);
    assert_eq!(words(&mut newer, Feature::D3D12_OPTIONS12, 12), [0, 1, 1]);
    assert_eq!(words(&mut with_cap("unaligned_block_textures = false"), Feature::D3D12_OPTIONS8, 4), [0]);
    assert_eq!(words(&mut with_cap("enhanced_barriers = false"), Feature::D3D12_OPTIONS12, 12), [0, 0, 0]);
}

#[test]
fn block_compressed_textures_have_whole_blocks_where_the_adapter_requires_it() {
    let mut world = with_cap("unaligned_block_textures = false");
    let compressed = |width, height| ResourceDesc { mip_levels: 1, ..texture(Format::BC1_UNORM, width, height) };
    for (width, height, is_valid) in [(4, 4, true), (3, 4, false), (4, 6, false), (8, 12, true)] {
        let info = world.info(compressed(width, height));
        assert_eq!(info.size_bytes != u64::MAX, is_valid, "{width} by {height}");
        let ids = if is_valid { vec![] } else { vec![MessageId::CREATERESOURCE_INVALIDDIMENSIONS] };
        assert_eq!(world.message_ids(), ids, "{width} by {height}");
    }
    assert_ne!(world.info(texture(RGBA8, 3, 3)).size_bytes, u64::MAX);
    assert_ne!(World::new("reference").info(compressed(3, 3)).size_bytes, u64::MAX);
}

#[test]
fn resources_in_upload_and_readback_heaps_have_one_initial_state() {
    let (newer, older) = (|| World::new("reference"), || with_cap("enhanced_barriers = false"));
    let create = |world: &mut World, heap_type, initial_state| {
        let heap_properties = HeapProperties { heap_type, ..Default::default() };
        let desc = buffer(100);
        world.call(&d3d12::CreateCommittedResource {
            device: DEVICE,
            heap_properties,
            desc,
            initial_state,
            ..Default::default()
        })
    };
    for (heap_type, right) in [(HeapType::UPLOAD, 0xac3), (HeapType::READBACK, 0x400)] {
        for mut world in [newer(), older()] {
            assert!(create(&mut world, heap_type, right).is_ok());
            assert!(world.message_ids().is_empty());
        }
        let (mut newer, mut older) = (newer(), older());
        assert!(create(&mut newer, heap_type, 0).is_ok());
        assert_eq!(newer.message_ids(), [MessageId::RESOURCE_BARRIER_INVALID_HEAP]);
        assert_eq!(create(&mut older, heap_type, 0), Err(HResultCode::E_INVALIDARG));
        assert_eq!(older.message_ids(), [MessageId::RESOURCE_BARRIER_INVALID_HEAP]);
        let heap = older.heap(KIB_64, 0, heap_type, HeapFlags(0xc0));
        assert_eq!(older.placed(heap, 0, buffer(100)), Err(HResultCode::E_INVALIDARG));
    }
    assert!(create(&mut older(), HeapType::DEFAULT, 0x8).is_ok());
}

#[test]
fn a_heap_of_tier_1_takes_one_kind_and_message_638_is_about_the_others() {
    let mut world = World::new("heap-tier1");
    assert_eq!(words(&mut world, Feature::D3D12_OPTIONS, 60)[14], 1);
    let heap = |world: &mut World, flags| {
        let properties = HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() };
        world.try_heap(taut_schemas::HeapDesc { size_bytes: KIB_64, properties, flags, ..Default::default() })
    };
    for flags in [HeapFlags::NONE, HeapFlags::DENY_BUFFERS] {
        assert_eq!(heap(&mut world, flags), Err(HResultCode::E_INVALIDARG));
    }
    let buffers = heap(&mut world, HeapFlags(0xc0)).unwrap();
    assert!(world.placed(buffers, 0, buffer(100)).is_ok());
    assert_eq!(world.placed(buffers, 0, texture(RGBA8, 4, 4)), Err(HResultCode::E_INVALIDARG));
    assert_eq!(world.message_ids(), [MessageId::CREATERESOURCEANDHEAP_INVALIDHEAPPROPERTIES]);
}

#[test]
fn the_refusal_of_a_small_alignment_has_tile_count_and_limit() {
    let mut world = World::new("reference");
    for (format, extent, parts) in [
        (RGBA8, 1024_u32, ["at most 16 tiles of 32×32 texels", "this one has 1,024"]),
        (Format::BC1_UNORM, 2048, ["at most 16 tiles of 128×64 texels", "this one has 512"]),
    ] {
        let desc = aligned(KIB_4, ResourceDesc { mip_levels: 1, ..texture(format, extent.into(), extent) });
        assert_eq!(world.info(desc).size_bytes, u64::MAX);
        let text = &world.messages()[0].description;
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
}

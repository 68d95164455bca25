//! Tests of devices, handles, releases, maps and names.

use super::descs::*;
use super::world::{DEVICE, World};
use taut_runtime::{Faults, Profile, RestoreError, Revision, Settings, catch, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, CpuAddress, DeviceId, HResultCode, HeapFlags, HeapId, HeapType, MemoryRange, MessageId, ObjectId,
    ResourceDesc, ResourceId, d3d12, d3d12_ddi,
};

#[test]
fn a_device_is_a_singleton_and_queries_its_driver_once() {
    let mut world = World::new("reference");
    assert_eq!(world.ddi::<d3d12_ddi::GetSupportedVersions>().len(), 1);
    assert_eq!(world.ddi::<d3d12_ddi::GetCaps>().len(), 4);
    assert_eq!(world.call(&d3d12::CreateDevice { minimum_feature_level: 0xc000, ..Default::default() }), Ok(DEVICE));
    assert_eq!(world.tap.events, []);
    let unsupported = world.call(&d3d12::CreateDevice { minimum_feature_level: 0xd000, ..Default::default() });
    assert_eq!(unsupported, Err(HResultCode::DXGI_ERROR_UNSUPPORTED));
}

#[test]
fn handles_that_name_nothing_give_e_handle_and_a_message() {
    let mut world = World::new("reference");
    let handle = HResultCode::E_HANDLE;
    let (resource, heap) = (ResourceId(7), HeapId(7));
    assert_eq!(world.call(&d3d12::GetDesc { resource }), Err(handle));
    assert_eq!(world.messages().len(), 1);
    assert_eq!(world.call(&d3d12::GetHeapDesc { heap }), Err(handle));
    assert_eq!(world.call(&d3d12::ReleaseResource { resource }), Err(handle));
    assert_eq!(world.call(&d3d12::ReleaseHeap { heap }), Err(handle));
    assert_eq!(world.call(&d3d12::GetGPUVirtualAddress { resource }), Err(handle));
    assert_eq!(world.call(&d3d12::Map { resource, ..Default::default() }), Err(handle));
    assert_eq!(world.call(&d3d12::Unmap { resource, ..Default::default() }), Err(handle));
    assert_eq!(world.call(&d3d12::SetName { object: ObjectId(7), name: String::new() }), Err(handle));
    assert_eq!(world.placed(heap, 0, buffer(1)), Err(handle));
    assert_eq!(world.placed(HeapId::NULL, 0, buffer(1)), Err(handle));
    assert_eq!(world.messages().len(), 1);
    let other = d3d12::CreateHeap { device: DeviceId(2), ..Default::default() };
    assert_eq!(world.call(&other), Err(handle));
    let query = d3d12::GetResourceAllocationInfo { device: DeviceId(0), visible_mask: 0, descs: vec![buffer(1)] };
    assert_eq!(world.call(&query).size_bytes, INVALID);
    assert_eq!(world.messages().len(), 1);
}

#[test]
fn a_handle_of_the_other_kind_is_no_handle() {
    let mut world = World::new("reference");
    let heap = world.heap(KIB_64, 0, HeapType::DEFAULT, HeapFlags::NONE);
    let resource = world.committed(buffer(1)).unwrap();
    assert_eq!(world.call(&d3d12::ReleaseResource { resource: ResourceId(heap.0) }), Err(HResultCode::E_HANDLE));
    assert_eq!(world.call(&d3d12::ReleaseHeap { heap: HeapId(resource.0) }), Err(HResultCode::E_HANDLE));
    assert_eq!(world.placed(HeapId(resource.0), 0, buffer(1)), Err(HResultCode::E_HANDLE));
    assert!(world.is_alive(heap) && world.is_alive(resource));
}

#[test]
fn ids_are_dense_and_failures_take_none() {
    let mut world = World::new("reference");
    assert_eq!(world.state.adapter(AdapterId::FIRST).device.next_object(), ObjectId(1));
    let heap = world.heap(KIB_64, 0, HeapType::DEFAULT, HeapFlags::NONE);
    assert!(world.placed(heap, 1, buffer(1)).is_err());
    assert!(world.committed(buffer(0)).is_err());
    assert_eq!(world.placed(heap, 0, buffer(1)), Ok(ResourceId(2)));
    world.release(ResourceId(2));
    assert_eq!(world.placed(heap, 0, buffer(1)), Ok(ResourceId(3)));
}

/// Lets a driver panic at the first destroyed resource. Returns whether the state can then be restored, and the
/// driver's calls when the heap is released as well.
fn panicked_at_release(revision: Revision) -> (Result<(), RestoreError>, Vec<d3d12_ddi::DestroyHeapAndResource>) {
    let reference = Profile::named("reference").unwrap();
    let (panics_in, panics_at_call) = (Some("DestroyHeapAndResource".to_owned()), Some(1));
    let profile = Profile { faults: Faults { panics_in, panics_at_call, ..reference.faults.clone() }, ..reference };
    let world = || World::with(driver(&profile), Settings { revision, ..Settings::default() });
    let mut panicking = world();
    let heap = panicking.heap(KIB_64, 0, HeapType::DEFAULT, HeapFlags::NONE);
    let resource = panicking.placed(heap, 0, buffer(100)).unwrap();
    catch(|| panicking.release(resource)).unwrap_err();
    assert!(!panicking.is_alive(resource));
    let restored = world().restore(&panicking.rundown().unwrap());
    panicking.release_heap(heap);
    (restored, panicking.ddi())
}

#[test]
fn a_driver_that_panics_at_a_release_leaves_the_books_of_its_heap_whole() {
    let (restored, destroy_calls) = panicked_at_release(Revision::CURRENT);
    restored.unwrap();
    assert_eq!(destroy_calls.len(), 1, "the heap is empty, and goes");
}

/// Behaviour of recordings before revision 1: the heap never becomes empty.
#[test]
fn a_recording_of_the_first_revision_has_the_heap_that_a_panic_left() {
    let (restored, destroy_calls) = panicked_at_release(Revision::FIRST);
    let why = restored.unwrap_err().to_string();
    assert!(why.contains("as many placed resources as have a record"), "{why}");
    assert_eq!(destroy_calls, []);
}

#[test]
fn a_heaps_memory_lives_until_the_last_resource_in_it_goes() {
    let mut world = World::new("reference");
    let heap = world.heap(KIB_64, 0, HeapType::DEFAULT, HeapFlags::NONE);
    let [first, second] = [0, 256].map(|offset| world.placed(heap, offset, tight_buffer(100)).unwrap());
    let address = world.address_of(second);
    world.release_heap(heap);
    assert_eq!(world.ddi::<d3d12_ddi::DestroyHeapAndResource>(), []);
    assert_eq!(world.placed(heap, 512, tight_buffer(100)), Err(HResultCode::E_HANDLE), "the handle is dead");
    world.release(first);
    assert_eq!(world.ddi::<d3d12_ddi::DestroyHeapAndResource>().len(), 1);
    assert_eq!(world.address_of(second), address);
    let other = world.heap(KIB_64, 0, HeapType::DEFAULT, HeapFlags::NONE);
    let elsewhere = world.placed(other, 0, tight_buffer(100)).unwrap();
    assert_ne!(world.address_of(elsewhere), address - 256, "the memory is not given twice");
    world.release(second);
    let destroyed = world.ddi::<d3d12_ddi::DestroyHeapAndResource>();
    assert_eq!((destroyed[0].heap, destroyed[0].resource), (HeapId::NULL, second));
    assert_eq!((destroyed[1].heap, destroyed[1].resource), (heap, ResourceId::NULL));
    let second_heap = world.heap(KIB_64, 0, HeapType::DEFAULT, HeapFlags::NONE);
    let reused = world.placed(second_heap, 256, tight_buffer(100)).unwrap();
    assert_eq!(world.address_of(reused), address, "the lowest address that fits");
}

#[test]
fn placed_resources_may_overlap() {
    let mut world = World::new("reference");
    let heap = world.heap(KIB_64, 0, HeapType::DEFAULT, HeapFlags::NONE);
    let both = [(); 2].map(|()| world.placed(heap, 0, buffer(100)).unwrap());
    assert_eq!(world.address_of(both[0]), world.address_of(both[1]));
}

#[test]
fn addresses_are_reused_lowest_first() {
    let mut world = World::new("reference");
    let resources = [(); 4].map(|()| world.committed(buffer(1)).unwrap());
    let addresses = resources.map(|resource| world.address_of(resource));
    world.release(resources[2]);
    world.release(resources[0]);
    let next = world.committed(buffer(1)).unwrap();
    assert_eq!(world.address_of(next), addresses[0]);
    let next = world.committed(buffer(1)).unwrap();
    assert_eq!(world.address_of(next), addresses[2]);
}

#[test]
fn maps_are_counted_per_subresource() {
    let mut world = World::new("reference");
    let resource = world.committed_in(HeapType::UPLOAD, buffer(100)).unwrap();
    let map = d3d12::Map { resource, ..Default::default() };
    let unmap = d3d12::Unmap { resource, ..Default::default() };
    let address = world.call(&map).unwrap();
    assert_ne!(address, CpuAddress(0));
    assert_eq!(world.call(&map), Ok(address));
    assert_eq!(world.call(&unmap), Ok(()));
    assert_eq!(world.call(&unmap), Ok(()));
    assert_eq!(world.call(&unmap), Err(HResultCode::E_INVALIDARG));
    assert_eq!(world.message_ids(), [MessageId::RESOURCE_UNMAP_NOTMAPPED]);
    assert_eq!(world.messages()[0].object, resource.into());
    world.call(&map).unwrap();
    world.release(resource);
}

#[test]
fn a_placed_buffers_processor_address_is_its_heaps_and_offset() {
    let mut world = World::new("reference");
    let heap = world.heap(KIB_64, 0, HeapType::UPLOAD, HeapFlags::NONE);
    let [first, second] = [0, 512].map(|offset| {
        let resource = world.placed(heap, offset, tight_buffer(100)).unwrap();
        world.call(&d3d12::Map { resource, ..Default::default() }).unwrap().0
    });
    assert_eq!(second, first + 512);
}

#[test]
fn maps_that_cannot_be_have_their_messages() {
    let mut world = World::new("reference");
    let hidden = world.committed(buffer(100)).unwrap();
    let resource = world.committed_in(HeapType::READBACK, buffer(100)).unwrap();
    let invalid = HResultCode::E_INVALIDARG;
    let range = |begin, end| Some(MemoryRange { begin, end });
    let map = |read_range| d3d12::Map { resource, subresource: 0, read_range };
    assert_eq!(world.call(&d3d12::Map { resource: hidden, ..Default::default() }), Err(invalid));
    assert_eq!(world.message_ids(), [MessageId::MAP_INVALIDHEAP]);
    assert_eq!(world.call(&d3d12::Unmap { resource: hidden, ..Default::default() }), Err(invalid));
    assert_eq!(world.message_ids(), [MessageId::UNMAP_INVALIDHEAP]);
    assert_eq!(world.call(&d3d12::Map { resource, subresource: 1, read_range: None }), Err(invalid));
    assert_eq!(world.message_ids(), [MessageId::MAP_INVALIDSUBRESOURCE]);
    for (begin, end) in [(0, 101), (2, 1), (0, u64::MAX)] {
        assert_eq!(world.call(&map(range(begin, end))), Err(invalid));
        assert_eq!(world.message_ids(), [MessageId::MAP_INVALIDRANGE]);
    }
    for (begin, end) in [(0, 0), (0, 100), (100, 100)] {
        assert!(world.call(&map(range(begin, end))).is_ok());
    }
    let unmap = d3d12::Unmap { resource, subresource: 0, written_range: range(5, 4) };
    assert_eq!(world.call(&unmap), Err(invalid));
    assert_eq!(world.message_ids(), [MessageId::UNMAP_INVALIDRANGE]);
}

#[test]
fn a_texture_can_be_mapped_without_a_pointer() {
    let mut world = World::new("reference");
    let desc = ResourceDesc { mip_levels: 2, depth_or_array_size: 3, ..texture(Format::D24_UNORM_S8_UINT, 64, 64) };
    let resource = world.committed_in(HeapType::GPU_UPLOAD, desc).unwrap();
    for subresource in [0, 11, 5, 11] {
        assert_eq!(world.call(&d3d12::Map { resource, subresource, read_range: None }), Ok(CpuAddress(0)));
    }
    assert!(
        world.call(&d3d12::Map { resource, subresource: 12, read_range: None }).is_err(),
        "2 mips, 3 slices, 2 planes"
    );
    let unmap = |subresource| d3d12::Unmap { resource, subresource, written_range: None };
    assert_eq!([11, 11, 0, 5].map(|at| world.call(&unmap(at))), [Ok(()); 4]);
    assert!(world.call(&unmap(11)).is_err());
}

#[test]
fn names_are_stored() {
    use taut_runtime::Objects;
    let mut world = World::new("reference");
    let object = ObjectId::from(world.committed(buffer(1)).unwrap());
    world.call(&d3d12::SetName { object, name: "vertices".to_owned() }).unwrap();
    assert_eq!(world.state.objects.get(object).unwrap().name(), "vertices");
}

//! Tests of calls of command lists that record their arguments, and of the objects that they name.

use super::descs::buffer;
use super::world::{DEVICE, World};
use proptest::prelude::*;
use taut_runtime::{Descriptors, Profile, Settings, driver};
use taut_schemas::{
    Bytes, ClearWords, CommandListId, CommandListType, CpuDescriptorHandle, DescriptorHeapDesc, DescriptorHeapFlags,
    DescriptorHeapId, DescriptorHeapType, GpuVirtualAddress, HResult, HResultCode, HeapType, ObjectId, OpaqueShader,
    PipelineStateId, QueryHeapDesc, ResourceId, RootSignatureId, WriteBufferImmediateParameter, d3d12,
};

fn list(world: &mut World) -> CommandListId {
    let (device, list_type) = (DEVICE, CommandListType::DIRECT);
    let command_allocator = world.call(&d3d12::CreateCommandAllocator { device, list_type }).unwrap();
    let create = d3d12::CreateCommandList { device, list_type, command_allocator, ..Default::default() };
    world.call(&create).unwrap()
}

fn root_signature(world: &mut World) -> RootSignatureId {
    world.call(&d3d12::CreateRootSignature { device: DEVICE, node_mask: 0, blob: Bytes(vec![1]) }).unwrap()
}

fn heap(world: &mut World, desc: DescriptorHeapDesc) -> HResult<DescriptorHeapId> {
    world.call(&d3d12::CreateDescriptorHeap { device: DEVICE, desc })
}

fn opaque(world: &mut World) -> PipelineStateId {
    let shaders = vec![OpaqueShader { size_bytes: 4, ..Default::default() }];
    let root_signature = root_signature(world);
    world.call(&d3d12::CreateOpaqueGraphicsPipelineState { device: DEVICE, root_signature, shaders }).unwrap()
}

fn constants(command_list: CommandListId, parameter: u32, words: usize) -> d3d12::SetGraphicsRoot32BitConstants {
    d3d12::SetGraphicsRoot32BitConstants {
        command_list,
        root_parameter_index: parameter,
        src_data: vec![7; words],
        dest_offset_in_32bit_values: 0,
    }
}

#[test]
fn a_command_with_a_dead_object_fails_and_close_too() {
    let mut world = World::new("reference");
    let command_list = list(&mut world);
    let viewports = d3d12::RSSetViewports { command_list, viewports: vec![Default::default()] };
    assert_eq!(world.call(&viewports), Ok(()));
    assert_eq!(world.call(&d3d12::CopyResource { command_list, ..Default::default() }), Ok(()), "null resources");
    let heaps = d3d12::SetDescriptorHeaps { command_list, descriptor_heaps: vec![DescriptorHeapId(9999)] };
    assert_eq!(world.call(&heaps), Err(HResultCode::E_HANDLE));
    assert_eq!(world.call(&d3d12::CloseCommandList { command_list }), Err(HResultCode::E_INVALIDARG));
    assert_eq!(world.call(&viewports), Err(HResultCode::E_FAIL), "the list is closed");
    let clear = d3d12::ClearRenderTargetView {
        command_list: CommandListId(9999),
        color: ClearWords::default(),
        ..Default::default()
    };
    assert_eq!(world.call(&clear), Err(HResultCode::E_HANDLE));
}

#[test]
fn an_invalid_command_makes_close_fail() {
    let mut world = World::new("reference");
    let command_list = list(&mut world);
    let invalid = d3d12::InvalidCommand { command_list, method: "RSSetViewports".to_owned() };
    assert_eq!(world.call(&invalid), Err(HResultCode::E_INVALIDARG));
    assert_eq!(world.call(&d3d12::CloseCommandList { command_list }), Err(HResultCode::E_INVALIDARG));
    assert_eq!(world.call(&invalid), Err(HResultCode::E_FAIL), "the list is closed");
}

#[test]
fn constants_of_any_parameter_need_a_root_signature() {
    let mut world = World::new("reference");
    let command_list = list(&mut world);
    let root_signature = root_signature(&mut world);
    assert_eq!(world.call(&d3d12::SetGraphicsRootSignature { command_list, root_signature }), Ok(()));
    assert_eq!(world.call(&constants(command_list, 5, 64)), Ok(()));
    assert_eq!(world.call(&constants(command_list, 5, 65)), Err(HResultCode::E_INVALIDARG));
    let other = list(&mut world);
    assert_eq!(world.call(&constants(other, 5, 1)), Err(HResultCode::E_INVALIDARG));
    let pipeline_state = PipelineStateId::NULL;
    let third = list(&mut world);
    assert_eq!(world.call(&d3d12::SetGraphicsRootSignature { command_list: third, root_signature }), Ok(()));
    assert_eq!(world.call(&d3d12::ClearCommandListState { command_list: third, pipeline_state }), Ok(()));
    assert_eq!(world.call(&constants(third, 5, 1)), Err(HResultCode::E_INVALIDARG), "the state was cleared");
}

#[test]
fn draws_of_opaque_pipeline_states_are_recorded_and_no_driver_gets_them() {
    let mut world = World::new("reference");
    let pipeline_state = opaque(&mut world);
    let command_list = list(&mut world);
    let draw = d3d12::DrawIndexedInstanced {
        command_list,
        index_count_per_instance: 3,
        instance_count: 1,
        ..Default::default()
    };
    assert_eq!(world.call(&draw), Err(HResultCode::E_INVALIDARG), "no pipeline state is set");
    let command_list = list(&mut world);
    let draw = d3d12::DrawIndexedInstanced { command_list, ..draw };
    assert_eq!(world.call(&d3d12::SetPipelineState { command_list, pipeline_state }), Ok(()));
    assert_eq!(world.call(&draw), Ok(()));
    assert_eq!(world.call(&d3d12::CloseCommandList { command_list }), Ok(()));
    assert_eq!(world.call(&d3d12::ReleasePipelineState { pipeline_state }), Ok(()));
    assert_eq!(world.call(&d3d12::ReleasePipelineState { pipeline_state }), Err(HResultCode::E_HANDLE));
    let compute = d3d12::CreateOpaqueComputePipelineState { device: DEVICE, ..Default::default() };
    assert_eq!(world.call(&compute), Err(HResultCode::E_INVALIDARG), "no shader");
}

#[test]
fn objects_of_pipelines_are_released_once_and_under_their_type() {
    let mut world = World::new("reference");
    let query_heap = world.call(&d3d12::CreateQueryHeap { device: DEVICE, desc: QueryHeapDesc::default() }).unwrap();
    let signature = d3d12::CreateCommandSignature { device: DEVICE, ..Default::default() };
    let command_signature = world.call(&signature).unwrap();
    let wrong = d3d12::ReleaseRootSignature { root_signature: RootSignatureId(query_heap.0) };
    assert_eq!(world.call(&wrong), Err(HResultCode::E_HANDLE));
    for expected in [Ok(()), Err(HResultCode::E_HANDLE)] {
        assert_eq!(world.call(&d3d12::ReleaseQueryHeap { query_heap }), expected);
        assert_eq!(world.call(&d3d12::ReleaseCommandSignature { command_signature }), expected);
    }
}

#[test]
fn make_resident_needs_living_objects() {
    let mut world = World::new("reference");
    let heap = heap(&mut world, DescriptorHeapDesc { num_descriptors: 1, ..Default::default() }).unwrap();
    let resident = |objects| d3d12::MakeResident { device: DEVICE, objects };
    assert_eq!(world.call(&resident(vec![heap.into()])), Ok(()));
    assert_eq!(world.call(&resident(vec![ObjectId(9999)])), Err(HResultCode::E_HANDLE));
}

#[test]
fn custom_heap_properties_equal_those_of_the_heap_type() {
    let mut world = World::new("reference");
    let get = |heap_type| d3d12::GetCustomHeapProperties { device: DEVICE, node_mask: 0, heap_type };
    let default = world.call(&get(HeapType::DEFAULT)).unwrap();
    assert_eq!((default.heap_type, default.cpu_page_property.0), (HeapType::CUSTOM, 1));
    assert_eq!(world.call(&get(HeapType::CUSTOM)), Err(HResultCode::E_INVALIDARG));
}

fn copy(
    command_list: CommandListId,
    [dst_buffer, src_buffer]: [ResourceId; 2],
    places: [u64; 3],
) -> d3d12::CopyBufferRegion {
    let [dst_offset_bytes, src_offset_bytes, num_bytes] = places;
    d3d12::CopyBufferRegion { command_list, dst_buffer, dst_offset_bytes, src_buffer, src_offset_bytes, num_bytes }
}

#[test]
fn a_command_beyond_its_buffer_was_ignored_before_revision_4() {
    let settings = serde_json::from_str::<Settings>(r#"{"revision":3}"#).unwrap();
    let mut world = World::with(driver(&Profile::named("reference").unwrap()), settings);
    let (resource, command_list) = (world.committed(buffer(64)).unwrap(), list(&mut world));
    assert_eq!(world.call(&copy(command_list, [resource; 2], [60, 0, 8])), Ok(()));
    assert_eq!(world.call(&d3d12::CloseCommandList { command_list }), Ok(()));
}

#[test]
fn a_write_is_to_memory_of_the_adapter() {
    let mut world = World::new("reference");
    let resource = world.committed(buffer(4096)).unwrap();
    let dest = world.call(&d3d12::GetGPUVirtualAddress { resource }).unwrap();
    let write = |command_list, dest, modes: &[u32]| d3d12::WriteBufferImmediate {
        command_list,
        params: vec![WriteBufferImmediateParameter { dest, value: 1 }],
        modes: modes.to_vec(),
    };
    let at = |offset: u64| GpuVirtualAddress(dest.0.wrapping_add(offset));
    let command_list = list(&mut world);
    assert_eq!(world.call(&write(command_list, at(4092), &[2])), Ok(()));
    assert_eq!(world.call(&d3d12::CloseCommandList { command_list }), Ok(()));
    for (dest, mode) in [(at(2), 0), (GpuVirtualAddress(0), 0), (at(1 << 40), 0), (at(0), 3)] {
        let command_list = list(&mut world);
        assert_eq!(world.call(&write(command_list, dest, &[mode])), Err(HResultCode::E_INVALIDARG));
        assert_eq!(world.call(&d3d12::CloseCommandList { command_list }), Err(HResultCode::E_INVALIDARG));
    }
    assert_eq!(world.call(&d3d12::ReleaseResource { resource }), Ok(()));
    let command_list = list(&mut world);
    assert_eq!(world.call(&write(command_list, dest, &[])), Err(HResultCode::E_INVALIDARG), "freed");
}

proptest! {
    #[test]
    fn a_copy_between_buffers_is_refused_exactly_beyond_one_of_them(
        sizes in proptest::array::uniform2(1_u64..200), places in proptest::array::uniform3(0_u64..250), is_far: bool,
    ) {
        let mut world = World::new("reference");
        let buffers = sizes.map(|size| world.committed(buffer(size)).unwrap());
        let command_list = list(&mut world);
        let [dst, src, num_bytes] = places;
        let src = if is_far { u64::MAX - src } else { src };
        let is_in = dst + num_bytes <= sizes[0] && u128::from(src) + u128::from(num_bytes) <= u128::from(sizes[1]);
        let expected = if is_in { Ok(()) } else { Err(HResultCode::E_INVALIDARG) };
        prop_assert_eq!(world.call(&copy(command_list, buffers, [dst, src, num_bytes])), expected);
        prop_assert_eq!(world.call(&d3d12::CloseCommandList { command_list }), expected);
    }

    #[test]
    fn descriptor_heaps_of_any_sizes_have_addresses_of_their_own(
        sizes in proptest::array::uniform4(1_u32..100), types in proptest::collection::vec(0_u32..4, 1..20),
    ) {
        let [cbv_srv_uav_bytes, sampler_bytes, rtv_bytes, dsv_bytes] = sizes;
        let descriptors = Descriptors { cbv_srv_uav_bytes, sampler_bytes, rtv_bytes, dsv_bytes };
        let profile = Profile { descriptors, ..Profile::named("reference").unwrap() };
        let mut world = World::with(driver(&profile), Settings::default());
        let mut end = 0;
        for heap_type in types {
            let (device, size) = (DEVICE, u64::from(sizes[heap_type as usize]));
            let heap_type = DescriptorHeapType(heap_type);
            prop_assert_eq!(world.call(&d3d12::GetDescriptorHandleIncrementSize { device, heap_type }), Ok(size));
            let desc = DescriptorHeapDesc { heap_type, num_descriptors: 7, ..Default::default() };
            let descriptor_heap = heap(&mut world, desc).unwrap();
            let CpuDescriptorHandle(address) =
                world.call(&d3d12::GetCPUDescriptorHandleForHeapStart { descriptor_heap }).unwrap();
            prop_assert!(address >= end);
            end = address + 7 * size;
        }
        let unknown = d3d12::GetDescriptorHandleIncrementSize { device: DEVICE, heap_type: DescriptorHeapType(9) };
        prop_assert_eq!(world.call(&unknown), Ok(0));
    }

    #[test]
    fn descriptor_heaps_have_addresses_of_their_own(counts in proptest::collection::vec(1_u32..5000, 1..20)) {
        let mut world = World::new("reference");
        let increment = d3d12::GetDescriptorHandleIncrementSize { device: DEVICE, heap_type: DescriptorHeapType::SAMPLER };
        let bytes = world.call(&increment).unwrap();
        let mut end = 0;
        for (number, count) in counts.into_iter().enumerate() {
            let is_visible = number % 2 == 0;
            let flags = if is_visible { DescriptorHeapFlags::SHADER_VISIBLE } else { DescriptorHeapFlags::NONE };
            let desc = DescriptorHeapDesc { num_descriptors: count, flags, ..Default::default() };
            let descriptor_heap = heap(&mut world, desc).unwrap();
            let cpu = d3d12::GetCPUDescriptorHandleForHeapStart { descriptor_heap };
            let CpuDescriptorHandle(address) = world.call(&cpu).unwrap();
            prop_assert!(address > 0 && address >= end);
            end = address + u64::from(count) * bytes;
            let gpu = world.call(&d3d12::GetGPUDescriptorHandleForHeapStart { descriptor_heap }).unwrap();
            prop_assert_eq!(gpu.0, if is_visible { address } else { 0 });
            prop_assert_eq!(world.call(&d3d12::GetDescriptorHeapDesc { descriptor_heap }), Ok(desc));
        }
    }

    #[test]
    fn wrong_descriptor_heaps_are_refused(heap_type: u32, num_descriptors in 0_u32..3, flags in 0_u32..2) {
        let desc = DescriptorHeapDesc {
            heap_type: DescriptorHeapType(heap_type % 6),
            num_descriptors,
            flags: DescriptorHeapFlags(flags),
            node_mask: 0,
        };
        let is_sound = num_descriptors > 0 && (heap_type % 6 < 2 || heap_type % 6 < 4 && flags == 0);
        prop_assert_eq!(heap(&mut World::new("reference"), desc).is_ok(), is_sound);
    }
}

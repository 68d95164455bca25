//! Tests of floors under the alignment of buffers, by their bindings (rule A-17).

use super::descs::*;
use super::world::{DEVICE, World};
use taut_runtime::placement::BufferUse;
use taut_runtime::{RuleSet, Settings, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    BufferSrvFlags, BufferUavFlags, BuildRaytracingAccelerationStructureDesc, ConstantBufferViewDesc, DispatchRaysDesc,
    GpuVirtualAddress, GpuVirtualAddressRange, GpuVirtualAddressRangeAndStride, HResult, HResultCode, HeapFlags,
    HeapId, HeapType, MessageId, MessageSeverity, ObjectId, RaytracingAccelerationStructureType as StructureType,
    RaytracingGeometryDesc, RaytracingGeometryType as GeometryType, ResourceDesc, ResourceFlags, ResourceId,
    ShaderResourceViewDesc, SrvDimension, UavDimension, UnorderedAccessViewDesc, VideoDecodeCompressedBitstream,
    VideoDecodeOutputHistogram, d3d12,
};

const INVALID_ARG: HResult<()> = Err(HResultCode::E_INVALIDARG);

/// Creates a machine that aligns buffers as requested, under rules 1.619.4, and a heap.
fn machine() -> (World, HeapId) {
    let mut world = World::under("tightest", RuleSet::R1_619_4);
    let heap = world.heap(MIB_4, 0, HeapType::DEFAULT, HeapFlags::NONE);
    (world, heap)
}

fn buffer_at(world: &mut World, heap: HeapId, offset: u64, alignment: u64) -> (ResourceId, GpuVirtualAddress) {
    let flags = TIGHT | ResourceFlags::ALLOW_UNORDERED_ACCESS;
    let created = world.placed(heap, offset, aligned(alignment, ResourceDesc { flags, ..buffer(4096) })).unwrap();
    assert_eq!(world.desc_of(created).alignment_bytes, alignment);
    let address = world.address_of(created);
    (created, GpuVirtualAddress(address))
}

/// Binds a buffer; `None` if no call of the list does.
fn bind(world: &mut World, usage: BufferUse, buffer: ResourceId, at: GpuVirtualAddress) -> Option<HResult<()>> {
    let device = DEVICE;
    Some(match usage {
        BufferUse::RawView => world.call(&raw_srv(buffer)),
        BufferUse::RaytracingBuildInput => world.call(&d3d12::BuildRaytracingAccelerationStructure {
            device,
            desc: BuildRaytracingAccelerationStructureDesc { instance_descs: at, ..Default::default() },
            ..Default::default()
        }),
        BufferUse::ShaderTable => {
            let miss_shader_table = GpuVirtualAddressRangeAndStride { start_address: at, ..Default::default() };
            world.call(&d3d12::DispatchRays {
                device,
                desc: DispatchRaysDesc { miss_shader_table, ..Default::default() },
            })
        }
        BufferUse::ClusterAccelerationStructure => return None,
        BufferUse::OpacityMicromap => world.call(&d3d12::BuildRaytracingAccelerationStructure {
            device,
            desc: BuildRaytracingAccelerationStructureDesc {
                structure_type: StructureType::OPACITY_MICROMAP_ARRAY,
                omm_input_buffer: at,
                ..Default::default()
            },
            ..Default::default()
        }),
        BufferUse::ConstantBufferView => world.call(&cbv(at)),
        BufferUse::VideoBitstream => {
            let compressed_bitstream = VideoDecodeCompressedBitstream { buffer, ..Default::default() };
            world.call(&d3d12::DecodeFrame1 { device, compressed_bitstream, ..Default::default() })
        }
        BufferUse::VideoHistogram => {
            let histograms = vec![VideoDecodeOutputHistogram { offset_bytes: 0, buffer }];
            world.call(&d3d12::DecodeFrame1 { device, histograms, ..Default::default() })
        }
    })
}

fn cbv(buffer_location: GpuVirtualAddress) -> d3d12::CreateConstantBufferView {
    let desc = Some(ConstantBufferViewDesc { buffer_location, size_bytes: 256 });
    d3d12::CreateConstantBufferView { device: DEVICE, desc }
}

fn raw_srv(resource: ResourceId) -> d3d12::CreateShaderResourceView {
    let desc = ShaderResourceViewDesc {
        format: Format::R32_TYPELESS,
        view_dimension: SrvDimension::BUFFER,
        num_elements: 4,
        flags: BufferSrvFlags::RAW,
        ..Default::default()
    };
    d3d12::CreateShaderResourceView { device: DEVICE, resource, desc: Some(desc) }
}

#[test]
fn a17_each_use_has_its_floor() {
    let floors = [16, 16, 64, 128, 128, 256, 256, 256];
    assert_eq!(BufferUse::ALL.iter().map(|usage| usage.floor_bytes()).collect::<Vec<_>>(), floors);
    for usage in BufferUse::ALL {
        let floor = usage.floor_bytes();
        let (mut world, heap) = machine();
        for alignment in [8, 16, 32, 64, 128, 256] {
            let (created, address) = buffer_at(&mut world, heap, 4096, alignment);
            let Some(bound) = bind(&mut world, *usage, created, address) else { continue };
            let messages = world.messages();
            if alignment >= floor {
                assert_eq!((bound, messages), (Ok(()), vec![]), "{usage:?} at {alignment}");
                continue;
            }
            assert_eq!(bound, INVALID_ARG, "{usage:?} at {alignment}");
            let [message] = &messages[..] else { panic!("{messages:?}") };
            assert_eq!((message.severity, message.object), (MessageSeverity::ERROR, ObjectId::from(created)));
            let text = &message.description;
            let named = [format!("Buffer {}", created.0), usage.name().to_owned(), format!("to {alignment} bytes")];
            assert!(named.iter().all(|name| text.contains(name)), "{text}");
            assert!(text.ends_with(&format!("at least {floor}.")), "{text}");
            world.release(created);
        }
    }
}

#[test]
fn a17_several_uses_in_one_call_need_the_largest() {
    let (mut world, heap) = machine();
    let (_, address) = buffer_at(&mut world, heap, 0, 16);
    let geometry = RaytracingGeometryDesc {
        geometry_type: GeometryType::OMM_TRIANGLES,
        vertex_buffer: address,
        opacity_micromap_array: address,
        ..Default::default()
    };
    let mut build = d3d12::BuildRaytracingAccelerationStructure {
        device: DEVICE,
        desc: BuildRaytracingAccelerationStructureDesc {
            structure_type: StructureType::BOTTOM_LEVEL,
            ..Default::default()
        },
        geometry_descs: vec![geometry],
    };
    assert_eq!(world.call(&build), INVALID_ARG);
    assert_eq!(world.message_ids(), [MessageId::BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INVALID], "one for both uses");
    let text = &world.messages()[0].description;
    assert!(text.contains("raytracing build input and opacity micromap") && text.ends_with("at least 128."), "{text}");
    build.geometry_descs[0].geometry_type = GeometryType::TRIANGLES;
    assert_eq!(world.call(&build), Ok(()), "without micromaps, 16 is enough");
}

#[test]
fn a17_every_table_and_input_counts() {
    let (mut world, heap) = machine();
    let (_, at) = buffer_at(&mut world, heap, 0, 8);
    let range = GpuVirtualAddressRange { start_address: at, size_bytes: 64 };
    let table = GpuVirtualAddressRangeAndStride { start_address: at, ..Default::default() };
    let tables = [
        DispatchRaysDesc { ray_generation_shader_record: range, ..Default::default() },
        DispatchRaysDesc { miss_shader_table: table, ..Default::default() },
        DispatchRaysDesc { hit_group_table: table, ..Default::default() },
        DispatchRaysDesc { callable_shader_table: table, ..Default::default() },
    ];
    for desc in tables {
        assert_eq!(world.call(&d3d12::DispatchRays { device: DEVICE, desc }), INVALID_ARG);
        assert_eq!(world.message_ids(), [MessageId::DISPATCH_RAYS_INVALID]);
    }
    let boxes = GeometryType::PROCEDURAL_PRIMITIVE_AABBS;
    let inputs = [
        RaytracingGeometryDesc { vertex_buffer: at, ..Default::default() },
        RaytracingGeometryDesc { index_buffer: at, ..Default::default() },
        RaytracingGeometryDesc { transform_3x4: at, ..Default::default() },
        RaytracingGeometryDesc { geometry_type: boxes, aabbs: at, ..Default::default() },
    ];
    let structure_type = StructureType::BOTTOM_LEVEL;
    for geometry in inputs {
        let desc = BuildRaytracingAccelerationStructureDesc { structure_type, ..Default::default() };
        let geometry_descs = vec![geometry];
        let build = d3d12::BuildRaytracingAccelerationStructure { device: DEVICE, desc, geometry_descs };
        assert_eq!(world.call(&build), INVALID_ARG, "{geometry:?}");
    }
    // Members that are unused for the type, results and scratch memory are no inputs.
    let desc = BuildRaytracingAccelerationStructureDesc {
        structure_type,
        instance_descs: at,
        omm_input_buffer: at,
        scratch_acceleration_structure_data: at,
        ..Default::default()
    };
    let geometry = RaytracingGeometryDesc { geometry_type: boxes, vertex_buffer: at, ..Default::default() };
    let geometry_descs = vec![geometry];
    assert_eq!(
        world.call(&d3d12::BuildRaytracingAccelerationStructure { device: DEVICE, desc, geometry_descs }),
        Ok(())
    );
}

#[test]
fn a17_raw_is_set_by_a_flag() {
    let (mut world, heap) = machine();
    let (created, _) = buffer_at(&mut world, heap, 0, 8);
    let raw = UnorderedAccessViewDesc {
        view_dimension: UavDimension::BUFFER,
        flags: BufferUavFlags::RAW,
        ..Default::default()
    };
    let uav = |desc| d3d12::CreateUnorderedAccessView { device: DEVICE, resource: created, desc, ..Default::default() };
    assert_eq!(world.call(&uav(Some(raw))), INVALID_ARG);
    assert_eq!(world.message_ids(), [MessageId::CREATEUNORDEREDACCESSVIEW_INVALIDDESC]);
    assert_eq!(world.call(&uav(Some(UnorderedAccessViewDesc { flags: BufferUavFlags::NONE, ..raw }))), Ok(()));
    assert_eq!(world.call(&uav(None)), Ok(()));
    let mut structured = raw_srv(created);
    structured.desc.iter_mut().for_each(|desc| desc.flags = BufferSrvFlags::NONE);
    assert_eq!(world.call(&structured), Ok(()));
    let picture = world.committed(texture(Format::R8_UNORM, 4, 4)).unwrap();
    assert_eq!(world.call(&raw_srv(picture)), Ok(()), "a texture's alignment is another matter");
}

#[test]
fn a17_floors_are_of_1_619_4_and_of_tight_buffers() {
    let settings = Settings::default();
    let profile = taut_runtime::Profile::named("tightest").unwrap();
    let mut world = World::with(driver(&profile), settings);
    let heap = world.heap(MIB_4, 0, HeapType::DEFAULT, HeapFlags::NONE);
    let created = world.placed(heap, 8, tight_buffer(64)).unwrap();
    let at = GpuVirtualAddress(world.address_of(created));
    assert_eq!(world.call(&cbv(at)), Ok(()), "rules 1.618 have no floors");
    let (mut world, heap) = machine();
    let created = world.placed(heap, 0, buffer(64)).unwrap();
    let at = GpuVirtualAddress(world.address_of(created));
    assert_eq!(world.call(&cbv(at)), Ok(()));
}

#[test]
fn a17_an_address_names_the_live_buffer_it_lies_in() {
    let (mut world, heap) = machine();
    let (created, at) = buffer_at(&mut world, heap, 0, 8);
    let inside = GpuVirtualAddress(at.0 + 256);
    assert_eq!(world.call(&cbv(inside)), INVALID_ARG);
    assert_eq!(world.messages()[0].object, ObjectId::from(created));
    let (other, _) = buffer_at(&mut world, heap, 0, 256);
    assert_eq!(world.call(&cbv(inside)), Ok(()), "the one that overlaps it may be meant");
    world.release(other);
    assert_eq!(world.call(&cbv(inside)), INVALID_ARG);
    world.release(created);
    assert_eq!(world.call(&cbv(inside)), Ok(()), "no buffer, no rule");
    assert_eq!(world.call(&d3d12::CreateConstantBufferView { device: DEVICE, desc: None }), Ok(()));
}

#[test]
fn a17_a_dead_handle_is_an_error_and_a_null_one_a_null_descriptor() {
    let (mut world, _) = machine();
    let dead = ResourceId(99);
    let handle = Err(HResultCode::E_HANDLE);
    assert_eq!(world.call(&raw_srv(dead)), handle);
    assert_eq!(world.call(&raw_srv(ResourceId::NULL)), Ok(()));
    let uav = d3d12::CreateUnorderedAccessView { device: DEVICE, counter_resource: dead, ..Default::default() };
    assert_eq!(world.call(&uav), handle);
    let histograms = vec![VideoDecodeOutputHistogram { offset_bytes: 0, buffer: dead }];
    assert_eq!(world.call(&d3d12::DecodeFrame1 { device: DEVICE, histograms, ..Default::default() }), handle);
    assert_eq!(world.call(&d3d12::DispatchRays::default()), handle, "no device");
}

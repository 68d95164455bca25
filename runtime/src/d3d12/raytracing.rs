//! Raytracing: the buffers that command lists bind by address.

use super::floor::Bindings;
use crate::context::Context;
use crate::placement::BufferUse;
use crate::state::DeviceState;
use taut_schemas::{
    HResult, MessageId, RaytracingAccelerationStructureType as StructureType, RaytracingGeometryType as GeometryType,
    d3d12,
};

/// ID3D12GraphicsCommandList4::DispatchRays.
pub(crate) fn dispatch_rays(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::DispatchRays,
) -> HResult<()> {
    device.open(context, call.device)?;
    let desc = &call.desc;
    let tables = [
        desc.ray_generation_shader_record.start_address,
        desc.miss_shader_table.start_address,
        desc.hit_group_table.start_address,
        desc.callable_shader_table.start_address,
    ];
    let mut bindings = Bindings::default();
    for table in tables {
        bindings.add_address(device, table, BufferUse::ShaderTable);
    }
    bindings.check(context, MessageId::DISPATCH_RAYS_INVALID)
}

/// ID3D12GraphicsCommandList4::BuildRaytracingAccelerationStructure. Only the members that its type gives a meaning
/// to are looked at; results and scratch memory have no floor (rule A-17).
pub(crate) fn build_raytracing_acceleration_structure(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::BuildRaytracingAccelerationStructure,
) -> HResult<()> {
    device.open(context, call.device)?;
    let desc = &call.desc;
    let mut bindings = Bindings::default();
    match desc.structure_type {
        StructureType::TOP_LEVEL => {
            bindings.add_address(device, desc.instance_descs, BufferUse::RaytracingBuildInput);
        }
        StructureType::OPACITY_MICROMAP_ARRAY => {
            bindings.add_address(device, desc.omm_input_buffer, BufferUse::OpacityMicromap);
            bindings.add_address(device, desc.per_omm_descs, BufferUse::OpacityMicromap);
        }
        _ => {}
    }
    let geometries = match desc.structure_type {
        StructureType::BOTTOM_LEVEL => &call.geometry_descs[..],
        _ => &[],
    };
    for geometry in geometries {
        let inputs = match geometry.geometry_type {
            GeometryType::PROCEDURAL_PRIMITIVE_AABBS => [Some(geometry.aabbs), None, None],
            _ => [geometry.vertex_buffer, geometry.index_buffer, geometry.transform_3x4].map(Some),
        };
        for input in inputs.into_iter().flatten() {
            bindings.add_address(device, input, BufferUse::RaytracingBuildInput);
        }
        if geometry.geometry_type == GeometryType::OMM_TRIANGLES {
            bindings.add_address(device, geometry.opacity_micromap_array, BufferUse::OpacityMicromap);
            bindings.add_address(device, geometry.opacity_micromap_index_buffer, BufferUse::RaytracingBuildInput);
        }
    }
    bindings.check(context, MessageId::BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INVALID)
}

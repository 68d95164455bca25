//! Calls of the lines that use buffers.

use super::use_line::{
    BufferPlace, BufferRange, BufferUseLine, Geometry, RayDispatch, ShaderTable, StructureBuild, ViewDesc,
};
use taut_capture::Caller;
use taut_schemas::format::Format;
use taut_schemas::{
    BufferSrvFlags, BufferUavFlags, BuildRaytracingAccelerationStructureDesc, ConstantBufferViewDesc, DeviceId,
    DispatchRaysDesc, GpuVirtualAddress, GpuVirtualAddressRange, GpuVirtualAddressRangeAndStride, HResult,
    RaytracingAccelerationStructureType, RaytracingGeometryDesc, RaytracingGeometryType, ResourceId,
    ShaderResourceViewDesc, SrvDimension, UavDimension, UnorderedAccessViewDesc, VideoDecodeCompressedBitstream,
    VideoDecodeOutputHistogram, d3d12,
};

/// Lookup of the live resource and address for a logged buffer.
pub(super) trait LiveBuffers {
    /// Returns the live resource of a logged one.
    fn resource(&self, logged: ResourceId) -> ResourceId;
    /// Returns the live address of a logged buffer.
    fn address(&self, logged: ResourceId) -> u64;
}

/// Makes the call of a line.
pub(super) fn bind<C: Caller>(
    caller: &mut C,
    device: DeviceId,
    live_buffers: &impl LiveBuffers,
    line: &BufferUseLine,
) -> HResult<()> {
    let resource = |logged: Option<ResourceId>| logged.map_or(ResourceId::NULL, |logged| live_buffers.resource(logged));
    match line {
        BufferUseLine::ConstantBufferView(range) => {
            let desc = range.map(|range| ConstantBufferViewDesc {
                buffer_location: at(live_buffers, Some(range.place)),
                // A size above 32 bits is invalid for a view, as u32::MAX is.
                size_bytes: u32::try_from(range.size_bytes).unwrap_or(u32::MAX),
            });
            caller.call(d3d12::CreateConstantBufferView { device, desc })
        }
        BufferUseLine::ShaderResourceView(viewed, desc) => {
            let (resource, desc) = (resource(*viewed), desc.map(srv));
            caller.call(d3d12::CreateShaderResourceView { device, resource, desc })
        }
        BufferUseLine::UnorderedAccessView(viewed, counter, desc) => {
            let (resource, counter_resource, desc) = (resource(*viewed), resource(*counter), desc.map(uav));
            caller.call(d3d12::CreateUnorderedAccessView { device, resource, counter_resource, desc })
        }
        BufferUseLine::DispatchRays(rays) => {
            caller.call(d3d12::DispatchRays { device, desc: dispatch(live_buffers, rays) })
        }
        BufferUseLine::BuildStructure(build) => {
            let geometry_descs = build.geometries.iter().map(|one| geometry(live_buffers, one)).collect();
            let desc = build_desc(live_buffers, build);
            caller.call(d3d12::BuildRaytracingAccelerationStructure { device, desc, geometry_descs })
        }
        BufferUseLine::DecodeFrame(bitstream, histograms) => {
            let BufferRange { place, size_bytes } = *bitstream;
            let buffer = live_buffers.resource(place.buffer);
            let compressed_bitstream =
                VideoDecodeCompressedBitstream { buffer, offset_bytes: place.offset_bytes, size_bytes };
            let histogram = |place: &BufferPlace| VideoDecodeOutputHistogram {
                offset_bytes: place.offset_bytes,
                buffer: live_buffers.resource(place.buffer),
            };
            let histograms = histograms.iter().map(histogram).collect();
            caller.call(d3d12::DecodeFrame1 { device, compressed_bitstream, histograms })
        }
    }
}

fn at(live_buffers: &impl LiveBuffers, place: Option<BufferPlace>) -> GpuVirtualAddress {
    // The reader has checked that the offset is inside the buffer.
    let address = |place: BufferPlace| live_buffers.address(place.buffer).saturating_add(place.offset_bytes);
    GpuVirtualAddress(place.map_or(0, address))
}

fn srv(desc: ViewDesc) -> ShaderResourceViewDesc {
    ShaderResourceViewDesc {
        format: Format(desc.format),
        view_dimension: SrvDimension(desc.view_dimension),
        first_element: desc.first_element,
        num_elements: desc.num_elements,
        structure_stride_bytes: desc.structure_stride,
        flags: BufferSrvFlags(desc.flags),
    }
}

fn uav(desc: ViewDesc) -> UnorderedAccessViewDesc {
    UnorderedAccessViewDesc {
        format: Format(desc.format),
        view_dimension: UavDimension(desc.view_dimension),
        first_element: desc.first_element,
        num_elements: desc.num_elements,
        structure_stride_bytes: desc.structure_stride,
        counter_offset_bytes: desc.counter_offset,
        flags: BufferUavFlags(desc.flags),
    }
}

fn dispatch(live_buffers: &impl LiveBuffers, rays: &RayDispatch) -> DispatchRaysDesc {
    let table = |table: Option<ShaderTable>| GpuVirtualAddressRangeAndStride {
        start_address: at(live_buffers, table.map(|table| table.range.place)),
        size_bytes: table.map_or(0, |table| table.range.size_bytes),
        stride_bytes: table.map_or(0, |table| table.stride_bytes),
    };
    let BufferRange { place, size_bytes } = rays.ray_generation;
    let (width, height, depth) = rays.size;
    DispatchRaysDesc {
        ray_generation_shader_record: GpuVirtualAddressRange {
            start_address: at(live_buffers, Some(place)),
            size_bytes,
        },
        miss_shader_table: table(rays.miss),
        hit_group_table: table(rays.hit_group),
        callable_shader_table: table(rays.callable),
        width,
        height,
        depth,
    }
}

fn build_desc(live_buffers: &impl LiveBuffers, build: &StructureBuild) -> BuildRaytracingAccelerationStructureDesc {
    BuildRaytracingAccelerationStructureDesc {
        dest_acceleration_structure_data: at(live_buffers, Some(build.dest)),
        structure_type: RaytracingAccelerationStructureType(build.structure_type),
        instance_descs: at(live_buffers, build.instances),
        omm_input_buffer: at(live_buffers, build.micromap_input),
        per_omm_descs: at(live_buffers, build.micromap_descs),
        source_acceleration_structure_data: at(live_buffers, build.source),
        scratch_acceleration_structure_data: at(live_buffers, build.scratch),
    }
}

fn geometry(live_buffers: &impl LiveBuffers, geometry: &Geometry) -> RaytracingGeometryDesc {
    RaytracingGeometryDesc {
        geometry_type: RaytracingGeometryType(geometry.geometry_type),
        transform_3x4: at(live_buffers, geometry.transform),
        index_buffer: at(live_buffers, geometry.indices),
        vertex_buffer: at(live_buffers, geometry.vertices),
        aabbs: at(live_buffers, geometry.aabbs),
        opacity_micromap_index_buffer: at(live_buffers, geometry.micromap_indices),
        opacity_micromap_array: at(live_buffers, geometry.micromaps),
    }
}

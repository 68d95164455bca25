//! Buffers that a call binds, and their uses (rule A-17).

use crate::bind::{ShaderResourceViewDesc, UnorderedAccessViewDesc};
use crate::buffer_use::BufferUse;
use crate::code::{
    BufferSrvFlags, BufferUavFlags, RaytracingAccelerationStructureType as StructureType,
    RaytracingGeometryType as GeometryType, SrvDimension, UavDimension,
};
use crate::desc::GpuVirtualAddress;
use crate::families::d3d12;
use crate::id::ResourceId;

/// A buffer, as a call names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundBuffer {
    /// An address in the buffer; 0 is none.
    Address(GpuVirtualAddress),
    /// A handle, which may be that of a texture, or null.
    Resource(ResourceId),
}

/// A call that binds buffers for uses that have an alignment floor.
pub trait BindsBuffers {
    /// The buffers that the call binds, and their uses. Only the members to which the call's type gives a meaning are
    /// read; results and scratch memory of raytracing have no floor.
    fn bound_buffers(&self) -> Vec<(BoundBuffer, BufferUse)>;
}

fn at(address: GpuVirtualAddress, usage: BufferUse) -> (BoundBuffer, BufferUse) {
    (BoundBuffer::Address(address), usage)
}

fn raw_view(resource: ResourceId, is_raw: bool) -> Vec<(BoundBuffer, BufferUse)> {
    if is_raw { vec![(BoundBuffer::Resource(resource), BufferUse::RawView)] } else { Vec::new() }
}

impl BindsBuffers for d3d12::CreateConstantBufferView {
    fn bound_buffers(&self) -> Vec<(BoundBuffer, BufferUse)> {
        self.desc.iter().map(|desc| at(desc.buffer_location, BufferUse::ConstantBufferView)).collect()
    }
}

impl BindsBuffers for d3d12::CreateShaderResourceView {
    fn bound_buffers(&self) -> Vec<(BoundBuffer, BufferUse)> {
        let raw = |desc: &ShaderResourceViewDesc| {
            desc.view_dimension == SrvDimension::BUFFER && desc.flags.contains(BufferSrvFlags::RAW)
        };
        raw_view(self.resource, self.desc.as_ref().is_some_and(raw))
    }
}

impl BindsBuffers for d3d12::CreateUnorderedAccessView {
    fn bound_buffers(&self) -> Vec<(BoundBuffer, BufferUse)> {
        let raw = |desc: &UnorderedAccessViewDesc| {
            desc.view_dimension == UavDimension::BUFFER && desc.flags.contains(BufferUavFlags::RAW)
        };
        raw_view(self.resource, self.desc.as_ref().is_some_and(raw))
    }
}

impl BindsBuffers for d3d12::DispatchRays {
    fn bound_buffers(&self) -> Vec<(BoundBuffer, BufferUse)> {
        let desc = &self.desc;
        let tables = [
            desc.ray_generation_shader_record.start_address,
            desc.miss_shader_table.start_address,
            desc.hit_group_table.start_address,
            desc.callable_shader_table.start_address,
        ];
        tables.map(|table| at(table, BufferUse::ShaderTable)).into()
    }
}

impl BindsBuffers for d3d12::BuildRaytracingAccelerationStructure {
    fn bound_buffers(&self) -> Vec<(BoundBuffer, BufferUse)> {
        let desc = &self.desc;
        let input = |address| at(address, BufferUse::RaytracingBuildInput);
        let micromap = |address| at(address, BufferUse::OpacityMicromap);
        match desc.structure_type {
            StructureType::TOP_LEVEL => vec![input(desc.instance_descs)],
            StructureType::OPACITY_MICROMAP_ARRAY => {
                vec![micromap(desc.omm_input_buffer), micromap(desc.per_omm_descs)]
            }
            StructureType::BOTTOM_LEVEL => {
                let mut bound = Vec::new();
                for geometry in &self.geometry_descs {
                    if geometry.geometry_type == GeometryType::PROCEDURAL_PRIMITIVE_AABBS {
                        bound.push(input(geometry.aabbs));
                    } else {
                        bound
                            .extend([geometry.vertex_buffer, geometry.index_buffer, geometry.transform_3x4].map(input));
                    }
                    if geometry.geometry_type == GeometryType::OMM_TRIANGLES {
                        bound.push(micromap(geometry.opacity_micromap_array));
                        bound.push(input(geometry.opacity_micromap_index_buffer));
                    }
                }
                bound
            }
            _ => Vec::new(),
        }
    }
}

impl BindsBuffers for d3d12::DecodeFrame1 {
    fn bound_buffers(&self) -> Vec<(BoundBuffer, BufferUse)> {
        let bitstream = (self.compressed_bitstream.buffer, BufferUse::VideoBitstream);
        let histograms = self.histograms.iter().map(|histogram| (histogram.buffer, BufferUse::VideoHistogram));
        let bound = std::iter::once(bitstream).chain(histograms);
        bound.map(|(buffer, usage)| (BoundBuffer::Resource(buffer), usage)).collect()
    }
}

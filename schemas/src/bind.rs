//! Descriptors of bound objects: views, shader tables, inputs of raytracing builds, bitstreams.

use crate::code::*;
use crate::desc::{GpuVirtualAddress, descs};
use crate::field::{Field, HandleMap};
use crate::format::Format;
use crate::id::ResourceId;
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::FieldSink;
use serde::{Deserialize, Serialize};

descs! {
    /// `D3D12_CONSTANT_BUFFER_VIEW_DESC`.
    #[derive(Copy)]
    ConstantBufferViewDesc {
        /// D3D12_CONSTANT_BUFFER_VIEW_DESC::BufferLocation.
        buffer_location: GpuVirtualAddress,
        /// D3D12_CONSTANT_BUFFER_VIEW_DESC::SizeInBytes.
        size_bytes: u32 as Size,
    }

    /// `D3D12_SHADER_RESOURCE_VIEW_DESC`, with the union's member for buffers.
    #[derive(Copy)]
    ShaderResourceViewDesc {
        /// D3D12_SHADER_RESOURCE_VIEW_DESC::Format.
        format: Format,
        /// D3D12_SHADER_RESOURCE_VIEW_DESC::ViewDimension.
        view_dimension: SrvDimension,
        /// D3D12_BUFFER_SRV::FirstElement.
        first_element: u64,
        /// D3D12_BUFFER_SRV::NumElements.
        num_elements: u32 as Count,
        /// D3D12_BUFFER_SRV::StructureByteStride, in bytes.
        structure_stride_bytes: u32,
        /// D3D12_BUFFER_SRV::Flags.
        flags: BufferSrvFlags,
    }

    /// `D3D12_UNORDERED_ACCESS_VIEW_DESC`, with the union's member for buffers.
    #[derive(Copy)]
    UnorderedAccessViewDesc {
        /// D3D12_UNORDERED_ACCESS_VIEW_DESC::Format.
        format: Format,
        /// D3D12_UNORDERED_ACCESS_VIEW_DESC::ViewDimension.
        view_dimension: UavDimension,
        /// D3D12_BUFFER_UAV::FirstElement.
        first_element: u64,
        /// D3D12_BUFFER_UAV::NumElements.
        num_elements: u32 as Count,
        /// D3D12_BUFFER_UAV::StructureByteStride, in bytes.
        structure_stride_bytes: u32,
        /// D3D12_BUFFER_UAV::CounterOffsetInBytes.
        counter_offset_bytes: u64 as Offset,
        /// D3D12_BUFFER_UAV::Flags.
        flags: BufferUavFlags,
    }

    /// `D3D12_GPU_VIRTUAL_ADDRESS_RANGE`.
    #[derive(Copy)]
    GpuVirtualAddressRange {
        /// D3D12_GPU_VIRTUAL_ADDRESS_RANGE::StartAddress; 0 is none.
        start_address: GpuVirtualAddress,
        /// D3D12_GPU_VIRTUAL_ADDRESS_RANGE::SizeInBytes.
        size_bytes: u64 as Size,
    }

    /// `D3D12_GPU_VIRTUAL_ADDRESS_RANGE_AND_STRIDE`.
    #[derive(Copy)]
    GpuVirtualAddressRangeAndStride {
        /// D3D12_GPU_VIRTUAL_ADDRESS_RANGE_AND_STRIDE::StartAddress; 0 is none.
        start_address: GpuVirtualAddress,
        /// D3D12_GPU_VIRTUAL_ADDRESS_RANGE_AND_STRIDE::SizeInBytes.
        size_bytes: u64 as Size,
        /// D3D12_GPU_VIRTUAL_ADDRESS_RANGE_AND_STRIDE::StrideInBytes.
        stride_bytes: u64,
    }

    /// `D3D12_DISPATCH_RAYS_DESC`.
    #[derive(Copy)]
    DispatchRaysDesc {
        /// D3D12_DISPATCH_RAYS_DESC::RayGenerationShaderRecord.
        ray_generation_shader_record: GpuVirtualAddressRange,
        /// D3D12_DISPATCH_RAYS_DESC::MissShaderTable.
        miss_shader_table: GpuVirtualAddressRangeAndStride,
        /// D3D12_DISPATCH_RAYS_DESC::HitGroupTable.
        hit_group_table: GpuVirtualAddressRangeAndStride,
        /// D3D12_DISPATCH_RAYS_DESC::CallableShaderTable.
        callable_shader_table: GpuVirtualAddressRangeAndStride,
        /// D3D12_DISPATCH_RAYS_DESC::Width, in rays.
        width: u32 as Extent,
        /// D3D12_DISPATCH_RAYS_DESC::Height, in rays.
        height: u32 as Extent,
        /// D3D12_DISPATCH_RAYS_DESC::Depth, in rays.
        depth: u32 as Extent,
    }

    /// `D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_DESC` without its geometries, which are a separate argument.
    #[derive(Copy)]
    BuildRaytracingAccelerationStructureDesc {
        /// D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_DESC::DestAccelerationStructureData.
        dest_acceleration_structure_data: GpuVirtualAddress,
        /// D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS::Type.
        structure_type: RaytracingAccelerationStructureType,
        /// D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS::InstanceDescs, of a top level.
        instance_descs: GpuVirtualAddress,
        /// D3D12_RAYTRACING_OPACITY_MICROMAP_ARRAY_DESC::InputBuffer, of an array of opacity micromaps.
        omm_input_buffer: GpuVirtualAddress,
        /// D3D12_RAYTRACING_OPACITY_MICROMAP_ARRAY_DESC::PerOmmDescs.StartAddress.
        per_omm_descs: GpuVirtualAddress,
        /// D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_DESC::SourceAccelerationStructureData.
        source_acceleration_structure_data: GpuVirtualAddress,
        /// D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_DESC::ScratchAccelerationStructureData.
        scratch_acceleration_structure_data: GpuVirtualAddress,
    }

    /// `D3D12_RAYTRACING_GEOMETRY_DESC`: the addresses of its union's members; 0 is none.
    #[derive(Copy)]
    RaytracingGeometryDesc {
        /// D3D12_RAYTRACING_GEOMETRY_DESC::Type.
        geometry_type: RaytracingGeometryType,
        /// D3D12_RAYTRACING_GEOMETRY_TRIANGLES_DESC::Transform3x4.
        transform_3x4: GpuVirtualAddress,
        /// D3D12_RAYTRACING_GEOMETRY_TRIANGLES_DESC::IndexBuffer.
        index_buffer: GpuVirtualAddress,
        /// D3D12_RAYTRACING_GEOMETRY_TRIANGLES_DESC::VertexBuffer.StartAddress.
        vertex_buffer: GpuVirtualAddress,
        /// D3D12_RAYTRACING_GEOMETRY_AABBS_DESC::AABBs.StartAddress.
        aabbs: GpuVirtualAddress,
        /// D3D12_RAYTRACING_GEOMETRY_OMM_LINKAGE_DESC::OpacityMicromapIndexBuffer.StartAddress.
        opacity_micromap_index_buffer: GpuVirtualAddress,
        /// D3D12_RAYTRACING_GEOMETRY_OMM_LINKAGE_DESC::OpacityMicromapArray.
        opacity_micromap_array: GpuVirtualAddress,
    }

    /// `D3D12_VIDEO_DECODE_COMPRESSED_BITSTREAM` (d3d12video.h).
    #[derive(Copy)]
    VideoDecodeCompressedBitstream {
        /// D3D12_VIDEO_DECODE_COMPRESSED_BITSTREAM::pBuffer.
        buffer: ResourceId,
        /// D3D12_VIDEO_DECODE_COMPRESSED_BITSTREAM::Offset, in bytes.
        offset_bytes: u64 as Offset,
        /// D3D12_VIDEO_DECODE_COMPRESSED_BITSTREAM::Size, in bytes.
        size_bytes: u64 as Size,
    }

    /// `D3D12_VIDEO_DECODE_OUTPUT_HISTOGRAM` (d3d12video.h).
    #[derive(Copy)]
    VideoDecodeOutputHistogram {
        /// D3D12_VIDEO_DECODE_OUTPUT_HISTOGRAM::Offset, in bytes.
        offset_bytes: u64 as Offset,
        /// D3D12_VIDEO_DECODE_OUTPUT_HISTOGRAM::pBuffer.
        buffer: ResourceId,
    }
}

//! Descriptors of d3d12.h and d3d12umddi.h. Each member is documented with its header name.

use crate::code::*;
use crate::field::{Field, HandleMap};
use crate::format::Format;
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{FieldKind, FieldSink, Role};
use serde::{Deserialize, Serialize};

macro_rules! descs {
    ($( $(#[$meta:meta])* $Name:ident { $( #[doc = $doc:literal] $field:ident $(was $was:ident)*: $ty:ty $(as $role:ident)?, )* } )*) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
        pub struct $Name {
            $( #[doc = $doc] pub $field: $ty, )*
        }

        $crate::field_ref::fields!($Name { $( #[doc = $doc] $field: $ty, )* });

        impl Field for $Name {
            const MIN_BYTES: usize = 0 $( + <$ty as Field>::MIN_BYTES )*;
            fn describe(sink: &mut FieldSink) {
                $(
                    $( sink.was(stringify!($was)); )*
                    sink.member_as(
                        stringify!($field), $doc, $crate::schema::role!($($role)?), <$ty as Field>::describe,
                    );
                )*
            }
            fn encode(&self, encoder: &mut Encoder<'_>) {
                $( self.$field.encode(encoder); )*
            }
            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
                Ok(Self { $( $field: Field::decode(decoder)?, )* })
            }
            #[inline]
            fn from_numbers(numbers: &mut impl Iterator<Item = u64>) -> Option<Self> {
                Some(Self { $( $field: Field::from_numbers(numbers)?, )* })
            }
            fn map_handles(&mut self, map: &mut dyn HandleMap) {
                $( self.$field.map_handles(map); )*
            }
            fn visit_objects(&self, visit: &mut dyn FnMut($crate::identity::ObjectId)) {
                $( self.$field.visit_objects(visit); )*
            }
        }
    )* };
}
pub(crate) use descs;

descs! {
    /// `D3D12_RESOURCE_DESC`, and `D3D12_RESOURCE_DESC1` without its mip region, which is a separate argument of its
    /// calls.
    #[derive(Copy)]
    ResourceDesc {
        /// D3D12_RESOURCE_DESC::Dimension.
        dimension: Dimension,
        /// D3D12_RESOURCE_DESC::Alignment, in bytes; 0 is the default.
        alignment_bytes: u64 as Alignment,
        /// D3D12_RESOURCE_DESC::Width, in texels; a buffer's size in bytes.
        width: u64 as Extent,
        /// D3D12_RESOURCE_DESC::Height, in texels.
        height: u32 as Extent,
        /// D3D12_RESOURCE_DESC::DepthOrArraySize.
        depth_or_array_size: u16 as Extent,
        /// D3D12_RESOURCE_DESC::MipLevels; 0 is the full chain.
        mip_levels: u16 as Count,
        /// D3D12_RESOURCE_DESC::Format.
        format: Format,
        /// D3D12_RESOURCE_DESC::SampleDesc.Count.
        sample_count: u32 as Count,
        /// D3D12_RESOURCE_DESC::SampleDesc.Quality.
        sample_quality: u32 as Count,
        /// D3D12_RESOURCE_DESC::Layout.
        layout: TextureLayout,
        /// D3D12_RESOURCE_DESC::Flags.
        flags: ResourceFlags,
    }

    /// `D3D12_MIP_REGION`, of `D3D12_RESOURCE_DESC1::SamplerFeedbackMipRegion`.
    #[derive(Copy)]
    MipRegion {
        /// D3D12_MIP_REGION::Width, in texels.
        width: u32 as Extent,
        /// D3D12_MIP_REGION::Height, in texels.
        height: u32 as Extent,
        /// D3D12_MIP_REGION::Depth, in texels.
        depth: u32 as Extent,
    }

    /// `D3D12_HEAP_PROPERTIES`.
    #[derive(Copy)]
    HeapProperties {
        /// D3D12_HEAP_PROPERTIES::Type.
        heap_type: HeapType,
        /// D3D12_HEAP_PROPERTIES::CPUPageProperty.
        cpu_page_property: CpuPageProperty,
        /// D3D12_HEAP_PROPERTIES::MemoryPoolPreference.
        memory_pool: MemoryPool,
        /// D3D12_HEAP_PROPERTIES::CreationNodeMask.
        creation_node_mask: u32 as Flags,
        /// D3D12_HEAP_PROPERTIES::VisibleNodeMask.
        visible_node_mask: u32 as Flags,
    }

    /// `D3D12_HEAP_DESC`.
    #[derive(Copy)]
    HeapDesc {
        /// D3D12_HEAP_DESC::SizeInBytes.
        size_bytes: u64 as Size,
        /// D3D12_HEAP_DESC::Properties.
        properties: HeapProperties,
        /// D3D12_HEAP_DESC::Alignment, in bytes; 0 is 64 KiB.
        alignment_bytes: u64 as Alignment,
        /// D3D12_HEAP_DESC::Flags.
        flags: HeapFlags,
    }

    /// `D3D12_CLEAR_VALUE`.
    #[derive(Copy)]
    ClearValue {
        /// D3D12_CLEAR_VALUE::Format.
        format: Format,
        /// First word of the colour or depth-stencil union, as bits.
        word0: u32,
        /// Second word of the union.
        word1: u32,
        /// Third word of the union.
        word2: u32,
        /// Fourth word of the union.
        word3: u32,
    }

    /// `D3D12_RANGE`, in bytes.
    #[derive(Copy)]
    MemoryRange {
        /// D3D12_RANGE::Begin.
        begin: u64 as Offset,
        /// D3D12_RANGE::End.
        end: u64 as Offset,
    }

    /// `D3D12_RESOURCE_ALLOCATION_INFO`.
    #[derive(Copy)]
    AllocationInfo {
        /// D3D12_RESOURCE_ALLOCATION_INFO::SizeInBytes; UINT64_MAX for an invalid description.
        size_bytes: u64 as Size,
        /// D3D12_RESOURCE_ALLOCATION_INFO::Alignment, in bytes.
        alignment_bytes: u64 as Alignment,
    }

    /// `D3D12_RESOURCE_ALLOCATION_INFO1`.
    #[derive(Copy)]
    AllocationInfo1 {
        /// D3D12_RESOURCE_ALLOCATION_INFO1::Offset, in bytes.
        offset_bytes: u64 as Offset,
        /// D3D12_RESOURCE_ALLOCATION_INFO1::Alignment, in bytes.
        alignment_bytes: u64 as Alignment,
        /// D3D12_RESOURCE_ALLOCATION_INFO1::SizeInBytes.
        size_bytes: u64 as Size,
    }

    /// The result of GetResourceAllocationInfo1 to 3.
    AllocationInfos {
        /// D3D12_RESOURCE_ALLOCATION_INFO::SizeInBytes of the whole; UINT64_MAX if any description is invalid.
        size_bytes: u64 as Size,
        /// D3D12_RESOURCE_ALLOCATION_INFO::Alignment of the whole, in bytes.
        alignment_bytes: u64 as Alignment,
        /// pResourceAllocationInfo1: one element per description; empty if the pointer is null.
        infos: Vec<AllocationInfo1>,
    }

    /// `D3D12_PLACED_SUBRESOURCE_FOOTPRINT`, with the subresource's elements of pNumRows and pRowSizeInBytes.
    #[derive(Copy)]
    CopyableFootprint {
        /// D3D12_PLACED_SUBRESOURCE_FOOTPRINT::Offset, in bytes.
        offset_bytes: u64 as Offset,
        /// D3D12_SUBRESOURCE_FOOTPRINT::Format.
        format: Format,
        /// D3D12_SUBRESOURCE_FOOTPRINT::Width, in texels, whole units of the format.
        width: u32 as Extent,
        /// D3D12_SUBRESOURCE_FOOTPRINT::Height, in texels, whole units of the format.
        height: u32 as Extent,
        /// D3D12_SUBRESOURCE_FOOTPRINT::Depth, in texels.
        depth: u32 as Extent,
        /// D3D12_SUBRESOURCE_FOOTPRINT::RowPitch, in bytes.
        row_pitch_bytes: u32,
        /// pNumRows: rows of units.
        num_rows: u32 as Count,
        /// pRowSizeInBytes: bytes of a row, without padding.
        row_size_bytes: u64 as Size,
    }

    /// The result of GetCopyableFootprints.
    CopyableFootprints {
        /// pTotalBytes; UINT64_MAX for an invalid description or range of subresources.
        total_bytes: u64 as Size,
        /// pLayouts, pNumRows and pRowSizeInBytes: one element per subresource; empty where the total is UINT64_MAX.
        layouts: Vec<CopyableFootprint>,
    }

    /// `D3D12DDIARG_CREATEHEAP_0001`.
    #[derive(Copy)]
    DdiHeapDesc {
        /// D3D12DDIARG_CREATEHEAP_0001::ByteSize.
        size_bytes: u64 as Size,
        /// D3D12DDIARG_CREATEHEAP_0001::Alignment, in bytes.
        alignment_bytes: u64 as Alignment,
        /// D3D12DDIARG_CREATEHEAP_0001::MemoryPool, numbered as the API does.
        memory_pool: MemoryPool,
        /// D3D12DDIARG_CREATEHEAP_0001::CPUPageProperty, numbered as the API does.
        cpu_page_property: CpuPageProperty,
        /// D3D12DDIARG_CREATEHEAP_0001::Flags.
        flags: DdiHeapFlags,
        /// D3D12DDIARG_CREATEHEAP_0001::CreationNodeMask.
        creation_node_mask: u32 as Flags,
        /// D3D12DDIARG_CREATEHEAP_0001::VisibleNodeMask.
        visible_node_mask: u32 as Flags,
    }

    /// `D3D12DDIARG_CREATERESOURCE_0088`, and the resource's offset in its heap.
    #[derive(Copy)]
    DdiResourceDesc {
        /// D3D12DDIARG_CREATERESOURCE_0088::ResourceType.
        dimension: Dimension,
        /// D3D12DDIARG_CREATERESOURCE_0088::Width, in texels; a buffer's size in bytes.
        width: u64 as Extent,
        /// D3D12DDIARG_CREATERESOURCE_0088::Height, in texels.
        height: u32 as Extent,
        /// D3D12DDIARG_CREATERESOURCE_0088::DepthOrArraySize.
        depth_or_array_size: u16 as Extent,
        /// D3D12DDIARG_CREATERESOURCE_0088::MipLevels; the runtime has resolved 0 to the full chain.
        mip_levels: u16 as Count,
        /// D3D12DDIARG_CREATERESOURCE_0088::Format.
        format: Format,
        /// D3D12DDIARG_CREATERESOURCE_0088::SampleDesc.Count.
        sample_count: u32 as Count,
        /// D3D12DDIARG_CREATERESOURCE_0088::SampleDesc.Quality.
        sample_quality: u32 as Count,
        /// D3D12DDIARG_CREATERESOURCE_0088::Layout.
        layout: TextureLayout,
        /// D3D12DDIARG_CREATERESOURCE_0088::Flags.
        flags: DdiResourceFlags,
        /// D3D12DDIARG_CREATERESOURCE_0088::ReuseBufferGPUVA.BaseAddress: offset in the heap, in bytes.
        heap_offset_bytes: u64 as Offset,
    }

    /// The result of GetSupportedVersions.
    SupportedVersions {
        /// pSupportedDDIInterfaceVersions: the DDI's four-digit build versions, such as 115 for 0115.
        versions: Vec<u32>,
    }

    /// `D3D12DDI_RESOURCE_ALLOCATION_INFO_0022`, without compression data, which no driver model has.
    #[derive(Copy)]
    DdiAllocationInfo {
        /// D3D12DDI_RESOURCE_ALLOCATION_INFO_0022::ResourceDataSize, in bytes.
        size_bytes: u64 as Size,
        /// D3D12DDI_RESOURCE_ALLOCATION_INFO_0022::ResourceDataAlignment, in bytes.
        alignment_bytes: u64 as Alignment,
        /// D3D12DDI_RESOURCE_ALLOCATION_INFO_0022::Layout: the layout the driver chose.
        layout: TextureLayout,
    }
}

impl ResourceDesc {
    /// Describes a buffer of `width` bytes, without flags. d3dx12.h: CD3DX12_RESOURCE_DESC::Buffer.
    pub fn buffer(width: u64) -> ResourceDesc {
        ResourceDesc {
            dimension: Dimension::BUFFER,
            width,
            height: 1,
            depth_or_array_size: 1,
            mip_levels: 1,
            sample_count: 1,
            layout: TextureLayout::ROW_MAJOR,
            ..ResourceDesc::default()
        }
    }
}

macro_rules! addresses {
    ($( $(#[$meta:meta])* $Name:ident $(= $map:ident)?; )*) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
        pub struct $Name(pub u64);

        impl Field for $Name {
            const MIN_BYTES: usize = 8;
            fn describe(sink: &mut FieldSink) {
                sink.named_or("address", "The simulated address.", |sink| sink.scalar(8, Role::Address, None));
            }
            fn encode(&self, encoder: &mut Encoder<'_>) {
                encoder.u64(self.0);
            }
            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
                Ok(Self(decoder.u64()?))
            }
            fn map_handles(&mut self, map: &mut dyn HandleMap) {
                $( self.0 = map.$map(self.0); )?
                let _ = map;
            }
        }
    )* };
}

addresses! {
    /// `D3D12_GPU_VIRTUAL_ADDRESS`; 0 for a resource without one.
    GpuVirtualAddress = gpu_address;
    /// A driver's handle: the simulated address of the memory that the runtime allocated for it.
    DriverHandle;
    /// `D3D12_CPU_DESCRIPTOR_HANDLE`; 0 is no descriptor.
    CpuDescriptorHandle;
    /// `D3D12_GPU_DESCRIPTOR_HANDLE`; 0 is no descriptor.
    GpuDescriptorHandle;
    /// A simulated address of the processor; the front end owns the memory there.
    CpuAddress;
}

macro_rules! blobs {
    ($( $(#[$meta:meta])* $Name:ident = $doc:literal; )*) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
        pub struct $Name(pub Vec<u8>);

        impl Field for $Name {
            const MIN_BYTES: usize = 4;
            fn describe(sink: &mut FieldSink) {
                sink.named_or("data", $doc, |sink| sink.bytes(FieldKind::Bytes));
            }
            fn encode(&self, encoder: &mut Encoder<'_>) {
                encoder.bytes(&self.0);
            }
            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
                Ok(Self(decoder.bytes()?.to_vec()))
            }
        }
    )* };
}

blobs! {
    /// `pFeatureSupportData` after a successful call.
    FeatureData = "pFeatureSupportData after the call.";
    /// `D3D12DDIARG_GETCAPS::pData` after a successful call.
    CapsData = "D3D12DDIARG_GETCAPS::pData after the call.";
}

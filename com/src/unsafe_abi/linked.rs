//! Structures of the headers with pointers.

use super::instance::Interface;
use super::plain::{IndirectArgument, PlacedFootprint, Plain, Rect};
use super::pointer::In;

impl ResourceBarrier {
    /// Aliasing barrier with the same bytes.
    pub fn aliasing(self) -> AliasingBarrier {
        // SAFETY: both have the same size, and any bytes are a value of either.
        unsafe { std::mem::transmute(self) }
    }
}

impl RootParameter {
    /// Words of the union's other members: registers, spaces, numbers and flags.
    pub fn words(self) -> [u32; 3] {
        let word = |offset| In::of(&self).value_at(offset).unwrap_or_default();
        [word(8), word(12), word(16)]
    }
}

macro_rules! linked {
    ($( $(#[$meta:meta])* $Name:ident = $size:literal { $( $field:ident: $ty:ty, )* } )*) => { $(
        $(#[$meta])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy)]
        pub struct $Name { $( pub $field: $ty, )* }

        const _: () = assert!(size_of::<$Name>() == $size);

        // SAFETY: all members are integers or pointers, in C's layout; a pointer is followed as its type permits.
        unsafe impl Plain for $Name {}
    )* };
}

linked! {
    /// D3D12_TEXTURE_COPY_LOCATION. A subresource's index is the first member of the footprint.
    TextureCopyLocation = 48 { resource: Interface, copy_type: u32, padding: u32, footprint: PlacedFootprint, }
    /// D3D12_RESOURCE_BARRIER of a transition or for unordered access.
    ResourceBarrier = 32 {
        barrier_type: u32, flags: u32, resource: Interface, subresource: u32, state_before: u32, state_after: u32,
        padding: u32,
    }
    /// D3D12_RESOURCE_BARRIER of aliasing.
    AliasingBarrier = 32 {
        barrier_type: u32, flags: u32, resource_before: Interface, resource_after: Interface, padding: u64,
    }
    /// D3D12_DISCARD_REGION.
    DiscardRegion = 24 {
        num_rects: u32, padding: u32, rects: In<Rect>, first_subresource: u32, num_subresources: u32,
    }
    /// D3D12_COMMAND_SIGNATURE_DESC.
    CommandSignatureDesc = 24 {
        stride: u32, num_arguments: u32, arguments: In<IndirectArgument>, node_mask: u32, padding: u32,
    }
    /// D3D12_SHADER_BYTECODE.
    ShaderBytecode = 16 { bytes: In<u8>, size: usize, }
    /// D3D12_ROOT_SIGNATURE_DESC and its later versions, whose elements have their own sizes.
    RootSignatureDesc = 40 {
        num_parameters: u32, padding: u32, parameters: In<RootParameter>, num_static_samplers: u32, sampler_padding: u32,
        static_samplers: In<u8>, flags: u32, end_padding: u32,
    }
    /// D3D12_VERSIONED_ROOT_SIGNATURE_DESC.
    VersionedRootSignatureDesc = 48 { version: u32, padding: u32, desc: RootSignatureDesc, }
    /// D3D12_ROOT_PARAMETER and D3D12_ROOT_PARAMETER1, with the union's member for descriptor tables.
    RootParameter = 32 {
        parameter_type: u32, padding: u32, num_ranges: u32, union_padding: u32, ranges: In<u8>, visibility: u32,
        end_padding: u32,
    }
    /// D3D12_PIPELINE_STATE_STREAM_DESC.
    PipelineStreamDesc = 16 { size: usize, subobjects: In<u8>, }
    /// First members of D3D12_GRAPHICS_PIPELINE_STATE_DESC: vertex, pixel, domain, hull and geometry shader.
    GraphicsPipelineHead = 88 { root_signature: Interface, shaders: [ShaderBytecode; 5], }
    /// First members of D3D12_COMPUTE_PIPELINE_STATE_DESC.
    ComputePipelineHead = 24 { root_signature: Interface, shader: ShaderBytecode, }
}

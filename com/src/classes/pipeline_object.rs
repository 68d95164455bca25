//! Descriptor heaps, root signatures, pipeline states, query heaps, command signatures.

use super::blob::Blob;
use super::child::child;
use super::hold::DeviceHold;
use super::private_data::PrivateData;
use crate::convert_list;
use crate::interfaces::{ID3D12DescriptorHeap, ID3D12Pageable};
use crate::unsafe_abi::{CpuDescriptor, DescriptorHeapDesc, GpuDescriptor, Hresult, Interface, OutPointer, give};
use taut_schemas::{CommandSignatureId, DescriptorHeapId, PipelineStateId, QueryHeapId, RootSignatureId, d3d12};

macro_rules! objects {
    ($( $(#[$meta:meta])* $Class:ident: $Table:ident of [$($Interface:ident),*], $Id:ident, $Release:ident $field:ident; )*) => { $(
        $(#[$meta])*
        pub struct $Class {
            pub device: &'static DeviceHold,
            pub data: PrivateData,
            pub id: $Id,
        }

        child!($Class: $Table of [$($Interface),*], object |object| object.id.into(), release |object| {
            let _ = object.device.world.call(d3d12::$Release { $field: object.id });
        });

        impl $Class {
            /// The id of an object that may be NULL; `None` for another interface.
            #[allow(dead_code)]
            pub fn optional(interface: Interface) -> Option<$Id> {
                match interface.class::<$Class>() {
                    Some(object) => Some(object.id),
                    None => interface.is_null().then_some($Id::NULL),
                }
            }
        }
    )* };
}

objects! {
    /// ID3D12RootSignature.
    RootSignature: ID3D12RootSignatureTable of [ID3D12RootSignature],
        RootSignatureId, ReleaseRootSignature root_signature;
    /// ID3D12PipelineState.
    PipelineState: ID3D12PipelineStateTable of [ID3D12Pageable, ID3D12PipelineState],
        PipelineStateId, ReleasePipelineState pipeline_state;
    /// ID3D12QueryHeap.
    QueryHeap: ID3D12QueryHeapTable of [ID3D12Pageable, ID3D12QueryHeap],
        QueryHeapId, ReleaseQueryHeap query_heap;
    /// ID3D12CommandSignature.
    CommandSignature: ID3D12CommandSignatureTable of [ID3D12Pageable, ID3D12CommandSignature],
        CommandSignatureId, ReleaseCommandSignature command_signature;
    /// ID3D12DescriptorHeap.
    DescriptorHeap: ID3D12DescriptorHeapTable of [ID3D12Pageable, ID3D12DescriptorHeap],
        DescriptorHeapId, ReleaseDescriptorHeap descriptor_heap;
}

impl crate::interfaces::ID3D12RootSignature for RootSignature {}
impl ID3D12Pageable for PipelineState {}

/// Contents of each cached pipeline state: no code is compiled, and a creation does not read it.
const CACHED_STATE: &[u8] = b"taut pipeline state\0";

impl crate::interfaces::ID3D12PipelineState for PipelineState {
    fn get_cached_blob(&self, out: OutPointer) -> Hresult {
        give(Blob::new(CACHED_STATE.to_vec()), Some(Blob::ID), out)
    }
}

impl ID3D12Pageable for QueryHeap {}
impl crate::interfaces::ID3D12QueryHeap for QueryHeap {}
impl ID3D12Pageable for CommandSignature {}
impl crate::interfaces::ID3D12CommandSignature for CommandSignature {}
impl ID3D12Pageable for DescriptorHeap {}

impl ID3D12DescriptorHeap for DescriptorHeap {
    fn get_desc(&self) -> DescriptorHeapDesc {
        let desc = self.device.world.call(d3d12::GetDescriptorHeapDesc { descriptor_heap: self.id });
        desc.map(convert_list::header_descriptor_heap).unwrap_or_default()
    }

    fn get_cpu_descriptor_handle_for_heap_start(&self) -> CpuDescriptor {
        let get = d3d12::GetCPUDescriptorHandleForHeapStart { descriptor_heap: self.id };
        CpuDescriptor { address: self.device.world.call(get).map_or(0, |descriptor| descriptor.0 as usize) }
    }

    fn get_gpu_descriptor_handle_for_heap_start(&self) -> GpuDescriptor {
        let get = d3d12::GetGPUDescriptorHandleForHeapStart { descriptor_heap: self.id };
        GpuDescriptor { address: self.device.world.call(get).map_or(0, |descriptor| descriptor.0) }
    }
}

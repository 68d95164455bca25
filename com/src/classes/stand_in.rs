//! Objects that the runtime does not know yet. They exist so that clients run; the methods that create them are counted
//! as unsupported.

use super::child::child;
use super::hold::DeviceHold;
use crate::interfaces::{ID3D12DescriptorHeap, ID3D12DescriptorHeapTable, ID3D12Pageable};
use crate::unsafe_abi::{CpuDescriptor, DescriptorHeapDesc, GpuDescriptor};
use std::sync::atomic::{AtomicU64, Ordering};
use taut_schemas::ObjectId;

/// Size of a descriptor of any type, in bytes.
pub const DESCRIPTOR_BYTES: u32 = 32;

/// D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE.
const SHADER_VISIBLE: u32 = 1;

/// ID3D12DescriptorHeap.
pub struct DescriptorHeap {
    pub device: &'static DeviceHold,
    desc: DescriptorHeapDesc,
    /// First address. Nothing is stored there.
    address: u64,
}

impl DescriptorHeap {
    /// Creates a heap, with addresses that no other heap of the process has.
    pub fn new(device: &'static DeviceHold, desc: DescriptorHeapDesc) -> DescriptorHeap {
        static NEXT_ADDRESS: AtomicU64 = AtomicU64::new(1 << 32);
        let bytes = u64::from(desc.num_descriptors) * u64::from(DESCRIPTOR_BYTES);
        DescriptorHeap { device, desc, address: NEXT_ADDRESS.fetch_add(bytes, Ordering::Relaxed) }
    }
}

child!(
    DescriptorHeap: ID3D12DescriptorHeapTable of [ID3D12Pageable, ID3D12DescriptorHeap],
    object |_| ObjectId::NULL,
    release |_| ()
);

impl ID3D12Pageable for DescriptorHeap {}

impl ID3D12DescriptorHeap for DescriptorHeap {
    fn get_desc(&self) -> DescriptorHeapDesc {
        ID3D12DescriptorHeapTable::get_desc().count();
        self.desc
    }

    fn get_cpu_descriptor_handle_for_heap_start(&self) -> CpuDescriptor {
        ID3D12DescriptorHeapTable::get_cpu_descriptor_handle_for_heap_start().count();
        CpuDescriptor { address: self.address as usize }
    }

    fn get_gpu_descriptor_handle_for_heap_start(&self) -> GpuDescriptor {
        ID3D12DescriptorHeapTable::get_gpu_descriptor_handle_for_heap_start().count();
        let is_visible = self.desc.flags & SHADER_VISIBLE != 0;
        GpuDescriptor { address: if is_visible { self.address } else { 0 } }
    }
}

macro_rules! stand_ins {
    ($( $(#[$meta:meta])* $Class:ident: $Table:ident of [$($Interface:ident),*]; )*) => { $(
        $(#[$meta])*
        pub struct $Class {
            pub device: &'static DeviceHold,
        }

        child!($Class: $Table of [$($Interface),*], object |_| ObjectId::NULL, release |_| ());

        $( impl crate::interfaces::$Interface for $Class {} )*
    )* };
}

stand_ins! {
    /// ID3D12RootSignature.
    RootSignature: ID3D12RootSignatureTable of [ID3D12RootSignature];
    /// ID3D12PipelineState.
    PipelineState: ID3D12PipelineStateTable of [ID3D12Pageable, ID3D12PipelineState];
    /// ID3D12QueryHeap.
    QueryHeap: ID3D12QueryHeapTable of [ID3D12Pageable, ID3D12QueryHeap];
    /// ID3D12CommandSignature.
    CommandSignature: ID3D12CommandSignatureTable of [ID3D12Pageable, ID3D12CommandSignature];
}

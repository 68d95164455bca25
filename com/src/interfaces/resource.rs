//! d3d12.h, memory, fences and descriptors. Written by tools/interfaces.py.

use super::define::interface;
use super::{ID3D12Pageable, ID3D12PageableTable};
use crate::unsafe_abi::{
    CopyBox, CpuDescriptor, DescriptorHeapDesc, EventFd, GpuDescriptor, HeapDesc, HeapProperties, Hresult, In, Out,
    OutPointer, Range, ResourceDesc,
};

interface! {
    /// ID3D12Heap.
    ID3D12Heap / ID3D12HeapTable: ID3D12Pageable / ID3D12PageableTable = 0x6b3b2502_6e51_45b3_90ee_9884265e8df3 {
        8 get_desc GetDesc() => HeapDesc;
    }
}

interface! {
    /// ID3D12Resource.
    ID3D12Resource / ID3D12ResourceTable: ID3D12Pageable / ID3D12PageableTable = 0x696442be_a72e_4059_bc79_5b5c98040fad {
        8 map Map(subresource: u32, p_read_range: In<Range>, pp_data: OutPointer) -> Hresult;
        9 unmap Unmap(subresource: u32, p_written_range: In<Range>) -> ();
        10 get_desc GetDesc() => ResourceDesc;
        11 get_gpu_virtual_address GetGPUVirtualAddress() -> u64;
        12 write_to_subresource WriteToSubresource(dst_subresource: u32, p_dst_box: In<CopyBox>, p_src_data: In<u8>, src_row_pitch: u32, src_depth_pitch: u32) -> Hresult;
        13 read_from_subresource ReadFromSubresource(p_dst_data: Out<u8>, dst_row_pitch: u32, dst_depth_pitch: u32, src_subresource: u32, p_src_box: In<CopyBox>) -> Hresult;
        14 get_heap_properties GetHeapProperties(p_heap_properties: Out<HeapProperties>, p_heap_flags: Out<u32>) -> Hresult;
    }
}

interface! {
    /// ID3D12Fence.
    ID3D12Fence / ID3D12FenceTable: ID3D12Pageable / ID3D12PageableTable = 0x0a753dcf_c4d8_4b91_adf6_be5a60d95a76 {
        8 get_completed_value GetCompletedValue() -> u64;
        9 set_event_on_completion SetEventOnCompletion(value: u64, h_event: EventFd) -> Hresult;
        10 signal Signal(value: u64) -> Hresult;
    }
}

interface! {
    /// ID3D12DescriptorHeap.
    ID3D12DescriptorHeap / ID3D12DescriptorHeapTable: ID3D12Pageable / ID3D12PageableTable = 0x8efb471d_616c_4f49_90f7_127bb763fa51 {
        8 get_desc GetDesc() => DescriptorHeapDesc;
        9 get_cpu_descriptor_handle_for_heap_start GetCPUDescriptorHandleForHeapStart() => CpuDescriptor;
        10 get_gpu_descriptor_handle_for_heap_start GetGPUDescriptorHandleForHeapStart() => GpuDescriptor;
    }
}

//! d3d12.h, queues and allocators. Written by tools/interfaces.py.

use super::define::interface;
use super::{ID3D12Pageable, ID3D12PageableTable};
use crate::unsafe_abi::{CommandQueueDesc, Hresult, In, Interface, Opaque, Out, TileRegionSize, TiledCoordinate};

interface! {
    /// ID3D12CommandQueue.
    ID3D12CommandQueue / ID3D12CommandQueueTable: ID3D12Pageable / ID3D12PageableTable = 0x0ec870a6_5d7e_4c22_8cfc_5baae07616ed {
        8 update_tile_mappings UpdateTileMappings(p_resource: Interface, num_resource_regions: u32, p_resource_region_start_coordinates: In<TiledCoordinate>, p_resource_region_sizes: In<TileRegionSize>, p_heap: Interface, num_ranges: u32, p_range_flags: Opaque, p_heap_range_start_offsets: In<u32>, p_range_tile_counts: In<u32>, flags: u32) -> ();
        9 copy_tile_mappings CopyTileMappings(p_dst_resource: Interface, p_dst_region_start_coordinate: In<TiledCoordinate>, p_src_resource: Interface, p_src_region_start_coordinate: In<TiledCoordinate>, p_region_size: In<TileRegionSize>, flags: u32) -> ();
        10 execute_command_lists ExecuteCommandLists(num_command_lists: u32, pp_command_lists: In<Interface>) -> ();
        11 set_marker SetMarker(metadata: u32, p_data: In<u8>, size: u32) -> ();
        12 begin_event BeginEvent(metadata: u32, p_data: In<u8>, size: u32) -> ();
        13 end_event EndEvent() -> ();
        14 signal Signal(p_fence: Interface, value: u64) -> Hresult;
        15 wait Wait(p_fence: Interface, value: u64) -> Hresult;
        16 get_timestamp_frequency GetTimestampFrequency(p_frequency: Out<u64>) -> Hresult;
        17 get_clock_calibration GetClockCalibration(p_gpu_timestamp: Out<u64>, p_cpu_timestamp: Out<u64>) -> Hresult;
        18 get_desc GetDesc() => CommandQueueDesc;
    }
}

interface! {
    /// ID3D12CommandAllocator.
    ID3D12CommandAllocator / ID3D12CommandAllocatorTable: ID3D12Pageable / ID3D12PageableTable = 0x6102dee4_af59_4b09_b999_b44d73f09b24 {
        8 reset Reset() -> Hresult;
    }
}

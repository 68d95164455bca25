//! Command queues.

use super::child::child;
use super::command_list::CommandList;
use super::fence::Fence;
use super::hold::DeviceHold;
use super::private_data::PrivateData;
use crate::interfaces::{ID3D12CommandQueue, ID3D12CommandQueueTable, ID3D12Pageable};
use crate::unsafe_abi::{
    CommandQueueDesc, Hresult, In, Interface, Opaque, Out, TileRegionSize, TiledCoordinate, monotonic_ns,
};
use taut_schemas::{CommandQueueId, HResultCode, d3d12};

/// Ticks of the GPU's timestamps per second: nanoseconds.
const TIMESTAMP_FREQUENCY: u64 = 1_000_000_000;

/// ID3D12CommandQueue.
pub struct CommandQueue {
    pub device: &'static DeviceHold,
    pub data: PrivateData,
    pub id: CommandQueueId,
    pub desc: CommandQueueDesc,
}

child!(
    CommandQueue: ID3D12CommandQueueTable of [ID3D12Pageable, ID3D12CommandQueue],
    object |queue| queue.id.into(),
    release |queue| {
        let _ = queue.device.world.call(d3d12::ReleaseCommandQueue { command_queue: queue.id });
    }
);

impl ID3D12Pageable for CommandQueue {}

impl ID3D12CommandQueue for CommandQueue {
    fn update_tile_mappings(
        &self,
        _: Interface,
        _: u32,
        _: In<TiledCoordinate>,
        _: In<TileRegionSize>,
        _: Interface,
        _: u32,
        _: Opaque,
        _: In<u32>,
        _: In<u32>,
        _: u32,
    ) {
        ID3D12CommandQueueTable::update_tile_mappings().count();
    }

    fn copy_tile_mappings(
        &self,
        _: Interface,
        _: In<TiledCoordinate>,
        _: Interface,
        _: In<TiledCoordinate>,
        _: In<TileRegionSize>,
        _: u32,
    ) {
        ID3D12CommandQueueTable::copy_tile_mappings().count();
    }

    // Events of profilers change nothing.
    fn set_marker(&self, _: u32, _: In<u8>, _: u32) {}

    fn begin_event(&self, _: u32, _: In<u8>, _: u32) {}

    fn end_event(&self) {}

    fn execute_command_lists(&self, count: u32, lists: In<Interface>) {
        let Some(lists) = lists.list(count as usize) else { return };
        let ids = lists.iter().map(|list| list.class::<CommandList>().map(|list| list.id));
        let Some(command_lists) = ids.collect::<Option<Vec<_>>>() else { return };
        // The method returns nothing; an error is in the trace.
        let _ = self.device.world.call(d3d12::ExecuteCommandLists { command_queue: self.id, command_lists });
    }

    fn signal(&self, fence: Interface, value: u64) -> Hresult {
        let Some(fence) = fence.class::<Fence>() else { return HResultCode::E_INVALIDARG.into() };
        let signal = d3d12::CommandQueueSignal { command_queue: self.id, fence: fence.id, value };
        self.device.world.call(signal).into()
    }

    fn wait(&self, fence: Interface, value: u64) -> Hresult {
        let Some(fence) = fence.class::<Fence>() else { return HResultCode::E_INVALIDARG.into() };
        let wait = d3d12::CommandQueueWait { command_queue: self.id, fence: fence.id, value };
        self.device.world.call(wait).into()
    }

    fn get_timestamp_frequency(&self, frequency: Out<u64>) -> Hresult {
        if frequency.is_null() {
            return HResultCode::E_INVALIDARG.into();
        }
        frequency.set(TIMESTAMP_FREQUENCY);
        HResultCode::S_OK.into()
    }

    fn get_clock_calibration(&self, gpu_timestamp: Out<u64>, cpu_timestamp: Out<u64>) -> Hresult {
        if gpu_timestamp.is_null() || cpu_timestamp.is_null() {
            return HResultCode::E_INVALIDARG.into();
        }
        // Both processors have one clock.
        let now = monotonic_ns();
        gpu_timestamp.set(now);
        cpu_timestamp.set(now);
        HResultCode::S_OK.into()
    }

    fn get_desc(&self) -> CommandQueueDesc {
        self.desc
    }
}

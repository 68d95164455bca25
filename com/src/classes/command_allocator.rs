//! Command allocators.

use super::child::child;
use super::hold::DeviceHold;
use super::private_data::PrivateData;
use crate::interfaces::{ID3D12CommandAllocator, ID3D12Pageable};
use crate::unsafe_abi::Hresult;
use taut_schemas::{CommandAllocatorId, d3d12};

/// ID3D12CommandAllocator.
pub struct CommandAllocator {
    pub device: &'static DeviceHold,
    pub data: PrivateData,
    pub id: CommandAllocatorId,
}

child!(
    CommandAllocator: ID3D12CommandAllocatorTable of [ID3D12Pageable, ID3D12CommandAllocator],
    object |allocator| allocator.id.into(),
    release |allocator| {
        let _ = allocator.device.world.call(d3d12::ReleaseCommandAllocator { command_allocator: allocator.id });
    }
);

impl ID3D12Pageable for CommandAllocator {}

impl ID3D12CommandAllocator for CommandAllocator {
    fn reset(&self) -> Hresult {
        self.device.world.call(d3d12::ResetCommandAllocator { command_allocator: self.id }).into()
    }
}

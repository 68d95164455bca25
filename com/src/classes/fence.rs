//! Fences.

use super::child::child;
use super::devices::DeviceHold;
use crate::hresult::Hresult;
use crate::interfaces::ID3D12Fence;
use crate::unsafe_abi::EventFd;
use taut_schemas::{FenceId, d3d12};

/// ID3D12Fence.
pub struct Fence {
    pub device: &'static DeviceHold,
    pub id: FenceId,
}

child!(Fence: ID3D12FenceTable of [ID3D12Pageable, ID3D12Fence], object |fence| fence.id.into(), release |fence| {
    let _ = fence.device.world.call(d3d12::ReleaseFence { fence: fence.id });
});

impl crate::interfaces::ID3D12Pageable for Fence {}

impl ID3D12Fence for Fence {
    fn get_completed_value(&self) -> u64 {
        // A removed device has reached every value.
        self.device.world.call(d3d12::GetCompletedValue { fence: self.id }).map_or(u64::MAX, |fence| fence.value)
    }

    fn set_event_on_completion(&self, value: u64, event: EventFd) -> Hresult {
        let world = self.device.world;
        world.events.set_on_completion(world, self.id, value, event).into()
    }

    fn signal(&self, value: u64) -> Hresult {
        self.device.world.call(d3d12::SignalFence { fence: self.id, value }).into()
    }
}

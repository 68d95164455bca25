//! Fences.

use super::child::child;
use super::hold::DeviceHold;
use crate::interfaces::ID3D12Fence;
use crate::unsafe_abi::{EventFd, Hresult, duplicate};
use taut_schemas::{FenceId, HResult, HResultCode, d3d12, win32};

/// ID3D12Fence.
pub struct Fence {
    pub device: &'static DeviceHold,
    pub id: FenceId,
}

child!(Fence: ID3D12FenceTable of [ID3D12Pageable, ID3D12Fence], object |fence| fence.id.into(), release |fence| {
    let _ = fence.device.world.call(d3d12::ReleaseFence { fence: fence.id });
});

impl crate::interfaces::ID3D12Pageable for Fence {}

impl Fence {
    /// Passes the event of the session that the fence signals on to a duplicate of the client's event, which the client may
    /// close at any time.
    fn set_event(&self, value: u64, event: EventFd) -> HResult<()> {
        let world = self.device.world;
        let file = duplicate(event).ok_or(HResultCode::E_INVALIDARG)?;
        let event = match world.events.take_free() {
            Some(event) => event,
            None => world.call(win32::CreateEvent { manual_reset: false, initial_state: false })?,
        };
        world.events.pass_to(event, file);
        let set = world.call(d3d12::SetEventOnCompletion { fence: self.id, value, event });
        if set.is_err() {
            world.events.put_back(event);
        }
        set
    }

    /// Waits until the fence has the value.
    fn wait(&self, value: u64) -> HResult<()> {
        let world = self.device.world;
        let event = world.call(win32::CreateEvent { manual_reset: false, initial_state: false })?;
        let set = world.call(d3d12::SetEventOnCompletion { fence: self.id, value, event });
        let waited = set.and_then(|()| world.wait(event));
        world.call(win32::CloseHandle { event })?;
        waited
    }
}

impl ID3D12Fence for Fence {
    fn get_completed_value(&self) -> u64 {
        // A removed device has reached every value.
        self.device.world.call(d3d12::GetCompletedValue { fence: self.id }).map_or(u64::MAX, |fence| fence.value)
    }

    fn set_event_on_completion(&self, value: u64, event: EventFd) -> Hresult {
        let set = if event.number == 0 { self.wait(value) } else { self.set_event(value, event) };
        set.into()
    }

    fn signal(&self, value: u64) -> Hresult {
        self.device.world.call(d3d12::SignalFence { fence: self.id, value }).into()
    }
}

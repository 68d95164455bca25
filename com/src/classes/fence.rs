//! Fences.

use super::child::child;
use super::hold::DeviceHold;
use super::private_data::PrivateData;
use crate::client_events::ClientEvent;
use crate::interfaces::ID3D12Fence;
use crate::unsafe_abi::{EventFd, Hresult, duplicate_event};
use crate::world::World;
use std::sync::Arc;
use taut_schemas::{EventHandle, FenceId, HResult, HResultCode, d3d12, win32};

/// ID3D12Fence.
pub struct Fence {
    pub device: &'static DeviceHold,
    pub data: PrivateData,
    pub id: FenceId,
}

child!(Fence: ID3D12FenceTable of [ID3D12Pageable, ID3D12Fence], object |fence| fence.id.into(), release |fence| {
    let _ = fence.device.world.call(d3d12::ReleaseFence { fence: fence.id });
});

impl crate::interfaces::ID3D12Pageable for Fence {}

/// Waits of a client for fences.
pub struct FenceWait<'a> {
    pub world: &'static World,
    /// Fences and the values that they reach.
    pub points: &'a [(FenceId, u64)],
    /// One fence ends the wait; otherwise all do.
    pub any: bool,
}

impl FenceWait<'_> {
    /// Signals the client's event or, for NULL, returns at the end of the wait.
    ///
    /// # Errors
    /// E_INVALIDARG: the handle is no event. Otherwise as the calls.
    pub fn begin(&self, event: EventFd) -> HResult<()> {
        if event.number == 0 { self.wait() } else { self.set_event(event) }
    }

    /// Passes events of the session that the fences signal on to a duplicate of the client's event, which the client may
    /// close at any time.
    fn set_event(&self, event: EventFd) -> HResult<()> {
        let duplicate = duplicate_event(event).ok_or(HResultCode::E_INVALIDARG)?;
        let signals = if self.any { 1 } else { self.points.len() as u32 };
        let client_event = ClientEvent::new(duplicate, signals);
        let events = &self.world.events;
        for &(fence, value) in self.points {
            let event = match events.take_free() {
                Some(event) => event,
                None => self.new_event()?,
            };
            events.pass_to(event, Arc::clone(&client_event));
            if let Err(code) = self.world.call(d3d12::SetEventOnCompletion { fence, value, event }) {
                client_event.cancel();
                events.put_back(event);
                return Err(code);
            }
        }
        Ok(())
    }

    fn wait(&self) -> HResult<()> {
        let event = self.new_event()?;
        let mut waited = Ok(());
        for &(fence, value) in self.points {
            waited = waited.and_then(|()| self.world.call(d3d12::SetEventOnCompletion { fence, value, event }));
            if !self.any {
                waited = waited.and_then(|()| self.world.wait(event));
            }
        }
        if self.any {
            // Fences that are not complete signal the event later: it stays open.
            return waited.and_then(|()| self.world.wait(event));
        }
        self.world.call(win32::CloseHandle { event })?;
        waited
    }

    fn new_event(&self) -> HResult<EventHandle> {
        self.world.call(win32::CreateEvent { manual_reset: false, initial_state: false })
    }
}

impl ID3D12Fence for Fence {
    fn get_completed_value(&self) -> u64 {
        // A removed device has reached every value.
        self.device.world.call(d3d12::GetCompletedValue { fence: self.id }).map_or(u64::MAX, |fence| fence.value)
    }

    fn set_event_on_completion(&self, value: u64, event: EventFd) -> Hresult {
        FenceWait { world: self.device.world, points: &[(self.id, value)], any: false }.begin(event).into()
    }

    fn signal(&self, value: u64) -> Hresult {
        self.device.world.call(d3d12::SignalFence { fence: self.id, value }).into()
    }
}

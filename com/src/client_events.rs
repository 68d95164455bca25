//! Events of clients. Each wait for a fence has an event of the session, whose signal is passed on to the client's
//! eventfd.

use crate::unsafe_abi::{EventFd, duplicate};
use crate::world::World;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_capture::EventSignals;
use taut_schemas::{EventHandle, FenceId, HResult, HResultCode, d3d12, win32};

/// Events of the session, and the clients' events that wait for them.
#[derive(Debug, Default)]
pub struct ClientEvents {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Duplicates of clients' events, by the session's event.
    waiting: BTreeMap<u64, File>,
    /// Events of the session without a client's event.
    free: Vec<EventHandle>,
}

impl ClientEvents {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// ID3D12Fence::SetEventOnCompletion. NULL waits for the fence.
    ///
    /// # Errors
    /// E_INVALIDARG: the handle is no open file. Or as the call.
    pub fn set_on_completion(&self, world: &World, fence: FenceId, value: u64, event: EventFd) -> HResult<()> {
        if event.number == 0 {
            return wait(world, fence, value);
        }
        let file = duplicate(event).ok_or(HResultCode::E_INVALIDARG)?;
        let free = self.state().free.pop();
        let event = match free {
            Some(event) => event,
            None => world.call(win32::CreateEvent { manual_reset: false, initial_state: false })?,
        };
        self.state().waiting.insert(event.0, file);
        let set = world.call(d3d12::SetEventOnCompletion { fence, value, event });
        if set.is_err() {
            let mut state = self.state();
            state.waiting.remove(&event.0);
            state.free.push(event);
        }
        set
    }
}

/// Waits until the fence has the value.
fn wait(world: &World, fence: FenceId, value: u64) -> HResult<()> {
    let event = world.call(win32::CreateEvent { manual_reset: false, initial_state: false })?;
    let set = world.call(d3d12::SetEventOnCompletion { fence, value, event });
    let waited = set.and_then(|()| world.wait(event));
    world.call(win32::CloseHandle { event })?;
    waited
}

impl EventSignals for ClientEvents {
    fn signal(&self, event: EventHandle) {
        let mut state = self.state();
        let Some(mut file) = state.waiting.remove(&event.0) else { return };
        state.free.push(event);
        drop(state);
        // An event that the client has closed has nobody who waits for it.
        let _ = file.write_all(&1_u64.to_ne_bytes());
    }
}

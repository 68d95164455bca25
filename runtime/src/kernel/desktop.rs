//! Windows, and the DXGI objects other than swap chains.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{AdapterId, FenceId, SwapChainId, WindowState};

/// A window.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Window {
    pub width: u32,
    pub height: u32,
    /// Index of the display that the window is on.
    pub display: u32,
    pub state: WindowState,
}

/// A handle of a swap chain's waitable object.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Waitable {
    pub chain: SwapChainId,
    /// Time-out of the current wait; `None` without a wait.
    pub until_at_ns: Option<u64>,
}

/// Windows, and objects that DXGI returned. Each kind is numbered from 1.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Desktop {
    windows: Vec<Window>,
    /// Displays of output objects.
    outputs: Vec<u32>,
    /// Adapters of adapter objects.
    adapters: Vec<AdapterId>,
    waitables: BTreeMap<u64, Waitable>,
    last_waitable: u64,
    /// Max frame latency of Direct3D 11 devices that do not have the default.
    pub device_latency: BTreeMap<u64, u32>,
    /// Fence and value that a command queue waits for.
    pub queue_waits: BTreeMap<u64, (FenceId, u64)>,
    /// The window of MakeWindowAssociation.
    pub association: u64,
    /// Command queues that the application released while a swap chain has a reference to them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub released_queues: BTreeSet<u64>,
    /// Direct3D 12 devices of which the same is true.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub released_devices: BTreeSet<u64>,
}

/// The item of a 1-based number.
fn numbered<T: Copy>(all: &[T], number: u64) -> Option<T> {
    all.get(usize::try_from(number.checked_sub(1)?).ok()?).copied()
}

impl Desktop {
    /// True if no object was created and nothing was set.
    pub fn is_new(&self) -> bool {
        let Desktop {
            windows,
            outputs,
            adapters,
            waitables,
            last_waitable,
            device_latency,
            queue_waits,
            association,
            released_queues,
            released_devices,
        } = self;
        let is_used = !windows.is_empty() || !outputs.is_empty() || !adapters.is_empty() || !waitables.is_empty();
        let is_waited_for = *last_waitable > 0 || !device_latency.is_empty() || !queue_waits.is_empty();
        !is_used && !is_waited_for && *association == 0 && released_queues.is_empty() && released_devices.is_empty()
    }

    pub fn add_window(&mut self, window: Window) -> u64 {
        self.windows.push(window);
        self.windows.len() as u64
    }

    pub fn window(&self, number: u64) -> Option<Window> {
        numbered(&self.windows, number)
    }

    /// Changes a window; `None` if there is no such window.
    pub fn set_window(&mut self, number: u64, window: Window) -> Option<()> {
        *self.windows.get_mut(usize::try_from(number.checked_sub(1)?).ok()?)? = window;
        Some(())
    }

    /// Adds an output object.
    pub fn add_output(&mut self, display: u32) -> u64 {
        self.outputs.push(display);
        self.outputs.len() as u64
    }

    pub fn output(&self, number: u64) -> Option<u32> {
        numbered(&self.outputs, number)
    }

    /// Adds an adapter object.
    pub fn add_adapter(&mut self, adapter: AdapterId) -> u64 {
        self.adapters.push(adapter);
        self.adapters.len() as u64
    }

    pub fn adapter(&self, number: u64) -> Option<AdapterId> {
        numbered(&self.adapters, number)
    }

    /// Adds a handle of a chain's waitable object.
    pub fn add_waitable(&mut self, chain: SwapChainId) -> u64 {
        self.last_waitable += 1;
        self.waitables.insert(self.last_waitable, Waitable { chain, until_at_ns: None });
        self.last_waitable
    }

    pub fn waitable_mut(&mut self, handle: u64) -> Option<&mut Waitable> {
        self.waitables.get_mut(&handle)
    }

    pub fn close_waitable(&mut self, handle: u64) -> Option<Waitable> {
        self.waitables.remove(&handle)
    }
}

//! Inputs that must follow a call on the same thread, because the call's locks did not allow them: the removal of a
//! device, the report of a closed command list to the driver, and the releases of what a swap chain had references to.

use super::Locked;
use crate::kernel::{DisplayState, SwapChainOwner};
use taut_schemas::{Call, CommandListId, DeviceId, Input, d3d11, d3d12, dxgi, machine};

/// Returns the input that must follow a call whose driver reported a removed device, or broke a rule in strict mode, if
/// the call did not hold the locks for removing it.
pub fn removal(locked: &Locked<'_>) -> Option<machine::RemoveDevice> {
    let of_context =
        locked.context.as_deref().filter(|context| context.is_removal_unreported).map(|context| context.id);
    let of_device = locked.device.as_deref().and_then(|device| device.d3d11.removed_by);
    of_context.or(of_device).map(|context| machine::RemoveDevice { context })
}

/// Returns the input that must follow the closing of a command list, if the driver is notified of closed lists.
pub fn command_list_notice<C: Input>(call: &C) -> Option<machine::NotifyCommandListClosed> {
    if C::ID != d3d12::CloseCommandList::ID {
        return None;
    }
    let mut closed = None;
    call.visit_objects(&mut |object| closed = Some(CommandListId(object.0)));
    closed.map(|command_list| machine::NotifyCommandListClosed { command_list })
}

/// Inputs that must follow the release of a swap chain: DXGI drops its references to the device's objects. A command queue
/// or a Direct3D 12 device is due if the application released it before.
#[derive(Debug, Default)]
pub struct DueReleases {
    /// Release of the Direct3D 11 device.
    pub d3d11_device: Option<d3d11::Release>,
    /// Release of the command queue.
    pub command_queue: Option<d3d12::ReleaseCommandQueue>,
    /// The Direct3D 12 device to release after the queue.
    pub device: Option<DeviceId>,
}

impl DueReleases {
    /// True for the call that inputs may have to follow.
    pub const fn may_follow<C: Input>() -> bool {
        C::ID == dxgi::ReleaseSwapChain::ID
    }

    /// Returns the inputs that must follow the release of a swap chain, under the locks of that call.
    pub fn after(locked: &mut Locked<'_>) -> Option<DueReleases> {
        locked.display.as_deref_mut().and_then(DueReleases::of)
    }

    /// As [`DueReleases::after`], from the state.
    pub(super) fn of(display: &mut DisplayState) -> Option<DueReleases> {
        let presents = &mut display.presents;
        let queue = match presents.take_dropped_owner()? {
            SwapChainOwner::Queue(queue) => queue,
            SwapChainOwner::Device11(device) => {
                let release = d3d11::Release { object: device.into() };
                return Some(DueReleases { d3d11_device: Some(release), ..DueReleases::default() });
            }
            SwapChainOwner::Device9 => return None,
        };
        let release = d3d12::ReleaseCommandQueue { command_queue: queue };
        let adapter = release.adapter();
        let desktop = &presents.desktop;
        let is_queue_due = desktop.released_queues.contains(&queue.0) && presents.chains_of_queue(queue) == 0;
        // A device has the id of its adapter.
        let is_device_due = desktop.released_devices.contains(&adapter.0) && presents.chains_of_queues(adapter) == 0;
        Some(DueReleases {
            d3d11_device: None,
            command_queue: is_queue_due.then_some(release),
            device: is_device_due.then_some(DeviceId(adapter.0)),
        })
    }
}

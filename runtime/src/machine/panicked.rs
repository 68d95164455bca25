//! Device removal after a panic in a call.

use crate::context::Context;
use crate::d3d11::mark_objects_removed;
use crate::state::{DeviceState, Objects};
use crate::submission::SubmissionState;
use crate::win32::SystemState;
use taut_schemas::{HResult, machine};

/// Removes the adapter's device, as after a driver violation in strict mode. An adapter without a device is left as it
/// is: the creation of its device may have panicked, and may be tried again.
pub(crate) fn remove_panicked_device(
    _: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    system: &mut SystemState,
    objects: &mut dyn Objects,
    _: &machine::RemovePanickedDevice,
) -> HResult<()> {
    // The call that panicked no longer holds any of the driver's locks.
    queue.driver_locks.release_after(0);
    if device.exists() {
        device.remove();
        queue.removed = true;
        // Fences are signalled so that no wait blocks.
        queue.end_fences(system);
        mark_objects_removed(device, objects);
    }
    Ok(())
}

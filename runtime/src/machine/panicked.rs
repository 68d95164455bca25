//! A call panicked: its device goes.

use crate::context::Context;
use crate::d3d11::lose_objects;
use crate::state::{DeviceState, Objects};
use crate::submission::SubmissionState;
use crate::win32::SystemState;
use taut_schemas::{HResult, machine};

/// The adapter's device is removed, as if its driver had broken a rule in strict mode. An adapter without one stays as it is:
/// what panicked may have been the creation of its device, which may be tried again.
pub(crate) fn remove_panicked_device(
    _: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    system: &mut SystemState,
    objects: &mut dyn Objects,
    _: &machine::RemovePanickedDevice,
) -> HResult<()> {
    // Whoever panicked lets go of what it has.
    queue.driver_locks.cut(0);
    if device.is_there() {
        device.remove();
        queue.removed = true;
        queue.end_fences(system);
        lose_objects(device, objects);
    }
    Ok(())
}

//! What follows a call whose driver said that the device is gone.

use super::Locked;
use taut_schemas::machine;

/// The input that has to follow a call: its driver said that the device is gone, or broke a rule in strict mode, and the call
/// did not have the locks that removing it takes.
pub fn removal(locked: &Locked<'_>) -> Option<machine::RemoveDevice> {
    let of_context = locked.context.as_deref().filter(|context| context.is_to_tell).map(|context| context.id);
    let of_device = locked.device.as_deref().and_then(|device| device.d3d11.removed_by);
    of_context.or(of_device).map(|context| machine::RemoveDevice { context })
}

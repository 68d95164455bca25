//! What follows a call on the same thread: its driver said that the device is gone, or is to be told more than the call's locks
//! allow.

use super::Locked;
use taut_schemas::{Call, CommandListId, Input, d3d12, machine};

/// The input that has to follow a call: its driver said that the device is gone, or broke a rule in strict mode, and the call
/// did not have the locks that removing it takes.
pub fn removal(locked: &Locked<'_>) -> Option<machine::RemoveDevice> {
    let of_context = locked.context.as_deref().filter(|context| context.is_to_tell).map(|context| context.id);
    let of_device = locked.device.as_deref().and_then(|device| device.d3d11.removed_by);
    of_context.or(of_device).map(|context| machine::RemoveDevice { context })
}

/// The input that follows the end of a command list's recording, where the driver hears of that.
pub fn told_of<C: Input>(call: &C) -> Option<machine::TellOfCommandList> {
    if C::ID != d3d12::CloseCommandList::ID {
        return None;
    }
    let mut closed = None;
    call.visit_objects(&mut |object| closed = Some(CommandListId(object.0)));
    closed.map(|command_list| machine::TellOfCommandList { command_list })
}

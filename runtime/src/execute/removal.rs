//! Inputs that must follow a call on the same thread, because the call's locks did not allow them: the removal of a
//! device, and the report of a closed command list to the driver.

use super::Locked;
use taut_schemas::{Call, CommandListId, Input, d3d12, machine};

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

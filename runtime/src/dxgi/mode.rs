//! Changes of a display's mode, and their consequences for swap chains (rule C-20).

use super::reselect::apply_change;
use crate::context::Context;
use crate::kernel::DisplayState;
use taut_schemas::{MessageId, NtStatus, machine};

/// Changes a display's mode. Frames in flight to the display end without being shown; the path of each of its swap
/// chains is chosen again.
pub(crate) fn set_display_mode(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &machine::SetDisplayMode,
) -> NtStatus {
    let mode = call.mode;
    if mode.width == 0 || mode.height == 0 || mode.refresh_millihertz == 0 {
        context.error(MessageId::UNKNOWN, format_args!("A mode has no size, or no refreshes."));
        return NtStatus::INVALID_PARAMETER;
    }
    if !display.presents.set_mode(call.display, mode) {
        context.error(MessageId::UNKNOWN, format_args!("There is no display {}.", call.display));
        return NtStatus::INVALID_PARAMETER;
    }
    for id in display.presents.chain_ids() {
        // A removed chain has no path.
        let lives = |chain: &&crate::kernel::SwapChain| chain.display == call.display && !chain.application.is_removed;
        if display.presents.chain(id).filter(lives).is_some() {
            // A chain that runs out of memory continues with two copies. No call of an application is there to get the
            // error.
            let _ = apply_change(context, display, id, |_| {});
        }
    }
    NtStatus::SUCCESS
}

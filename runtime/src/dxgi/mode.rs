//! A display's mode changes, and what depends on it (rule C-20).

use super::again::change;
use crate::context::Context;
use crate::kernel::DisplayState;
use taut_schemas::{MessageId, NtStatus, machine};

/// The machine changes a display's mode. Frames on their way to it end unseen; each chain's path is decided anew.
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
        let lives = |chain: &&crate::kernel::SwapChain| chain.display == call.display && !chain.front.is_removed;
        if display.presents.chain(id).filter(lives).is_some() {
            // Whoever is out of memory goes on in two copies; nobody asked who could be told.
            let _ = change(context, display, id, |_| {});
        }
    }
    NtStatus::SUCCESS
}

//! Connection of displays, and its consequences for swap chains (rules C-20 and C-26).

use super::reselect::apply_change;
use crate::context::Context;
use crate::kernel::{DisplayState, SwapChain, connect};
use taut_schemas::{NtStatus, machine};

/// Connects a display. Its scan-out takes bandwidth of the adapter, so the path of each swap chain that crosses to the
/// adapter's other displays is chosen again.
pub(crate) fn connect_display(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &machine::ConnectDisplay,
) -> NtStatus {
    let status = connect(context, display, call);
    if status == NtStatus::SUCCESS {
        for id in display.presents.chain_ids() {
            let crosses = |chain: &&SwapChain| {
                chain.display_adapter == call.adapter && chain.render != call.adapter && !chain.application.is_removed
            };
            if display.presents.chain(id).filter(crosses).is_some() {
                // A chain that runs out of memory continues with two copies. No call of an application is there to get
                // the error.
                let _ = apply_change(context, display, id, |_| {});
            }
        }
    }
    status
}

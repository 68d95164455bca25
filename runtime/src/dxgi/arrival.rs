//! A display appears, and what depends on it (rules C-20 and C-26).

use super::again::change;
use crate::context::Context;
use crate::kernel::{DisplayState, SwapChain, connect};
use taut_schemas::{NtStatus, machine};

/// A display appears. Scanning it out takes bandwidth of its adapter: how the frames of swap chains come to that adapter's other
/// displays is decided anew.
pub(crate) fn connect_display(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &machine::ConnectDisplay,
) -> NtStatus {
    let status = connect(context, display, call);
    if status == NtStatus::SUCCESS {
        for id in display.presents.chain_ids() {
            let crosses = |chain: &&SwapChain| {
                chain.display_adapter == call.adapter && chain.render != call.adapter && !chain.front.is_removed
            };
            if display.presents.chain(id).filter(crosses).is_some() {
                // Whoever is out of memory goes on in two copies; nobody asked who could be told.
                let _ = change(context, display, id, |_| {});
            }
        }
    }
    status
}

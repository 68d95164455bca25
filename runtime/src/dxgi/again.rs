//! A swap chain's path, decided once more.

use super::decision::decide;
use crate::context::Context;
use crate::kernel::{DisplayState, SwapChain};
use taut_schemas::{HResult, HybridPresentMode, SwapChainId, dxgi_ddi};

/// What was created for a chain's path goes.
pub(super) fn free(context: &mut Context<'_>, chain: &SwapChain) {
    if chain.mode == HybridPresentMode::ONE_COPY_PATH_CASO {
        for adapter in [chain.render, chain.display_adapter] {
            // What the driver answers changes nothing.
            let _ = context.ddi_of(adapter, dxgi_ddi::DestroyResource { adapter });
        }
    }
}

/// A chain changes: what was created for it goes, and it is decided about anew (rule C-20). Where that fails it stays as it
/// was, but for the resource that is gone: there are two copies.
pub(super) fn change(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    id: SwapChainId,
    change: impl FnOnce(&mut SwapChain),
) -> HResult<()> {
    let Some(before) = display.presents.chain(id).cloned() else { return Ok(()) };
    free(context, &before);
    let mut after = before.clone();
    change(&mut after);
    after.covers = display.presents.covers(&after);
    match decide(context, display, (id, &after)) {
        Ok(mode) => {
            after.mode = mode;
            display.presents.replace(context, id, after);
            Ok(())
        }
        Err(code) => {
            let mode = match before.mode {
                HybridPresentMode::ONE_COPY_PATH_CASO => HybridPresentMode::TWO_COPY_PATH,
                mode => mode,
            };
            let mut before = before;
            before.mode = mode;
            display.presents.replace(context, id, before);
            Err(code)
        }
    }
}

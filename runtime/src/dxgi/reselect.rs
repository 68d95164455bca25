//! Re-selection of a swap chain's present path after a change.

use super::decision::decide;
use crate::context::Context;
use crate::kernel::{DisplayState, SwapChain};
use taut_schemas::{HResult, HybridPresentMode, SwapChainId, dxgi_ddi};

/// Destroys the resources of a chain's path.
pub(super) fn destroy_path(context: &mut Context<'_>, chain: &SwapChain) {
    if chain.mode == HybridPresentMode::ONE_COPY_PATH_CASO {
        for adapter in [chain.render, chain.display_adapter] {
            // An error of the driver has no consequence here.
            let _ = context.ddi_of(adapter, dxgi_ddi::DestroyResource { adapter });
        }
    }
}

/// Changes a swap chain: destroys its path's resources, and chooses the path again (rule C-20). On failure the chain
/// keeps its old state, but without the destroyed resource, so with two copies.
pub(super) fn apply_change(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    id: SwapChainId,
    apply_change: impl FnOnce(&mut SwapChain),
) -> HResult<()> {
    let Some(before) = display.presents.chain(id).cloned() else { return Ok(()) };
    // Destroyed before the new choice: both paths would otherwise hold memory of the display adapter.
    destroy_path(context, &before);
    let mut after = before.clone();
    apply_change(&mut after);
    after.covers = display.presents.covers(&after);
    match decide(context, display, id, &after) {
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

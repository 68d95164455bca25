//! Full screen state, adapters and outputs.

use super::errors::{chain_mut, invalid_call};
use crate::context::Context;
use crate::kernel::{DisplayState, SwapChain};
use crate::revision::Revision;
use taut_schemas::{AdapterId, EnumeratedAdapter, FullscreenState, HResult, HResultCode, dxgi};

/// IDXGISwapChain::GetFullscreenState.
pub(crate) fn get_fullscreen_state(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetFullscreenState,
) -> HResult<FullscreenState> {
    let chain = chain_mut(context, display, call.swap_chain)?;
    let (fullscreen, number, is_flip) =
        (chain.application.is_full_screen, chain.display, chain.desc.swap_effect.is_flip_model());
    // Full screen of the flip model owns no output.
    let owns = fullscreen && (!is_flip || context.settings.revision < Revision::CHAIN_REFERENCES);
    // The caller owns a new output object, as with every returned interface.
    let target = if owns && call.want_target { display.presents.desktop.add_output(number) } else { 0 };
    Ok(FullscreenState { fullscreen, target })
}

/// IDXGISwapChain::SetFullscreenState.
pub(crate) fn set_fullscreen_state(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::SetFullscreenState,
) -> HResult<()> {
    let chain = chain_mut(context, display, call.swap_chain)?;
    let number = chain.display;
    chain.application.is_full_screen = call.fullscreen;
    chain.application.is_ownership_released = false;
    for id in display.presents.chain_ids() {
        // At most one swap chain of a display is full screen.
        let others = |other: &&mut SwapChain| other.display == number && id != call.swap_chain;
        if let Some(other) = display.presents.chain_mut(id).filter(others)
            && call.fullscreen
        {
            other.application.is_full_screen = false;
        }
        display.presents.update_coverage(id);
    }
    Ok(())
}

/// IDXGIOutput::ReleaseOwnership.
pub(crate) fn release_ownership(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::ReleaseOwnership,
) -> HResult<()> {
    let Some(number) = display.presents.desktop.output(call.output) else {
        return invalid_call(context, format_args!("There is no output {}.", call.output));
    };
    // Full screen of the flip model is a window of the compositor, and owns no output.
    let any_model = context.settings.revision < Revision::CHAIN_OWNERS;
    let owns =
        |chain: &&mut SwapChain| chain.display == number && (any_model || !chain.desc.swap_effect.is_flip_model());
    for id in display.presents.chain_ids() {
        if let Some(chain) = display.presents.chain_mut(id).filter(owns) {
            chain.application.is_ownership_released = chain.application.is_full_screen;
        }
    }
    Ok(())
}

/// IDXGISwapChain::GetContainingOutput.
pub(crate) fn get_containing_output(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetContainingOutput,
) -> HResult<u64> {
    let number = chain_mut(context, display, call.swap_chain)?.display;
    Ok(display.presents.desktop.add_output(number))
}

/// IDXGIFactory::EnumAdapters.
pub(crate) fn enum_adapters(
    _: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::EnumAdapters,
) -> HResult<EnumeratedAdapter> {
    // The end of an enumeration is no error, so there is no debug message.
    // EnumAdapters counts from 0, adapter ids from 1.
    let adapter = AdapterId(u64::from(call.index) + 1);
    if !display.has(adapter) {
        return Err(HResultCode::DXGI_ERROR_NOT_FOUND);
    }
    Ok(EnumeratedAdapter { object: display.presents.desktop.add_adapter(adapter), adapter })
}

/// IDXGIAdapter::EnumOutputs.
pub(crate) fn enum_outputs(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::EnumOutputs,
) -> HResult<u64> {
    let Some(adapter) = display.presents.desktop.adapter(call.object) else {
        return invalid_call(context, format_args!("There is no object {} of an adapter.", call.object));
    };
    let number = display.presents.displays_of(adapter).nth(call.index as usize);
    match number {
        Some(number) => Ok(display.presents.desktop.add_output(number)),
        None => Err(HResultCode::DXGI_ERROR_NOT_FOUND),
    }
}

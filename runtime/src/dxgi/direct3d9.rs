//! Swap chains of Direct3D 9 (rule C-28).

use super::decision::decide;
use super::errors::invalid_call;
use super::validate::validate_buffer_count;
use crate::context::Context;
use crate::kernel::{ApplicationState, DisplayState, SwapChain, SwapChainOwner};
use taut_schemas::format::Format;
use taut_schemas::{DxgiUsage, HResult, SwapChainDesc, SwapChainFlags, SwapChainId, SwapChainWindowDesc, dxgi};

/// D3DFMT_A8R8G8B8, D3DFMT_A2R10G10B10 and similar formats, by their DXGI names.
const FORMATS: [Format; 3] = [Format::B8G8R8A8_UNORM, Format::R8G8B8A8_UNORM, Format::R10G10B10A2_UNORM];

/// IDirect3DDevice9::CreateAdditionalSwapChain.
pub(crate) fn create_additional_swap_chain(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::CreateAdditionalSwapChain,
) -> HResult<SwapChainId> {
    let Some(shows) = display.presents.display(call.display).map(|display| display.adapter) else {
        return invalid_call(context, format_args!("CreateAdditionalSwapChain: there is no display {}.", call.display));
    };
    let SwapChainDesc { width, height, format, flags, .. } = call.desc;
    if width == 0 || height == 0 || !FORMATS.contains(&format) || flags != SwapChainFlags::NONE {
        let text = format_args!("CreateAdditionalSwapChain: {width} by {height} in {format:?} with {flags:?}.");
        return invalid_call(context, text);
    }
    // Direct3D 9 has no queue, so the blt model is legal here.
    validate_buffer_count(context, &call.desc, false)?;
    // Without a described machine no adapter starts, so the check would always fail.
    if display.started_count() > 0 && display.started(call.adapter).is_none() {
        return invalid_call(context, format_args!("Adapter {} has not started.", call.adapter.0));
    }
    if let Some(missing_description) = display.presents.missing_description([call.adapter, shows]) {
        return invalid_call(
            context,
            format_args!("CreateAdditionalSwapChain: {missing_description} was not described."),
        );
    }
    let id = display.presents.next_id();
    let usage = DxgiUsage::RENDER_TARGET_OUTPUT;
    let window_desc = SwapChainWindowDesc { samples: 1, usage, windowed: true, ..SwapChainWindowDesc::default() };
    let front = ApplicationState::new(SwapChainOwner::Device9, &call.desc, window_desc);
    let mut chain = SwapChain::new(call.desc, call.adapter, call.display, shows, front);
    chain.covers = call.covers;
    chain.mode = decide(context, display, id, &chain)?;
    display.presents.add(id, chain);
    Ok(id)
}

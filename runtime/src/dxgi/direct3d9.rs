//! What Direct3D 9 presents (rule C-28).

use super::checked::counted;
use super::decision::decide;
use super::said::invalid;
use crate::context::Context;
use crate::kernel::{DisplayState, Front, Maker, SwapChain};
use taut_schemas::format::Format;
use taut_schemas::{DxgiUsage, HResult, SwapChainDesc, SwapChainFlags, SwapChainId, SwapChainWindowDesc, dxgi};

/// D3DFMT_A8R8G8B8 and D3DFMT_A2R10G10B10, and their kin, as DXGI names them.
const FORMATS: [Format; 3] = [Format::B8G8R8A8_UNORM, Format::R8G8B8A8_UNORM, Format::R10G10B10A2_UNORM];

/// IDirect3DDevice9::CreateAdditionalSwapChain.
pub(crate) fn create_additional_swap_chain(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::CreateAdditionalSwapChain,
) -> HResult<SwapChainId> {
    let Some(shows) = display.presents.display(call.display).map(|display| display.adapter) else {
        return invalid(context, format_args!("CreateAdditionalSwapChain: there is no display {}.", call.display));
    };
    let SwapChainDesc { width, height, format, flags, .. } = call.desc;
    if width == 0 || height == 0 || !FORMATS.contains(&format) || flags != SwapChainFlags::NONE {
        let text = format_args!("CreateAdditionalSwapChain: {width} by {height} in {format:?} with {flags:?}.");
        return invalid(context, text);
    }
    counted(context, &call.desc, false)?;
    // Where no machine was described no adapter starts.
    if display.started_count() > 0 && display.started(call.adapter).is_none() {
        return invalid(context, format_args!("Adapter {} has not started.", call.adapter.0));
    }
    if let Some(lacking) = display.presents.lacking([call.adapter, shows]) {
        return invalid(context, format_args!("CreateAdditionalSwapChain: {lacking} was not described."));
    }
    let id = display.presents.next_id();
    let usage = DxgiUsage::RENDER_TARGET_OUTPUT;
    let of_window = SwapChainWindowDesc { samples: 1, usage, windowed: true, ..SwapChainWindowDesc::default() };
    let front = Front::new(Maker::Device9, &call.desc, of_window);
    let mut chain = SwapChain::new(call.desc, call.adapter, (call.display, shows), front);
    chain.covers = call.covers;
    chain.mode = decide(context, display, (id, &chain))?;
    display.presents.add(id, chain);
    Ok(id)
}

//! Queries of a swap chain's properties.

use super::errors::{chain_mut, invalid_arg, invalid_call, require_out_param};
use crate::context::Context;
use crate::kernel::{DisplayState, SwapChain};
use taut_schemas::format::Format;
use taut_schemas::{
    AlphaMode, ColorSpace, ColorSpaceSupport, DxgiFeature, FrameStatistics, HResult, HResultCode, Scaling,
    SwapChainDesc1, SwapChainFullDesc, SwapChainWindowDesc, dxgi,
};

/// Size in bytes of a BOOL.
const BOOL_BYTES: u32 = 4;

/// IDXGISwapChain::GetDesc.
pub(crate) fn get_swap_chain_desc(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetSwapChainDesc,
) -> HResult<SwapChainFullDesc> {
    require_out_param(context, call.want_desc)?;
    let chain = chain_mut(context, display, call.swap_chain)?;
    let window_desc =
        SwapChainWindowDesc { windowed: !chain.application.is_full_screen, ..chain.application.window_desc };
    Ok(SwapChainFullDesc { desc: chain.desc, window_desc })
}

/// IDXGISwapChain1::GetDesc1.
pub(crate) fn get_swap_chain_desc1(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetSwapChainDesc1,
) -> HResult<SwapChainDesc1> {
    require_out_param(context, call.want_desc)?;
    chain_mut(context, display, call.swap_chain)?;
    // Neither creation call sets other values.
    Ok(SwapChainDesc1 { stereo: false, scaling: Scaling::STRETCH, alpha_mode: AlphaMode::IGNORE })
}

/// IDXGISwapChain1::GetFullscreenDesc.
pub(crate) fn get_fullscreen_desc(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetFullscreenDesc,
) -> HResult<bool> {
    require_out_param(context, call.want_desc)?;
    Ok(!chain_mut(context, display, call.swap_chain)?.application.is_full_screen)
}

/// IDXGISwapChain1::GetHwnd.
pub(crate) fn get_hwnd(context: &mut Context<'_>, display: &mut DisplayState, call: &dxgi::GetHwnd) -> HResult<u64> {
    Ok(chain_mut(context, display, call.swap_chain)?.application.window_desc.window)
}

/// IDXGISwapChain3::GetCurrentBackBufferIndex.
pub(crate) fn get_current_back_buffer_index(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetCurrentBackBufferIndex,
) -> HResult<u32> {
    Ok(chain_mut(context, display, call.swap_chain)?.application.index)
}

/// IDXGISwapChain::GetLastPresentCount.
pub(crate) fn get_last_present_count(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetLastPresentCount,
) -> HResult<u64> {
    Ok(chain_mut(context, display, call.swap_chain)?.present_count)
}

/// IDXGISwapChain::GetFrameStatistics.
pub(crate) fn get_frame_statistics(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetFrameStatistics,
) -> HResult<FrameStatistics> {
    let chain = chain_mut(context, display, call.swap_chain)?;
    if !chain.desc.swap_effect.is_flip_model() && !chain.application.is_full_screen {
        return invalid_call(
            context,
            format_args!("There are statistics of the flip model and of the full screen alone."),
        );
    }
    let (present_count, sync_at_ns) = chain.application.last_shown.unwrap_or_default();
    Ok(FrameStatistics { present_count, sync_at_ns })
}

/// Colour space support of a chain's buffers: full-range RGB with gamma 2.2 always, linear and PQ if the format has the
/// range.
fn support(chain: &SwapChain, space: ColorSpace) -> ColorSpaceSupport {
    let can = match space {
        ColorSpace::RGB_FULL_G22_NONE_P709 => true,
        ColorSpace::RGB_FULL_G10_NONE_P709 => chain.desc.format == Format::R16G16B16A16_FLOAT,
        ColorSpace::RGB_FULL_G2084_NONE_P2020 => chain.desc.format == Format::R10G10B10A2_UNORM,
        _ => false,
    };
    if can { ColorSpaceSupport::PRESENT } else { ColorSpaceSupport::NONE }
}

/// IDXGISwapChain3::CheckColorSpaceSupport.
pub(crate) fn check_color_space_support(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::CheckColorSpaceSupport,
) -> HResult<ColorSpaceSupport> {
    Ok(support(chain_mut(context, display, call.swap_chain)?, call.color_space))
}

/// IDXGISwapChain3::SetColorSpace1.
pub(crate) fn set_color_space_1(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::SetColorSpace1,
) -> HResult<()> {
    let chain = chain_mut(context, display, call.swap_chain)?;
    if support(chain, call.color_space) == ColorSpaceSupport::NONE {
        let (space, format) = (call.color_space, chain.desc.format);
        return invalid_arg(context, format_args!("Buffers of {format:?} are not shown in {space:?}."));
    }
    chain.application.color_space = call.color_space;
    Ok(())
}

/// IDXGIFactory5::CheckFeatureSupport.
pub(crate) fn check_dxgi_feature_support(
    context: &mut Context<'_>,
    _: &mut DisplayState,
    call: &dxgi::CheckDxgiFeatureSupport,
) -> HResult<bool> {
    if call.feature != DxgiFeature::PRESENT_ALLOW_TEARING {
        return invalid_arg(context, format_args!("There is no feature {:?}.", call.feature));
    }
    if call.size_bytes != BOOL_BYTES {
        let text = format_args!("{} bytes are no BOOL, which has {BOOL_BYTES}.", call.size_bytes);
        return context.refuse(HResultCode::E_INVALIDARG, taut_schemas::ObjectId::NULL, text);
    }
    Ok(true)
}

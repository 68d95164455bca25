//! Back buffers: references, contents and views.

use super::errors::{chain_mut, invalid_arg, invalid_call};
use crate::context::Context;
use crate::kernel::{DisplayState, SwapChain};
use taut_schemas::format::Format;
use taut_schemas::{BackBuffer, BufferViewKind, DxgiUsage, HResult, HResultCode, SwapChainId, SwapEffect, dxgi, rule};

/// Number of buffers that GetBuffer returns: with a discarding swap effect, a Direct3D 11 device gets the first only.
fn gettable(chain: &SwapChain) -> u32 {
    let discards = matches!(chain.desc.swap_effect, SwapEffect::DISCARD | SwapEffect::FLIP_DISCARD);
    if discards && !chain.application.is_of_queue() { 1 } else { chain.desc.buffer_count }
}

/// True if the application may only read the buffer: in a Direct3D 11 chain, every buffer except the first (rule D-08).
fn is_read_only(chain: &SwapChain, buffer: u32) -> bool {
    buffer > 0 && !chain.application.is_of_queue()
}

fn usage(chain: &SwapChain, buffer: u32) -> DxgiUsage {
    let discards = matches!(chain.desc.swap_effect, SwapEffect::DISCARD | SwapEffect::FLIP_DISCARD);
    let mut usage = chain.application.window_desc.usage.without(DxgiUsage::DISCARD_ON_PRESENT) | DxgiUsage::BACK_BUFFER;
    if discards {
        usage = usage | DxgiUsage::DISCARD_ON_PRESENT;
    }
    if is_read_only(chain, buffer) { usage | DxgiUsage::READ_ONLY } else { usage }
}

/// Returns the swap chain if applications can get this buffer.
fn with_buffer<'d>(
    context: &mut Context<'_>,
    display: &'d mut DisplayState,
    id: SwapChainId,
    buffer: u32,
) -> HResult<&'d mut SwapChain> {
    let chain = chain_mut(context, display, id)?;
    let all = gettable(chain);
    if buffer < all {
        return Ok(chain);
    }
    invalid_call(context, format_args!("There is no buffer {buffer}: the swap chain gives {all}."))
}

/// IDXGISwapChain::GetBuffer.
pub(crate) fn get_buffer(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetBuffer,
) -> HResult<BackBuffer> {
    let chain = with_buffer(context, display, call.swap_chain, call.buffer)?;
    let (desc, usage) = (chain.desc, usage(chain, call.buffer));
    let buffer = &mut chain.application.buffers[call.buffer as usize];
    buffer.reference_count += 1;
    let reference_count = buffer.reference_count;
    Ok(BackBuffer { width: desc.width, height: desc.height, format: desc.format, usage, reference_count })
}

/// IUnknown::Release of a buffer.
pub(crate) fn release_buffer(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::ReleaseBuffer,
) -> HResult<u32> {
    let chain = with_buffer(context, display, call.swap_chain, call.buffer)?;
    let count = &mut chain.application.buffers[call.buffer as usize].reference_count;
    match count.checked_sub(1) {
        Some(left) => {
            *count = left;
            Ok(left)
        }
        None => invalid_call(context, format_args!("Nobody holds buffer {}.", call.buffer)),
    }
}

/// Fills a buffer with one colour, in place of an application's draws.
pub(crate) fn fill_buffer(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::FillBuffer,
) -> HResult<()> {
    let chain = with_buffer(context, display, call.swap_chain, call.buffer)?;
    if is_read_only(chain, call.buffer) {
        let (buffer, id) = (call.buffer, rule::D_08.id);
        return invalid_call(
            context,
            format_args!("Buffer {buffer} is read only: the first alone is drawn to ({id})."),
        );
    }
    let Ok(color) = <[u32; 4]>::try_from(&*call.color) else {
        return invalid_arg(context, format_args!("A colour has 4 channels, not {}.", call.color.len()));
    };
    chain.application.buffers[call.buffer as usize].color = Some(color);
    Ok(())
}

/// Reads a buffer's colour back; empty if it is undefined.
pub(crate) fn read_buffer(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::ReadBuffer,
) -> HResult<Vec<u32>> {
    let chain = with_buffer(context, display, call.swap_chain, call.buffer)?;
    Ok(chain.application.buffers[call.buffer as usize].color.map_or(Vec::new(), |color| color.to_vec()))
}

/// True if a view can have this format: the buffer's own, or its sRGB variant.
fn is_viewable(buffer: Format, view: Format) -> bool {
    let srgb = match buffer {
        Format::R8G8B8A8_UNORM => Format::R8G8B8A8_UNORM_SRGB,
        Format::B8G8R8A8_UNORM => Format::B8G8R8A8_UNORM_SRGB,
        other => other,
    };
    [Format::UNKNOWN, buffer, srgb].contains(&view)
}

/// ID3D11Device::CreateRenderTargetView or CreateShaderResourceView of a back buffer.
pub(crate) fn create_buffer_view(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::CreateBufferView,
) -> HResult<()> {
    let chain = with_buffer(context, display, call.swap_chain, call.buffer)?;
    let (needed, read_only) = match call.kind {
        BufferViewKind::RENDER_TARGET => (DxgiUsage::RENDER_TARGET_OUTPUT, is_read_only(chain, call.buffer)),
        _ => (DxgiUsage::SHADER_INPUT, false),
    };
    let (format, usage) = (chain.desc.format, usage(chain, call.buffer));
    if !read_only && usage.contains(needed) && is_viewable(format, call.format) {
        return Ok(());
    }
    let text = format_args!("A buffer of {format:?} and usage {usage:?} has no such view.");
    context.refuse(HResultCode::E_INVALIDARG, taut_schemas::ObjectId::NULL, text)
}

//! Back buffers: references, contents, views.

use super::said::{bad_argument, chain_mut, invalid};
use crate::context::Context;
use crate::kernel::{DisplayState, SwapChain};
use taut_schemas::format::Format;
use taut_schemas::{BackBuffer, BufferViewKind, DxgiUsage, HResult, HResultCode, SwapChainId, SwapEffect, dxgi, rule};

/// Buffers that an application can get: where contents are discarded a Direct3D 11 device has the first alone.
fn gettable(chain: &SwapChain) -> u32 {
    let discards = matches!(chain.desc.swap_effect, SwapEffect::DISCARD | SwapEffect::FLIP_DISCARD);
    if discards && !chain.front.is_of_queue() { 1 } else { chain.desc.buffer_count }
}

/// It may be read alone: of a sequential chain of Direct3D 11 all but the first (rule D-08).
fn is_read_only(chain: &SwapChain, buffer: u32) -> bool {
    buffer > 0 && !chain.front.is_of_queue()
}

fn usage(chain: &SwapChain, buffer: u32) -> DxgiUsage {
    let discards = matches!(chain.desc.swap_effect, SwapEffect::DISCARD | SwapEffect::FLIP_DISCARD);
    let mut usage = chain.front.of_window.usage.without(DxgiUsage::DISCARD_ON_PRESENT) | DxgiUsage::BACK_BUFFER;
    if discards {
        usage = usage | DxgiUsage::DISCARD_ON_PRESENT;
    }
    if is_read_only(chain, buffer) { usage | DxgiUsage::READ_ONLY } else { usage }
}

/// The chain, if it has such a buffer for applications.
fn with_buffer<'d>(
    context: &mut Context<'_>,
    display: &'d mut DisplayState,
    (id, buffer): (SwapChainId, u32),
) -> HResult<&'d mut SwapChain> {
    let chain = chain_mut(context, display, id)?;
    let all = gettable(chain);
    if buffer < all {
        return Ok(chain);
    }
    invalid(context, format_args!("There is no buffer {buffer}: the swap chain gives {all}."))
}

/// IDXGISwapChain::GetBuffer.
pub(crate) fn get_buffer(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetBuffer,
) -> HResult<BackBuffer> {
    let chain = with_buffer(context, display, (call.swap_chain, call.buffer))?;
    let (desc, usage) = (chain.desc, usage(chain, call.buffer));
    let buffer = &mut chain.front.buffers[call.buffer as usize];
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
    let chain = with_buffer(context, display, (call.swap_chain, call.buffer))?;
    let count = &mut chain.front.buffers[call.buffer as usize].reference_count;
    match count.checked_sub(1) {
        Some(left) => {
            *count = left;
            Ok(left)
        }
        None => invalid(context, format_args!("Nobody holds buffer {}.", call.buffer)),
    }
}

/// An application draws one colour.
pub(crate) fn fill_buffer(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::FillBuffer,
) -> HResult<()> {
    let chain = with_buffer(context, display, (call.swap_chain, call.buffer))?;
    if is_read_only(chain, call.buffer) {
        let (buffer, id) = (call.buffer, rule::D_08.id);
        return invalid(context, format_args!("Buffer {buffer} is read only: the first alone is drawn to ({id})."));
    }
    let Ok(color) = <[u32; 4]>::try_from(&*call.color) else {
        return bad_argument(context, format_args!("A colour has 4 channels, not {}.", call.color.len()));
    };
    chain.front.buffers[call.buffer as usize].color = Some(color);
    Ok(())
}

/// An application reads back what is there.
pub(crate) fn read_buffer(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::ReadBuffer,
) -> HResult<Vec<u32>> {
    let chain = with_buffer(context, display, (call.swap_chain, call.buffer))?;
    Ok(chain.front.buffers[call.buffer as usize].color.map_or(Vec::new(), |color| color.to_vec()))
}

/// A view's format is the buffer's, or the same bytes as sRGB.
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
    let chain = with_buffer(context, display, (call.swap_chain, call.buffer))?;
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

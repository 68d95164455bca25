//! Validation of swap chain descriptions (rules D-01, D-02, D-03, D-06).

use super::errors::{invalid_arg, invalid_call};
use crate::context::Context;
use taut_schemas::format::Format;
use taut_schemas::{HResult, SwapChainDesc, SwapEffect, rule};

/// Formats of the flip model (rule D-02).
const FLIP_FORMATS: [Format; 4] =
    [Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R10G10B10A2_UNORM, Format::R16G16B16A16_FLOAT];
/// Additional formats of the blt model.
const BLT_FORMATS: [Format; 2] = [Format::R8G8B8A8_UNORM_SRGB, Format::B8G8R8A8_UNORM_SRGB];
/// Max width and height of a buffer (D3D11_REQ_TEXTURE2D_U_OR_V_DIMENSION).
const MAX_SIDE: u32 = 16384;
/// Min extent that a size of 0 resolves to.
const MIN_SIDE: u32 = 8;

/// Target of the swap chain: queue or device, samples, window.
#[derive(Debug, Clone, Copy)]
pub(super) struct SwapChainTarget {
    pub is_of_queue: bool,
    pub samples: u32,
    /// Width and height of the window's client area.
    pub window: (u32, u32),
}

/// Validates a description, and resolves sizes of 0 to the window's (rule D-06).
pub(super) fn validate(
    context: &mut Context<'_>,
    desc: SwapChainDesc,
    target: SwapChainTarget,
) -> HResult<SwapChainDesc> {
    let or = |size, window_size: u32| if size == 0 { window_size.max(MIN_SIDE) } else { size };
    let desc =
        SwapChainDesc { width: or(desc.width, target.window.0), height: or(desc.height, target.window.1), ..desc };
    // The order decides which error is reported for a description with several.
    validate_buffer_count(context, &desc, target.is_of_queue)?;
    validate_format(context, &desc, target.is_of_queue)?;
    if desc.swap_effect.is_flip_model() && target.samples != 1 || target.samples == 0 {
        let (samples, id) = (target.samples, rule::D_03.id);
        return invalid_call(context, format_args!("SampleDesc.Count is {samples}: 1 in the flip model ({id})."));
    }
    if desc.width > MAX_SIDE || desc.height > MAX_SIDE {
        let (width, height) = (desc.width, desc.height);
        return invalid_call(context, format_args!("{width} by {height} is beyond {MAX_SIDE} by {MAX_SIDE}."));
    }
    Ok(desc)
}

/// Validates the swap effect and the number of buffers.
pub(super) fn validate_buffer_count(context: &mut Context<'_>, desc: &SwapChainDesc, is_of_queue: bool) -> HResult<()> {
    let (effect, count, id) = (desc.swap_effect, desc.buffer_count, rule::D_01.id);
    let is_flip = effect.is_flip_model();
    if !is_flip && is_of_queue {
        return invalid_call(
            context,
            format_args!("SwapEffect is {effect:?}: on a command queue the flip model alone ({id})."),
        );
    }
    if !is_flip && ![SwapEffect::DISCARD, SwapEffect::SEQUENTIAL].contains(&effect) {
        return invalid_call(context, format_args!("SwapEffect is {effect:?}, which is none ({id})."));
    }
    // The max, 16, is DXGI_MAX_SWAP_CHAIN_BUFFERS.
    let (min, model) = if is_flip { (2, "flip") } else { (1, "blt") };
    if !(min..=16).contains(&count) {
        return invalid_call(context, format_args!("BufferCount is {count}: {min} to 16 in the {model} model ({id})."));
    }
    Ok(())
}

/// Validates the format for the swap effect's model.
fn validate_format(context: &mut Context<'_>, desc: &SwapChainDesc, is_of_queue: bool) -> HResult<()> {
    let (format, id) = (desc.format, rule::D_02.id);
    let is_flip = desc.swap_effect.is_flip_model();
    if FLIP_FORMATS.contains(&format) || !is_flip && BLT_FORMATS.contains(&format) {
        return Ok(());
    }
    let is_none = format == Format::UNKNOWN || format!("{format:?}").ends_with("_TYPELESS");
    // Direct3D 11 rejects formats that no render target can have before DXGI validates them.
    if !is_of_queue && (is_none || !is_flip) {
        return invalid_arg(context, format_args!("Format is {format:?}, which no back buffer has ({id})."));
    }
    invalid_call(context, format_args!("Format is {format:?}: none of the flip model's ({id})."))
}

//! What buffers a swap chain can have (rules D-01, D-02, D-03, D-06).

use super::said::{bad_argument, invalid};
use crate::context::Context;
use taut_schemas::format::Format;
use taut_schemas::{HResult, SwapChainDesc, SwapEffect, rule};

/// The formats of the flip model (rule D-02).
const FLIP_FORMATS: [Format; 4] =
    [Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R10G10B10A2_UNORM, Format::R16G16B16A16_FLOAT];
/// Those that the blt model has besides.
const BLT_FORMATS: [Format; 2] = [Format::R8G8B8A8_UNORM_SRGB, Format::B8G8R8A8_UNORM_SRGB];
/// The greatest side of a buffer.
const GREATEST_SIDE: u32 = 16384;
/// The least that a size of 0 stands for.
const LEAST_SIDE: u32 = 8;

/// What the buffers are asked of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub is_of_queue: bool,
    pub samples: u32,
    /// Its client area.
    pub window: (u32, u32),
}

/// The buffers as they are made: sizes of 0 are the window's (rule D-06).
pub(super) fn checked(context: &mut Context<'_>, desc: SwapChainDesc, asked: Asked) -> HResult<SwapChainDesc> {
    let or = |size, of_window: u32| if size == 0 { of_window.max(LEAST_SIDE) } else { size };
    let desc = SwapChainDesc { width: or(desc.width, asked.window.0), height: or(desc.height, asked.window.1), ..desc };
    counted(context, &desc, asked.is_of_queue)?;
    formatted(context, &desc, asked.is_of_queue)?;
    if desc.swap_effect.is_flip_model() && asked.samples != 1 || asked.samples == 0 {
        let (samples, id) = (asked.samples, rule::D_03.id);
        return invalid(context, format_args!("SampleDesc.Count is {samples}: 1 in the flip model ({id})."));
    }
    if desc.width > GREATEST_SIDE || desc.height > GREATEST_SIDE {
        let (width, height) = (desc.width, desc.height);
        return invalid(context, format_args!("{width} by {height} is beyond {GREATEST_SIDE} by {GREATEST_SIDE}."));
    }
    Ok(desc)
}

/// The effect is one, and has so many buffers.
pub(super) fn counted(context: &mut Context<'_>, desc: &SwapChainDesc, is_of_queue: bool) -> HResult<()> {
    let (effect, count, id) = (desc.swap_effect, desc.buffer_count, rule::D_01.id);
    let is_flip = effect.is_flip_model();
    if !is_flip && is_of_queue {
        return invalid(
            context,
            format_args!("SwapEffect is {effect:?}: on a command queue the flip model alone ({id})."),
        );
    }
    if !is_flip && ![SwapEffect::DISCARD, SwapEffect::SEQUENTIAL].contains(&effect) {
        return invalid(context, format_args!("SwapEffect is {effect:?}, which is none ({id})."));
    }
    let (least, model) = if is_flip { (2, "flip") } else { (1, "blt") };
    if !(least..=16).contains(&count) {
        return invalid(context, format_args!("BufferCount is {count}: {least} to 16 in the {model} model ({id})."));
    }
    Ok(())
}

/// The format is one of its model's.
fn formatted(context: &mut Context<'_>, desc: &SwapChainDesc, is_of_queue: bool) -> HResult<()> {
    let (format, id) = (desc.format, rule::D_02.id);
    let is_flip = desc.swap_effect.is_flip_model();
    if FLIP_FORMATS.contains(&format) || !is_flip && BLT_FORMATS.contains(&format) {
        return Ok(());
    }
    let is_none = format == Format::UNKNOWN || format!("{format:?}").ends_with("_TYPELESS");
    // Direct3D 11 does not come as far as DXGI with what is no format of a texture that is drawn to.
    if !is_of_queue && (is_none || !is_flip) {
        return bad_argument(context, format_args!("Format is {format:?}, which no back buffer has ({id})."));
    }
    invalid(context, format_args!("Format is {format:?}: none of the flip model's ({id})."))
}

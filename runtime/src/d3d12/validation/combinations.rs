//! Validation of combinations that are illegal though each part is legal.

use super::invalid;
use crate::context::Context;
use crate::placement::{Shape, plane_count};
use taut_schemas::format::{FormatClass, FormatInfo};
use taut_schemas::{Dimension, HResult, MessageId, ResourceDesc, ResourceFlags, TextureLayout};

/// Bits of a texel of three 32-bit components: no swizzle has a pattern for it.
const BITS_96: u32 = 96;

/// Validates a description whose parts are valid; `shape` has its mip levels resolved.
pub(super) fn check(context: &mut Context<'_>, desc: &ResourceDesc, shape: &Shape) -> HResult<()> {
    if desc.dimension == Dimension::BUFFER {
        return Ok(());
    }
    let Some(info) = desc.format.info() else { return Ok(()) };
    if desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) && shape.mip_levels > 1 {
        let text = format_args!("A cross-adapter texture has {} mip levels; expected 1.", shape.mip_levels);
        return invalid(context, MessageId::CREATERESOURCE_INVALIDMIPLEVELS, text);
    }
    let why = match desc.layout {
        TextureLayout::_64KB_STANDARD_SWIZZLE => standard_swizzle(desc, info),
        TextureLayout::ROW_MAJOR if info.class == FormatClass::Video && plane_count(desc.format) > 1 => {
            Some("a format of several planes has no rows in common")
        }
        _ => None,
    };
    match why {
        Some(why) => {
            let text = format_args!("Layout {:?} is invalid: {why}.", desc.layout);
            invalid(context, MessageId::CREATERESOURCE_INVALIDLAYOUT, text)
        }
        None => Ok(()),
    }
}

/// The error in a standard-swizzle texture (d3d12.h: D3D12_TEXTURE_LAYOUT_64KB_STANDARD_SWIZZLE): its patterns are not
/// defined for it.
fn standard_swizzle(desc: &ResourceDesc, info: &FormatInfo) -> Option<&'static str> {
    let depth = matches!(info.class, FormatClass::Depth | FormatClass::DepthPlane);
    if desc.sample_count > 1 {
        Some("standard swizzle is for one sample")
    } else if depth || desc.flags.contains(ResourceFlags::ALLOW_DEPTH_STENCIL) {
        Some("standard swizzle is not for depth-stencil")
    } else if info.unit_bits == BITS_96 {
        Some("standard swizzle has no pattern for texels of 96 bits")
    } else {
        None
    }
}

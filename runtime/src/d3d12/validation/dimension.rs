//! Validation of dimension, extents and mip levels.

use super::invalid;
use crate::context::Context;
use crate::placement::Shape;
use taut_schemas::{Dimension, HResult, MessageId, ResourceDesc};

/// D3D12_REQ_TEXTURE1D_U_DIMENSION, D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION.
const MAX_EXTENT: u64 = 16384;
/// D3D12_REQ_TEXTURE3D_U_V_OR_W_DIMENSION.
const MAX_EXTENT_3D: u64 = 2048;
/// D3D12_REQ_TEXTURE1D_ARRAY_AXIS_DIMENSION, D3D12_REQ_TEXTURE2D_ARRAY_AXIS_DIMENSION.
const MAX_ARRAY_SIZE: u16 = 2048;

pub(super) fn check(context: &mut Context<'_>, desc: &ResourceDesc, shape: &Shape) -> HResult<()> {
    match desc.dimension {
        Dimension::BUFFER => buffer(context, desc),
        Dimension::TEXTURE1D | Dimension::TEXTURE2D | Dimension::TEXTURE3D => {
            extents(context, desc)?;
            mip_levels(context, desc, shape)
        }
        Dimension::UNKNOWN => {
            let text = format_args!("Dimension is UNKNOWN; a resource has one.");
            invalid(context, MessageId::CREATERESOURCE_INVALIDDIMENSIONALITY, text)
        }
        unrecognized => {
            let text = format_args!("Dimension {} is none of D3D12_RESOURCE_DIMENSION.", unrecognized.0);
            invalid(context, MessageId::CREATERESOURCE_UNRECOGNIZEDDIMENSIONALITY, text)
        }
    }
}

fn buffer(context: &mut Context<'_>, desc: &ResourceDesc) -> HResult<()> {
    let (height, depth, mips) = (desc.height, desc.depth_or_array_size, desc.mip_levels);
    if desc.width == 0 || height != 1 || depth != 1 {
        let text = format_args!(
            "A buffer is {} bytes wide, {height} high and {depth} deep; expected at least 1, and 1 and 1.",
            desc.width
        );
        return invalid(context, MessageId::CREATERESOURCE_INVALIDDIMENSIONS, text);
    }
    if mips != 1 {
        let text = format_args!("A buffer has {mips} mip levels; expected 1.");
        return invalid(context, MessageId::CREATERESOURCE_INVALIDMIPLEVELS, text);
    }
    if desc.format.0 != 0 {
        let text = format_args!("A buffer has format {:?}; expected UNKNOWN.", desc.format);
        return invalid(context, MessageId::CREATERESOURCE_INVALIDFORMAT, text);
    }
    Ok(())
}

fn extents(context: &mut Context<'_>, desc: &ResourceDesc) -> HResult<()> {
    let (width, height, depth) = (desc.width, u64::from(desc.height), desc.depth_or_array_size);
    let holds = match desc.dimension {
        Dimension::TEXTURE1D => width <= MAX_EXTENT && height == 1 && depth <= MAX_ARRAY_SIZE,
        Dimension::TEXTURE2D => width.max(height) <= MAX_EXTENT && depth <= MAX_ARRAY_SIZE,
        _ => width.max(height).max(depth.into()) <= MAX_EXTENT_3D,
    };
    if holds && width > 0 && height > 0 && depth > 0 {
        return Ok(());
    }
    let limits = match desc.dimension {
        Dimension::TEXTURE1D => (MAX_EXTENT, 1, MAX_ARRAY_SIZE.into()),
        Dimension::TEXTURE2D => (MAX_EXTENT, MAX_EXTENT, MAX_ARRAY_SIZE.into()),
        _ => (MAX_EXTENT_3D, MAX_EXTENT_3D, MAX_EXTENT_3D),
    };
    let text = format_args!(
        "A {:?} is {width} by {height} by {depth}; expected 1 to {} by 1 to {} by 1 to {}.",
        desc.dimension, limits.0, limits.1, limits.2
    );
    invalid(context, MessageId::CREATERESOURCE_INVALIDDIMENSIONS, text)
}

fn mip_levels(context: &mut Context<'_>, desc: &ResourceDesc, shape: &Shape) -> HResult<()> {
    let (mips, max_mips) = (desc.mip_levels, if shape.is_msaa() { 1 } else { shape.full_mip_levels() });
    if shape.is_msaa() && mips == 0 {
        let text = format_args!("MipLevels is 0, the full chain; a texture of several samples has 1.");
        return invalid(context, MessageId::CREATERESOURCE_INVALIDMIPLEVELS, text);
    }
    if mips <= max_mips {
        return Ok(());
    }
    let text = format_args!("MipLevels is {mips}; the texture can have at most {max_mips}.");
    invalid(context, MessageId::CREATERESOURCE_INVALIDMIPLEVELS, text)
}

//! Validation of texture layouts.

use super::{AllocationQuery, Intent, invalid};
use crate::context::Context;
use crate::driver::caps::Caps;
use crate::state::Adapter;
use taut_schemas::{Dimension, HResult, MessageId, ResourceDesc, ResourceFlags, TextureLayout};

pub(super) fn check(context: &mut Context<'_>, adapter: &Adapter, requested: &AllocationQuery<'_>) -> HResult<()> {
    let desc = requested.desc;
    if desc.dimension == Dimension::BUFFER {
        return match desc.layout {
            TextureLayout::ROW_MAJOR => Ok(()),
            other => refuse(context, other, "a buffer is ROW_MAJOR"),
        };
    }
    let caps = &adapter.caps;
    let refused = match desc.layout {
        TextureLayout::UNKNOWN if requested.intent == Intent::Reserved => {
            Some("a reserved texture has a 64 KiB swizzle layout")
        }
        TextureLayout::UNKNOWN => None,
        TextureLayout::ROW_MAJOR => row_major(desc, caps),
        TextureLayout::_64KB_UNDEFINED_SWIZZLE => swizzle(desc, caps),
        TextureLayout::_64KB_STANDARD_SWIZZLE if !caps.standard_swizzle_64kb => {
            Some("the adapter has no standard swizzle")
        }
        TextureLayout::_64KB_STANDARD_SWIZZLE => swizzle(desc, caps),
        unrecognized => {
            let text = format_args!("Layout {} is none of D3D12_TEXTURE_LAYOUT.", unrecognized.0);
            return invalid(context, MessageId::CREATERESOURCE_UNRECOGNIZEDLAYOUT, text);
        }
    };
    refused.map_or(Ok(()), |why| refuse(context, desc.layout, why))
}

fn refuse(context: &mut Context<'_>, layout: TextureLayout, why: &str) -> HResult<()> {
    invalid(context, MessageId::CREATERESOURCE_INVALIDLAYOUT, format_args!("Layout {layout:?} is invalid: {why}."))
}

/// The error in a row-major texture (d3d12.h: D3D12_TEXTURE_LAYOUT_ROW_MAJOR): only cross-adapter textures may be
/// row-major.
fn row_major(desc: &ResourceDesc, caps: &Caps) -> Option<&'static str> {
    let single = desc.depth_or_array_size == 1 && desc.mip_levels == 1 && desc.sample_count == 1;
    if !desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) {
        Some("a row-major texture allows cross-adapter access")
    } else if desc.dimension != Dimension::TEXTURE2D || !single {
        Some("a row-major texture has two dimensions, one level, one slice and one sample")
    } else if !caps.cross_adapter_row_major_texture {
        Some("the adapter has no row-major cross-adapter textures")
    } else {
        None
    }
}

fn swizzle(desc: &ResourceDesc, caps: &Caps) -> Option<&'static str> {
    // Tiers of d3d12.h: D3D12_TILED_RESOURCES_TIER. 3D textures need tier 3, 1D textures tier 4.
    let min_tier = match desc.dimension {
        Dimension::TEXTURE3D => 3,
        Dimension::TEXTURE1D => 4,
        _ => 1,
    };
    (caps.tiled_resources_tier < min_tier).then_some("the adapter's tiled resources tier has no such texture")
}

//! Validation of a texture's format.

use super::invalid;
use crate::context::Context;
use crate::state::Adapter;
use taut_schemas::format::{Format, FormatClass, FormatInfo};
use taut_schemas::{Dimension, HResult, MessageId, MipRegion, ResourceDesc, ResourceFlags};

pub(super) fn check(context: &mut Context<'_>, desc: &ResourceDesc, mip_region: &MipRegion) -> HResult<()> {
    let Some(info) = desc.format.info() else {
        let known = desc.format == Format::UNKNOWN;
        let id = match known {
            true => MessageId::CREATERESOURCE_INVALIDFORMAT,
            false => MessageId::CREATERESOURCE_UNRECOGNIZEDFORMAT,
        };
        return invalid(context, id, format_args!("A texture cannot have format {:?}.", desc.format));
    };
    if let Some(why) = unsuitable(desc, info) {
        let text = format_args!("A {:?} cannot have format {:?}: {why}.", desc.dimension, desc.format);
        return invalid(context, MessageId::CREATERESOURCE_INVALIDFORMAT, text);
    }
    check_mip_region(context, desc, info, mip_region)
}

/// Validates that the most detailed mip of a block-compressed texture has whole blocks, where the adapter requires it
/// (d3d12.h: UnalignedBlockTexturesSupported).
pub(super) fn check_blocks(context: &mut Context<'_>, adapter: &Adapter, desc: &ResourceDesc) -> HResult<()> {
    let Some(info) = desc.format.info().filter(|info| info.is_block_compressed()) else { return Ok(()) };
    let (across, down) = (u64::from(info.unit_texels.0), u64::from(info.unit_texels.1));
    let (width, height) = (desc.width, u64::from(desc.height));
    if adapter.caps.unaligned_block_textures || width.is_multiple_of(across) && height.is_multiple_of(down) {
        return Ok(());
    }
    let text = format_args!(
        "A texture of format {:?} has a width and height that are multiples of {across} and {down}, found {width} by \
         {height}: the adapter reports UnalignedBlockTexturesSupported FALSE.",
        desc.format
    );
    invalid(context, MessageId::CREATERESOURCE_INVALIDDIMENSIONS, text)
}

fn unsuitable(desc: &ResourceDesc, info: &FormatInfo) -> Option<&'static str> {
    let two_dimensional = desc.dimension == Dimension::TEXTURE2D;
    let (across, down) = video_granularity(desc.format);
    if desc.format == Format::R1_UNORM {
        Some("Direct3D 12 has no resources of it")
    } else if info.is_block_compressed() && desc.dimension == Dimension::TEXTURE1D {
        Some("block-compressed formats have two or three dimensions")
    } else if info.is_block_compressed() && desc.sample_count > 1 {
        Some("block-compressed formats have one sample")
    } else if matches!(info.class, FormatClass::Depth | FormatClass::DepthPlane)
        && desc.dimension == Dimension::TEXTURE3D
    {
        Some("depth formats have one or two dimensions")
    } else if matches!(info.class, FormatClass::Video | FormatClass::Feedback)
        && !(two_dimensional && desc.sample_count == 1)
    {
        Some("it has two dimensions and one sample")
    } else if !desc.width.is_multiple_of(across) || !u64::from(desc.height).is_multiple_of(down) {
        Some("its subsampled planes do not divide these extents")
    } else {
        None
    }
}

/// Numbers that the width and height of a subsampled format must be multiples of.
fn video_granularity(format: Format) -> (u64, u64) {
    match format {
        Format::NV12 | Format::P010 | Format::P016 | Format::_420_OPAQUE => (2, 2),
        Format::NV11 => (4, 1),
        Format::YUY2 | Format::Y210 | Format::Y216 | Format::P208 => (2, 1),
        Format::R8G8_B8G8_UNORM | Format::G8R8_G8B8_UNORM => (2, 1),
        Format::V208 => (1, 2),
        _ => (1, 1),
    }
}

/// Validates the mip region (d3d12.h: D3D12_RESOURCE_DESC1::SamplerFeedbackMipRegion): for feedback formats only,
/// powers of two from 4 texels to half the texture's extent.
fn check_mip_region(
    context: &mut Context<'_>,
    desc: &ResourceDesc,
    info: &FormatInfo,
    region: &MipRegion,
) -> HResult<()> {
    let MipRegion { width, height, depth } = *region;
    let fits = |extent: u32, of: u64| extent.is_power_of_two() && extent >= 4 && u64::from(extent) <= of / 2;
    let holds = match info.class {
        FormatClass::Feedback => {
            fits(width, desc.width)
                && fits(height, desc.height.into())
                && depth <= 1
                && desc.flags.contains(ResourceFlags::ALLOW_UNORDERED_ACCESS)
        }
        _ => (width, height, depth) == (0, 0, 0),
    };
    if holds {
        return Ok(());
    }
    let text = format_args!("SamplerFeedbackMipRegion {width} by {height} by {depth} does not suit {:?}.", desc.format);
    invalid(context, MessageId::CREATERESOURCE_INVALIDDESC, text)
}

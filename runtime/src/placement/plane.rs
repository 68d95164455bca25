//! Planes of video and depth-stencil formats.

use taut_schemas::format::{Format, FormatInfo};

/// Returns width and height of each plane of `width` × `height` texels, in units of the format's first plane.
pub fn planes(info: &FormatInfo, width: u64, height: u64) -> impl Iterator<Item = (u64, u64)> {
    let whole = Some((width, height));
    let planes = match info.format {
        // Chroma at half the width and half the height with two values per texel: as wide as luma, half as high.
        Format::NV12 | Format::P010 | Format::P016 | Format::_420_OPAQUE => {
            [whole, Some((width, height.div_ceil(2))), None]
        }
        // Chroma at a quarter of the width with two values per texel.
        Format::NV11 => [whole, Some((width.div_ceil(2), height)), None],
        Format::P208 | Format::V208 => [whole, whole, None],
        Format::V408 => [whole; 3],
        _ => [whole, None, None],
    };
    planes.into_iter().flatten()
}

/// Returns the number of planes of a format, each a subresource: video planes, or depth and stencil.
pub fn plane_count(format: Format) -> u32 {
    match format {
        Format::NV12
        | Format::P010
        | Format::P016
        | Format::_420_OPAQUE
        | Format::NV11
        | Format::P208
        | Format::V208 => 2,
        Format::V408 => 3,
        Format::R32G8X24_TYPELESS
        | Format::D32_FLOAT_S8X24_UINT
        | Format::R32_FLOAT_X8X24_TYPELESS
        | Format::X32_TYPELESS_G8X24_UINT
        | Format::R24G8_TYPELESS
        | Format::D24_UNORM_S8_UINT
        | Format::R24_UNORM_X8_TYPELESS
        | Format::X24_TYPELESS_G8_UINT => 2,
        _ => 1,
    }
}

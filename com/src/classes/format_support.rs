//! D3D12_FEATURE_FORMAT_SUPPORT: uses of a format, by its kind. Exact answers per format need a table that the
//! simulation does not have; a format gets the uses that all formats of its kind have.

use taut_schemas::format::{Format, FormatClass};

/// D3D12_FORMAT_SUPPORT1: buffer, vertex buffer, texture, render target, blending, multisampling.
const COLOR: u32 = 0x1 | 0x2 | TEXTURE | 0x4000 | 0x8000 | 0x4_0000 | 0x20_0000 | 0x40_0000;
/// Textures of 1 to 3 dimensions, cube, load, sample, gather, mip levels, cast.
const TEXTURE: u32 = 0x10 | 0x20 | 0x40 | 0x80 | 0x100 | 0x200 | 0x1000 | 0x10_0000 | 0x80_0000;
/// Textures of 1 and 2 dimensions, cube, mip levels, depth-stencil, multisampling.
const DEPTH: u32 = 0x10 | 0x20 | 0x80 | 0x1000 | 0x1_0000 | 0x20_0000;
/// Typed unordered access.
const TYPED_ACCESS: u32 = 0x200_0000;
/// Index buffer.
const INDEX: u32 = 0x4;
/// D3D12_FORMAT_SUPPORT2: typed loads and stores.
const TYPED_LOAD_STORE: u32 = 0x40 | 0x80;

/// Formats of indices: R32_UINT and R16_UINT.
const INDICES: [u32; 2] = [42, 57];
/// Formats with three channels of 32 bits, which no adapter must render to.
const THREE_CHANNELS: std::ops::RangeInclusive<u32> = 5..=8;

/// Support1 and Support2 of a format; `None` if there is no such format.
pub fn of(format: u32) -> Option<[u32; 2]> {
    if format == 0 {
        // Raw buffers.
        return Some([0x1, 0]);
    }
    let info = Format(format).info()?;
    Some(match info.class {
        FormatClass::Depth => [DEPTH, 0],
        FormatClass::Typeless => [TEXTURE & !(0x100 | 0x200 | 0x80_0000), 0],
        FormatClass::DepthPlane => [0x10 | 0x20 | 0x80 | 0x100 | 0x200 | 0x1000, 0],
        FormatClass::Video | FormatClass::Feedback => [0, 0],
        _ if info.is_block_compressed() => [TEXTURE, 0],
        _ if THREE_CHANNELS.contains(&format) => [0x1 | 0x2 | 0x100, 0],
        _ if Format(format).is_srgb() => [COLOR & !0x3, 0],
        _ if INDICES.contains(&format) => [COLOR | INDEX | TYPED_ACCESS, TYPED_LOAD_STORE],
        _ => [COLOR | TYPED_ACCESS, TYPED_LOAD_STORE],
    })
}

/// Quality levels of a number of samples: one where a render target of the format can have them.
pub fn quality_levels(format: u32, samples: u32) -> u32 {
    let is_target = of(format).is_some_and(|[support, _]| support & 0x20_0000 != 0);
    u32::from(samples == 1 || is_target && matches!(samples, 2 | 4 | 8))
}

/// Number of planes of a format.
pub fn planes(format: u32) -> Option<u32> {
    Format(format).info()?;
    // D32_FLOAT_S8X24_UINT, D24_UNORM_S8_UINT and their typeless formats have depth and stencil.
    Some(if matches!(format, 19 | 20 | 44 | 45) { 2 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_formats_have_no_unordered_access() {
        for format in [20, 40, 45, 55] {
            assert!(of(format).is_some_and(|[support, _]| support & TYPED_ACCESS == 0));
        }
        assert_eq!((planes(45), planes(28), of(9999)), (Some(2), Some(1), None));
        assert_eq!((quality_levels(28, 4), quality_levels(71, 4), quality_levels(28, 3)), (1, 0, 0));
    }
}

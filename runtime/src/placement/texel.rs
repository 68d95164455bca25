//! Texels of one color: values of clears in the bytes of a format.

use crate::memory::effect::Texel;
use taut_schemas::format::Format;

/// Conversion of a component.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Unorm,
    /// Unsigned, with the transfer function of sRGB.
    Srgb,
    Snorm,
    Uint,
    Sint,
    Float,
}

use Kind::{Float, Sint, Snorm, Srgb, Uint, Unorm};

const RED: usize = 0;
const GREEN: usize = 1;
const BLUE: usize = 2;
const ALPHA: usize = 3;

/// Components from the lowest bit on, as (index of the color, bits), and their conversion. `None` for formats that have
/// no texels of single colors here.
fn components(format: Format) -> Option<(&'static [(usize, u32)], Kind)> {
    const RGBA8: &[(usize, u32)] = &[(RED, 8), (GREEN, 8), (BLUE, 8), (ALPHA, 8)];
    const BGRA8: &[(usize, u32)] = &[(BLUE, 8), (GREEN, 8), (RED, 8), (ALPHA, 8)];
    const RGBA16: &[(usize, u32)] = &[(RED, 16), (GREEN, 16), (BLUE, 16), (ALPHA, 16)];
    const RGBA32: &[(usize, u32)] = &[(RED, 32), (GREEN, 32), (BLUE, 32), (ALPHA, 32)];
    const RGB10A2: &[(usize, u32)] = &[(RED, 10), (GREEN, 10), (BLUE, 10), (ALPHA, 2)];
    const RGB11: &[(usize, u32)] = &[(RED, 11), (GREEN, 11), (BLUE, 10)];
    Some(match format {
        Format::R32G32B32A32_FLOAT => (RGBA32, Float),
        Format::R32G32B32A32_UINT => (RGBA32, Uint),
        Format::R32G32B32A32_SINT => (RGBA32, Sint),
        Format::R32G32B32_FLOAT => (&RGBA32[..3], Float),
        Format::R32G32B32_UINT => (&RGBA32[..3], Uint),
        Format::R32G32B32_SINT => (&RGBA32[..3], Sint),
        Format::R32G32_FLOAT => (&RGBA32[..2], Float),
        Format::R32G32_UINT => (&RGBA32[..2], Uint),
        Format::R32G32_SINT => (&RGBA32[..2], Sint),
        Format::R32_FLOAT | Format::D32_FLOAT => (&RGBA32[..1], Float),
        Format::R32_UINT => (&RGBA32[..1], Uint),
        Format::R32_SINT => (&RGBA32[..1], Sint),
        Format::R16G16B16A16_FLOAT => (RGBA16, Float),
        Format::R16G16B16A16_UNORM => (RGBA16, Unorm),
        Format::R16G16B16A16_SNORM => (RGBA16, Snorm),
        Format::R16G16B16A16_UINT => (RGBA16, Uint),
        Format::R16G16B16A16_SINT => (RGBA16, Sint),
        Format::R16G16_FLOAT => (&RGBA16[..2], Float),
        Format::R16G16_UNORM => (&RGBA16[..2], Unorm),
        Format::R16G16_SNORM => (&RGBA16[..2], Snorm),
        Format::R16G16_UINT => (&RGBA16[..2], Uint),
        Format::R16G16_SINT => (&RGBA16[..2], Sint),
        Format::R16_FLOAT => (&RGBA16[..1], Float),
        Format::R16_UNORM | Format::D16_UNORM => (&RGBA16[..1], Unorm),
        Format::R16_SNORM => (&RGBA16[..1], Snorm),
        Format::R16_UINT => (&RGBA16[..1], Uint),
        Format::R16_SINT => (&RGBA16[..1], Sint),
        Format::R10G10B10A2_UNORM => (RGB10A2, Unorm),
        Format::R10G10B10A2_UINT => (RGB10A2, Uint),
        Format::R11G11B10_FLOAT => (RGB11, Float),
        Format::R8G8B8A8_UNORM => (RGBA8, Unorm),
        Format::R8G8B8A8_UNORM_SRGB => (RGBA8, Srgb),
        Format::R8G8B8A8_SNORM => (RGBA8, Snorm),
        Format::R8G8B8A8_UINT => (RGBA8, Uint),
        Format::R8G8B8A8_SINT => (RGBA8, Sint),
        Format::B8G8R8A8_UNORM | Format::B8G8R8X8_UNORM => (BGRA8, Unorm),
        Format::B8G8R8A8_UNORM_SRGB | Format::B8G8R8X8_UNORM_SRGB => (BGRA8, Srgb),
        Format::R8G8_UNORM => (&RGBA8[..2], Unorm),
        Format::R8G8_SNORM => (&RGBA8[..2], Snorm),
        Format::R8G8_UINT => (&RGBA8[..2], Uint),
        Format::R8G8_SINT => (&RGBA8[..2], Sint),
        Format::R8_UNORM => (&RGBA8[..1], Unorm),
        Format::R8_SNORM => (&RGBA8[..1], Snorm),
        Format::R8_UINT => (&RGBA8[..1], Uint),
        Format::R8_SINT => (&RGBA8[..1], Sint),
        Format::A8_UNORM => (&[(ALPHA, 8)], Unorm),
        Format::B5G6R5_UNORM => (&[(BLUE, 5), (GREEN, 6), (RED, 5)], Unorm),
        Format::B5G5R5A1_UNORM => (&[(BLUE, 5), (GREEN, 5), (RED, 5), (ALPHA, 1)], Unorm),
        Format::B4G4R4A4_UNORM => (&[(BLUE, 4), (GREEN, 4), (RED, 4), (ALPHA, 4)], Unorm),
        _ => return None,
    })
}

/// True if a clear of a view of this format has a known texel.
pub fn is_clearable(format: Format) -> bool {
    let is_depth = matches!(format, Format::D24_UNORM_S8_UINT | Format::D32_FLOAT_S8X24_UINT);
    is_depth || components(format).is_some()
}

/// Texel of a color of floats. Components of integers are truncated.
pub(crate) fn texel(format: Format, color: [f32; 4]) -> Option<Texel> {
    let (components, kind) = components(format)?;
    Some(packed(components.iter().map(|(index, bits)| {
        let is_alpha = *index == ALPHA;
        (convert(if is_alpha && matches!(kind, Srgb) { Unorm } else { kind }, *bits, color[*index]), *bits)
    })))
}

/// Texel whose components are the low bits of words.
pub(crate) fn texel_of_words(format: Format, words: [u32; 4]) -> Option<Texel> {
    let (components, _) = components(format)?;
    Some(packed(components.iter().map(|(index, bits)| (words[*index], *bits))))
}

fn packed(components: impl Iterator<Item = (u32, u32)>) -> Texel {
    let (value, bits) = components.fold((0_u128, 0), |(value, shift), (component, bits)| {
        let mask = (1_u64 << bits) - 1;
        (value | u128::from(u64::from(component) & mask) << shift, shift + bits)
    });
    Texel { bytes: value.to_le_bytes(), size_bytes: bits as usize / 8 }
}

fn convert(kind: Kind, bits: u32, value: f32) -> u32 {
    let max = (1_u64 << bits) - 1;
    // NaN becomes 0.
    let unorm = |value: f32| (f64::from(value).clamp(0.0, 1.0) * max as f64).round() as u32;
    match kind {
        Unorm => unorm(value),
        Srgb if value <= 0.003_130_8 => unorm(value * 12.92),
        Srgb => unorm(1.055 * value.powf(1.0 / 2.4) - 0.055),
        Snorm => (f64::from(value).clamp(-1.0, 1.0) * (max / 2) as f64).round() as i32 as u32,
        Uint => value as u32,
        Sint => (value as i32).cast_unsigned(),
        Float if bits == 32 => value.to_bits(),
        Float if bits == 16 => half(value, 10),
        // Floats of 11 and 10 bits have no sign.
        Float => half(value.max(0.0), bits - 5) & max as u32,
    }
}

/// Float with 5 bits of exponent and `mantissa` bits, rounded toward zero as Direct3D's conversions may; a sign is above.
fn half(value: f32, mantissa: u32) -> u32 {
    let (bits, top) = (value.to_bits(), 5 + mantissa);
    let sign = (bits >> 31) << top;
    let exponent = (bits >> 23 & 0xff) as i32 - 127 + 15;
    let fraction = bits & 0x007f_ffff;
    sign | match exponent {
        _ if value.is_nan() => (0x1f << mantissa) | 1,
        _ if value.is_infinite() => 0x1f << mantissa,
        // The largest finite number.
        31.. => (0x1f << mantissa) - 1,
        1..=30 => (exponent.cast_unsigned() << mantissa) | fraction >> (23 - mantissa),
        // A number below the normal ones.
        -9..=0 => (fraction | 0x0080_0000).checked_shr(24 - mantissa + exponent.unsigned_abs()).unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_are_those_of_the_formats() {
        let bytes = |format, color| {
            let Texel { bytes, size_bytes } = texel(format, color).unwrap();
            bytes[..size_bytes].to_vec()
        };
        let color = [1.0, 0.5, 0.25, 0.0];
        assert_eq!(bytes(Format::R8G8B8A8_UNORM, color), [255, 128, 64, 0]);
        assert_eq!(bytes(Format::B8G8R8A8_UNORM, color), [64, 128, 255, 0]);
        assert_eq!(bytes(Format::R8G8B8A8_UNORM_SRGB, [0.5, 0.0, 1.0, 0.5]), [188, 0, 255, 128]);
        assert_eq!(bytes(Format::R8G8_SNORM, [-1.0, 1.0, 0.0, 0.0]), [0x81, 0x7f]);
        assert_eq!(bytes(Format::R16G16_FLOAT, [1.0, -2.0, 0.0, 0.0]), [0x00, 0x3c, 0x00, 0xc0]);
        assert_eq!(bytes(Format::R11G11B10_FLOAT, [1.0, 1.0, 1.0, 0.0]), 0x781e_03c0_u32.to_le_bytes());
        assert_eq!(bytes(Format::R10G10B10A2_UNORM, [1.0, 0.0, 0.0, 1.0]), 0xc000_03ff_u32.to_le_bytes());
        assert_eq!(bytes(Format::B5G6R5_UNORM, [1.0, 0.0, 0.0, 0.0]), 0xf800_u16.to_le_bytes());
        assert_eq!(bytes(Format::R32_UINT, [7.9, 0.0, 0.0, 0.0]), 7_u32.to_le_bytes());
        assert_eq!(bytes(Format::D16_UNORM, [1.0, 0.0, 0.0, 0.0]), [255, 255]);
        assert_eq!(texel(Format::BC1_UNORM, color), None);
    }

    #[test]
    fn small_and_special_floats_of_16_bits() {
        assert_eq!(half(2.0_f32.powi(-24), 10), 1);
        assert_eq!(half(2.0_f32.powi(-14), 10), 0x400);
        assert_eq!(half(f32::INFINITY, 10), 0x7c00);
        assert_eq!(half(1e9, 10), 0x7bff);
        assert_eq!(half(0.0, 10), 0);
    }
}

//! Values that a shader samples from a cross-adapter resource.

use super::profile::Profile;
use taut_schemas::format::Format;
use taut_schemas::{HResult, HResultCode, PrimaryDesc, dxgi_ddi, pixel_bytes};

/// Components of a texel, as a shader receives them: red, green, blue, alpha.
type Sampled = [f32; 4];

/// Implements a draw that stores the sampled value of every texel, row by row, as four little-endian floats.
pub(crate) fn sample(profile: &Profile, call: &dxgi_ddi::SampleTexture) -> HResult<Vec<u8>> {
    let PrimaryDesc { width, height, pitch_bytes, .. } = call.desc;
    let texel_bytes = pixel_bytes(call.format);
    // A driver that ignores the pitch of its description reads rows that follow one another.
    let is_tight = profile.faults.samples_rows_without_padding;
    let pitch_bytes = if is_tight { u64::from(width) * texel_bytes } else { pitch_bytes };
    let mut sampled = Vec::new();
    for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
        let begin = u64::from(row) * pitch_bytes + u64::from(column) * texel_bytes;
        let texel =
            usize::try_from(begin).ok().and_then(|begin| call.memory.0.get(begin..)?.get(..texel_bytes as usize));
        let components = texel.and_then(|texel| components(call.format, texel)).ok_or(HResultCode::E_INVALIDARG)?;
        sampled.extend(components.into_iter().flat_map(f32::to_le_bytes));
    }
    Ok(sampled)
}

/// Converts a texel of a scan-out format.
fn components(format: Format, texel: &[u8]) -> Option<Sampled> {
    if format == Format::R16G16B16A16_FLOAT {
        let halves: [u8; 8] = texel.try_into().ok()?;
        let half = |at: usize| half_to_float(u16::from_le_bytes([halves[2 * at], halves[2 * at + 1]]));
        return Some([half(0), half(1), half(2), half(3)]);
    }
    let word = u32::from_le_bytes(texel.try_into().ok()?);
    let field = |shift: u32, bits: u32| {
        let max = (1_u32 << bits) - 1;
        ((word >> shift) & max) as f32 / max as f32
    };
    let [first, second, third, fourth] = [0, 8, 16, 24].map(|shift| field(shift, 8));
    match format {
        Format::R10G10B10A2_UNORM => Some([field(0, 10), field(10, 10), field(20, 10), field(30, 2)]),
        Format::R8G8B8A8_UNORM => Some([first, second, third, fourth]),
        Format::R8G8B8A8_UNORM_SRGB => Some([linear(first), linear(second), linear(third), fourth]),
        Format::B8G8R8A8_UNORM => Some([third, second, first, fourth]),
        Format::B8G8R8A8_UNORM_SRGB => Some([linear(third), linear(second), linear(first), fourth]),
        _ => None,
    }
}

/// Converts an sRGB component to linear light.
fn linear(encoded: f32) -> f32 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// Converts a half-precision number.
fn half_to_float(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(half >> 10) & 0x1f, u32::from(half & 0x3ff));
    match exponent {
        // Denormalised numbers are multiples of 2 to the power of -24.
        0 => f32::from_bits(sign | (fraction as f32 * 2.0_f32.powi(-24)).to_bits()),
        0x1f => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        // The exponents' biases are 15 and 127.
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

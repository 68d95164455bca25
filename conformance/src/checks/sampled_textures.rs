//! The part of check C-09 about contents: shader resource views of a cross-adapter texture, which another adapter wrote,
//! are sampled and compared.

use super::kernel::{ADAPTERS, Kernel};
use super::tally::Tally;
use taut_schemas::format::Format;
use taut_schemas::{Bytes, DriverCall, PrimaryDesc, SCAN_OUT_FORMATS, dxgi_ddi};

/// Sizes of the written textures: rows with and without padding, and a single texel.
const SIZES: [(u32, u32); 3] = [(37, 5), (64, 4), (1, 1)];

/// Max difference between a sampled and the expected component. Direct3D 11.3 Functional Specification, 3.2.3.1 and
/// 3.2.3.6: UNORM is exact to 0.6 units in the last place of a float, sRGB to half of a step of 8 bits where the curve is
/// steepest.
const MAX_DIFFERENCE: f64 = 1e-6;
const MAX_SRGB_DIFFERENCE: f64 = 0.5 / 255.0;

/// Half-precision numbers with their values: zeros, one, fractions, the minimum and the maximum.
const HALVES: [(u16, f64); 8] = [
    (0x0000, 0.0),
    (0x8000, 0.0),
    (0x3c00, 1.0),
    (0xc000, -2.0),
    (0x3800, 0.5),
    (0x3555, 0.333_251_953_125),
    (0x0001, 5.960_464_477_539_063e-8),
    (0x7bff, 65504.0),
];

/// Bytes outside the texels, which no sampled value may contain.
const PADDING: u8 = 0xa5;

/// A written texel: its bytes, and the red, green, blue and alpha that a shader must receive.
type Texel = (Vec<u8>, [f64; 4]);

/// Samples textures of every scan-out format in full, and compares each component.
pub(super) fn count_samples(kernel: &Kernel<'_>, tally: &mut Tally) {
    let sizes = |format| SIZES.map(|size| (format, size));
    for (format, (width, height)) in SCAN_OUT_FORMATS.into_iter().flat_map(sizes) {
        let desc = PrimaryDesc::new(width, height, format);
        let (memory, expected) = written(&desc);
        let call = dxgi_ddi::SampleTexture { adapter: ADAPTERS[0], desc, format, memory: Bytes(memory) };
        let sampled = call.dispatch(kernel.driver).map(|bytes| floats(&bytes.0));
        let place = sampled.as_ref().ok().and_then(|sampled| difference(format, sampled, &expected));
        let case = format!("{width} by {height} texels in {format:?}");
        let what = match (&sampled, place) {
            (Err(code), _) => Some(format!("{case} are not sampled: {code:?}")),
            (Ok(sampled), Some(place)) => {
                let (row, column) = (place / 4 / width as usize, place / 4 % width as usize);
                let [found, expected] = [sampled.get(place).copied(), expected.get(place).copied()];
                Some(format!(
                    "{case}: component {} of row {row}, column {column} is {found:?}; expected {expected:?}",
                    place % 4
                ))
            }
            (Ok(_), None) => None,
        };
        tally.count_result(what);
    }
}

/// Returns the index of the first component that differs, or is missing or surplus.
fn difference(format: Format, sampled: &[f64], expected: &[f64]) -> Option<usize> {
    let limit = |place: usize| if format.is_srgb() && place % 4 < 3 { MAX_SRGB_DIFFERENCE } else { MAX_DIFFERENCE };
    let differs = |(place, (found, expected)): (usize, (&f64, &f64))| {
        let is_equal = (found - expected).abs() <= limit(place) * expected.abs().clamp(1e-9, 1.0);
        (!is_equal).then_some(place)
    };
    let first = sampled.iter().zip(expected).enumerate().find_map(differs);
    first.or((sampled.len() != expected.len()).then(|| sampled.len().min(expected.len())))
}

/// Writes a texture: its memory, and the values that a shader must receive.
fn written(desc: &PrimaryDesc) -> (Vec<u8>, Vec<f64>) {
    let mut memory = vec![PADDING; desc.allocation_bytes as usize];
    let mut expected = Vec::new();
    for row in 0..desc.height {
        for column in 0..desc.width {
            let (bytes, components) = texel(desc.format, row, column);
            let begin = row as usize * desc.pitch_bytes as usize + column as usize * bytes.len();
            memory[begin..begin + bytes.len()].copy_from_slice(&bytes);
            expected.extend(components);
        }
    }
    (memory, expected)
}

/// Returns a texel of the pattern, which differs between neighbours and between channels.
fn texel(format: Format, row: u32, column: u32) -> Texel {
    let channel = |number: u32| row * 61 + column * 7 + number * 83;
    let [red, green, blue, alpha] = [0, 1, 2, 3].map(channel);
    if format == Format::R16G16B16A16_FLOAT {
        let halves = [red, green, blue, alpha].map(|channel| HALVES[channel as usize % HALVES.len()]);
        return (halves.iter().flat_map(|(half, _)| half.to_le_bytes()).collect(), halves.map(|(_, value)| value));
    }
    if format == Format::R10G10B10A2_UNORM {
        let [red, green, blue, alpha] = [red * 5 % 1024, green * 5 % 1024, blue * 5 % 1024, alpha % 4];
        let word = red | green << 10 | blue << 20 | alpha << 30;
        let part = |value: u32| f64::from(value) / 1023.0;
        return (word.to_le_bytes().to_vec(), [part(red), part(green), part(blue), f64::from(alpha) / 3.0]);
    }
    let [red, green, blue, alpha] = [red, green, blue, alpha].map(|channel| (channel % 256) as u8);
    let is_bgr = [Format::B8G8R8A8_UNORM, Format::B8G8R8A8_UNORM_SRGB].contains(&format);
    let bytes = if is_bgr { vec![blue, green, red, alpha] } else { vec![red, green, blue, alpha] };
    let color = |value: u8| if format.is_srgb() { linear(value) } else { f64::from(value) / 255.0 };
    (bytes, [color(red), color(green), color(blue), f64::from(alpha) / 255.0])
}

/// Converts an sRGB value to linear light (IEC 61966-2-1).
fn linear(value: u8) -> f64 {
    let encoded = f64::from(value) / 255.0;
    if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// Reads little-endian floats.
fn floats(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks::<4>().0.iter().map(|chunk| f64::from(f32::from_le_bytes(*chunk))).collect()
}

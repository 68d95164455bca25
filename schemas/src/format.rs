//! DXGI formats: numbers, names, and the size of a unit of each.

use crate::field::Field;
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

crate::code::codes! {
    /// `DXGI_FORMAT`.
    code Format {
        UNKNOWN = 0, R32G32B32A32_TYPELESS = 1, R32G32B32A32_FLOAT = 2, R32G32B32A32_UINT = 3,
        R32G32B32A32_SINT = 4, R32G32B32_TYPELESS = 5, R32G32B32_FLOAT = 6, R32G32B32_UINT = 7,
        R32G32B32_SINT = 8, R16G16B16A16_TYPELESS = 9, R16G16B16A16_FLOAT = 10, R16G16B16A16_UNORM = 11,
        R16G16B16A16_UINT = 12, R16G16B16A16_SNORM = 13, R16G16B16A16_SINT = 14, R32G32_TYPELESS = 15,
        R32G32_FLOAT = 16, R32G32_UINT = 17, R32G32_SINT = 18, R32G8X24_TYPELESS = 19, D32_FLOAT_S8X24_UINT
        = 20, R32_FLOAT_X8X24_TYPELESS = 21, X32_TYPELESS_G8X24_UINT = 22, R10G10B10A2_TYPELESS = 23,
        R10G10B10A2_UNORM = 24, R10G10B10A2_UINT = 25, R11G11B10_FLOAT = 26, R8G8B8A8_TYPELESS = 27,
        R8G8B8A8_UNORM = 28, R8G8B8A8_UNORM_SRGB = 29, R8G8B8A8_UINT = 30, R8G8B8A8_SNORM = 31,
        R8G8B8A8_SINT = 32, R16G16_TYPELESS = 33, R16G16_FLOAT = 34, R16G16_UNORM = 35, R16G16_UINT = 36,
        R16G16_SNORM = 37, R16G16_SINT = 38, R32_TYPELESS = 39, D32_FLOAT = 40, R32_FLOAT = 41, R32_UINT =
        42, R32_SINT = 43, R24G8_TYPELESS = 44, D24_UNORM_S8_UINT = 45, R24_UNORM_X8_TYPELESS = 46,
        X24_TYPELESS_G8_UINT = 47, R8G8_TYPELESS = 48, R8G8_UNORM = 49, R8G8_UINT = 50, R8G8_SNORM = 51,
        R8G8_SINT = 52, R16_TYPELESS = 53, R16_FLOAT = 54, D16_UNORM = 55, R16_UNORM = 56, R16_UINT = 57,
        R16_SNORM = 58, R16_SINT = 59, R8_TYPELESS = 60, R8_UNORM = 61, R8_UINT = 62, R8_SNORM = 63, R8_SINT
        = 64, A8_UNORM = 65, R1_UNORM = 66, R9G9B9E5_SHAREDEXP = 67, R8G8_B8G8_UNORM = 68, G8R8_G8B8_UNORM =
        69, BC1_TYPELESS = 70, BC1_UNORM = 71, BC1_UNORM_SRGB = 72, BC2_TYPELESS = 73, BC2_UNORM = 74,
        BC2_UNORM_SRGB = 75, BC3_TYPELESS = 76, BC3_UNORM = 77, BC3_UNORM_SRGB = 78, BC4_TYPELESS = 79,
        BC4_UNORM = 80, BC4_SNORM = 81, BC5_TYPELESS = 82, BC5_UNORM = 83, BC5_SNORM = 84, B5G6R5_UNORM =
        85, B5G5R5A1_UNORM = 86, B8G8R8A8_UNORM = 87, B8G8R8X8_UNORM = 88, R10G10B10_XR_BIAS_A2_UNORM = 89,
        B8G8R8A8_TYPELESS = 90, B8G8R8A8_UNORM_SRGB = 91, B8G8R8X8_TYPELESS = 92, B8G8R8X8_UNORM_SRGB = 93,
        BC6H_TYPELESS = 94, BC6H_UF16 = 95, BC6H_SF16 = 96, BC7_TYPELESS = 97, BC7_UNORM = 98,
        BC7_UNORM_SRGB = 99, AYUV = 100, Y410 = 101, Y416 = 102, NV12 = 103, P010 = 104, P016 = 105,
        _420_OPAQUE = 106, YUY2 = 107, Y210 = 108, Y216 = 109, NV11 = 110, AI44 = 111, IA44 = 112, P8 = 113,
        A8P8 = 114, B4G4R4A4_UNORM = 115, P208 = 130, V208 = 131, V408 = 132,
        SAMPLER_FEEDBACK_MIN_MIP_OPAQUE = 189, SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE = 190, A4B4G4R4_UNORM
        = 191,
    }
}

/// Use of a format, for the checks of resource creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatClass {
    /// Typed colour or data.
    Color,
    /// A family without a type.
    Typeless,
    /// Depth, or depth and stencil.
    Depth,
    /// One plane of a depth-stencil format.
    DepthPlane,
    /// Video.
    Video,
    /// Sampler feedback.
    Feedback,
}

/// The shape of one unit (texel or block) of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormatInfo {
    /// The format.
    pub format: Format,
    /// Bits of one unit; of a planar format, of one unit of its first plane.
    pub unit_bits: u32,
    /// Width and height of a unit in texels: 4×4 for BC formats, 2×1 for packed 4:2:2.
    pub unit_texels: (u32, u32),
    /// The family within which the format can be cast, named by its first member.
    pub family: Format,
    /// Use of the format.
    pub class: FormatClass,
}

impl FormatInfo {
    /// True if the format stores 4×4 blocks.
    pub fn is_block_compressed(&self) -> bool {
        self.unit_texels == (4, 4)
    }

    /// Bytes of `width` × `height` texels, all planes, rows packed without padding.
    ///
    /// Planar video formats add their chroma: a half for 4:2:0 and for 4:1:1 (NV11), as much again for 4:2:2, twice as
    /// much for 4:4:4.
    pub fn packed_bytes(&self, width: u64, height: u64) -> u64 {
        let (unit_width, unit_height) = self.unit_texels;
        let units = width.div_ceil(unit_width.into()).saturating_mul(height.div_ceil(unit_height.into()));
        let bytes = units.saturating_mul(u64::from(self.unit_bits / 8));
        match self.format {
            Format::NV12 | Format::P010 | Format::P016 | Format::_420_OPAQUE | Format::NV11 => {
                bytes.saturating_add(bytes.div_ceil(2))
            }
            Format::P208 | Format::V208 => bytes.saturating_mul(2),
            Format::V408 => bytes.saturating_mul(3),
            _ => bytes,
        }
    }
}

const fn row(format: Format, unit_bits: u32, unit_texels: (u32, u32), family: u32, class: FormatClass) -> FormatInfo {
    FormatInfo { format, unit_bits, unit_texels, family: Format(family), class }
}

/// Every format that has a unit, in order of number (dxgiformat.h).
pub const FORMATS: &[FormatInfo] = &[
    row(Format::R32G32B32A32_TYPELESS, 128, (1, 1), 1, FormatClass::Typeless),
    row(Format::R32G32B32A32_FLOAT, 128, (1, 1), 1, FormatClass::Color),
    row(Format::R32G32B32A32_UINT, 128, (1, 1), 1, FormatClass::Color),
    row(Format::R32G32B32A32_SINT, 128, (1, 1), 1, FormatClass::Color),
    row(Format::R32G32B32_TYPELESS, 96, (1, 1), 5, FormatClass::Typeless),
    row(Format::R32G32B32_FLOAT, 96, (1, 1), 5, FormatClass::Color),
    row(Format::R32G32B32_UINT, 96, (1, 1), 5, FormatClass::Color),
    row(Format::R32G32B32_SINT, 96, (1, 1), 5, FormatClass::Color),
    row(Format::R16G16B16A16_TYPELESS, 64, (1, 1), 9, FormatClass::Typeless),
    row(Format::R16G16B16A16_FLOAT, 64, (1, 1), 9, FormatClass::Color),
    row(Format::R16G16B16A16_UNORM, 64, (1, 1), 9, FormatClass::Color),
    row(Format::R16G16B16A16_UINT, 64, (1, 1), 9, FormatClass::Color),
    row(Format::R16G16B16A16_SNORM, 64, (1, 1), 9, FormatClass::Color),
    row(Format::R16G16B16A16_SINT, 64, (1, 1), 9, FormatClass::Color),
    row(Format::R32G32_TYPELESS, 64, (1, 1), 15, FormatClass::Typeless),
    row(Format::R32G32_FLOAT, 64, (1, 1), 15, FormatClass::Color),
    row(Format::R32G32_UINT, 64, (1, 1), 15, FormatClass::Color),
    row(Format::R32G32_SINT, 64, (1, 1), 15, FormatClass::Color),
    row(Format::R32G8X24_TYPELESS, 64, (1, 1), 19, FormatClass::Typeless),
    row(Format::D32_FLOAT_S8X24_UINT, 64, (1, 1), 19, FormatClass::Depth),
    row(Format::R32_FLOAT_X8X24_TYPELESS, 64, (1, 1), 19, FormatClass::DepthPlane),
    row(Format::X32_TYPELESS_G8X24_UINT, 64, (1, 1), 19, FormatClass::DepthPlane),
    row(Format::R10G10B10A2_TYPELESS, 32, (1, 1), 23, FormatClass::Typeless),
    row(Format::R10G10B10A2_UNORM, 32, (1, 1), 23, FormatClass::Color),
    row(Format::R10G10B10A2_UINT, 32, (1, 1), 23, FormatClass::Color),
    row(Format::R11G11B10_FLOAT, 32, (1, 1), 26, FormatClass::Color),
    row(Format::R8G8B8A8_TYPELESS, 32, (1, 1), 27, FormatClass::Typeless),
    row(Format::R8G8B8A8_UNORM, 32, (1, 1), 27, FormatClass::Color),
    row(Format::R8G8B8A8_UNORM_SRGB, 32, (1, 1), 27, FormatClass::Color),
    row(Format::R8G8B8A8_UINT, 32, (1, 1), 27, FormatClass::Color),
    row(Format::R8G8B8A8_SNORM, 32, (1, 1), 27, FormatClass::Color),
    row(Format::R8G8B8A8_SINT, 32, (1, 1), 27, FormatClass::Color),
    row(Format::R16G16_TYPELESS, 32, (1, 1), 33, FormatClass::Typeless),
    row(Format::R16G16_FLOAT, 32, (1, 1), 33, FormatClass::Color),
    row(Format::R16G16_UNORM, 32, (1, 1), 33, FormatClass::Color),
    row(Format::R16G16_UINT, 32, (1, 1), 33, FormatClass::Color),
    row(Format::R16G16_SNORM, 32, (1, 1), 33, FormatClass::Color),
    row(Format::R16G16_SINT, 32, (1, 1), 33, FormatClass::Color),
    row(Format::R32_TYPELESS, 32, (1, 1), 39, FormatClass::Typeless),
    row(Format::D32_FLOAT, 32, (1, 1), 39, FormatClass::Depth),
    row(Format::R32_FLOAT, 32, (1, 1), 39, FormatClass::Color),
    row(Format::R32_UINT, 32, (1, 1), 39, FormatClass::Color),
    row(Format::R32_SINT, 32, (1, 1), 39, FormatClass::Color),
    row(Format::R24G8_TYPELESS, 32, (1, 1), 44, FormatClass::Typeless),
    row(Format::D24_UNORM_S8_UINT, 32, (1, 1), 44, FormatClass::Depth),
    row(Format::R24_UNORM_X8_TYPELESS, 32, (1, 1), 44, FormatClass::DepthPlane),
    row(Format::X24_TYPELESS_G8_UINT, 32, (1, 1), 44, FormatClass::DepthPlane),
    row(Format::R8G8_TYPELESS, 16, (1, 1), 48, FormatClass::Typeless),
    row(Format::R8G8_UNORM, 16, (1, 1), 48, FormatClass::Color),
    row(Format::R8G8_UINT, 16, (1, 1), 48, FormatClass::Color),
    row(Format::R8G8_SNORM, 16, (1, 1), 48, FormatClass::Color),
    row(Format::R8G8_SINT, 16, (1, 1), 48, FormatClass::Color),
    row(Format::R16_TYPELESS, 16, (1, 1), 53, FormatClass::Typeless),
    row(Format::R16_FLOAT, 16, (1, 1), 53, FormatClass::Color),
    row(Format::D16_UNORM, 16, (1, 1), 53, FormatClass::Depth),
    row(Format::R16_UNORM, 16, (1, 1), 53, FormatClass::Color),
    row(Format::R16_UINT, 16, (1, 1), 53, FormatClass::Color),
    row(Format::R16_SNORM, 16, (1, 1), 53, FormatClass::Color),
    row(Format::R16_SINT, 16, (1, 1), 53, FormatClass::Color),
    row(Format::R8_TYPELESS, 8, (1, 1), 60, FormatClass::Typeless),
    row(Format::R8_UNORM, 8, (1, 1), 60, FormatClass::Color),
    row(Format::R8_UINT, 8, (1, 1), 60, FormatClass::Color),
    row(Format::R8_SNORM, 8, (1, 1), 60, FormatClass::Color),
    row(Format::R8_SINT, 8, (1, 1), 60, FormatClass::Color),
    row(Format::A8_UNORM, 8, (1, 1), 65, FormatClass::Color),
    row(Format::R1_UNORM, 8, (8, 1), 66, FormatClass::Color),
    row(Format::R9G9B9E5_SHAREDEXP, 32, (1, 1), 67, FormatClass::Color),
    row(Format::R8G8_B8G8_UNORM, 32, (2, 1), 68, FormatClass::Color),
    row(Format::G8R8_G8B8_UNORM, 32, (2, 1), 69, FormatClass::Color),
    row(Format::BC1_TYPELESS, 64, (4, 4), 70, FormatClass::Typeless),
    row(Format::BC1_UNORM, 64, (4, 4), 70, FormatClass::Color),
    row(Format::BC1_UNORM_SRGB, 64, (4, 4), 70, FormatClass::Color),
    row(Format::BC2_TYPELESS, 128, (4, 4), 73, FormatClass::Typeless),
    row(Format::BC2_UNORM, 128, (4, 4), 73, FormatClass::Color),
    row(Format::BC2_UNORM_SRGB, 128, (4, 4), 73, FormatClass::Color),
    row(Format::BC3_TYPELESS, 128, (4, 4), 76, FormatClass::Typeless),
    row(Format::BC3_UNORM, 128, (4, 4), 76, FormatClass::Color),
    row(Format::BC3_UNORM_SRGB, 128, (4, 4), 76, FormatClass::Color),
    row(Format::BC4_TYPELESS, 64, (4, 4), 79, FormatClass::Typeless),
    row(Format::BC4_UNORM, 64, (4, 4), 79, FormatClass::Color),
    row(Format::BC4_SNORM, 64, (4, 4), 79, FormatClass::Color),
    row(Format::BC5_TYPELESS, 128, (4, 4), 82, FormatClass::Typeless),
    row(Format::BC5_UNORM, 128, (4, 4), 82, FormatClass::Color),
    row(Format::BC5_SNORM, 128, (4, 4), 82, FormatClass::Color),
    row(Format::B5G6R5_UNORM, 16, (1, 1), 85, FormatClass::Color),
    row(Format::B5G5R5A1_UNORM, 16, (1, 1), 86, FormatClass::Color),
    row(Format::B8G8R8A8_UNORM, 32, (1, 1), 90, FormatClass::Color),
    row(Format::B8G8R8X8_UNORM, 32, (1, 1), 92, FormatClass::Color),
    row(Format::R10G10B10_XR_BIAS_A2_UNORM, 32, (1, 1), 89, FormatClass::Color),
    row(Format::B8G8R8A8_TYPELESS, 32, (1, 1), 90, FormatClass::Typeless),
    row(Format::B8G8R8A8_UNORM_SRGB, 32, (1, 1), 90, FormatClass::Color),
    row(Format::B8G8R8X8_TYPELESS, 32, (1, 1), 92, FormatClass::Typeless),
    row(Format::B8G8R8X8_UNORM_SRGB, 32, (1, 1), 92, FormatClass::Color),
    row(Format::BC6H_TYPELESS, 128, (4, 4), 94, FormatClass::Typeless),
    row(Format::BC6H_UF16, 128, (4, 4), 94, FormatClass::Color),
    row(Format::BC6H_SF16, 128, (4, 4), 94, FormatClass::Color),
    row(Format::BC7_TYPELESS, 128, (4, 4), 97, FormatClass::Typeless),
    row(Format::BC7_UNORM, 128, (4, 4), 97, FormatClass::Color),
    row(Format::BC7_UNORM_SRGB, 128, (4, 4), 97, FormatClass::Color),
    row(Format::AYUV, 32, (1, 1), 100, FormatClass::Video),
    row(Format::Y410, 32, (1, 1), 101, FormatClass::Video),
    row(Format::Y416, 64, (1, 1), 102, FormatClass::Video),
    row(Format::NV12, 8, (1, 1), 103, FormatClass::Video),
    row(Format::P010, 16, (1, 1), 104, FormatClass::Video),
    row(Format::P016, 16, (1, 1), 105, FormatClass::Video),
    row(Format::_420_OPAQUE, 8, (1, 1), 106, FormatClass::Video),
    row(Format::YUY2, 32, (2, 1), 107, FormatClass::Video),
    row(Format::Y210, 64, (2, 1), 108, FormatClass::Video),
    row(Format::Y216, 64, (2, 1), 109, FormatClass::Video),
    row(Format::NV11, 8, (1, 1), 110, FormatClass::Video),
    row(Format::AI44, 8, (1, 1), 111, FormatClass::Video),
    row(Format::IA44, 8, (1, 1), 112, FormatClass::Video),
    row(Format::P8, 8, (1, 1), 113, FormatClass::Video),
    row(Format::A8P8, 16, (1, 1), 114, FormatClass::Video),
    row(Format::B4G4R4A4_UNORM, 16, (1, 1), 115, FormatClass::Color),
    row(Format::P208, 8, (1, 1), 130, FormatClass::Video),
    row(Format::V208, 8, (1, 1), 131, FormatClass::Video),
    row(Format::V408, 8, (1, 1), 132, FormatClass::Video),
    row(Format::SAMPLER_FEEDBACK_MIN_MIP_OPAQUE, 8, (1, 1), 189, FormatClass::Feedback),
    row(Format::SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE, 8, (1, 1), 190, FormatClass::Feedback),
    row(Format::A4B4G4R4_UNORM, 16, (1, 1), 191, FormatClass::Color),
];

impl Format {
    /// The unit of the format; `None` for `UNKNOWN` and for numbers without a format.
    pub fn info(self) -> Option<&'static FormatInfo> {
        let at = FORMATS.binary_search_by_key(&self.0, |row| row.format.0).ok()?;
        Some(&FORMATS[at])
    }

    /// True if colours are stored on the sRGB curve.
    pub fn is_srgb(self) -> bool {
        matches!(
            self,
            Format::R8G8B8A8_UNORM_SRGB
                | Format::BC1_UNORM_SRGB
                | Format::BC2_UNORM_SRGB
                | Format::BC3_UNORM_SRGB
                | Format::B8G8R8A8_UNORM_SRGB
                | Format::B8G8R8X8_UNORM_SRGB
                | Format::BC7_UNORM_SRGB
        )
    }
}

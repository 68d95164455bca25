//! Format, mip levels and array size of an image, from the first bytes of its file.
//!
//! DDS and KTX files contain texels as the GPU reads them. Other images are decoded by the loader.

use taut_schemas::format::Format;

/// Texture properties in an image file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Texels {
    pub width: u64,
    pub height: u64,
    /// Depth in texels: more than 1 for a volume.
    pub depth: u64,
    /// Array slices, counting each face of a cube.
    pub array_size: u64,
    /// Number of levels; 0 if the loader should generate the full chain.
    pub mip_levels: u32,
    pub format: TexelFormat,
}

/// Format of a file's texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TexelFormat {
    /// Format of Direct3D.
    Known(Format),
    /// Format that Direct3D lacks: ASTC, ETC and similar. Loaders decode it.
    Foreign,
    /// Format that is not known here, or that the file does not specify (KTX 2 with supercompression that must be
    /// transcoded).
    Unknown,
}

/// First bytes of a file, read as words of the given byte order.
struct Head<'b> {
    bytes: &'b [u8],
    big_endian: bool,
}

impl Head<'_> {
    fn word(&self, at: usize) -> Option<u32> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }
}

/// Parses a DDS or KTX header; `None` for other files and for a damaged header.
pub(super) fn texels(bytes: &[u8]) -> Option<Texels> {
    let head = Head { bytes, big_endian: false };
    if bytes.starts_with(b"DDS ") {
        dds(&head)
    } else if bytes.starts_with(b"\xabKTX 11\xbb\r\n\x1a\n") {
        ktx_1(&Head { bytes, big_endian: bytes.get(12..16)? != [1, 2, 3, 4] })
    } else if bytes.starts_with(b"\xabKTX 20\xbb\r\n\x1a\n") {
        ktx_2(&head)
    } else {
        None
    }
}

/// Parses DDS_HEADER and DDS_HEADER_DXT10, which follow four bytes of magic.
fn dds(head: &Head<'_>) -> Option<Texels> {
    // DDSCAPS2_CUBEMAP, DDSCAPS2_VOLUME and DDS_RESOURCE_MISC_TEXTURECUBE.
    const CUBEMAP: u32 = 0x200;
    const VOLUME: u32 = 0x20_0000;
    const CUBE_DX10: u32 = 0x4;
    let (height, width, depth) = (head.word(12)?, head.word(16)?, head.word(24)?);
    let (mips, caps2) = (head.word(28)?.max(1), head.word(112)?);
    let four_cc = head.bytes.get(84..88)?;
    let extended = head.word(80)? & 0x4 != 0 && four_cc == b"DX10";
    let (format, array_size) = if extended {
        let faces = if head.word(136)? & CUBE_DX10 != 0 { 6 } else { 1 };
        (known(head.word(128)?), u64::from(head.word(140)?.max(1)) * faces)
    } else {
        (dds_pixel_format(head)?, if caps2 & CUBEMAP != 0 { 6 } else { 1 })
    };
    let is_volume = if extended { head.word(132)? == 4 } else { caps2 & VOLUME != 0 };
    Some(Texels {
        width: width.into(),
        height: height.max(1).into(),
        depth: if is_volume { depth.max(1).into() } else { 1 },
        array_size,
        mip_levels: mips,
        format,
    })
}

/// Converts the number of a DXGI_FORMAT.
fn known(format: u32) -> TexelFormat {
    match Format(format).info() {
        Some(_) => TexelFormat::Known(Format(format)),
        None => TexelFormat::Unknown,
    }
}

/// Parses DDS_PIXELFORMAT: a four-letter code, a Direct3D 9 format number, or masks.
fn dds_pixel_format(head: &Head<'_>) -> Option<TexelFormat> {
    // DDPF_FOURCC.
    const FOUR_CC: u32 = 0x4;
    if head.word(80)? & FOUR_CC != 0 {
        let format = match head.bytes.get(84..88)? {
            b"DXT1" => Format::BC1_UNORM,
            b"DXT2" | b"DXT3" => Format::BC2_UNORM,
            b"DXT4" | b"DXT5" => Format::BC3_UNORM,
            b"ATI1" | b"BC4U" => Format::BC4_UNORM,
            b"BC4S" => Format::BC4_SNORM,
            b"ATI2" | b"BC5U" => Format::BC5_UNORM,
            b"BC5S" => Format::BC5_SNORM,
            _ => match head.word(84)? {
                36 => Format::R16G16B16A16_UNORM,
                110 => Format::R16G16B16A16_SNORM,
                111 => Format::R16_FLOAT,
                112 => Format::R16G16_FLOAT,
                113 => Format::R16G16B16A16_FLOAT,
                114 => Format::R32_FLOAT,
                115 => Format::R32G32_FLOAT,
                116 => Format::R32G32B32A32_FLOAT,
                _ => return Some(TexelFormat::Unknown),
            },
        };
        return Some(TexelFormat::Known(format));
    }
    let masks = (head.word(88)?, [head.word(92)?, head.word(96)?, head.word(100)?]);
    Some(match masks {
        (32, [0xff, 0xff00, 0xff_0000]) => TexelFormat::Known(Format::R8G8B8A8_UNORM),
        (32, [0xff_0000, 0xff00, 0xff]) => TexelFormat::Known(Format::B8G8R8A8_UNORM),
        (32, [0xffff, 0xffff_0000, 0]) => TexelFormat::Known(Format::R16G16_UNORM),
        (16, [0xf800, 0x7e0, 0x1f]) => TexelFormat::Known(Format::B5G6R5_UNORM),
        (8, [0xff, 0, 0]) => TexelFormat::Known(Format::R8_UNORM),
        _ => TexelFormat::Unknown,
    })
}

/// Parses the header of a KTX 1 file (KTX File Format Specification, 2): glType to numberOfMipmapLevels.
fn ktx_1(head: &Head<'_>) -> Option<Texels> {
    let extents = [head.word(36)?, head.word(40)?, head.word(44)?];
    Some(ktx(extents, [head.word(48)?, head.word(52)?, head.word(56)?], gl(head.word(28)?)))
}

/// Parses the header of a KTX 2 file (KTX File Format Specification 2.0, 3): vkFormat to levelCount.
fn ktx_2(head: &Head<'_>) -> Option<Texels> {
    let extents = [head.word(20)?, head.word(24)?, head.word(28)?];
    Some(ktx(extents, [head.word(32)?, head.word(36)?, head.word(40)?], vulkan(head.word(12)?)))
}

fn ktx([width, height, depth]: [u32; 3], [layers, faces, levels]: [u32; 3], format: TexelFormat) -> Texels {
    Texels {
        width: width.into(),
        height: height.max(1).into(),
        depth: depth.max(1).into(),
        array_size: u64::from(layers.max(1)) * u64::from(faces.max(1)),
        mip_levels: levels,
        format,
    }
}

/// Converts glInternalFormat.
fn gl(format: u32) -> TexelFormat {
    TexelFormat::Known(match format {
        0x8229 => Format::R8_UNORM,
        0x822b => Format::R8G8_UNORM,
        0x8058 => Format::R8G8B8A8_UNORM,
        0x8c43 => Format::R8G8B8A8_UNORM_SRGB,
        0x881a => Format::R16G16B16A16_FLOAT,
        0x8814 => Format::R32G32B32A32_FLOAT,
        0x83f0 | 0x83f1 => Format::BC1_UNORM,
        0x8c4c | 0x8c4d => Format::BC1_UNORM_SRGB,
        0x83f2 => Format::BC2_UNORM,
        0x8c4e => Format::BC2_UNORM_SRGB,
        0x83f3 => Format::BC3_UNORM,
        0x8c4f => Format::BC3_UNORM_SRGB,
        0x8dbb => Format::BC4_UNORM,
        0x8dbc => Format::BC4_SNORM,
        0x8dbd => Format::BC5_UNORM,
        0x8dbe => Format::BC5_SNORM,
        0x8e8c => Format::BC7_UNORM,
        0x8e8d => Format::BC7_UNORM_SRGB,
        0x8e8e => Format::BC6H_SF16,
        0x8e8f => Format::BC6H_UF16,
        // ETC and EAC; ASTC, linear and sRGB.
        0x8d64 | 0x9270..=0x9279 | 0x93b0..=0x93bd | 0x93d0..=0x93dd => return TexelFormat::Foreign,
        _ => return TexelFormat::Unknown,
    })
}

/// Converts VkFormat.
fn vulkan(format: u32) -> TexelFormat {
    TexelFormat::Known(match format {
        9 => Format::R8_UNORM,
        16 => Format::R8G8_UNORM,
        37 => Format::R8G8B8A8_UNORM,
        43 => Format::R8G8B8A8_UNORM_SRGB,
        44 => Format::B8G8R8A8_UNORM,
        50 => Format::B8G8R8A8_UNORM_SRGB,
        97 => Format::R16G16B16A16_FLOAT,
        109 => Format::R32G32B32A32_FLOAT,
        131 | 133 => Format::BC1_UNORM,
        132 | 134 => Format::BC1_UNORM_SRGB,
        135 => Format::BC2_UNORM,
        136 => Format::BC2_UNORM_SRGB,
        137 => Format::BC3_UNORM,
        138 => Format::BC3_UNORM_SRGB,
        139 => Format::BC4_UNORM,
        140 => Format::BC4_SNORM,
        141 => Format::BC5_UNORM,
        142 => Format::BC5_SNORM,
        143 => Format::BC6H_UF16,
        144 => Format::BC6H_SF16,
        145 => Format::BC7_UNORM,
        146 => Format::BC7_UNORM_SRGB,
        // ETC2 and EAC; ASTC.
        147..=184 => return TexelFormat::Foreign,
        _ => return TexelFormat::Unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[(usize, u32)], length: usize, magic: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; length];
        bytes[..magic.len()].copy_from_slice(magic);
        words.iter().for_each(|(at, word)| bytes[*at..at + 4].copy_from_slice(&word.to_le_bytes()));
        bytes
    }

    #[test]
    fn a_dds_of_blocks_keeps_its_format_mips_and_faces() {
        let mut bytes = words(&[(12, 256), (16, 512), (28, 9), (80, 4), (112, 0x200)], 128, b"DDS ");
        bytes[84..88].copy_from_slice(b"ATI2");
        let found = texels(&bytes).unwrap();
        assert_eq!((found.width, found.height, found.depth, found.array_size, found.mip_levels), (512, 256, 1, 6, 9));
        assert_eq!(found.format, TexelFormat::Known(Format::BC5_UNORM));
        let head = [(12, 64), (16, 64), (28, 1), (80, 4), (128, 99), (132, 3), (136, 4), (140, 2)];
        let mut bytes = words(&head, 148, b"DDS ");
        bytes[84..88].copy_from_slice(b"DX10");
        let found = texels(&bytes).unwrap();
        assert_eq!((found.array_size, found.format), (12, TexelFormat::Known(Format::BC7_UNORM_SRGB)));
        assert_eq!(texels(&bytes[..140]), None, "a head that is cut says nothing");
    }

    #[test]
    fn a_ktx_may_have_a_format_that_direct3d_lacks() {
        let magic = b"\xabKTX 20\xbb\r\n\x1a\n";
        let of = |format| texels(&words(&[(12, format), (20, 1024), (24, 512), (36, 1), (40, 11)], 80, magic)).unwrap();
        assert_eq!(of(145).format, TexelFormat::Known(Format::BC7_UNORM));
        assert_eq!((of(161).format, of(0).format), (TexelFormat::Foreign, TexelFormat::Unknown));
        assert_eq!((of(145).width, of(145).height, of(145).mip_levels, of(145).array_size), (1024, 512, 11, 1));
        let magic = b"\xabKTX 11\xbb\r\n\x1a\n";
        let head = [(12, 0x0403_0201), (28, 0x93d7), (36, 64), (40, 32), (48, 3), (52, 6), (56, 0)];
        let found = texels(&words(&head, 64, magic)).unwrap();
        assert_eq!((found.width, found.height, found.array_size, found.mip_levels), (64, 32, 18, 0));
        assert_eq!(found.format, TexelFormat::Foreign);
    }

    #[test]
    fn other_files_have_no_texels() {
        assert_eq!(texels(b"\x89PNG\r\n\x1a\n"), None);
        assert_eq!(texels(b"DDS "), None);
    }
}

//! Width and height of an image, from the first bytes of its file.

use std::io::{BufRead, Seek, SeekFrom};

/// First bytes of a KTX 1 file (KTX File Format Specification, 2.1).
const KTX_1: [u8; 12] = [0xab, b'K', b'T', b'X', b' ', b'1', b'1', 0xbb, b'\r', b'\n', 0x1a, b'\n'];
/// Endianness field of a little-endian KTX 1 file, as bytes.
const KTX_1_LITTLE_ENDIAN: [u8; 4] = [1, 2, 3, 4];

/// Returns width and height in texels; `None` if the format is unknown or the header damaged.
pub(super) fn extent<R: BufRead + Seek>(mut reader: R) -> Option<(u64, u64)> {
    if let Some(extent) = ktx_1(&mut reader) {
        return Some(extent);
    }
    reader.seek(SeekFrom::Start(0)).ok()?;
    let size = imagesize::reader_size(reader).ok()?;
    Some((size.width as u64, size.height as u64))
}

/// Parses a KTX 1 header: pixelWidth and pixelHeight are the words at 36 and 40; a 1D texture has height 0.
fn ktx_1<R: BufRead>(reader: &mut R) -> Option<(u64, u64)> {
    let mut head = [0; 44];
    reader.read_exact(&mut head).ok()?;
    let little = head[12..16] == KTX_1_LITTLE_ENDIAN;
    let word = |at: usize| {
        let bytes = head.get(at..at + 4)?.try_into().ok()?;
        Some(u64::from(if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }))
    };
    if head.starts_with(&KTX_1) { Some((word(36)?, word(40)?.max(1))) } else { None }
}

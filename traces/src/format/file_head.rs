//! Head of a file: magic, version, and the header's text. Encoder and parser are in this file so that they stay in
//! step.

use crate::format::error::{Damage, ReadError};
use crate::format::header::{Header, HeaderError};
use crate::format::limit;
use crate::format::parse::{Parsed, checksum, constant, miss, run};
use nom::bytes::complete::take;
use nom::number::complete::{le_u16, le_u32};
use std::borrow::Cow;

/// Newest format version that this crate reads, and the version that it writes.
pub const VERSION: u16 = 1;

/// First bytes of a trace in every version. As in PNG, a non-ASCII byte and line ends reveal a text-mode conversion.
pub const MAGIC: &[u8] = b"\x89TAUT\r\n\x1a";

/// Flag, from version 1 on: the text is one zstd frame that states its size.
const COMPRESSED: u16 = 1;

/// Compression level of the text.
const LEVEL: i32 = 9;

/// Size of the head before the header's text, in bytes. The same in every version.
const HEAD_BYTES: usize = 24;

/// Decoded head of a file.
pub(crate) struct FileHead {
    pub header: Header,
    /// Format version of the file.
    pub version: u16,
    /// CRC-32C of the header's text as stored. Every block repeats it, so that a block of another trace is not mistaken
    /// for one of this trace.
    pub key: u32,
    /// Offset of the first block in the file, in bytes.
    pub end: u64,
}

pub(crate) fn write(header: &Header) -> Result<(Vec<u8>, u32), HeaderError> {
    let plain = header.to_bytes()?;
    // If compression fails or does not help, the plain text is stored.
    let (text, flags) = match zstd::bulk::compress(&plain, LEVEL) {
        Ok(frame) if frame.len() < plain.len() => (frame, COMPRESSED),
        _ => (plain, 0),
    };
    let key = crc32c::crc32c(&text);
    let mut bytes = Vec::with_capacity(HEAD_BYTES + text.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&flags.to_le_bytes());
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&key.to_le_bytes());
    bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_le_bytes());
    bytes.extend_from_slice(&text);
    Ok((bytes, key))
}

pub(crate) fn read(file: &[u8]) -> Result<FileHead, ReadError> {
    let (version, flags, length_bytes, key) = run(0, "file head", file, fixed).map_err(ReadError::Head)?;
    if version > VERSION {
        return Err(ReadError::Version { found: version, known: VERSION });
    }
    let text = run(0, "file head", file, |input| {
        if flags & !known_flags(version) != 0 {
            return miss(&input[10..], format!("at most flags {}", known_flags(version)), flags);
        }
        if length_bytes as usize > limit::HEADER_BYTES {
            return miss(&input[12..], format!("at most {} bytes of header", limit::HEADER_BYTES), length_bytes);
        }
        let (text_at, _) = take(HEAD_BYTES)(input)?;
        let (rest, text) = take(length_bytes)(text_at)?;
        // The key is the checksum of the text, so one comparison checks both.
        checksum(&key.to_le_bytes(), text).or_else(|_| {
            let found = crc32c::crc32c(text);
            miss(text_at, format!("header with CRC-32C {key:#010x}"), format!("{found:#010x}"))
        })?;
        Ok((rest, text))
    })
    .map_err(ReadError::Head)?;
    let offset = HEAD_BYTES as u64;
    let inflated = if flags & COMPRESSED == 0 { Ok(Cow::Borrowed(text)) } else { inflate(text).map(Cow::Owned) };
    let text = inflated.map_err(ReadError::Head)?;
    let header = Header::from_bytes(&text).map_err(|source| ReadError::Header { offset, source })?;
    Ok(FileHead { header, version, key, end: offset + u64::from(length_bytes) })
}

/// Key of a file whose head is valid and of the current version.
pub(crate) fn key(file: &[u8]) -> Option<u32> {
    let (version, _, _, key) = run(0, "file head", file, fixed).ok()?;
    (version == VERSION).then_some(key)
}

fn known_flags(version: u16) -> u16 {
    if version == 0 { 0 } else { COMPRESSED }
}

/// Inflates a text. The size that the frame states is checked before memory is allocated.
fn inflate(frame: &[u8]) -> Result<Vec<u8>, Damage> {
    let damage = |expected: String, found: String| Damage {
        offset: HEAD_BYTES as u64,
        what: "header",
        expected,
        found,
        events_lost: Some(0),
    };
    let limit = limit::HEADER_BYTES;
    let stated = zstd::zstd_safe::get_frame_content_size(frame).ok().flatten();
    let Some(size) = stated.and_then(|size| usize::try_from(size).ok()).filter(|size| *size <= limit) else {
        let found = stated.map_or("a frame of no stated size".to_owned(), |size| size.to_string());
        return Err(damage(format!("a frame of at most {limit} bytes"), found));
    };
    match zstd::bulk::decompress(frame, size) {
        Ok(text) if text.len() == size => Ok(text),
        Ok(text) => Err(damage(format!("a frame of {size} bytes"), format!("{} bytes", text.len()))),
        Err(error) => Err(damage(format!("a zstd frame of {size} bytes"), error.to_string())),
    }
}

fn fixed(input: &[u8]) -> Parsed<'_, (u16, u16, u32, u32)> {
    let (rest, ()) = constant(input, MAGIC)?;
    let (rest, version) = le_u16(rest)?;
    let (rest, flags) = le_u16(rest)?;
    let (rest, length_bytes) = le_u32(rest)?;
    let (rest, key) = le_u32(rest)?;
    let (rest, ()) = checksum(rest, &input[..HEAD_BYTES - 4])?;
    Ok((rest, (version, flags, length_bytes, key)))
}

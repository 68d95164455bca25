//! Byte planes: byte sequences, each stored as one constant, raw, or as a zstd frame.

use crate::format::parse::{Parsed, miss};
use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound, get_error_name};

/// Coding: one byte that is repeated.
pub(crate) const CONSTANT: u8 = 0;
/// Coding: the bytes themselves.
pub(crate) const RAW: u8 = 1;
/// Coding: one zstd frame.
pub(crate) const ZSTD: u8 = 2;

/// Compression level. Higher levels are slower and hardly smaller on planes.
const LEVEL: i32 = 1;

/// Min length of the repetitions that zstd searches for, in bytes. In a plane, shorter repetitions are coincidental:
/// coding them takes more time and space.
const MIN_MATCH: u32 = 7;

/// Min size of a plane that is compressed, in bytes; below it, a frame's header outweighs the gain.
const MIN_FRAME_BYTES: usize = 48;

/// Encoder of planes with a shared compression context.
pub(crate) struct PlaneEncoder {
    zstd: CCtx<'static>,
    frame: Vec<u8>,
}

impl PlaneEncoder {
    pub fn new() -> Self {
        let mut zstd = CCtx::create();
        // Both parameters are valid in every zstd version; if one is rejected, frames are only encoded more slowly.
        for parameter in [CParameter::CompressionLevel(LEVEL), CParameter::MinMatch(MIN_MATCH)] {
            let _ = zstd.set_parameter(parameter);
        }
        Self { zstd, frame: Vec::new() }
    }

    /// Appends `plane`; returns the coding used.
    pub fn write(&mut self, plane: &[u8], out: &mut Vec<u8>) -> u8 {
        // Compared with itself shifted by one byte: a memcmp, which is faster than a loop over the bytes.
        if let [first, rest @ ..] = plane
            && rest == &plane[..rest.len()]
        {
            out.push(*first);
            return CONSTANT;
        }
        if plane.len() >= MIN_FRAME_BYTES {
            self.frame.clear();
            self.frame.reserve(compress_bound(plane.len()));
            let written = self.zstd.compress2(&mut self.frame, plane);
            // On failure the plane is stored raw, at the cost of size only.
            if matches!(written, Ok(bytes) if bytes < plane.len()) {
                out.extend_from_slice(&self.frame);
                return ZSTD;
            }
        }
        out.extend_from_slice(plane);
        RAW
    }
}

/// Decoder of planes with a shared decompression context.
pub(crate) struct PlaneDecoder {
    zstd: DCtx<'static>,
}

impl PlaneDecoder {
    pub fn new() -> Self {
        Self { zstd: DCtx::create() }
    }

    /// Fills `plane` from `stored`, all of which is consumed.
    pub fn read<'a>(&mut self, coding: u8, stored: &'a [u8], plane: &mut [u8]) -> Parsed<'a, ()> {
        let end = &stored[stored.len()..];
        match (coding, stored) {
            (CONSTANT, [byte]) => plane.fill(*byte),
            (CONSTANT, _) => return miss(stored, "the 1 byte of a constant plane", stored.len()),
            (RAW, _) if stored.len() == plane.len() => plane.copy_from_slice(stored),
            (RAW, _) => return miss(stored, format!("a plane of {} bytes", plane.len()), stored.len()),
            (ZSTD, _) => match self.zstd.decompress(plane, stored) {
                Ok(bytes) if bytes == plane.len() => {}
                Ok(bytes) => return miss(stored, format!("a frame of {} bytes", plane.len()), bytes),
                Err(error) => {
                    return miss(stored, format!("a zstd frame of {} bytes", plane.len()), get_error_name(error));
                }
            },
            _ => return miss(stored, "a plane coded 0, 1 or 2", coding),
        }
        Ok((end, ()))
    }
}

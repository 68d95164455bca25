//! Byte planes: runs of bytes of one kind, each stored as one constant, as they are, or as a zstd frame.

use crate::parse::{Parsed, miss};
use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound, get_error_name};

/// All bytes are the one byte stored.
pub(crate) const CONSTANT: u8 = 0;
/// The bytes themselves.
pub(crate) const RAW: u8 = 1;
/// One zstd frame.
pub(crate) const ZSTD: u8 = 2;

/// zstd's level. Higher ones are slower and hardly smaller on planes.
const LEVEL: i32 = 1;

/// Shortest repetition that zstd looks for. In a plane, shorter ones are chance: coding them takes longer and more room.
const MIN_MATCH: u32 = 7;

/// A plane shorter than this is not worth a frame's head.
const MIN_FRAME_BYTES: usize = 48;

/// Writes planes, with one compression context for all of them.
pub(crate) struct PlaneEncoder {
    zstd: CCtx<'static>,
    frame: Vec<u8>,
}

impl PlaneEncoder {
    pub fn new() -> Self {
        let mut zstd = CCtx::create();
        // Both are in every version's range; without them, frames would only be slower.
        for parameter in [CParameter::CompressionLevel(LEVEL), CParameter::MinMatch(MIN_MATCH)] {
            let _ = zstd.set_parameter(parameter);
        }
        Self { zstd, frame: Vec::new() }
    }

    /// Appends `plane` in the coding that it returns.
    pub fn write(&mut self, plane: &[u8], out: &mut Vec<u8>) -> u8 {
        // Against itself moved by one: that is a comparison of memory, which is quicker than one of bytes.
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
            // A failure costs size only.
            if matches!(written, Ok(bytes) if bytes < plane.len()) {
                out.extend_from_slice(&self.frame);
                return ZSTD;
            }
        }
        out.extend_from_slice(plane);
        RAW
    }
}

/// Reads planes, with one decompression context for all of them.
pub(crate) struct PlaneDecoder {
    zstd: DCtx<'static>,
}

impl PlaneDecoder {
    pub fn new() -> Self {
        Self { zstd: DCtx::create() }
    }

    /// Fills `plane` from the stored bytes, all of them.
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

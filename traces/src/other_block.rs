//! A block that holds no records. Writer and reader side by side.

use crate::block_info::UnknownBlock;
use crate::envelope::{CRC_BYTES, CRITICAL, ENVELOPE_BYTES, Envelope, is_known};
use crate::parse::{Parsed, miss};
use crate::told::{TOLD_BYTES, Told};

/// The stream of the blocks that tell of the recording itself: no thread has this number.
pub(crate) const OWN_STREAM: u32 = u32::MAX;

/// Size of the head of such a block of a kind that this crate knows, in bytes.
pub(crate) const OTHER_HEAD_BYTES: usize = ENVELOPE_BYTES + TOLD_BYTES + CRC_BYTES;

/// A block that holds no records, as an index has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct OtherBlock {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Size in the file, in bytes.
    pub length_bytes: u32,
    pub kind: u16,
    pub flags: u16,
    pub stream: u32,
    /// Number of the block among those of its stream, from 0.
    pub number: u64,
    /// Of a kind that this crate does not know, what an index has of it, or nothing.
    pub told: Told,
}

impl OtherBlock {
    /// The block whose head this is of, at an offset.
    pub fn of(offset: u64, envelope: &Envelope, told: Told) -> OtherBlock {
        let Envelope { length_bytes, kind, flags, stream, number, .. } = *envelope;
        OtherBlock { offset, length_bytes, kind, flags, stream, number, told }
    }

    /// Whether this crate knows what it says.
    pub fn is_known(&self) -> bool {
        is_known(self.kind)
    }

    /// Whether who does not know its kind must not replay the trace.
    pub fn is_critical(&self) -> bool {
        self.flags & CRITICAL != 0
    }

    /// What readers are told of it if its kind is none that this crate knows.
    pub fn unknown(&self) -> UnknownBlock {
        let OtherBlock { offset, length_bytes, kind, .. } = *self;
        UnknownBlock { offset, length_bytes, kind, is_critical: self.is_critical() }
    }
}

/// Writes blocks that tell of the recording itself.
#[derive(Debug)]
pub(crate) struct OwnBlocks {
    key: u32,
    next: u64,
}

impl OwnBlocks {
    /// Those of the trace with this key.
    pub fn new(key: u32) -> OwnBlocks {
        OwnBlocks { key, next: 0 }
    }

    /// Appends the next block to `out`, and gives its entry in an index, but for its offset.
    pub fn write(&mut self, (kind, flags): (u16, u16), told: Told, payload: &[u8], out: &mut Vec<u8>) -> OtherBlock {
        let start = out.len();
        let (head_bytes, length_bytes) =
            (OTHER_HEAD_BYTES as u32, (OTHER_HEAD_BYTES + payload.len() + CRC_BYTES) as u32);
        let (key, stream, number) = (self.key, OWN_STREAM, self.next);
        let envelope = Envelope { head_bytes, length_bytes, key, kind, flags, stream, number };
        envelope.write(out);
        told.write(out);
        let sum = crc32c::crc32c(&out[start..]);
        out.extend_from_slice(&sum.to_le_bytes());
        out.extend_from_slice(payload);
        let sum = crc32c::crc32c(&out[start..]);
        out.extend_from_slice(&sum.to_le_bytes());
        self.next += 1;
        OtherBlock::of(0, &envelope, told)
    }
}

/// Reads the head of a block without records, whose envelope lies at the beginning of `input` and has been read.
pub(crate) fn parse_head<'a>(input: &'a [u8], envelope: &Envelope) -> Parsed<'a, Told> {
    let (rest, ()) = envelope.check(input)?;
    if !is_known(envelope.kind) {
        return Ok((rest, Told::default()));
    }
    if envelope.head_bytes as usize != OTHER_HEAD_BYTES {
        return miss(&input[4..], format!("a head of {OTHER_HEAD_BYTES} bytes"), envelope.head_bytes);
    }
    Told::parse(&input[ENVELOPE_BYTES..])
}

//! Head of a block of any kind and version.

use crate::format::block_head::BlockHead;
use crate::format::control_block::ControlBlock;
use crate::format::envelope::{self, Envelope, RECORDS};
use crate::format::other_block::parse_head;
use crate::format::parse::Parsed;
use crate::format::version_0;

/// Head of a block.
pub(crate) enum Head {
    Records(BlockHead),
    /// Head of a block without records, with its numbers.
    Other(Envelope, ControlBlock),
}

impl Head {
    /// Size of the whole block, in bytes.
    pub fn length_bytes(&self) -> u32 {
        match self {
            Head::Records(head) => head.length_bytes,
            Head::Other(envelope, _) => envelope.length_bytes,
        }
    }

    /// Number of records in the block.
    pub fn records(&self) -> u32 {
        match self {
            Head::Records(head) => head.records,
            Head::Other(..) => 0,
        }
    }
}

/// Magic of a block in this format version.
pub(crate) fn magic(version: u16) -> &'static [u8] {
    if version == 0 { version_0::block_head::MAGIC } else { envelope::MAGIC }
}

/// Parses a head that begins at its magic, and checks everything that needs no schema table.
pub(crate) fn parse(input: &[u8], key: u32, version: u16) -> Parsed<'_, Head> {
    if version == 0 {
        return version_0::block_head::parse(input, key).map(|(rest, head)| (rest, Head::Records(head)));
    }
    let (_, envelope) = Envelope::parse(input, key)?;
    if envelope.kind == RECORDS {
        return BlockHead::parse(input, &envelope).map(|(rest, head)| (rest, Head::Records(head)));
    }
    parse_head(input, &envelope).map(|(rest, control_block)| (rest, Head::Other(envelope, control_block)))
}

/// Parses the head of a block of records.
pub(crate) fn parse_records(input: &[u8], key: u32, version: u16) -> Parsed<'_, BlockHead> {
    match parse(input, key, version)? {
        (rest, Head::Records(head)) => Ok((rest, head)),
        (_, Head::Other(envelope, _)) => {
            crate::format::parse::miss(input, format!("a block of kind {RECORDS}"), format!("kind {}", envelope.kind))
        }
    }
}

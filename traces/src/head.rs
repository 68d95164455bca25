//! The head of a block, of whatever kind and version.

use crate::block_head::BlockHead;
use crate::envelope::{self, Envelope, RECORDS};
use crate::other_block::parse_head;
use crate::parse::Parsed;
use crate::told::Told;
use crate::version_0;

/// The head of a block.
pub(crate) enum Head {
    /// Of records.
    Records(BlockHead),
    /// Of another kind, with the numbers that it tells.
    Other(Envelope, Told),
}

impl Head {
    /// Size of the whole block, in bytes.
    pub fn length_bytes(&self) -> u32 {
        match self {
            Head::Records(head) => head.length_bytes,
            Head::Other(envelope, _) => envelope.length_bytes,
        }
    }

    /// Records in the block.
    pub fn records(&self) -> u32 {
        match self {
            Head::Records(head) => head.records,
            Head::Other(..) => 0,
        }
    }
}

/// What the head of a block begins with.
pub(crate) fn magic(version: u16) -> &'static [u8] {
    if version == 0 { version_0::block_head::MAGIC } else { envelope::MAGIC }
}

/// Reads a head from bytes that begin at its magic, and checks what can be checked without the schema table.
pub(crate) fn parse(input: &[u8], key: u32, version: u16) -> Parsed<'_, Head> {
    if version == 0 {
        return version_0::block_head::parse(input, key).map(|(rest, head)| (rest, Head::Records(head)));
    }
    let (_, envelope) = Envelope::parse(input, key)?;
    if envelope.kind == RECORDS {
        return BlockHead::parse(input, &envelope).map(|(rest, head)| (rest, Head::Records(head)));
    }
    parse_head(input, &envelope).map(|(rest, told)| (rest, Head::Other(envelope, told)))
}

/// Reads the head of a block of records.
pub(crate) fn parse_records(input: &[u8], key: u32, version: u16) -> Parsed<'_, BlockHead> {
    match parse(input, key, version)? {
        (rest, Head::Records(head)) => Ok((rest, head)),
        (_, Head::Other(envelope, _)) => {
            crate::parse::miss(input, format!("a block of kind {RECORDS}"), format!("kind {}", envelope.kind))
        }
    }
}

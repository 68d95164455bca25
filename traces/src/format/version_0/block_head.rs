//! Head of a block in version 0.

use crate::format::block_head::BlockHead;
use crate::format::parse::{Parsed, constant, miss};
use nom::Parser;
use nom::number::complete::{le_u32, le_u64};

pub(crate) const MAGIC: &[u8] = b"\xb1TB0";

/// Size of a head without its tables and its checksum, in bytes.
const FIXED_BYTES: usize = 80;

/// Parses a head that begins at its magic, as [`BlockHead::parse`] does.
pub(crate) fn parse(input: &[u8], key: u32) -> Parsed<'_, BlockHead> {
    let (rest, ()) = constant(input, MAGIC)?;
    let (rest, (head_bytes, length_bytes, found_key)) = (le_u32, le_u32, le_u32).parse(rest)?;
    let (rest, (thread, records, number, records_before)) = (le_u32, le_u32, le_u64, le_u64).parse(rest)?;
    let (rest, (lost, first, last, row_bytes, depth)) = (le_u64, le_u64, le_u64, le_u32, le_u32).parse(rest)?;
    if found_key != key {
        return miss(&input[12..], format!("a block of this trace, key {key:#010x}"), format!("{found_key:#010x}"));
    }
    let place = BlockHead { head_bytes, length_bytes, key, thread, number, ..BlockHead::default() };
    let head = BlockHead { records, row_bytes, records_before, lost, stamps: (first, last), depth, ..place };
    head.tables(input, rest, FIXED_BYTES)
}

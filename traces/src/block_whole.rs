//! A whole block: its checksum, and what it has behind its head.

use crate::envelope::CRC_BYTES;
use crate::other_block::OTHER_HEAD_BYTES;
use crate::parse::{Parsed, checksum, miss};

/// Checks the checksum at the end of a block.
pub(crate) fn check_whole(input: &[u8]) -> Parsed<'_, ()> {
    let end = input.len().saturating_sub(CRC_BYTES);
    checksum(&input[end..], &input[..end])
}

/// The payload of a whole block without records whose kind this crate knows, and whose checksum is right.
pub(crate) fn payload(input: &[u8]) -> Parsed<'_, &[u8]> {
    check_whole(input)?;
    match input.get(OTHER_HEAD_BYTES..input.len().saturating_sub(CRC_BYTES)) {
        Some(payload) => Ok((&input[input.len()..], payload)),
        None => miss(input, format!("a block of at least {} bytes", OTHER_HEAD_BYTES + CRC_BYTES), input.len()),
    }
}

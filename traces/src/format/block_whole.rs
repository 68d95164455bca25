//! Checks of a whole block: its checksum, and its payload.

use crate::format::envelope::CRC_BYTES;
use crate::format::other_block::OTHER_HEAD_BYTES;
use crate::format::parse::{Parsed, checksum, miss};

/// Checks the checksum at the end of a block.
pub(crate) fn check_whole(input: &[u8]) -> Parsed<'_, ()> {
    let end = input.len().saturating_sub(CRC_BYTES);
    checksum(&input[end..], &input[..end])
}

/// Payload of a whole block without records whose kind this crate knows; checks the checksum.
pub(crate) fn payload(input: &[u8]) -> Parsed<'_, &[u8]> {
    check_whole(input)?;
    match input.get(OTHER_HEAD_BYTES..input.len().saturating_sub(CRC_BYTES)) {
        Some(payload) => Ok((&input[input.len()..], payload)),
        None => miss(input, format!("a block of at least {} bytes", OTHER_HEAD_BYTES + CRC_BYTES), input.len()),
    }
}

//! Conversion from the JSON structs to the structs of the schemas.

use super::error::LineFault;
use super::name::CallName;
use super::raw::{RawClear, RawDesc, RawInfo, RawPlacedInfo};
use taut_schemas::{
    AllocationInfo, AllocationInfo1, ClearValue, Dimension, MipRegion, ResourceDesc, ResourceFlags, TextureLayout,
    format::Format,
};

/// Converts a description without its mip region, which is an error for calls that cannot have one.
pub(super) fn resource_desc(name: CallName, raw: &RawDesc) -> Result<ResourceDesc, LineFault> {
    if raw.mip_region.is_some() && !name.takes_desc1() {
        return Err(surplus("mip_region", name));
    }
    Ok(ResourceDesc {
        dimension: Dimension(raw.dimension),
        alignment_bytes: raw.alignment,
        width: raw.width,
        height: raw.height,
        depth_or_array_size: raw.depth_or_array,
        mip_levels: raw.mips,
        format: Format(raw.format),
        sample_count: raw.sample_count,
        sample_quality: raw.sample_quality,
        layout: TextureLayout(raw.layout),
        flags: ResourceFlags(raw.flags),
    })
}

/// Converts a description's mip region; a missing one is all zeros.
pub(super) fn mip_region(raw: &RawDesc) -> MipRegion {
    let [width, height, depth] = raw.mip_region.unwrap_or_default();
    MipRegion { width, height, depth }
}

pub(super) fn info(raw: &RawInfo) -> AllocationInfo {
    AllocationInfo { size_bytes: raw.size, alignment_bytes: raw.alignment }
}

pub(super) fn placed_info(raw: &RawPlacedInfo) -> AllocationInfo1 {
    AllocationInfo1 { offset_bytes: raw.offset, alignment_bytes: raw.alignment, size_bytes: raw.size }
}

pub(super) fn formats(raw: &[u32]) -> Vec<Format> {
    raw.iter().map(|format| Format(*format)).collect()
}

/// Converts a clear value; the union of colour and depth-stencil is 16 bytes in hex, as little-endian words.
pub(super) fn clear_value(raw: &RawClear) -> Result<ClearValue, LineFault> {
    let bytes = hex("bytes", &raw.bytes)?;
    expect_count("bytes", "bytes", 16, bytes.len())?;
    let word = |at: usize| {
        let bytes = bytes.get(4 * at..).and_then(|rest| rest.first_chunk::<4>());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    };
    Ok(ClearValue { format: Format(raw.format), word0: word(0), word1: word(1), word2: word(2), word3: word(3) })
}

/// Decodes hex bytes, two digits each.
pub(super) fn hex(field: &'static str, text: &str) -> Result<Vec<u8>, LineFault> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect::<Option<Vec<u8>>>();
    bytes.filter(|_| rest.is_empty()).ok_or_else(|| {
        let found: String = text.chars().take(64).collect();
        LineFault::unexpected(field, "pairs of hex digits", format!("\"{}\"", found.escape_debug()))
    })
}

/// Converts 0 or 1.
pub(super) fn flag(field: &'static str, value: u8) -> Result<bool, LineFault> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        found => Err(LineFault::unexpected(field, "0 or 1", found)),
    }
}

/// Checks that a list has the number of elements given by another field.
pub(super) fn expect_count(
    field: &'static str,
    what: &'static str,
    expected: u64,
    found: usize,
) -> Result<(), LineFault> {
    if expected == found as u64 {
        return Ok(());
    }
    Err(LineFault::unexpected(field, format!("{expected} {what}"), found))
}

pub(super) fn missing(field: &'static str, name: CallName) -> LineFault {
    LineFault::unexpected(field, format!("field `{field}`, for {}", name.as_str()), "none")
}

pub(super) fn surplus(field: &'static str, name: CallName) -> LineFault {
    LineFault::unexpected(field, format!("no field `{field}`, for {}", name.as_str()), "one")
}

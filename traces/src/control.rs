//! The first page of a sidecar: whose recording it is, and how large its slots are. Writer and reader side by side.

use crate::limit;
use crate::parse::{Parsed, checksum, constant, miss};
use crate::slot_line::{seal, unseal};
use nom::Parser;
use nom::number::complete::{le_u32, le_u64};

/// What a sidecar begins with.
const MAGIC: &[u8] = b"\x89TAUTLV\n";

/// Version of its layout.
const VERSION: u32 = 3;

/// The one before: without definitions.
const WITHOUT_DEFINITIONS: u32 = 2;

/// Size of what the page says.
const CONTROL_BYTES: usize = 56;

/// Size of what the page of the version before says.
const SHORT_CONTROL_BYTES: usize = 44;

/// Size of the page; definitions follow, then slots.
pub(crate) const PAGE_BYTES: u64 = 4096;

/// Where in the page the number of slots stands, once there are any: a word like those of a slot's line.
pub(crate) const SLOTS_AT: u64 = 64;

/// The place that it is sealed for.
const SLOTS_PLACE: usize = 20;

/// The word for so many slots.
pub(crate) fn slots_word(slots: u64) -> [u8; 8] {
    seal(slots, SLOTS_PLACE).to_le_bytes()
}

/// Reads the number of slots from a page that may be cut.
pub(crate) fn slots(page: &[u8]) -> Parsed<'_, u64> {
    let rest = page.get(SLOTS_AT as usize..).unwrap_or_default();
    let (_, word) = le_u64(rest)?;
    match unseal(word, SLOTS_PLACE) {
        _ if word == 0 => Ok((rest, 0)),
        Some(slots) => Ok((rest, slots)),
        None => miss(rest, "the number of slots", format!("{word:#018x}")),
    }
}

/// Sizes that a slot may have, in bytes: whole pages.
const SLOT_BYTES: std::ops::RangeInclusive<u32> = 4096..=1 << 30;

/// What the first page says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Control {
    /// Key of the trace.
    pub key: u32,
    /// Number of the process that records.
    pub process: u32,
    /// When the recording began, in nanoseconds since 1970.
    pub began_at_unix_ns: u64,
    /// Size of a slot, in bytes.
    pub slot_bytes: u32,
    /// Every so many nanoseconds, trace and sidecar are brought to disk; 0 for at the end alone.
    pub sync_interval_ns: u64,
    /// Size of what stands behind the page, of the JSON that this is when it is inflated, in bytes, and its CRC-32C: definitions of events
    /// that the trace's head lacks.
    pub definitions: [u32; 3],
}

impl Control {
    /// Where the first slot begins.
    pub fn slots_begin(&self) -> u64 {
        PAGE_BYTES + u64::from(self.definitions[0]).next_multiple_of(PAGE_BYTES)
    }

    /// The page's bytes that are not 0.
    pub fn write(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        for number in [VERSION, self.key, self.process, self.slot_bytes] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        for number in [self.began_at_unix_ns, self.sync_interval_ns] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        for number in self.definitions {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&crc32c::crc32c(&out).to_le_bytes());
        out
    }

    /// Reads a page.
    pub fn parse(input: &[u8]) -> Parsed<'_, Control> {
        let (rest, ()) = constant(input, MAGIC)?;
        let (rest, (version, key, process, slot_bytes)) = (le_u32, le_u32, le_u32, le_u32).parse(rest)?;
        let (rest, (began_at_unix_ns, sync_interval_ns)) = (le_u64, le_u64).parse(rest)?;
        let (rest, definitions, bytes) = match version {
            WITHOUT_DEFINITIONS => (rest, [0; 3], SHORT_CONTROL_BYTES),
            _ => {
                let (rest, (size, text, crc)) = (le_u32, le_u32, le_u32).parse(rest)?;
                (rest, [size, text, crc], CONTROL_BYTES)
            }
        };
        let (rest, ()) = checksum(rest, &input[..bytes - 4])?;
        if !matches!(version, VERSION | WITHOUT_DEFINITIONS) {
            return miss(&input[8..], format!("version {VERSION}"), version);
        }
        if definitions[0] as usize > limit::HEADER_BYTES {
            return miss(&input[40..], format!("at most {} bytes of definitions", limit::HEADER_BYTES), definitions[0]);
        }
        if !SLOT_BYTES.contains(&slot_bytes) || slot_bytes % 4096 != 0 {
            return miss(&input[20..], "slots of whole pages, up to 1 GiB", slot_bytes);
        }
        Ok((rest, Control { key, process, began_at_unix_ns, slot_bytes, sync_interval_ns, definitions }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::run;

    #[test]
    fn a_page_comes_back_and_a_changed_bit_is_noticed() {
        let control = Control {
            key: 7,
            process: 9,
            began_at_unix_ns: 3,
            slot_bytes: 1 << 18,
            sync_interval_ns: 1_000_000_000,
            definitions: [4097, 70_000, 5],
        };
        assert_eq!(control.slots_begin(), 12_288);
        let mut bytes = control.write();
        assert_eq!(bytes.len(), CONTROL_BYTES);
        assert_eq!(run(0, "page", &bytes, Control::parse), Ok(control));
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(run(0, "page", &bytes, Control::parse).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

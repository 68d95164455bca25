//! Control page of a sidecar: identity of the recording and size of its slots. Encoder and parser are in this file so
//! that they stay in step.

use crate::format::limit;
use crate::format::parse::{Parsed, checksum, constant, miss};
use crate::live::slot_line::{seal, unseal};
use nom::Parser;
use nom::number::complete::{le_u32, le_u64};

/// First bytes of a sidecar.
const MAGIC: &[u8] = b"\x89TAUTLV\n";

/// Version of the page layout.
const VERSION: u32 = 3;

/// Previous version of the page layout, without definitions; still read.
const WITHOUT_DEFINITIONS: u32 = 2;

/// Size of the page's fixed fields and their checksum, in bytes.
const CONTROL_BYTES: usize = 56;

/// Size of the fixed fields in the previous version, in bytes.
const SHORT_CONTROL_BYTES: usize = 44;

/// Size of the page, in bytes; definitions follow, then slots.
pub(crate) const PAGE_BYTES: u64 = 4096;

/// Offset in bytes of the number of slots in the page, which is a sealed word as in a slot's line; 0 before the first
/// slot.
pub(crate) const SLOTS_AT: u64 = 64;

/// Seal index of the number of slots. It is above the seal indices of a slot's line, so that a word is valid in one
/// position only.
const SLOTS_PLACE: usize = 20;

/// Offset in the page of the losses that no slot's line counts because the output had failed: pairs of sealed words,
/// stream and number of events.
pub(crate) const LOST_AT: u64 = 128;

/// Max number of such pairs.
// 24 pairs of 16 bytes end at byte 512, where the request begins (`request::REQUEST_AT`).
const MAX_LOST_PAIRS: usize = 24;

/// Seal indices of the two words of a pair.
const LOST_SEAL_INDICES: [usize; 2] = [21, 22];

/// Offset in the page of a sealed word: the number of times that a write of the recorder failed, up to 1. From then on, events
/// may exist in the process alone, and if it ends without ending the recording, an unknown number is lost. 0 before a
/// failure, and after the recorder has counted its losses.
pub(crate) const FAILED_AT: u64 = 72;

/// Seal index of that word.
const FAILED_SEAL_INDEX: usize = 23;

/// Encodes whether a write has failed.
pub(crate) fn failed_word(has_failed: bool) -> [u8; 8] {
    if has_failed { seal(1, FAILED_SEAL_INDEX).to_le_bytes() } else { [0; 8] }
}

/// True if the page states that a write has failed. The page may be cut off.
pub(crate) fn has_failed(page: &[u8]) -> bool {
    let word = page.get(FAILED_AT as usize..).and_then(|rest| rest.first_chunk::<8>());
    word.is_some_and(|word| unseal(u64::from_le_bytes(*word), FAILED_SEAL_INDEX).is_some_and(|value| value > 0))
}

/// Encodes these losses as pairs. The last possible pair includes the losses of all further streams.
pub(crate) fn lost_words(lost: &[(u32, u64)]) -> Vec<u8> {
    let (named, others) = lost.split_at(lost.len().min(MAX_LOST_PAIRS));
    let others = others.iter().fold(0u64, |sum, (_, events)| sum.saturating_add(*events));
    let mut out = Vec::with_capacity(16 * named.len());
    for (number, (stream, events)) in named.iter().enumerate() {
        let events = if number + 1 == MAX_LOST_PAIRS { events.saturating_add(others) } else { *events };
        for (value, place) in [u64::from(*stream), events].into_iter().zip(LOST_SEAL_INDICES) {
            out.extend_from_slice(&seal(value, place).to_le_bytes());
        }
    }
    out
}

/// Decodes the pairs of a page, up to the first word without a valid seal.
pub(crate) fn lost(page: &[u8]) -> Vec<(u32, u64)> {
    let (words, _) = page.get(LOST_AT as usize..).unwrap_or_default().as_chunks::<8>();
    let pair = |pair: &[[u8; 8]]| {
        let value = |at: usize| unseal(u64::from_le_bytes(*pair.get(at)?), LOST_SEAL_INDICES[at]);
        Some((u32::try_from(value(0)?).ok()?, value(1)?))
    };
    words.chunks(2).take(MAX_LOST_PAIRS).map_while(pair).collect()
}

/// Encodes the number of slots.
pub(crate) fn slots_word(slots: u64) -> [u8; 8] {
    seal(slots, SLOTS_PLACE).to_le_bytes()
}

/// Decodes the number of slots from a page that may be cut off.
pub(crate) fn slots(page: &[u8]) -> Parsed<'_, u64> {
    let rest = page.get(SLOTS_AT as usize..).unwrap_or_default();
    let (_, word) = le_u64(rest)?;
    match unseal(word, SLOTS_PLACE) {
        // A zero word is valid: no slot has been created yet.
        _ if word == 0 => Ok((rest, 0)),
        Some(slots) => Ok((rest, slots)),
        None => miss(rest, "the number of slots", format!("{word:#018x}")),
    }
}

/// Permitted sizes of a slot, in bytes; only whole pages are valid.
const SLOT_BYTES: std::ops::RangeInclusive<u32> = 4096..=1 << 30;

/// Fixed fields of the control page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ControlPage {
    /// Key of the trace.
    pub key: u32,
    pub process: u32,
    /// Begin of the recording, in nanoseconds since 1970.
    pub began_at_unix_ns: u64,
    pub slot_bytes: u32,
    /// Interval at which trace and sidecar are synced to disk, in nanoseconds; 0 for a sync at the end only.
    pub sync_interval_ns: u64,
    /// Definitions of events that the trace's head lacks: size of the compressed frame in bytes, size of the inflated
    /// JSON in bytes, and CRC-32C of the frame.
    pub definitions: [u32; 3],
}

impl ControlPage {
    /// Offset of the first slot.
    pub fn slots_begin(&self) -> u64 {
        PAGE_BYTES + u64::from(self.definitions[0]).next_multiple_of(PAGE_BYTES)
    }

    /// Encodes the page up to its last nonzero byte.
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

    /// Parses a page.
    pub fn parse(input: &[u8]) -> Parsed<'_, ControlPage> {
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
        Ok((rest, ControlPage { key, process, began_at_unix_ns, slot_bytes, sync_interval_ns, definitions }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse::run;

    #[test]
    fn losses_come_back_and_a_page_without_has_none() {
        assert_eq!(lost(&[0; PAGE_BYTES as usize]), []);
        assert_eq!(lost(&[]), []);
        for count in [1, 5, MAX_LOST_PAIRS, MAX_LOST_PAIRS + 9] {
            let all: Vec<(u32, u64)> = (0..count).map(|number| (number as u32 * 7, 1 + number as u64)).collect();
            let mut page = vec![0; LOST_AT as usize];
            page.extend(lost_words(&all));
            assert!(page.len() <= 512, "the request is not written over");
            page.resize(PAGE_BYTES as usize, 0);
            let found = lost(&page);
            let sum = |all: &[(u32, u64)]| all.iter().map(|(_, events)| events).sum::<u64>();
            assert_eq!((found.len(), sum(&found)), (count.min(MAX_LOST_PAIRS), sum(&all)));
        }
    }

    #[test]
    fn a_page_comes_back_and_a_changed_bit_is_noticed() {
        let control_page = ControlPage {
            key: 7,
            process: 9,
            began_at_unix_ns: 3,
            slot_bytes: 1 << 18,
            sync_interval_ns: 1_000_000_000,
            definitions: [4097, 70_000, 5],
        };
        assert_eq!(control_page.slots_begin(), 12_288);
        let mut bytes = control_page.write();
        assert_eq!(bytes.len(), CONTROL_BYTES);
        assert_eq!(run(0, "page", &bytes, ControlPage::parse), Ok(control_page));
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(run(0, "page", &bytes, ControlPage::parse).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

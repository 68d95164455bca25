//! Containers with correct checksums: without them a fuzzer would never get past the first one. Written from FORMAT.md
//! alone.

use crate::schema::text;
use std::sync::OnceLock;

const HEAD_BYTES: usize = 24;
const TRAILER_BYTES: usize = 28;
const BLOCK: &[u8] = b"\xb1TB1";

fn number(bytes: &[u8], at: usize, size: usize) -> usize {
    let bytes = bytes.get(at..at + size).unwrap_or_default();
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&value.to_le_bytes());
    }
}

fn seal(bytes: &mut [u8], start: usize, end: usize) {
    let crc = crc32c::crc32c(&bytes[start..end - 4]);
    put(bytes, end - 4, crc);
}

/// Corrects key, lengths and checksums of a file, as far as it resembles one. With `finished`, appends a footer that
/// agrees with its blocks.
pub fn mend(bytes: &mut Vec<u8>, finished: bool) {
    if bytes.len() < HEAD_BYTES {
        return;
    }
    let text_bytes = number(bytes, 12, 4).min(bytes.len() - HEAD_BYTES);
    put(bytes, 12, text_bytes as u32);
    let mut at = HEAD_BYTES + text_bytes;
    let key = crc32c::crc32c(&bytes[HEAD_BYTES..at]);
    put(bytes, 16, key);
    seal(bytes, 0, HEAD_BYTES);
    let mut entries = Vec::new();
    while let Some(length) = mend_block(&mut bytes[at..], key) {
        entries.push((at, length));
        at += length;
    }
    if finished {
        bytes.truncate(at);
        append_footer(bytes, key, &entries);
    } else if bytes.len() >= at + 36 + TRAILER_BYTES {
        let trailer = bytes.len() - TRAILER_BYTES;
        put(bytes, at + 4, key);
        seal(bytes, at, trailer);
        let (offset, length) = (at as u64, (trailer - at) as u64);
        bytes[trailer..trailer + 8].copy_from_slice(&offset.to_le_bytes());
        bytes[trailer + 8..trailer + 16].copy_from_slice(&length.to_le_bytes());
        seal(bytes, trailer, trailer + 20);
    }
}

/// Corrects the block at the beginning of `bytes` and returns its size; `None` if there is none.
fn mend_block(bytes: &mut [u8], key: u32) -> Option<usize> {
    if !bytes.starts_with(BLOCK) || bytes.len() < 40 {
        return None;
    }
    let (mut head, mut whole) = (number(bytes, 4, 4), number(bytes, 8, 4));
    if number(bytes, 16, 2) == 1 && bytes.len() >= 84 {
        let [open, kinds, columns] = [76, 78, 80].map(|at| number(bytes, at, 2));
        let table = 84 + 2 * open + 6 * kinds;
        let payload: usize = (0..columns).map(|column| number(bytes, table + 10 * column + 6, 4)).sum();
        head = table + 10 * columns + 4;
        whole = head + payload + 4;
    }
    if head < 36 || whole < head + 4 || whole > bytes.len() {
        return None;
    }
    put(bytes, 4, head as u32);
    put(bytes, 8, whole as u32);
    put(bytes, 12, key);
    seal(bytes, 0, head);
    seal(bytes, 0, whole);
    Some(whole)
}

/// Appends a footer and a trailer for the blocks at these offsets.
fn append_footer(bytes: &mut Vec<u8>, key: u32, blocks: &[(usize, usize)]) {
    let offset = bytes.len();
    let mut footer = b"\xb1TF1".to_vec();
    footer.extend(key.to_le_bytes());
    let mut lost = std::collections::BTreeMap::new();
    let mut records = 0u64;
    for (at, _) in blocks.iter().filter(|(at, _)| number(bytes, at + 16, 2) == 1) {
        records += number(bytes, at + 32, 4) as u64;
        lost.insert(number(bytes, at + 20, 4), number(bytes, at + 48, 8) as u64);
    }
    footer.extend(records.to_le_bytes());
    footer.extend(lost.values().fold(0u64, |sum, lost| sum.saturating_add(*lost)).to_le_bytes());
    footer.extend((blocks.len() as u32).to_le_bytes());
    footer.extend([0; 4]);
    for (at, length) in blocks {
        footer.extend((*at as u64).to_le_bytes());
        footer.extend((*length as u32).to_le_bytes());
        // Kind, flags, stream and number; records; records and losses before, stamps; kinds.
        footer.extend_from_slice(&bytes[at + 16..at + 32]);
        if number(bytes, at + 16, 2) == 1 {
            footer.extend_from_slice(&bytes[at + 32..at + 36]);
            footer.extend_from_slice(&bytes[at + 40..at + 72]);
            footer.extend_from_slice(&bytes[at + 78..at + 80]);
            let (open, kinds) = (number(bytes, at + 76, 2), number(bytes, at + 78, 2));
            let kinds_at = at + 84 + 2 * open;
            footer.extend_from_slice(&bytes[kinds_at..kinds_at + 6 * kinds]);
        } else {
            footer.extend([0; 38]);
        }
    }
    footer.extend([0; 4]);
    let end = footer.len();
    seal(&mut footer, 0, end);
    bytes.extend_from_slice(&footer);
    let mut trailer = (offset as u64).to_le_bytes().to_vec();
    trailer.extend((footer.len() as u64).to_le_bytes());
    trailer.extend([0; 4]);
    seal(&mut trailer, 0, 20);
    trailer.extend(b"\xb1TAUTEND");
    bytes.extend(trailer);
}

/// File of a header's text alone.
pub fn file_of_text(text: &[u8], flags: u16) -> Vec<u8> {
    let mut bytes = b"\x89TAUT\r\n\x1a\x01\0".to_vec();
    bytes.extend(flags.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend_from_slice(text);
    mend(&mut bytes, true);
    bytes
}

/// File of the table of [`crate::table`] and the blocks in `blocks`.
pub fn file_of_block(blocks: &[u8], finished: bool) -> Vec<u8> {
    static HEAD: OnceLock<Vec<u8>> = OnceLock::new();
    let head = HEAD.get_or_init(|| {
        let text = text();
        let mut bytes = b"\x89TAUT\r\n\x1a\x01\0\0\0".to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(text);
        bytes
    });
    let mut bytes = [head.as_slice(), blocks].concat();
    mend(&mut bytes, finished);
    bytes
}

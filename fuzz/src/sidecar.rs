//! Sidecars with correct proofs and checks, from a compact form without zeros in between. Written from FORMAT.md alone.

use crate::schema::trace;
use std::sync::OnceLock;
use taut_traces::Trace;

const PAGE_BYTES: usize = 4096;
const LINE_BYTES: usize = 64;
const MAX_VALUE: u64 = (1 << 48) - 1;

/// Unfinished trace: a head and the first blocks.
pub fn unfinished(blocks: usize) -> &'static [u8] {
    static WHOLE: OnceLock<(Vec<u8>, Vec<usize>)> = OnceLock::new();
    let (bytes, ends) = WHOLE.get_or_init(|| {
        let bytes = trace(20);
        let found = Trace::from_bytes(bytes.clone()).unwrap();
        let starts = found.blocks().iter().map(|block| block.offset as usize);
        let last = found.blocks().last().unwrap();
        let end = last.offset as usize + last.length_bytes as usize;
        let ends = starts.chain([end]).collect();
        (bytes, ends)
    });
    &bytes[..ends[blocks % ends.len()]]
}

fn take<'a>(bytes: &mut &'a [u8], size: usize) -> &'a [u8] {
    let (part, rest) = bytes.split_at(size.min(bytes.len()));
    *bytes = rest;
    part
}

fn word(bytes: &mut &[u8]) -> u64 {
    let mut word = [0; 8];
    let part = take(bytes, 8);
    word[..part.len()].copy_from_slice(part);
    u64::from_le_bytes(word)
}

fn sealed(value: u64, place: u64) -> u64 {
    let value = value & MAX_VALUE;
    let mixed = (value + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (place + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    value | ((mixed >> 47) & 0xffff | 1) << 48
}

fn sealed_end(end: u64, place: u64) -> u64 {
    let end = end as u32;
    u64::from(end) | u64::from(!end ^ place as u32) << 32
}

/// Builds the sidecar that `input` describes: bytes of the control page, the number of slots, optionally definitions,
/// and for each slot a byte that selects the words left wrong, its words, the size of its records, and the records.
pub fn sidecar(mut input: &[u8], key: u32) -> Vec<u8> {
    let mut out = vec![0; PAGE_BYTES];
    let how = take(&mut input, 1).first().copied().unwrap_or_default();
    let page = take(&mut input, 44);
    out[..page.len()].copy_from_slice(page);
    if how & 1 == 0 {
        out[12..16].copy_from_slice(&key.to_le_bytes());
        // Small slots, so that there are many.
        out[20..24].copy_from_slice(&4096u32.to_le_bytes());
    }
    let definitions = if how & 4 == 0 { &[][..] } else { take(&mut input, usize::from(how) * 8) };
    if definitions.is_empty() {
        let crc = crc32c::crc32c(&out[..40]);
        out[40..44].copy_from_slice(&crc.to_le_bytes());
    } else {
        out[8..12].copy_from_slice(&3u32.to_le_bytes());
        out[40..44].copy_from_slice(&(definitions.len() as u32).to_le_bytes());
        out[44..48].copy_from_slice(&(8 * definitions.len() as u32).to_le_bytes());
        out[48..52].copy_from_slice(&crc32c::crc32c(definitions).to_le_bytes());
        let crc = crc32c::crc32c(&out[..52]);
        out[52..56].copy_from_slice(&crc.to_le_bytes());
        out.extend_from_slice(definitions);
        out.resize(2 * PAGE_BYTES, 0);
    }
    let slots = word(&mut input);
    out[64..72].copy_from_slice(&sealed(slots, 20).to_le_bytes());
    while !input.is_empty() && out.len() < 1 << 17 {
        slot(&mut input, key, &mut out);
    }
    if how & 2 != 0 {
        out.truncate(out.len().saturating_sub(how as usize * 16));
    }
    out
}

fn slot(input: &mut &[u8], key: u32, out: &mut Vec<u8>) {
    let wrong = take(input, 1).first().copied().unwrap_or_default();
    let start = out.len();
    let mut turn = 0;
    for place in 0..8 {
        let value = word(input);
        turn = if place == 1 { value & MAX_VALUE } else { turn };
        let right = match place {
            0 if value == 0 => 0,
            2 if wrong & 0x80 != 0 => sealed(value, 10),
            3 | 4 => sealed_end(value, place),
            _ => sealed(value, place),
        };
        let word = if place < 7 && wrong & 1 << place != 0 { value } else { right };
        out.extend(word.to_le_bytes());
    }
    let size = usize::from(take(input, 1).first().copied().unwrap_or_default()) * 16;
    let rows = take(input, size.min(PAGE_BYTES - LINE_BYTES));
    out.extend_from_slice(rows);
    out.resize(start + PAGE_BYTES, 0);
    let salt =
        (u64::from(key) << 32 | 0x5bd1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ turn.wrapping_mul(0xd6e8_feb8_6659_fd93);
    let rows = &mut out[start + LINE_BYTES..];
    let mut at = 0;
    while let Some(size) = check_record(&mut rows[at.min(PAGE_BYTES - LINE_BYTES)..], salt) {
        at += size;
    }
}

/// Corrects the check of a record and returns the record's size.
fn check_record(bytes: &mut [u8], salt: u64) -> Option<usize> {
    let head = u64::from_le_bytes(*bytes.first_chunk()?);
    let row_bytes = (head >> 24 & 0xff_ffff) as usize;
    if head == 0 || bytes.len() < 16 + row_bytes {
        return None;
    }
    let what = head & !0xff_ffff;
    let stamp = u64::from_le_bytes(*bytes[8..].first_chunk()?);
    let add = |all: u64, word: u64| all.rotate_left(1) ^ word;
    let mut all = add(add(salt, stamp), what);
    for chunk in bytes[16..16 + row_bytes].chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        all = add(all, u64::from_le_bytes(word));
    }
    let check = (all ^ all >> 24 ^ all >> 48) & 0xff_ffff;
    bytes[..8].copy_from_slice(&(what | check).to_le_bytes());
    Some((16 + row_bytes).next_multiple_of(8))
}

/// Segment with a correct head: number, records before and max stamp are the first 24 bytes of `input`, blocks the
/// rest.
pub fn segment(mut input: &[u8], key: u32) -> Vec<u8> {
    let mut out = b"\xb1TR1".to_vec();
    out.extend(key.to_le_bytes());
    (0..3).for_each(|_| out.extend(word(&mut input).to_le_bytes()));
    out.extend(crc32c::crc32c(&out).to_le_bytes());
    out.extend_from_slice(input);
    out
}

//! Head of each record in a thread's buffer.

use taut_schemas::EventCode;

/// Size of a record's head, in bytes: a word of check, size and code, and the stamp.
pub(crate) const ROW_HEAD_BYTES: usize = 16;

/// Bits of the check, which are the lowest bits of the first word. The check covers the rest of the head, and the row.
const CHECK_BITS: u32 = 24;

/// Bits of the row's size, above the check; the code has the remaining bits.
const SIZE_BITS: u32 = 24;

const _: () = assert!(crate::format::limit::ROW_BYTES < 1 << SIZE_BITS);

/// Size of a record whose row has `row_bytes` bytes. Records begin at multiples of 8 bytes, so that no word straddles
/// two cache lines.
#[inline]
pub(crate) fn record_bytes(row_bytes: usize) -> usize {
    row_bytes.saturating_add(ROW_HEAD_BYTES + 7) & !7
}

/// Size of the row, code and stamp of the record that begins at `at`.
#[inline]
pub(crate) fn row_head(rows: &[u8], at: usize) -> Option<(u32, EventCode, u64)> {
    let head: &[u8; ROW_HEAD_BYTES] = rows.get(at..at + ROW_HEAD_BYTES)?.first_chunk()?;
    let [a, b, c, d, e, f, code_low, code_high, stamp @ ..] = *head;
    let row_bytes = (u64::from_le_bytes([a, b, c, d, e, f, 0, 0]) >> CHECK_BITS) as u32;
    Some((row_bytes, EventCode(u16::from_le_bytes([code_low, code_high])), u64::from_le_bytes(stamp)))
}

/// Writes the head of a record whose row follows it, and zeros the bytes after the row in the last word.
#[inline]
pub(crate) fn write_row_head(record: &mut [u8], row_bytes: usize, code: EventCode, stamp: u64, salt: u64) {
    let size_and_code = size_and_code(row_bytes, code);
    let (words, _) = record.as_chunks_mut::<8>();
    if let [_, second, ..] = words {
        *second = stamp.to_le_bytes();
    }
    // Most rows are whole words; skipping their last word avoids a load that would stall on a store just made.
    if !row_bytes.is_multiple_of(8)
        && let [.., last] = words
    {
        *last = (u64::from_le_bytes(*last) & last_word_mask(row_bytes)).to_le_bytes();
    }
    if let [first, following @ ..] = words {
        *first = (size_and_code | check(following, size_and_code, salt)).to_le_bytes();
    }
}

/// Row of the record that begins at `at`, if the record is complete and was written with `salt`.
pub(crate) fn sound_row(rows: &[u8], at: usize, salt: u64) -> Option<&[u8]> {
    let (row_bytes, code, _) = row_head(rows, at)?;
    let row_bytes = row_bytes as usize;
    let (words, _) = rows.get(at..)?.get(..record_bytes(row_bytes))?.as_chunks::<8>();
    let (first, following) = words.split_first()?;
    let size_and_code = size_and_code(row_bytes, code);
    let is_filled = following.last().is_some_and(|last| u64::from_le_bytes(*last) & !last_word_mask(row_bytes) == 0);
    let is_sound = is_filled && u64::from_le_bytes(*first) == size_and_code | check(following, size_and_code, salt);
    is_sound.then(|| following.as_flattened().get(8..8 + row_bytes)).flatten()
}

/// Mask of the row's bytes in a record's last word; for a record without a row, that word is the stamp.
#[inline]
fn last_word_mask(row_bytes: usize) -> u64 {
    u64::MAX >> (8 * (row_bytes.wrapping_neg() & 7))
}

/// Size and code at their positions in the first word.
#[inline]
fn size_and_code(row_bytes: usize, code: EventCode) -> u64 {
    u64::from(code.0) << (CHECK_BITS + SIZE_BITS) | (row_bytes as u64) << CHECK_BITS
}

/// Salt of the checks of a slot's records, derived from trace and use, so that records of another recording or an
/// earlier use are invalid.
pub(crate) fn salt(key: u32, turn: u64) -> u64 {
    (u64::from(key) << 32 | 0x5bd1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ turn.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Check of a record: folds salt, size and code, and the other words (stamp and row) with rotate and xor, then xors the
/// three 24-bit parts. Any single changed bit changes the result. It is computed by the recording thread, so it is not
/// a CRC. Words are aligned as most fields are, because a load that spans several recent stores stalls.
#[inline]
fn check(following: &[[u8; 8]], size_and_code: u64, salt: u64) -> u64 {
    let all = following.iter().fold(salt ^ size_and_code, |all, word| all.rotate_left(1) ^ u64::from_le_bytes(*word));
    (all ^ (all >> CHECK_BITS) ^ (all >> (2 * CHECK_BITS))) & ((1 << CHECK_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_changed_bit_or_another_salt_is_noticed(
            row in proptest::collection::vec(any::<u8>(), 0..100),
            (code, stamp, turn) in (any::<u16>(), any::<u64>(), 0..1u64 << 40),
            at in any::<prop::sample::Index>(),
        ) {
            let mut record = [&[0xff; ROW_HEAD_BYTES][..], &row].concat();
            record.resize(record_bytes(row.len()), 0xff);
            write_row_head(&mut record, row.len(), EventCode(code), stamp, salt(7, turn));
            prop_assert_eq!(row_head(&record, 0), Some((row.len() as u32, EventCode(code), stamp)));
            prop_assert_eq!(sound_row(&record, 0, salt(7, turn)), Some(&row[..]));
            prop_assert_eq!(sound_row(&record, 0, salt(7, turn + 1)), None);
            prop_assert_eq!(sound_row(&record, 0, salt(8, turn)), None);
            let bit = at.index(8 * record.len());
            record[bit / 8] ^= 1 << (bit % 8);
            prop_assert_eq!(sound_row(&record, 0, salt(7, turn)), None);
        }
    }
}

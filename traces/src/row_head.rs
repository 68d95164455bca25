//! What stands before each row in a thread's buffer.

use taut_schemas::EventCode;

/// Size of what stands before a row: check, size of the row, code, stamp.
pub(crate) const ROW_HEAD_BYTES: usize = 18;

/// Size of the check, which covers the rest of the head, and the row.
const CHECK_BYTES: usize = 4;

/// Size of the row, code and stamp of the record that begins at `at`.
#[inline]
pub(crate) fn row_head(rows: &[u8], at: usize) -> Option<(u32, EventCode, u64)> {
    let head: &[u8; ROW_HEAD_BYTES] = rows.get(at..at + ROW_HEAD_BYTES)?.first_chunk()?;
    let [_, _, _, _, a, b, c, d, code_low, code_high, stamp @ ..] = *head;
    let code = EventCode(u16::from_le_bytes([code_low, code_high]));
    Some((u32::from_le_bytes([a, b, c, d]), code, u64::from_le_bytes(stamp)))
}

/// Writes the head of a record whose row stands behind it: `record` begins and ends with it.
#[inline]
pub(crate) fn write_row_head(record: &mut [u8], code: EventCode, stamp: u64, salt: u64) {
    let row_bytes = record.len().saturating_sub(ROW_HEAD_BYTES) as u32;
    let Some(head) = record.first_chunk_mut::<ROW_HEAD_BYTES>() else { return };
    head[4..8].copy_from_slice(&row_bytes.to_le_bytes());
    head[8..10].copy_from_slice(&code.0.to_le_bytes());
    head[10..].copy_from_slice(&stamp.to_le_bytes());
    let check = check(&record[CHECK_BYTES..], salt);
    record[..CHECK_BYTES].copy_from_slice(&check.to_le_bytes());
}

/// The record that begins at `at`, head and row, if it is whole and was written under `salt`.
pub(crate) fn sound_record(rows: &[u8], at: usize, salt: u64) -> Option<&[u8]> {
    let (row_bytes, _, _) = row_head(rows, at)?;
    let record = rows.get(at..)?.get(..ROW_HEAD_BYTES.checked_add(row_bytes as usize)?)?;
    let (stated, rest) = record.split_first_chunk::<CHECK_BYTES>()?;
    (u32::from_le_bytes(*stated) == check(rest, salt)).then_some(record)
}

/// What records in a slot are checked under: of another recording, or of an earlier use of the slot, none counts.
pub(crate) fn salt(key: u32, turn: u64) -> u64 {
    (u64::from(key) << 32 | 0x5bd1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ turn.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// A sum of words, each times an odd number of its place: the multiplications do not wait for each other, and a change of
/// one word always changes the sum. It says that bytes are those that were written; the thread that records pays for it, so
/// it is no CRC.
#[inline]
fn check(bytes: &[u8], salt: u64) -> u32 {
    let (mut sum, mut factor) = (salt, 0x9e37_79b9_7f4a_7c15_u64);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        sum = sum.wrapping_add(u64::from_le_bytes(*word).wrapping_mul(factor));
        factor = factor.wrapping_add(0x6a09_e667_f3bc_c908);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    sum = sum.wrapping_add(u64::from_le_bytes(last).wrapping_mul(factor));
    (sum ^ (sum >> 32)) as u32
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
            let mut record = [&[0; ROW_HEAD_BYTES][..], &row].concat();
            write_row_head(&mut record, EventCode(code), stamp, salt(7, turn));
            prop_assert_eq!(row_head(&record, 0), Some((row.len() as u32, EventCode(code), stamp)));
            prop_assert_eq!(sound_record(&record, 0, salt(7, turn)), Some(&record[..]));
            prop_assert_eq!(sound_record(&record, 0, salt(7, turn + 1)), None);
            prop_assert_eq!(sound_record(&record, 0, salt(8, turn)), None);
            let bit = at.index(8 * record.len());
            record[bit / 8] ^= 1 << (bit % 8);
            prop_assert_eq!(sound_record(&record, 0, salt(7, turn)), None);
        }
    }
}

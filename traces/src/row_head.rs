//! What stands before each row in a thread's buffer.

use taut_schemas::EventCode;

/// Size of what stands before a row: size of the row, code, stamp.
pub(crate) const ROW_HEAD_BYTES: usize = 14;

/// Size of the row, code and stamp of the record that begins at `at`.
#[inline]
pub(crate) fn row_head(rows: &[u8], at: usize) -> Option<(u32, EventCode, u64)> {
    let head: &[u8; ROW_HEAD_BYTES] = rows.get(at..at + ROW_HEAD_BYTES)?.first_chunk()?;
    let [a, b, c, d, code_low, code_high, stamp @ ..] = *head;
    let code = EventCode(u16::from_le_bytes([code_low, code_high]));
    Some((u32::from_le_bytes([a, b, c, d]), code, u64::from_le_bytes(stamp)))
}

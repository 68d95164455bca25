//! Check that blocks cover a file without gaps.

use crate::format::error::Damage;

/// Checks that blocks, each an offset and a length, cover a file from `start` to `end` without gaps.
pub(crate) fn cover(blocks: impl Iterator<Item = (u64, u32)>, start: u64, end: u64) -> Result<(), Damage> {
    let damage = |expected, found| Err(Damage { offset: end, what: "footer", expected, found, events_lost: Some(0) });
    let mut at = start;
    for (offset, length_bytes) in blocks {
        if offset != at || u64::from(length_bytes) > end.saturating_sub(at) {
            let expected = format!("a block at byte {at} that ends before byte {end}");
            return damage(expected, format!("offset {offset}, length {length_bytes}"));
        }
        at += u64::from(length_bytes);
    }
    if at == end { Ok(()) } else { damage(format!("blocks up to byte {end}"), format!("up to {at}")) }
}

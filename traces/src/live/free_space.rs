//! Share of a file system's free space that a sidecar may take.

use std::io::{self, ErrorKind};
use std::path::Path;

/// Divisor of the free space: a sidecar may take 1/4 of the space that would be free without it.
const PARTS: u64 = 4;

/// Min number of slots in this share; the slot size is reduced accordingly. Each thread holds a slot until it ends, and
/// the trace cannot use that space before: with 64 slots, ten threads hold 4 % of the free space.
const SLOTS: u64 = 64;

/// Min size of a reduced slot, in bytes: a page.
const MIN_SLOT_BYTES: u64 = 4096;

/// True if the cause of the error is a full disk or an exhausted quota.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// Error of a disk whose last free space is reserved for the end of a trace.
#[cfg(unix)]
pub(crate) fn full_error() -> io::Error {
    nix::errno::Errno::ENOSPC.into()
}

#[cfg(not(unix))]
pub(crate) fn full_error() -> io::Error {
    ErrorKind::StorageFull.into()
}

/// Free space in the file system of `path` that this user may write, in bytes; `None` if the file system does not
/// report it.
#[cfg(unix)]
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    // Some file systems report no number of blocks.
    let found = nix::sys::statvfs::statvfs(path).ok().filter(|found| found.blocks() > 0)?;
    #[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // Types differ between systems.
    Some((found.blocks_available() as u64).saturating_mul(found.fragment_size() as u64))
}

#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// True if a sidecar may grow from `sidecar_bytes` to `grown_bytes` while `free_bytes` are free.
pub(crate) fn may_grow(sidecar_bytes: u64, grown_bytes: u64, free_bytes: u64) -> bool {
    grown_bytes <= free_bytes.saturating_add(sidecar_bytes) / PARTS
}

/// Slot size for a disk with `free_bytes` free bytes, at most `wanted`.
pub(crate) fn slot_bytes(wanted: usize, free_bytes: u64) -> usize {
    let max_bytes = (free_bytes / PARTS / SLOTS).max(MIN_SLOT_BYTES) / MIN_SLOT_BYTES * MIN_SLOT_BYTES;
    wanted.min(usize::try_from(max_bytes).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sidecar_takes_max_a_quarter_of_the_space_free_without_it() {
        assert!(may_grow(0, 25, 100) && !may_grow(0, 26, 100));
        assert!(may_grow(20, 25, 80) && !may_grow(20, 26, 80));
        assert!(!may_grow(0, 1, 0));
    }

    #[test]
    fn slots_are_smaller_where_little_is_free() {
        assert_eq!(slot_bytes(1 << 18, 1 << 40), 1 << 18);
        assert_eq!(slot_bytes(1 << 18, 4 << 20), 1 << 14);
        assert_eq!(slot_bytes(1 << 18, 0), 4096);
        assert_eq!(slot_bytes(300, 1 << 20), 300);
    }
}

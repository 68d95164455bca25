//! File locks on Windows: of one byte far beyond the end of the file.
//!
//! Windows refuses other handles to read and write locked bytes. A lock of the whole file, as `File::try_lock` takes it, would keep
//! readers and control requests out of the sidecar of a recording.
#![allow(unsafe_code)]

use std::fs::{File, TryLockError};
use std::io;
use std::os::windows::io::AsRawHandle;
use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, ERROR_LOCK_VIOLATION};
use windows_sys::Win32::Storage::FileSystem::{
    LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx, UnlockFileEx,
};
use windows_sys::Win32::System::IO::OVERLAPPED;

/// Upper half of the offset of the locked byte: no file system has files of this size.
const OFFSET_HIGH: u32 = 0x4000_0000;

pub fn try_exclusive(file: &File) -> Result<(), TryLockError> {
    try_lock(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY)
}

pub fn try_shared(file: &File) -> Result<(), TryLockError> {
    try_lock(file, LOCKFILE_FAIL_IMMEDIATELY)
}

fn locked_byte() -> OVERLAPPED {
    let mut at = OVERLAPPED::default();
    at.Anonymous.Anonymous.OffsetHigh = OFFSET_HIGH;
    at
}

fn try_lock(file: &File, flags: u32) -> Result<(), TryLockError> {
    let mut at = locked_byte();
    // SAFETY: the handle is open while `file` is borrowed, and `at` outlives the call, which does not wait.
    if unsafe { LockFileEx(file.as_raw_handle(), flags, 0, 1, 0, &mut at) } != 0 {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    let is = |code: u32| error.raw_os_error() == i32::try_from(code).ok();
    match is(ERROR_LOCK_VIOLATION) || is(ERROR_IO_PENDING) {
        true => Err(TryLockError::WouldBlock),
        false => Err(TryLockError::Error(error)),
    }
}

pub fn release(file: &File) -> io::Result<()> {
    let mut at = locked_byte();
    // SAFETY: the handle is open while `file` is borrowed, and `at` outlives the call.
    match unsafe { UnlockFileEx(file.as_raw_handle(), 0, 1, 0, &mut at) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::live::file_lock::{LockResult, exclusive, shared};

    #[test]
    fn a_locked_file_is_read_and_written_by_other_handles() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "text").unwrap();
        let open = || File::options().read(true).write(true).open(&path).unwrap();
        let (owner, other) = (open(), open());
        assert_eq!(exclusive(&owner).unwrap(), LockResult::Acquired);
        assert_eq!((exclusive(&other).unwrap(), shared(&other)), (LockResult::Held, LockResult::Held));
        assert_eq!(std::fs::read(&path).unwrap(), b"text");
        std::fs::write(&path, "more").unwrap();
        release(&owner).unwrap();
        assert_eq!(shared(&other), LockResult::Acquired);
    }
}

//! Events of clients: an eventfd as an integer.

use super::plain::EventFd;
use std::fs::{File, read_link};
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

/// Duplicates the client's event, which it may close at any time. `None` if the handle is no eventfd: another file would
/// get bytes that are not the client's.
pub fn duplicate_event(event: EventFd) -> Option<File> {
    let number = RawFd::try_from(event.number).ok().filter(|number| *number >= 0)?;
    // SAFETY: the descriptor is used for one duplication, which fails if it is not open.
    let event = unsafe { BorrowedFd::borrow_raw(number) };
    let file = event.try_clone_to_owned().ok().map(File::from)?;
    // Without /proc, the kind of the file is unknown.
    let kind = read_link(format!("/proc/self/fd/{}", file.as_raw_fd()));
    kind.map_or(true, |kind| kind.as_os_str() == "anon_inode:[eventfd]").then_some(file)
}

//! Events of clients: an eventfd as an integer.

use super::plain::EventFd;
use std::fs::File;
use std::os::fd::{BorrowedFd, RawFd};

/// Duplicates the client's event, which it may close at any time. `None` if the handle is no open file.
pub fn duplicate(event: EventFd) -> Option<File> {
    let number = RawFd::try_from(event.number).ok().filter(|number| *number >= 0)?;
    // SAFETY: the descriptor is used for one duplication, which fails if it is not open.
    let event = unsafe { BorrowedFd::borrow_raw(number) };
    event.try_clone_to_owned().ok().map(File::from)
}

//! Events of clients: an eventfd as an integer, or a handle of Windows.

use super::convention::Convention;
use super::plain::EventFd;
use super::windows_events::{self, WindowsEvent};
use std::fs::{File, read_link};
use std::io::Write;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

/// Duplicate of a client's event, which the client may close at any time.
#[derive(Debug)]
pub enum Event {
    /// An eventfd.
    File(File),
    /// A handle of Windows.
    Windows(WindowsEvent),
}

impl Event {
    /// Signals the event.
    pub fn signal(&self) {
        match self {
            // An event that the client has closed has nobody who waits for it.
            Event::File(file) => drop((&*file).write_all(&1_u64.to_ne_bytes())),
            Event::Windows(event) => event.signal(),
        }
    }
}

/// Duplicates a client's event. `None` if the handle is no event.
pub fn duplicate_event(event: EventFd) -> Option<Event> {
    match Convention::current() {
        Convention::SystemV => duplicate_file(event).map(Event::File),
        Convention::Windows => windows_events::duplicate(event.number).map(Event::Windows),
    }
}

/// Duplicates an eventfd. `None` for another file, which would get bytes that are not the client's.
fn duplicate_file(event: EventFd) -> Option<File> {
    let number = RawFd::try_from(event.number).ok().filter(|number| *number >= 0)?;
    // SAFETY: the descriptor is used for one duplication, which fails if it is not open.
    let event = unsafe { BorrowedFd::borrow_raw(number) };
    let file = event.try_clone_to_owned().ok().map(File::from)?;
    // Without /proc, the kind of the file is unknown.
    let kind = read_link(format!("/proc/self/fd/{}", file.as_raw_fd()));
    kind.map_or(true, |kind| kind.as_os_str() == "anon_inode:[eventfd]").then_some(file)
}

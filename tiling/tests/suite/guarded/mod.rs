//! Memory between two guard pages.
#![allow(unsafe_code)]

use std::io;
use std::ptr;

/// `length` bytes that end right before a guard page, or begin right after one: an access out of bounds crashes the
/// process.
pub struct Guarded {
    mapping: *mut libc::c_void,
    mapping_bytes: usize,
    start: usize,
    length: usize,
}

/// End of the bytes that touches a guard page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flush {
    Start,
    End,
}

impl Guarded {
    pub fn new(length: usize, flush: Flush) -> io::Result<Self> {
        // SAFETY: sysconf only reads.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).map_err(io::Error::other)?;
        let inner = length.next_multiple_of(page);
        let mapping_bytes = inner + 2 * page;
        // SAFETY: a new private mapping at an address of the system's choice replaces nothing.
        let mapping = unsafe {
            libc::mmap(ptr::null_mut(), mapping_bytes, libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0)
        };
        if mapping == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = match flush {
            Flush::Start => page,
            Flush::End => page + inner - length,
        };
        let guarded = Self { mapping, mapping_bytes, start, length };
        // SAFETY: the inner pages belong to the mapping just made.
        if unsafe { libc::mprotect(mapping.byte_add(page), inner, libc::PROT_READ | libc::PROT_WRITE) } != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(guarded)
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: start and length are in the accessible pages, which live as long as self and are zeroed by the
        // system.
        unsafe { std::slice::from_raw_parts_mut(self.mapping.cast::<u8>().add(self.start), self.length) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` and nothing borrows it any more.
        unsafe { libc::munmap(self.mapping, self.mapping_bytes) };
    }
}

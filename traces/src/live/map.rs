//! Mapped memory: the bytes of a trace being read, and the slots of one being recorded.
#![allow(unsafe_code)]

use crate::live::regular_file::open_regular;
use crate::live::slot_line::LINE_WORDS;
#[cfg(target_os = "linux")]
use memmap2::Advice;
#[cfg(unix)]
use memmap2::UncheckedAdvice;
use memmap2::{Mmap, MmapMut, MmapOptions, MmapRaw};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Bytes of a trace.
#[derive(Debug)]
pub(crate) enum FileBytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl FileBytes {
    pub fn open(path: &Path) -> io::Result<FileBytes> {
        FileBytes::map(&open_regular(path)?)
    }

    /// Reads a file into memory.
    pub fn read(path: &Path) -> io::Result<FileBytes> {
        let mut file = open_regular(path)?;
        let mut bytes = Vec::new();
        let length = usize::try_from(file.metadata()?.len()).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
        bytes.try_reserve_exact(length).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
        file.read_to_end(&mut bytes)?;
        Ok(FileBytes::Owned(bytes))
    }

    pub fn map(file: &File) -> io::Result<FileBytes> {
        if file.metadata()?.len() == 0 {
            return Ok(FileBytes::Owned(Vec::new()));
        }
        // SAFETY: the mapping is private to this process and only ever read. What no process can rule out is that
        // another one changes or shortens the file meanwhile: changed bytes are bytes like any others to a reader
        // that checks all of them, a shortened file ends the process with a bus error. A trace is written once, by
        // a process that has ended or appends only.
        unsafe { Mmap::map(file) }.map(FileBytes::Mapped)
    }

    /// Releases the pages of a range that was read and may not be needed again soon. Has an effect on large mapped
    /// files only.
    pub fn release_pages(&self, offset: u64, bytes: u64) {
        #[cfg(unix)]
        if let FileBytes::Mapped(map) = self
            && map.len() as u64 >= LARGE_BYTES
        {
            let to = offset.saturating_add(bytes) / PAGE_BYTES * PAGE_BYTES;
            let from = offset.div_ceil(PAGE_BYTES).saturating_mul(PAGE_BYTES);
            let (Ok(from), Ok(bytes)) = (usize::try_from(from), usize::try_from(to.saturating_sub(from))) else {
                return;
            };
            if bytes > 0 && from.checked_add(bytes).is_some_and(|end| end <= map.len()) {
                // SAFETY: a mapping that is only read: pages released here are read from the file again on the next
                // access.
                let _ = unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, from, bytes) };
            }
        }
        #[cfg(not(unix))]
        let _ = (offset, bytes);
    }
}

/// Size below which a file may stay in memory as a whole, in bytes.
#[cfg(unix)]
const LARGE_BYTES: u64 = 64 << 20;

/// Granularity of released ranges, in bytes: the largest page size of desktop Unix systems. Partial pages are not
/// released.
#[cfg(unix)]
const PAGE_BYTES: u64 = 16 << 10;

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            FileBytes::Mapped(map) => map,
            FileBytes::Owned(bytes) => bytes,
        }
    }
}

/// A mapped file of records; a baseline for benchmarks.
#[derive(Debug)]
pub struct MappedFile(FileBytes);

impl MappedFile {
    /// Maps a file, which must not be written meanwhile.
    ///
    /// # Errors
    /// The system cannot map the file.
    pub fn new(file: &File) -> io::Result<MappedFile> {
        FileBytes::map(file).map(MappedFile)
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Size of a slot's line, which is at its beginning, in bytes.
pub(crate) const LINE_BYTES: usize = LINE_WORDS * size_of::<u64>();

/// Offset of anonymous memory; no file is so large.
const ANONYMOUS: u64 = u64::MAX;

/// Memory of one slot: its line, and bytes that only the owner accesses.
#[derive(Debug)]
pub(crate) struct SlotMemory {
    memory: ManuallyDrop<MmapRaw>,
    /// Offset in the file; `ANONYMOUS` without one.
    offset: u64,
    /// Generation of the process that has the memory.
    generation: u32,
}

impl SlotMemory {
    /// Allocates anonymous memory and touches every byte, so that the recording thread does not wait for page faults.
    pub fn anonymous(size_bytes: usize) -> io::Result<SlotMemory> {
        let mut memory = MmapMut::map_anon(size_bytes.max(LINE_BYTES))?;
        memory.fill(1);
        // A line of zeros marks a free slot.
        memory[..LINE_BYTES].fill(0);
        Ok(SlotMemory::new(memory.into(), ANONYMOUS))
    }

    /// Maps bytes of a file that have been written, so that the file system has space for them. No other code in this
    /// process may map them, and no other process may write them: the file is locked.
    pub fn map_file(file: &File, offset: u64, size_bytes: usize) -> io::Result<SlotMemory> {
        let memory = MmapOptions::new().offset(offset).len(size_bytes.max(LINE_BYTES)).map_raw(file)?;
        // A mapping of a forked child would hold the lock of the file after the end of this process. If the system
        // refuses, the file stays locked until the child ends.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(Advice::DontFork);
        Ok(SlotMemory::new(memory, offset))
    }

    fn new(memory: MmapRaw, offset: u64) -> SlotMemory {
        SlotMemory { memory: ManuallyDrop::new(memory), offset, generation: generation() }
    }

    /// True if the memory is part of a file and survives the process.
    pub fn is_persistent(&self) -> bool {
        self.offset != ANONYMOUS
    }

    /// Offset in the file; `None` for anonymous memory.
    pub fn offset(&self) -> Option<u64> {
        self.is_persistent().then_some(self.offset)
    }

    /// Line of the slot.
    pub fn line(&self) -> &[AtomicU64; LINE_WORDS] {
        // SAFETY: the mapping is at least this long, begins on a page and lives as long as `self`; no other reference
        // of another type to these bytes is created. Other processes only read the file.
        unsafe { &*self.memory.as_mut_ptr().cast() }
    }

    /// Bytes after the line.
    pub fn rows(&self) -> &[u8] {
        // SAFETY: within the mapping, after the line; written only through `parts`, which borrows `self` exclusively.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().add(LINE_BYTES), self.memory.len() - LINE_BYTES) }
    }

    /// Line, and the bytes after it.
    pub fn parts(&mut self) -> (&[AtomicU64; LINE_WORDS], &mut [u8]) {
        let (memory, length) = (self.memory.as_mut_ptr(), self.memory.len() - LINE_BYTES);
        // SAFETY: as in `line` and `rows`; the two ranges do not overlap, and both live as long as `self` is borrowed.
        unsafe { (&*memory.cast(), std::slice::from_raw_parts_mut(memory.add(LINE_BYTES), length)) }
    }
}

impl Drop for SlotMemory {
    fn drop(&mut self) {
        // A forked child does not have the mapping, and may have other memory at its address.
        if self.generation == generation() {
            // SAFETY: the memory is not used after this call.
            unsafe { ManuallyDrop::drop(&mut self.memory) };
        }
    }
}

/// Number of forks between this process and the first one that called [`watch_forks`].
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Generation of this process among those that share mapped slots by `fork`: a child must not write into its parent's
/// slots.
#[inline]
pub(crate) fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Registers a fork handler that changes [`generation`] in children.
pub(crate) fn watch_forks() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        #[cfg(unix)]
        fork::watch();
    });
}

#[cfg(unix)]
mod fork {
    use super::{GENERATION, Ordering};
    use std::ffi::c_int;

    type Handler = Option<extern "C" fn()>;

    unsafe extern "C" {
        /// POSIX function; present on every system with `fork`.
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> c_int;
    }

    extern "C" fn child() {
        GENERATION.fetch_add(1, Ordering::Relaxed);
    }

    pub fn watch() {
        // SAFETY: the handler only changes an atomic number, which is permitted after a fork. If registration fails for
        // lack of memory, children are not distinguished, as on a system without forks.
        unsafe {
            pthread_atfork(None, None, Some(child));
        }
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    #[test]
    fn released_pages_read_back_unchanged() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(LARGE_BYTES + 5).unwrap();
        for at in [0, PAGE_BYTES - 1, PAGE_BYTES, 5 * PAGE_BYTES + 7, LARGE_BYTES + 4] {
            file.write_all_at(&[at.to_le_bytes()[0] | 1], at).unwrap();
        }
        let (release_pages, mapped) = (FileBytes::map(&file).unwrap(), FileBytes::map(&file).unwrap());
        for (offset, bytes) in
            [(0, LARGE_BYTES), (3, PAGE_BYTES * 9), (PAGE_BYTES, 1), (LARGE_BYTES, 99), (u64::MAX - 3, 9)]
        {
            assert!(release_pages[..] == mapped[..]);
            release_pages.release_pages(offset, bytes);
            assert!(release_pages[..] == mapped[..], "{offset} {bytes}");
        }
    }
}

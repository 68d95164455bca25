//! Mapped memory: the bytes of a trace that is read, and the slots of one that is recorded.
#![allow(unsafe_code)]

use crate::slot_line::LINE_WORDS;
#[cfg(unix)]
use memmap2::UncheckedAdvice;
use memmap2::{Mmap, MmapMut, MmapOptions, MmapRaw};
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The bytes of a trace.
#[derive(Debug)]
pub(crate) enum FileBytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl FileBytes {
    pub fn open(path: &Path) -> io::Result<FileBytes> {
        FileBytes::map(&File::open(path)?)
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

    /// Some bytes of a large file were read and may not be wanted again soon: they need not stay in this process's memory.
    pub fn let_go(&self, offset: u64, bytes: u64) {
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
                // SAFETY: of a mapping that is only read, pages let go of are those of the file again when they are next read.
                let _ = unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, from, bytes) };
            }
        }
        #[cfg(not(unix))]
        let _ = (offset, bytes);
    }
}

/// Smaller files may stay in memory as a whole.
#[cfg(unix)]
const LARGE_BYTES: u64 = 64 << 20;

/// No page is larger where Unix runs on a desktop; a part of one is not let go of.
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

/// A file of records that is read where it lies, to measure against.
#[derive(Debug)]
pub struct MappedFile(FileBytes);

impl MappedFile {
    /// Maps a file, which nobody may write to meanwhile.
    ///
    /// # Errors
    /// The system does not map it.
    pub fn of(file: &File) -> io::Result<MappedFile> {
        FileBytes::map(file).map(MappedFile)
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Size of a slot's line, which stands at its beginning.
pub(crate) const LINE_BYTES: usize = LINE_WORDS * size_of::<u64>();

/// The memory of one slot: its line, and bytes that are the owner's alone.
#[derive(Debug)]
pub(crate) struct Piece {
    memory: MmapRaw,
    is_kept: bool,
}

impl Piece {
    /// Memory that is gone when the process is; touched, so that the recording thread need not wait for it.
    pub fn anonymous(size_bytes: usize) -> io::Result<Piece> {
        let mut memory = MmapMut::map_anon(size_bytes.max(LINE_BYTES))?;
        memory.fill(1);
        memory[..LINE_BYTES].fill(0);
        Ok(Piece { memory: memory.into(), is_kept: false })
    }

    /// Bytes of a file that have been written, so that it has room for them. Nobody else in this process may map them, and no
    /// other may write them: the file is locked.
    pub fn of_file(file: &File, offset: u64, size_bytes: usize) -> io::Result<Piece> {
        let memory = MmapOptions::new().offset(offset).len(size_bytes.max(LINE_BYTES)).map_raw(file)?;
        Ok(Piece { memory, is_kept: true })
    }

    /// Whether what is written here outlives the process.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// The slot's line.
    pub fn line(&self) -> &[AtomicU64; LINE_WORDS] {
        // SAFETY: the mapping is at least as long, begins on a page and lives as long as `self`; nothing gives these bytes
        // out in any other form. Other processes only read the file.
        unsafe { &*self.memory.as_mut_ptr().cast() }
    }

    /// Everything behind the line.
    pub fn rows(&self) -> &[u8] {
        // SAFETY: within the mapping, behind the line; written through `parts` alone, which borrows `self` for itself.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().add(LINE_BYTES), self.memory.len() - LINE_BYTES) }
    }

    /// The line, and everything behind it.
    pub fn parts(&mut self) -> (&[AtomicU64; LINE_WORDS], &mut [u8]) {
        let (memory, length) = (self.memory.as_mut_ptr(), self.memory.len() - LINE_BYTES);
        // SAFETY: as in `line` and `rows`; the two do not overlap, and both last as long as `self` is borrowed.
        unsafe { (&*memory.cast(), std::slice::from_raw_parts_mut(memory.add(LINE_BYTES), length)) }
    }
}

/// How many forks this process is away from the first one that looked.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Which process this is, of those that share mapped slots by `fork`: what a child would record goes nowhere.
#[inline]
pub(crate) fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Has [`generation`] change in children from now on.
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
        /// POSIX; every system with `fork` has it.
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> c_int;
    }

    extern "C" fn child() {
        GENERATION.fetch_add(1, Ordering::Relaxed);
    }

    pub fn watch() {
        // SAFETY: the handler does nothing but change an atomic number, which a forked child may do. Where there is no
        // memory for it, children are not told apart, as on a system without forks.
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
    fn what_was_let_go_of_is_read_again_as_it_is() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(LARGE_BYTES + 5).unwrap();
        for at in [0, PAGE_BYTES - 1, PAGE_BYTES, 5 * PAGE_BYTES + 7, LARGE_BYTES + 4] {
            file.write_all_at(&[at.to_le_bytes()[0] | 1], at).unwrap();
        }
        let (let_go, kept) = (FileBytes::map(&file).unwrap(), FileBytes::map(&file).unwrap());
        for (offset, bytes) in
            [(0, LARGE_BYTES), (3, PAGE_BYTES * 9), (PAGE_BYTES, 1), (LARGE_BYTES, 99), (u64::MAX - 3, 9)]
        {
            assert!(let_go[..] == kept[..]);
            let_go.let_go(offset, bytes);
            assert!(let_go[..] == kept[..], "{offset} {bytes}");
        }
    }
}

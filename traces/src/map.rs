//! The bytes of a trace: a mapped file, or memory.
#![allow(unsafe_code)]

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

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
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            FileBytes::Mapped(map) => map,
            FileBytes::Owned(bytes) => bytes,
        }
    }
}

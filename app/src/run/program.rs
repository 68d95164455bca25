//! Programs that cannot load the library.

use crate::Error;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Bytes of the program that are read: they have the header, and in practice the program headers and the name of the
/// loader.
const HEAD_BYTES: u64 = 4096;

/// Type of the program header with the name of the loader.
const PT_INTERP: u32 = 3;

/// Class of 64-bit files in an ELF header, and machine x86-64.
const CLASS_64: u8 = 2;
const X86_64: u8 = 62;

/// Mode bits of a program that runs with rights of its owner or group: the system's loader ignores LD_LIBRARY_PATH.
const SET_ID: u32 = 0o6000;

/// Checks that a program can load the library. Scripts and programs that are not found pass: the system runs them.
///
/// # Errors
/// The program is of another architecture, is static, uses musl, or runs with the rights of another user.
pub fn check_program(program: &OsStr) -> Result<(), Error> {
    let Some(path) = find(program) else { return Ok(()) };
    let wrong = |why: &str| Err(Error::io(format!("{}: {why}", path.display())));
    // First, because such a program may be unreadable.
    if path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & SET_ID != 0) {
        return wrong("the program runs with the rights of its owner or group, and loads no library of the user");
    }
    let mut head = Vec::new();
    let read = File::open(&path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    if read.is_err() || !head.starts_with(b"\x7fELF") {
        return Ok(());
    }
    if head.get(4) != Some(&CLASS_64) || head.get(18) != Some(&X86_64) {
        return wrong("expected an x86-64 program, as the runtime's library is");
    }
    if head.windows(8).any(|name| name == b"/ld-musl") {
        return wrong("the program uses musl; the runtime's library needs glibc (Debian package libc6)");
    }
    if is_static(&head) && !is_loader(&path) {
        return wrong("the program is static: it loads no library");
    }
    Ok(())
}

/// True if no program header names a loader. False if the headers are not in the part that was read.
fn is_static(head: &[u8]) -> bool {
    let bytes = |at: usize, size: usize| head.get(at..at.checked_add(size)?);
    let half = |at| bytes(at, 2).and_then(|bytes| bytes.try_into().ok()).map(u16::from_le_bytes).map(usize::from);
    let first = bytes(32, 8).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
    let first = first.and_then(|first| usize::try_from(first).ok());
    let (Some(first), Some(size), Some(count)) = (first, half(54), half(56)) else { return false };
    let kind = |number: usize| bytes(first.checked_add(number.checked_mul(size)?)?, 4)?.try_into().ok();
    let kinds: Option<Vec<u32>> = (0..count).map(|number| kind(number).map(u32::from_le_bytes)).collect();
    kinds.is_some_and(|kinds| !kinds.contains(&PT_INTERP))
}

/// True for the system's loader: it has no loader itself, and runs the program that its argument names.
fn is_loader(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("ld-") || name.starts_with("ld.so")
}

/// The program's file, as the system finds it.
fn find(program: &OsStr) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 || path.is_absolute() {
        return Some(path.to_owned());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(path)).find(|path| path.is_file())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_other_systems_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |bytes: &[u8]| {
            let path = folder.path().join("program");
            std::fs::write(&path, bytes).unwrap();
            check_program(path.as_os_str()).err().map(|error| error.to_string())
        };
        let mut head = b"\x7fELF\x02".to_vec();
        head.resize(64, 0);
        assert!(refused(&head).unwrap().contains("x86-64"));
        head[18] = X86_64;
        assert!(refused(&head).unwrap().contains("static"));
        // One program header, after the header.
        (head[32], head[54], head[56]) = (64, 56, 1);
        head.extend(PT_INTERP.to_le_bytes());
        assert_eq!(refused(&head), None);
        head[64] = 1;
        assert!(refused(&head).unwrap().contains("static"));
        head[64] = 3;
        head.extend(b"/lib/ld-musl-x86_64.so.1");
        assert!(refused(&head).unwrap().contains("musl"));
        assert_eq!(refused(b"#!/bin/sh\n"), None);
        let rights = std::fs::Permissions::from_mode(0o4711);
        std::fs::set_permissions(folder.path().join("program"), rights).unwrap();
        assert!(refused(b"#!/bin/sh\n").unwrap().contains("rights"));
        assert!(check_program(OsStr::new("no-such-program")).is_ok());
    }
}

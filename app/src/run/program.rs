//! Programs that cannot load the library.

use crate::Error;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Bytes of the program that are read: they have the header, and in practice the name of the loader.
const HEAD_BYTES: u64 = 4096;

/// Class of 64-bit files in an ELF header, and machine x86-64.
const CLASS_64: u8 = 2;
const X86_64: u8 = 62;

/// Mode bits of a program that runs with rights of its owner or group: the system's loader ignores LD_LIBRARY_PATH.
const SET_ID: u32 = 0o6000;

/// Checks that a program can load the library. Scripts and programs that are not found pass: the system runs them.
///
/// # Errors
/// The program is of another architecture, uses musl, or runs with the rights of another user.
pub fn check_program(program: &OsStr) -> Result<(), Error> {
    let Some(path) = find(program) else { return Ok(()) };
    let mut head = Vec::new();
    let read = File::open(&path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    if read.is_err() || !head.starts_with(b"\x7fELF") {
        return Ok(());
    }
    let wrong = |why: &str| Err(Error::io(format!("{}: {why}", path.display())));
    if head.get(4) != Some(&CLASS_64) || head.get(18) != Some(&X86_64) {
        return wrong("expected an x86-64 program, as the runtime's library is");
    }
    if head.windows(8).any(|name| name == b"/ld-musl") {
        return wrong("the program uses musl; the runtime's library needs glibc (Debian package libc6)");
    }
    if path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & SET_ID != 0) {
        return wrong("the program runs with the rights of its owner or group, and loads no library of the user");
    }
    Ok(())
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
        assert_eq!(refused(&head), None);
        head.extend(b"/lib/ld-musl-x86_64.so.1");
        assert!(refused(&head).unwrap().contains("musl"));
        assert_eq!(refused(b"#!/bin/sh\n"), None);
        assert!(check_program(OsStr::new("no-such-program")).is_ok());
    }
}

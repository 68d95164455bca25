//! Windows programs under Wine: a copy of the installed Wine, of links, in which DLLs of the library take the place of
//! Wine's own.

mod dll;

use crate::windows_exports::WINDOWS_EXPORTS;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Folders with Wine's libraries: of Debian, of other distributions, of Wine's own packages.
const LIBRARIES: [&str; 7] = [
    "/usr/lib/x86_64-linux-gnu/wine",
    "/usr/lib/wine",
    "/usr/lib64/wine",
    "/opt/wine-stable/lib64/wine",
    "/opt/wine-stable/lib/wine",
    "/opt/wine-staging/lib64/wine",
    "/opt/wine-devel/lib64/wine",
];

/// Folders of the loader, from the folder of the libraries.
const LOADERS: [&str; 5] =
    ["../../wine/wine64", "../../bin/wine64", "../../../bin/wine64", "../../bin/wine", "../../../bin/wine"];

/// Folders in the libraries' folder: of Linux and of Windows.
const UNIX: &str = "x86_64-unix";
const WINDOWS: &str = "x86_64-windows";

/// Library that finds the others by its own place: a link to it would lead to the installed ones.
const FIRST_LIBRARY: &str = "ntdll.so";

/// The installed Wine.
#[derive(Debug)]
pub struct Wine {
    loader: PathBuf,
    libraries: PathBuf,
}

impl Wine {
    /// Finds Wine for 64-bit programs; `None` if it is not installed.
    pub fn find() -> Option<Wine> {
        let installed =
            LIBRARIES.iter().map(Path::new).filter(|folder| folder.join(UNIX).join(FIRST_LIBRARY).is_file());
        let mut found = installed.flat_map(|libraries| LOADERS.iter().map(move |loader| (libraries, loader)));
        let loader = |libraries: &Path, loader: &str| fs::canonicalize(libraries.join(loader)).ok();
        found.find_map(|(libraries, name)| {
            let loader = loader(libraries, name).filter(|loader| is_elf(loader))?;
            Some(Wine { loader, libraries: fs::canonicalize(libraries).ok()? })
        })
    }

    /// Creates the copy in `folder`, with `library` as the Unix part of its DLLs; returns its loader.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn copy(&self, folder: &Path, library: &Path) -> io::Result<PathBuf> {
        let copied = |path: &Path| folder.join(path.strip_prefix("/").unwrap_or(path));
        // Wine finds each of its folders from another one of them.
        let loaders = self.loader.parent().unwrap_or(Path::new("/"));
        link_all(loaders, &copied(loaders))?;
        replace_by_copy(&self.loader, &copied(&self.loader))?;
        let libraries = copied(&self.libraries);
        link_all(&self.libraries, &libraries)?;
        for name in [UNIX, WINDOWS] {
            fs::remove_file(libraries.join(name))?;
            link_all(&self.libraries.join(name), &libraries.join(name))?;
        }
        let first = Path::new(UNIX).join(FIRST_LIBRARY);
        replace_by_copy(&self.libraries.join(&first), &libraries.join(&first))?;
        for share in self.libraries.ancestors().map(|folder| folder.join("share/wine")).filter(|share| share.is_dir()) {
            let link = copied(&share);
            link.parent().map_or(Ok(()), fs::create_dir_all)?;
            symlink(share, link)?;
        }
        write_dlls(&libraries, library)?;
        Ok(copied(&self.loader))
    }
}

/// Environment variable with the orders in which Wine looks for DLLs: ours are Wine's own, whatever the user has set.
pub fn overrides() -> (&'static str, OsString) {
    const NAME: &str = "WINEDLLOVERRIDES";
    let mut order = std::env::var_os(NAME).unwrap_or_default();
    if !order.is_empty() {
        order.push(";");
    }
    order.push(dll_names().join(","));
    order.push("=b");
    (NAME, order)
}

/// False for a file of another format than that of Windows programs for x86-64. Wine finds paths of Windows and names
/// without a folder.
pub fn may_be_program(program: &OsStr) -> bool {
    /// Bytes of the file that are read: they have the header of every compiler's programs.
    const HEAD_BYTES: u64 = 4096;
    let path = Path::new(program);
    let mut head = Vec::new();
    if fs::File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head)).is_err() {
        return true;
    }
    let at = head.get(0x3c..0x40).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes).unwrap_or_default();
    let header = head.get(at as usize..).unwrap_or_default();
    head.starts_with(b"MZ") && header.starts_with(b"PE\0\0\x64\x86")
}

/// True if the program is named with its folder and does not exist. Wine looks for other names in folders of its own.
pub fn is_missing(program: &OsStr) -> bool {
    let path = Path::new(program);
    let has_folder = path.is_absolute() || path.components().count() > 1;
    has_folder && !path.exists()
}

/// Names of the library's DLLs, without their ending.
fn dll_names() -> Vec<&'static str> {
    let mut names: Vec<_> = WINDOWS_EXPORTS.iter().map(|export| export.library).collect();
    names.dedup();
    names
}

/// Writes the DLLs, each with a link to the library of the same name.
fn write_dlls(libraries: &Path, library: &Path) -> io::Result<()> {
    for name in dll_names() {
        // The first place of the table is that of the initialisation.
        let places = (1..).zip(WINDOWS_EXPORTS).filter(|(_, export)| export.library == name);
        let exports: Vec<_> = places.map(|(place, export)| (place, export.name)).collect();
        let file = format!("{name}.dll");
        let path = libraries.join(WINDOWS).join(&file);
        remove_if_exists(&path)?;
        fs::write(path, dll::dll(&file, &exports))?;
        let link = libraries.join(UNIX).join(format!("{name}.so"));
        remove_if_exists(&link)?;
        symlink(library, link)?;
    }
    Ok(())
}

fn remove_if_exists(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Creates `to` with links to the entries of `from`; entries that exist stay.
fn link_all(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let link = to.join(entry.file_name());
        if link.symlink_metadata().is_err() {
            symlink(entry.path(), link)?;
        }
    }
    Ok(())
}

fn replace_by_copy(from: &Path, to: &Path) -> io::Result<()> {
    remove_if_exists(to)?;
    fs::copy(from, to).map(drop)
}

/// True for a program of Linux: distributions put scripts in its place.
fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok()) && magic == *b"\x7fELF"
}

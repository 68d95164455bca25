//! Output targets: standard output, a stream to write to directly, or a file.

use super::windows_name::WindowsName;
use crate::outcome::Failure;
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Maximum number of links followed to a file that does not exist, the same as Linux's limit.
const LINKS: usize = 40;

/// Destination of an output's bytes.
pub(super) enum Place {
    /// Standard output.
    Stdout,
    /// A device, a pipe or an open file of this process.
    Direct(File),
    /// A file, with links resolved, and the metadata of the existing file.
    File { path: PathBuf, existing: Option<Metadata> },
}

impl Place {
    /// Resolves a target.
    pub fn resolve(target: &Path) -> Result<Place, Failure> {
        let name = target.display();
        if super::is_stdio(target) {
            return Ok(Place::Stdout);
        }
        if target.as_os_str().is_empty() {
            return Err(Failure::usage("an output's name is empty: expected the name of a file"));
        }
        let io = |error| Failure::io(error).context(target.display().to_string());
        if cfg!(windows) {
            let name = target.file_name().map(OsStr::to_string_lossy);
            match name.and_then(|name| WindowsName::of(&name)) {
                Some(WindowsName::Null) => {
                    return OpenOptions::new().write(true).open("NUL").map(Place::Direct).map_err(io);
                }
                Some(reserved) => return Err(reserved_name(target, reserved)),
                None => {}
            }
        }
        match std::fs::metadata(target) {
            Ok(existing) if existing.is_dir() => {
                Err(Failure::usage(format_args!("{name}: this is a folder; expected the name of a file")))
            }
            Ok(existing) if !existing.is_file() || is_descriptor(target) => {
                let stream = OpenOptions::new().append(existing.is_file()).write(true).open(target);
                stream.map(Place::Direct).map_err(io)
            }
            Ok(existing) => {
                let path = canonical(target).map_err(io)?;
                Ok(Place::File { path, existing: Some(existing) })
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                absent(target).map(|path| Place::File { path, existing: None })
            }
            Err(error) => Err(io(error)),
        }
    }
}

fn reserved_name(target: &Path, reserved: WindowsName) -> Failure {
    let found = reserved.found();
    Failure::usage(format_args!("{}: expected the name of a file, found {found}", target.display()))
}

/// Path without links and `..`. Of an existing path, Windows may be unable to give it (some drivers of virtual drives; Wine: for
/// paths of more than 260 letters): its absolute path replaces it.
fn canonical(path: &Path) -> std::io::Result<PathBuf> {
    match std::fs::canonicalize(path) {
        Err(error) if cfg!(windows) && error.kind() != ErrorKind::NotFound && path.exists() => {
            std::path::absolute(path)
        }
        found => found,
    }
}

/// Path of the file to be created, through links that lead to no file yet.
fn absent(target: &Path) -> Result<PathBuf, Failure> {
    if target.to_string_lossy().ends_with(std::path::is_separator) {
        return Err(Failure::usage(format_args!("{}: this names a folder; expected a file", target.display())));
    }
    let mut path = target.to_owned();
    for _ in 0..LINKS {
        let Ok(link) = std::fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    let parent = folder(&path);
    match canonical(parent) {
        // Canonical, so that the same file is recognised under every spelling of its folder.
        Ok(parent) => Ok(path.file_name().map_or_else(|| path.clone(), |name| parent.join(name))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let why = format!("there is no folder {}", parent.display());
            Err(Failure::io(anyhow::anyhow!(why)).context(target.display().to_string()))
        }
        Err(error) => Err(Failure::io(error).context(target.display().to_string())),
    }
}

/// Folder of a file.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// True if a path denotes a file that this process has open already, such as the target of a shell's `> file`.
fn is_descriptor(path: &Path) -> bool {
    let parents = ["/dev/fd", "/proc/self/fd"].map(Path::new);
    let names = ["/dev/stdout", "/dev/stderr"].map(Path::new);
    names.contains(&path) || path.parent().is_some_and(|parent| parents.contains(&parent))
}

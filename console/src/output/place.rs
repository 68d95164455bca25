//! What a target is: standard output, something to write to straight, or a file.

use crate::outcome::Failure;
use std::fs::{File, Metadata, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Links that are followed to a file that is not there, as many as Linux follows.
const LINKS: usize = 40;

/// Where bytes for a target go.
pub(super) enum Place {
    /// Standard output.
    Stdout,
    /// A device, a pipe or an open file of this process.
    Straight(File),
    /// A file, which a link may stand for, and what is there now.
    File { path: PathBuf, there: Option<Metadata> },
}

impl Place {
    /// What `target` names.
    pub fn of(target: &Path) -> Result<Place, Failure> {
        let name = target.display();
        if super::is_stdio(target) {
            return Ok(Place::Stdout);
        }
        if target.as_os_str().is_empty() {
            return Err(Failure::usage("an output's name is empty: expected the name of a file"));
        }
        let io = |error| Failure::io(error).context(target.display().to_string());
        match std::fs::metadata(target) {
            Ok(there) if there.is_dir() => {
                Err(Failure::usage(format_args!("{name}: this is a folder; expected the name of a file")))
            }
            Ok(there) if !there.is_file() || is_descriptor(target) => {
                let straight = OpenOptions::new().append(there.is_file()).write(true).open(target);
                straight.map(Place::Straight).map_err(io)
            }
            Ok(there) => {
                let path = std::fs::canonicalize(target).map_err(io)?;
                Ok(Place::File { path, there: Some(there) })
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                absent(target).map(|path| Place::File { path, there: None })
            }
            Err(error) => Err(io(error)),
        }
    }
}

/// The path that will be, through links that lead nowhere yet.
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
    match std::fs::canonicalize(parent) {
        // One file, however its folder is called.
        Ok(parent) => Ok(path.file_name().map_or_else(|| path.clone(), |name| parent.join(name))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let why = format!("there is no folder {}", parent.display());
            Err(Failure::io(anyhow::anyhow!(why)).context(target.display().to_string()))
        }
        Err(error) => Err(Failure::io(error).context(target.display().to_string())),
    }
}

/// The folder that a file is in.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Whether a path stands for a file that this process has open already, as a shell's `> file` does.
fn is_descriptor(path: &Path) -> bool {
    let parents = ["/dev/fd", "/proc/self/fd"].map(Path::new);
    let names = ["/dev/stdout", "/dev/stderr"].map(Path::new);
    names.contains(&path) || path.parent().is_some_and(|parent| parents.contains(&parent))
}

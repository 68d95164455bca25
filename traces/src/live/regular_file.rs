//! Opening and reading files within limits: side files must be regular files, text inputs have a maximum size.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Maximum size of a text input (driver, machine, scenario, shader, dump, budget, cases), in bytes.
pub const MAX_TEXT_BYTES: u64 = 64 << 20;

/// Opens an existing regular file for reading. A pipe, device or folder is an error of the kind `InvalidInput`.
///
/// Side files (sidecars, segments, cached tables, glTF buffers) are opened by this function: another user may have put
/// a pipe in their place, and a blocking open of a pipe without a writer never returns.
///
/// # Errors
/// The file does not exist, cannot be opened, or is not a regular file.
pub fn open_regular(path: impl AsRef<Path>) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    require_regular(nonblocking(&mut options).open(path)?)
}

/// Opens an existing regular file for reading as [`open_regular`] does, but no link to one.
///
/// # Errors
/// The file does not exist, cannot be opened, is a link, or is not a regular file.
pub fn open_regular_no_follow(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    if std::fs::symlink_metadata(path)?.file_type().is_symlink() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "a link"));
    }
    let mut options = OpenOptions::new();
    options.read(true);
    // The file may have been replaced by a link since, which the flag rejects.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(nix::libc::O_NONBLOCK | nix::libc::O_NOFOLLOW);
    }
    require_regular(options.open(path)?)
}

/// Returns the file if it is a regular file.
///
/// # Errors
/// The file is a pipe, device or folder.
pub fn require_regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// Makes opening a pipe return at once. The flag has no effect on regular files.
#[cfg(unix)]
pub fn nonblocking(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(nix::libc::O_NONBLOCK)
}

/// No effect: Windows opens no pipe by a file path.
#[cfg(not(unix))]
pub fn nonblocking(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Reads a whole input of any kind (file, pipe) of up to `max_bytes`.
///
/// # Errors
/// The input cannot be read, or is larger than `max_bytes` (kind `FileTooLarge`).
pub fn read_limited(path: impl AsRef<Path>, max_bytes: u64) -> io::Result<Vec<u8>> {
    read_stream_limited(File::open(path)?, max_bytes)
}

/// Reads a UTF-8 text of up to [`MAX_TEXT_BYTES`].
///
/// # Errors
/// The input cannot be read, is larger than the limit (kind `FileTooLarge`), or is not UTF-8 (kind `InvalidData`).
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    text(read_limited(path, MAX_TEXT_BYTES)?)
}

/// Reads a UTF-8 text as [`read_text`] does, from a regular file alone: for a file that another file names.
///
/// # Errors
/// As [`read_text`], or the file is not a regular file (kind `InvalidInput`).
pub fn read_regular_text(path: impl AsRef<Path>) -> io::Result<String> {
    text(read_stream_limited(open_regular(path)?, MAX_TEXT_BYTES)?)
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error.utf8_error()))
}

/// Reads a stream to its end, which must come within `max_bytes`.
///
/// # Errors
/// The stream fails, or is longer than `max_bytes` (kind `FileTooLarge`).
pub fn read_stream_limited(stream: impl Read, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed: its presence is the proof that the input is too large.
    stream.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("larger than {}", size_text(max_bytes))));
    }
    Ok(bytes)
}

fn size_text(bytes: u64) -> String {
    if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) {
        format!("{} MiB", bytes >> 20)
    } else {
        format!("{bytes} bytes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_of_the_maximum_size_is_read_and_one_byte_more_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        std::fs::write(&path, [7; 100]).unwrap();
        assert_eq!(read_limited(&path, 100).unwrap(), [7; 100]);
        let error = read_limited(&path, 99).unwrap_err();
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::FileTooLarge, "larger than 99 bytes".to_owned()));
        assert_eq!(size_text(MAX_TEXT_BYTES), "64 MiB");
    }

    #[cfg(unix)]
    #[test]
    fn folders_devices_and_pipes_are_no_regular_files() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [folder.path(), Path::new("/dev/zero"), &pipe] {
            assert_eq!(open_regular(path).unwrap_err().kind(), ErrorKind::InvalidInput, "{}", path.display());
        }
        std::fs::write(folder.path().join("file"), "text").unwrap();
        std::os::unix::fs::symlink("file", folder.path().join("link")).unwrap();
        assert!(open_regular(folder.path().join("link")).is_ok());
        assert_eq!(open_regular_no_follow(folder.path().join("link")).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert!(open_regular_no_follow(folder.path().join("file")).is_ok());
        assert!(open_regular(folder.path().join("file")).is_ok());
    }
}

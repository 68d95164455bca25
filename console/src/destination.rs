//! Where a result goes that is written a part at a time: a file, or stdout.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Result, Stdout, Write};
use std::path::{Path, PathBuf};

/// A file, made when something is written first, or stdout. A reader of stdout that has gone away (`| head`) is no
/// failure: the process ends.
pub struct Destination {
    path: Option<PathBuf>,
    file: Option<BufWriter<File>>,
    stdout: Option<BufWriter<Stdout>>,
}

impl Destination {
    /// The file at `path`; stdout, if there is none.
    pub fn new(path: Option<&Path>) -> Destination {
        let stdout = path.is_none().then(|| BufWriter::with_capacity(1 << 16, std::io::stdout()));
        Destination { path: path.map(Path::to_owned), file: None, stdout }
    }

    fn file(&mut self) -> Result<&mut dyn Write> {
        if let Some(path) = &self.path
            && self.file.is_none()
        {
            let named =
                |error: std::io::Error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display()));
            self.file = Some(BufWriter::with_capacity(1 << 16, File::create(path).map_err(named)?));
        }
        match (&mut self.file, &mut self.stdout) {
            (Some(file), _) => Ok(file),
            (None, Some(stdout)) => Ok(stdout),
            (None, None) => Err(ErrorKind::NotFound.into()),
        }
    }
}

fn or_end<T>(result: Result<T>) -> Result<T> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        result => result,
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        or_end(self.file()?.write(bytes))
    }

    fn flush(&mut self) -> Result<()> {
        or_end(self.file()?.flush())
    }
}

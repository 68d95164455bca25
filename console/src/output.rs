//! Where results go. Every file that a command writes goes through here: a new file beside its target, renamed when it is
//! whole and removed otherwise. Nothing that is read is written over, and nothing of another kind without `--force`.

mod history;
mod identity;
mod kind;
mod place;

pub use crate::unfinished::Folders;
pub use history::History;
pub use identity::Identity;
pub use kind::Kind;

use crate::outcome::{Failure, is_reader_gone};
use crate::printing::{harmless, json_document, print, tell};
use crate::unfinished::{Unfinished, end};
use place::Place;
use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io::{BufWriter, ErrorKind, IsTerminal, Result as IoResult, Write};
use std::path::{Path, PathBuf};
use taut_traces::{Claim, Header, Occupied, TraceWriter, WriteError, WriteOptions};

/// Bytes that are collected before they are written.
const BUFFER_BYTES: usize = 1 << 16;

/// Standard output as a file of its own.
#[cfg(unix)]
fn stdout_file() -> IoResult<File> {
    use std::os::fd::AsFd;
    Ok(std::io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Standard output as a file of its own.
#[cfg(windows)]
fn stdout_file() -> IoResult<File> {
    use std::os::windows::io::AsHandle;
    Ok(std::io::stdout().as_handle().try_clone_to_owned()?.into())
}

/// Standard input as a file of its own.
#[cfg(unix)]
pub(crate) fn stdin_file() -> IoResult<File> {
    use std::os::fd::AsFd;
    Ok(std::io::stdin().as_fd().try_clone_to_owned()?.into())
}

/// Standard input as a file of its own.
#[cfg(windows)]
pub(crate) fn stdin_file() -> IoResult<File> {
    use std::os::windows::io::AsHandle;
    Ok(std::io::stdin().as_handle().try_clone_to_owned()?.into())
}

/// Whether what is written to `file` is standard output's: one file, pipe or terminal with it. A device that nobody reads
/// (`/dev/null`) may be both.
#[cfg(unix)]
fn is_stdout(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |stdout: Metadata, file: Metadata| (stdout.dev(), stdout.ino()) == (file.dev(), file.ino());
    let stdout = stdout_file().and_then(|stdout| stdout.metadata());
    stdout.is_ok_and(|stdout| file.metadata().is_ok_and(|file| same(stdout, file)))
}

/// Whether what is written to `file` is standard output's; there is no such name for it here.
#[cfg(windows)]
fn is_stdout(_: &File) -> bool {
    false
}

/// Whether a path stands for standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What one command reads, and what it may write.
#[derive(Debug, Default)]
pub struct Outputs {
    inputs: Vec<Identity>,
    force: bool,
    /// What is written already.
    targets: Vec<PathBuf>,
    stdout: bool,
}

impl Outputs {
    /// The outputs of a command that reads `inputs`. With `force`, files of other kinds are replaced.
    pub fn new<'p>(inputs: impl IntoIterator<Item = &'p Path>, force: bool) -> Outputs {
        let identity = |path: &Path| if is_stdio(path) { Identity::of_stdin() } else { Identity::of(path) };
        Outputs { inputs: inputs.into_iter().filter_map(identity).collect(), force, ..Outputs::default() }
    }

    /// An output of `kind` at `target`; `-` is standard output. To be asked for before any work is done.
    ///
    /// # Errors
    /// It is an input, or another output; it is there and of another kind; nothing can be written there.
    pub fn open(&mut self, target: &Path, kind: Kind) -> Result<Output, Failure> {
        self.open_at(target, kind, self.force)
    }

    /// An output of `kind` that is to replace `target`, which is read for it.
    ///
    /// # Errors
    /// Nothing can be written there, or it is another output.
    pub fn open_over(&mut self, target: &Path, kind: Kind) -> Result<Output, Failure> {
        self.open_at(target, kind, true)
    }

    fn open_at(&mut self, target: &Path, kind: Kind, force: bool) -> Result<Output, Failure> {
        let place = Place::of(target)?;
        match &place {
            Place::Stdout if self.stdout => return Err(Failure::usage("standard output: two outputs go there")),
            Place::Stdout => self.take_stdout(kind)?,
            // `/dev/stdout`: what is told goes elsewhere then, or it would stand in the middle of the output.
            Place::Straight(file) => self.stdout |= is_stdout(file),
            Place::File { path, .. } if self.targets.contains(path) => {
                return Err(Failure::usage(format_args!("{}: two outputs go there", target.display())));
            }
            Place::File { path, .. } => self.targets.push(path.clone()),
        }
        if let Place::File { path, there: Some(there) } = &place {
            if Identity::of(path).is_some_and(|file| self.inputs.contains(&file)) {
                return Err(the_input(target));
            }
            check(target, path, there, kind, force)?;
            match Claim::holder(path) {
                Some(Occupied::LeftBehind(_)) if force => {}
                Some(by) => return Err(WriteError::Occupied { path: target.to_owned(), by }.into()),
                None => {}
            }
        }
        let name = target.to_owned();
        let io = |error| Failure::io(error).context(target.display().to_string());
        let (file, landing) = match place {
            Place::Stdout => (stdout_file().map_err(io)?, Landing::Straight),
            Place::Straight(file) => (file, Landing::Straight),
            Place::File { path, there } => {
                let folder = place::folder(&path);
                let permissions = there.as_ref().map(Metadata::permissions).filter(|there| !there.readonly());
                let (file, unfinished) = Unfinished::beside(folder, permissions).map_err(|error| {
                    // The system's sentence would name the unfinished file, which nobody has heard of.
                    let error = error.raw_os_error().map_or(error, std::io::Error::from_raw_os_error);
                    io(error)
                })?;
                (file, Landing::Beside { unfinished: RefCell::new(Some(unfinished)), path, kind, force })
            }
        };
        Ok(Output { file: BufWriter::with_capacity(BUFFER_BYTES, file), landing, name, written_bytes: 0 })
    }

    /// The same, where a target was given.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_if(&mut self, target: Option<&Path>, kind: Kind) -> Result<Option<Output>, Failure> {
        target.map(|target| self.open(target, kind)).transpose()
    }

    /// An output at `target`, or standard output if there is none.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_or_stdout(&mut self, target: Option<&Path>, kind: Kind) -> Result<Output, Failure> {
        self.open(target.unwrap_or(Path::new("-")), kind)
    }

    fn take_stdout(&mut self, kind: Kind) -> Result<(), Failure> {
        if kind.is_binary() && std::io::stdout().is_terminal() {
            let what = kind.name();
            return Err(Failure::usage(format_args!(
                "standard output is a terminal, and {what} is not for one: say -o FILE"
            )));
        }
        if Identity::of_stdout().is_some_and(|file| self.inputs.contains(&file)) {
            return Err(the_input(Path::new("standard output")));
        }
        self.stdout = true;
        Ok(())
    }

    /// Whether standard output is one of the outputs: then nothing else may be printed on it.
    pub fn has_stdout(&self) -> bool {
        self.stdout
    }

    /// Prints what is to be told of the work: on standard output, or beside it where an output goes there.
    ///
    /// # Errors
    /// Nothing can be printed.
    pub fn tell(&self, text: &str) -> Result<(), Failure> {
        if self.stdout {
            eprint!("{}", harmless(text));
            return Ok(());
        }
        print(text)
    }

    /// [`tell`](Self::tell) for one JSON document.
    ///
    /// # Errors
    /// Nothing can be printed.
    pub fn tell_json(&self, value: &impl serde::Serialize) -> Result<(), Failure> {
        self.tell(&json_document(value)?)
    }
}

fn the_input(target: &Path) -> Failure {
    Failure::usage(format_args!("{}: this file is the input; write to another", target.display()))
}

/// Whether the file that is there may be replaced.
fn check(target: &Path, path: &Path, there: &Metadata, kind: Kind, force: bool) -> Result<(), Failure> {
    if force {
        return Ok(());
    }
    let name = target.display();
    if there.permissions().readonly() {
        return Err(Failure::usage(format_args!("{name}: this file is write-protected; --force replaces it")));
    }
    // Replacing a file takes the right to write to its folder alone; who may not write to the file shall not replace it.
    let writable = std::fs::OpenOptions::new().write(true).open(path);
    writable.map_err(|error| Failure::io(error).context(name.to_string()))?;
    if kind.is_at(path).map_err(|error| Failure::io(error).context(name.to_string()))? {
        return Ok(());
    }
    Err(Failure::usage(format_args!(
        "{name}: this file is there already and is not {}; --force replaces it",
        kind.name()
    )))
}

fn tell_failure(error: &WriteError) {
    if !is_reader_gone(error) {
        tell(format_args!("{error}; nothing from here on is recorded"));
    }
}

enum Landing {
    /// A file beside the target, to be renamed; a recording has it in its place already.
    Beside { unfinished: RefCell<Option<Unfinished>>, path: PathBuf, kind: Kind, force: bool },
    /// What is written is there at once: a device, a pipe, standard output.
    Straight,
}

/// An output under way. Dropped before it is [finished](Output::finish), it leaves nothing behind.
pub struct Output {
    file: BufWriter<File>,
    landing: Landing,
    name: PathBuf,
    written_bytes: u64,
}

impl Output {
    /// Its name, as it was given.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// What sentences call it.
    fn shown(&self) -> &Path {
        if is_stdio(&self.name) { Path::new("standard output") } else { &self.name }
    }

    /// A writer of a trace that goes here.
    ///
    /// # Errors
    /// As [`TraceWriter::to_file`].
    pub fn trace_writer(&self, header: Header) -> Result<TraceWriter, WriteError> {
        // Pipes cannot be brought to disk.
        let sync = matches!(self.landing, Landing::Beside { .. });
        self.written(header, WriteOptions { sync, ..WriteOptions::default() })
    }

    fn written(&self, header: Header, options: WriteOptions) -> Result<TraceWriter, WriteError> {
        let output = |source| WriteError::Output {
            path: Some(self.shown().to_owned()),
            bytes_written: 0,
            source,
            lost: Vec::new(),
        };
        let file = self.file.get_ref().try_clone().map_err(output)?;
        let writer = TraceWriter::to_file(file, self.shown(), header, options)?;
        writer.on_failure(tell_failure);
        Ok(writer)
    }

    /// A writer of a recording that goes here. A file is in its place from the beginning, and what was recorded outlives the
    /// process.
    ///
    /// # Errors
    /// As [`TraceWriter::to_claimed`]; or another recording is there.
    pub fn recorder(&self, header: Header, options: WriteOptions) -> Result<TraceWriter, WriteError> {
        let Landing::Beside { unfinished, path, force, .. } = &self.landing else {
            return self.written(header, WriteOptions { sync: false, ..options });
        };
        let failed =
            |source| WriteError::Output { path: Some(self.name.clone()), bytes_written: 0, source, lost: Vec::new() };
        let claim = Claim::new(path, &self.name, *force)?;
        let (file, synced) = (self.file.get_ref().try_clone(), self.file.get_ref().try_clone());
        let (file, synced) = (file.map_err(failed)?, synced.map_err(failed)?);
        let (unfinished, path) = (unfinished.take(), path.clone());
        let appear = move || {
            if path.exists() {
                // What replaces a file must be on the disk first, or a power cut could leave neither.
                synced.sync_all()?;
            }
            unfinished.map_or(Ok(()), |unfinished| unfinished.put(&path))
        };
        let writer = TraceWriter::to_claimed(claim, file, appear, header, options)?;
        writer.on_failure(tell_failure);
        let name = self.name.display().to_string();
        writer.on_unkept(move |why| {
            tell(format_args!("{name}: what is recorded from here on is lost if the process is killed: {why}"));
        });
        Ok(writer)
    }

    /// Writes all there is to write, and ends.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_with(mut self, bytes: &[u8]) -> Result<u64, Failure> {
        self.write_all(bytes)?;
        self.finish()
    }

    /// The same with text for people, of which no terminal obeys anything but colours.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_with_text(self, text: &str) -> Result<u64, Failure> {
        self.finish_with(harmless(text).as_bytes())
    }

    /// Puts the whole file in its place; its size.
    ///
    /// # Errors
    /// The last of it cannot be written, or another has put a file of another kind there meanwhile.
    pub fn finish(mut self) -> Result<u64, Failure> {
        self.flush()?;
        let Output { file, landing, name, written_bytes } = self;
        let Landing::Beside { unfinished, path, kind, force } = landing else { return Ok(written_bytes) };
        let io = |error| Failure::io(error).context(name.display().to_string());
        let file = file.into_inner().map_err(|error| io(error.into_error()))?;
        let size_bytes = file.metadata().map_err(io)?.len();
        let Some(unfinished) = unfinished.into_inner() else { return Ok(size_bytes) };
        if let Ok(there) = std::fs::metadata(&path) {
            check(&name, &path, &there, kind, force)?;
            // What replaces a file must be on the disk first, or a power cut could leave neither.
            file.sync_all().map_err(io)?;
        }
        drop(file);
        unfinished.put(&path).map_err(io)?;
        Claim::clear(&path).map_err(io)?;
        Ok(size_bytes)
    }

    /// A reader of standard output that has gone away (`| head`) is no failure: the process ends.
    fn told<T>(&self, result: IoResult<T>) -> IoResult<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => end(0),
            Err(error) if error.kind() != ErrorKind::Interrupted => {
                Err(std::io::Error::new(error.kind(), format!("{}: {error}", self.shown().display())))
            }
            result => result,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        let result = self.file.write(bytes);
        self.written_bytes += *result.as_ref().unwrap_or(&0) as u64;
        self.told(result)
    }

    fn flush(&mut self) -> IoResult<()> {
        let result = self.file.flush();
        self.told(result)
    }
}

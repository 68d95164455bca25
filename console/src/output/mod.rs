//! Output files. Every file that a command writes goes through this module: a new file next to its target, renamed when
//! complete and removed otherwise. Inputs are never overwritten, and files of another kind only with `--force`.

mod history;
mod identity;
mod kind;
mod place;
mod session_file;
mod terminal_json;
mod windows_name;

pub use crate::unfinished::Folders;
pub use history::History;
pub use identity::Identity;
pub use kind::Kind;
pub use session_file::session_file;

use crate::outcome::{Failure, is_reader_gone};
use crate::printing::{harmless, json_document, print, print_message, print_on_stderr};
use crate::unfinished::{Unfinished, end};
use place::Place;
use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io::{BufWriter, ErrorKind, IsTerminal, Result as IoResult, Write};
use std::path::{Path, PathBuf};
use taut_traces::{Header, Leftovers, PathClaim, PathInUse, TraceWriter, WriteError, WriteOptions, is_side_file};
use terminal_json::TerminalJson;

/// Size of the write buffer, in bytes.
const BUFFER_BYTES: usize = 1 << 16;

/// Opens standard output as a file handle of its own.
#[cfg(unix)]
fn stdout_file() -> IoResult<File> {
    use std::os::fd::AsFd;
    Ok(std::io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Opens standard output as a file handle of its own.
#[cfg(windows)]
fn stdout_file() -> IoResult<File> {
    use std::os::windows::io::AsHandle;
    Ok(std::io::stdout().as_handle().try_clone_to_owned()?.into())
}

/// Opens standard input as a file handle of its own.
#[cfg(unix)]
pub(crate) fn stdin_file() -> IoResult<File> {
    use std::os::fd::AsFd;
    Ok(std::io::stdin().as_fd().try_clone_to_owned()?.into())
}

/// Opens standard input as a file handle of its own.
#[cfg(windows)]
pub(crate) fn stdin_file() -> IoResult<File> {
    use std::os::windows::io::AsHandle;
    Ok(std::io::stdin().as_handle().try_clone_to_owned()?.into())
}

/// True if `file` and standard output are the same file, pipe or terminal. Both may also be a device that nobody reads
/// (`/dev/null`).
#[cfg(unix)]
fn is_stdout(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |stdout: Metadata, file: Metadata| (stdout.dev(), stdout.ino()) == (file.dev(), file.ino());
    let stdout = stdout_file().and_then(|stdout| stdout.metadata());
    stdout.is_ok_and(|stdout| file.metadata().is_ok_and(|file| same(stdout, file)))
}

/// Always false: no path names standard output on this system.
#[cfg(windows)]
fn is_stdout(_: &File) -> bool {
    false
}

/// True if a path denotes standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// File of an output.
#[derive(Debug)]
struct Target {
    /// Canonical path, links followed.
    path: PathBuf,
    /// Path as the user wrote it.
    name: PathBuf,
}

impl Target {
    /// The file that the output is going to replace.
    fn identity(&self) -> Option<Identity> {
        Identity::from_path(&self.path)
    }
}

/// Inputs and outputs of one command.
#[derive(Debug, Default)]
pub struct Outputs {
    inputs: Vec<Identity>,
    /// Sidecars and segment folders that a command may read with its input traces.
    side_paths: Vec<PathBuf>,
    force: bool,
    /// Outputs that were opened.
    targets: Vec<Target>,
    stdout: bool,
}

impl Outputs {
    /// Prepares the outputs of a command that reads `inputs`. With `force`, files of other kinds are replaced.
    pub fn new<'p>(inputs: impl IntoIterator<Item = &'p Path>, force: bool) -> Outputs {
        let mut outputs = Outputs { force, ..Outputs::default() };
        for input in inputs {
            outputs.inputs.extend(if is_stdio(input) { Identity::from_stdin() } else { Identity::from_path(input) });
            let trace = std::fs::canonicalize(input).ok().filter(|_| !is_stdio(input));
            outputs
                .side_paths
                .extend(trace.iter().flat_map(|trace| SIDE_SUFFIXES.map(|suffix| with_suffix(trace, suffix))));
        }
        outputs
    }

    /// Adds inputs that are known when outputs are open already: files that another input names.
    ///
    /// # Errors
    /// An output is one of them.
    pub fn add_inputs<'p>(&mut self, inputs: impl IntoIterator<Item = &'p Path>) -> Result<(), Failure> {
        let inputs: Vec<Identity> = inputs.into_iter().filter_map(Identity::from_path).collect();
        let is_input = |target: &&Target| target.identity().is_some_and(|file| inputs.contains(&file));
        if let Some(target) = self.targets.iter().find(is_input) {
            return Err(the_input(&target.name));
        }
        self.inputs.extend(inputs);
        Ok(())
    }

    /// Opens an output of `kind` at `target`; `-` is standard output. Call it before any work, so that a wrong target
    /// fails early.
    ///
    /// # Errors
    /// The target is an input or another output, an existing file is of another kind, or the target cannot be written.
    pub fn open(&mut self, target: &Path, kind: Kind) -> Result<Output, Failure> {
        self.open_at(target, kind, self.force)
    }

    /// An output of `kind` in a folder that the user named: `target` itself was named by nobody, so it is not waited for.
    ///
    /// # Errors
    /// As [`open`](Self::open), or a pipe or a device is there.
    pub fn open_inside(&mut self, target: &Path, kind: Kind) -> Result<Output, Failure> {
        match std::fs::metadata(target) {
            Ok(existing) if !existing.is_file() && !existing.is_dir() => Err(Failure::usage(format_args!(
                "{}: expected {} or no file, found a pipe or a device",
                target.display(),
                kind.name()
            ))),
            _ => self.open(target, kind),
        }
    }

    /// Opens an output that replaces `target`, which is also an input.
    ///
    /// # Errors
    /// The target cannot be written, or it is another output.
    pub fn open_over(&mut self, target: &Path, kind: Kind) -> Result<Output, Failure> {
        self.open_at(target, kind, true)
    }

    fn open_at(&mut self, target: &Path, kind: Kind, force: bool) -> Result<Output, Failure> {
        let place = Place::resolve(target)?;
        match &place {
            Place::Stdout if self.stdout => return Err(Failure::usage("standard output: two outputs go there")),
            Place::Stdout => self.take_stdout(kind)?,
            // `/dev/stdout`: messages must then go to stderr, or they would be mixed into the output.
            Place::Direct(file) => self.stdout |= is_stdout(file),
            Place::File { path, .. } if self.targets.iter().any(|target| target.path == *path) => {
                return Err(Failure::usage(format_args!("{}: two outputs go there", target.display())));
            }
            Place::File { path, .. } => self.targets.push(Target { path: path.clone(), name: target.to_owned() }),
        }
        if let Place::File { path, existing } = &place {
            self.check_free(target, path)?;
            if let Some(existing) = existing {
                check(target, path, existing, kind, force)?;
                match PathClaim::holder(path) {
                    Some(PathInUse::Orphaned(_) | PathInUse::Unfinished) if force => {}
                    Some(by) => return Err(WriteError::PathInUse { path: target.to_owned(), by }.into()),
                    None => {}
                }
            }
        }
        let name = target.to_owned();
        let io = |error| Failure::io(error).context(target.display().to_string());
        let (file, destination) = match place {
            Place::Stdout => (stdout_file().map_err(io)?, Destination::Direct),
            Place::Direct(file) => (file, Destination::Direct),
            Place::File { path, existing } => {
                let folder = place::folder(&path);
                let permissions = existing.as_ref().map(Metadata::permissions).filter(|existing| !existing.readonly());
                let (file, unfinished) = Unfinished::create_in(folder, permissions).map_err(io)?;
                (file, Destination::Renamed { unfinished: RefCell::new(Some(unfinished)), path, kind, force })
            }
        };
        let terminal = (kind.is_json() && file.is_terminal()).then(TerminalJson::default);
        Ok(Output { file: BufWriter::with_capacity(BUFFER_BYTES, file), destination, name, written_bytes: 0, terminal })
    }

    /// Checks that `path`, which is named `target`, is neither an input nor a side file of a recording. `--force` replaces none.
    fn check_free(&self, target: &Path, path: &Path) -> Result<(), Failure> {
        let name = target.display();
        if self.side_paths.iter().any(|side| path == side || path.parent() == Some(side.as_path())) {
            let why = "this file belongs to the recording that is the input; write to another";
            return Err(Failure::usage(format_args!("{name}: {why}")));
        }
        if Identity::from_path(path).is_some_and(|file| self.inputs.contains(&file)) {
            return Err(the_input(target));
        }
        if is_side_file(path) {
            return Err(Failure::usage(format_args!("{name}: this file belongs to a recording; write to another")));
        }
        Ok(())
    }

    /// Opens an output as [`open`](Self::open) does, if there is a target.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_if(&mut self, target: Option<&Path>, kind: Kind) -> Result<Option<Output>, Failure> {
        target.map(|target| self.open(target, kind)).transpose()
    }

    /// Opens an output at `target`, or at standard output if there is none.
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
        if Identity::from_stdout().is_some_and(|file| self.inputs.contains(&file)) {
            return Err(the_input(Path::new("standard output")));
        }
        self.stdout = true;
        Ok(())
    }

    /// True if standard output is one of the outputs: then nothing else may be printed on it.
    pub fn has_stdout(&self) -> bool {
        self.stdout
    }

    /// Prints a message about the work: on standard output, or on stderr if an output goes to standard output.
    ///
    /// # Errors
    /// The message cannot be printed.
    pub fn print_message(&self, text: &str) -> Result<(), Failure> {
        if self.stdout {
            print_on_stderr(text);
            return Ok(());
        }
        print(text)
    }

    /// Prints one JSON document as [`print_message`](Self::print_message) does.
    ///
    /// # Errors
    /// The document cannot be printed.
    pub fn print_json_message(&self, value: &impl serde::Serialize) -> Result<(), Failure> {
        self.print_message(&json_document(value)?)
    }
}

/// Suffixes of the side files of a recording.
const SIDE_SUFFIXES: [&str; 2] = [".live", ".ring"];

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn the_input(target: &Path) -> Failure {
    Failure::usage(format_args!("{}: this file is the input; write to another", target.display()))
}

/// Fails if the existing file may not be replaced.
fn check(target: &Path, path: &Path, existing: &Metadata, kind: Kind, force: bool) -> Result<(), Failure> {
    if force {
        return Ok(());
    }
    let name = target.display();
    if existing.permissions().readonly() {
        return Err(Failure::usage(format_args!("{name}: this file is write-protected; --force replaces it")));
    }
    // A rename needs write permission for the folder only; a user who may not write to the file must not replace it
    // this way.
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

fn report_failure(error: &WriteError) {
    if !is_reader_gone(error) {
        print_message(format_args!("{error}; nothing from here on is recorded"));
    }
}

enum Destination {
    /// A file next to the target, to be renamed. For a recording it has been renamed already.
    Renamed { unfinished: RefCell<Option<Unfinished>>, path: PathBuf, kind: Kind, force: bool },
    /// Output that appears at once: a device, a pipe, standard output.
    Direct,
}

/// An output being written. Dropped before [`finish`](Output::finish), it leaves no file.
pub struct Output {
    file: BufWriter<File>,
    destination: Destination,
    name: PathBuf,
    written_bytes: u64,
    /// JSON that a terminal shows, with control characters as escapes.
    terminal: Option<TerminalJson>,
}

impl Output {
    /// Name as the user specified it.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The existing file that the output replaces, if `force` is not set.
    pub fn replaces(&self) -> Option<&Path> {
        match &self.destination {
            Destination::Renamed { path, force: false, .. } if path.is_file() => Some(path),
            _ => None,
        }
    }

    /// Name used in messages.
    fn shown(&self) -> &Path {
        if is_stdio(&self.name) { Path::new("standard output") } else { &self.name }
    }

    /// Creates a writer for a trace at this output.
    ///
    /// # Errors
    /// As [`TraceWriter::to_file`].
    pub fn trace_writer(&self, header: Header) -> Result<TraceWriter, WriteError> {
        // Pipes cannot be synced to disk.
        let sync = matches!(self.destination, Destination::Renamed { .. });
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
        writer.on_failure(report_failure);
        Ok(writer)
    }

    /// Creates a writer for a recording at this output. The file is at its path from the start, and recorded data
    /// outlives the process.
    ///
    /// # Errors
    /// As [`TraceWriter::to_claimed`]; or another recording is at the path.
    pub fn recorder(&self, header: Header, options: WriteOptions) -> Result<TraceWriter, WriteError> {
        let Destination::Renamed { unfinished, path, force, .. } = &self.destination else {
            return self.written(header, WriteOptions { sync: false, ..options });
        };
        let failed =
            |source| WriteError::Output { path: Some(self.name.clone()), bytes_written: 0, source, lost: Vec::new() };
        let claim = PathClaim::new(path, &self.name, *force)?;
        let (file, synced) = (self.file.get_ref().try_clone(), self.file.get_ref().try_clone());
        let (file, synced) = (file.map_err(failed)?, synced.map_err(failed)?);
        let (unfinished, path) = (unfinished.take(), path.clone());
        let appear = move || {
            if path.exists() {
                // The replacement must be synced to disk before the rename, or a power cut could leave neither file.
                synced.sync_all()?;
            }
            unfinished.map_or(Ok(()), |unfinished| unfinished.put(&path))
        };
        let writer = TraceWriter::to_claimed(claim, file, appear, header, options)?;
        writer.on_failure(report_failure);
        let name = self.name.display().to_string();
        writer.on_not_persistent(move |why| {
            print_message(format_args!(
                "{name}: what is recorded from here on is lost if the process is killed: {why}"
            ));
        });
        Ok(writer)
    }

    /// Writes all of the output and finishes it.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_with(mut self, bytes: &[u8]) -> Result<u64, Failure> {
        self.write_all(bytes)?;
        self.finish()
    }

    /// Writes text for people and finishes the output; terminal control sequences other than colours are escaped.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_with_text(self, text: &str) -> Result<u64, Failure> {
        self.finish_with(harmless(text).as_bytes())
    }

    /// Moves the complete file to its path; returns its size in bytes.
    ///
    /// # Errors
    /// The last bytes cannot be written, or another process has put a file of another kind there meanwhile.
    pub fn finish(mut self) -> Result<u64, Failure> {
        self.flush()?;
        let Output { file, destination, name, written_bytes, .. } = self;
        let Destination::Renamed { unfinished, path, kind, force } = destination else { return Ok(written_bytes) };
        let io = |error| Failure::io(error).context(name.display().to_string());
        let file = file.into_inner().map_err(|error| io(error.into_error()))?;
        let size_bytes = file.metadata().map_err(io)?.len();
        let Some(unfinished) = unfinished.into_inner() else { return Ok(size_bytes) };
        if let Ok(existing) = std::fs::metadata(&path) {
            check(&name, &path, &existing, kind, force)?;
            // The replacement must be synced to disk before the rename, or a power cut could leave neither file.
            file.sync_all().map_err(io)?;
        }
        drop(file);
        // Side files of the replaced trace: after the rename they could no longer be attributed to it.
        let left = Leftovers::find(&path).map_err(io)?;
        unfinished.put(&path).map_err(io)?;
        left.map_or(Ok(()), Leftovers::discard).map_err(io)?;
        Ok(size_bytes)
    }

    /// Adds the output's name to an error. A closed pipe of standard output (`| head`) is no failure: the process ends.
    fn with_name<T>(&self, result: IoResult<T>) -> IoResult<T> {
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
        let result = match &mut self.terminal {
            Some(terminal) => {
                let text = terminal.escape(bytes);
                self.file.write_all(text.as_bytes()).map(|()| bytes.len())
            }
            None => self.file.write(bytes),
        };
        self.written_bytes += *result.as_ref().unwrap_or(&0) as u64;
        self.with_name(result)
    }

    fn flush(&mut self) -> IoResult<()> {
        let result = self.file.flush();
        self.with_name(result)
    }
}

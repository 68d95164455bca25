//! A program on the simulated runtime: the environment that it starts in, and the traces that its processes begin.

mod program;
mod temporary;

use crate::Error;
use crate::world::{DEFAULT_DRIVER, WorldOptions};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use taut_analyze::Analysis;
use taut_capture::{Adapters, Clock, Session, Settings};
use taut_com::wine::{self, Wine};
use taut_com::{FOLDER_VARIABLE, RunConfig, RunFolder, Writing};
use taut_traces::{Header, Trace, TraceWriter, Workload, WriteError, WriteOptions};
use tempfile::TempDir;

/// File of the library.
pub const LIBRARY: &str = "libtaut_com.so";

/// Names under which programs load the library.
const NAMES: [&str; 2] = ["libd3d12.so", "libdxcore.so"];

/// Folder in the launch's folder with links of these names.
const LIBRARIES_FOLDER: &str = "lib";

/// Folder in the launch's folder with the copy of Wine.
const WINE_FOLDER: &str = "wine";

/// Mesa's Direct3D 12 driver as Debian 12 and as Debian 13 packages it: a file, or the begin of its name.
const MESA_DRIVERS: [&str; 2] = ["dri/d3d12_dri.so", "libgallium-"];

/// Options of a run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Name of the program in the trace.
    pub program: String,
    /// Absolute path of the trace.
    pub output: PathBuf,
    pub world: WorldOptions,
    /// Name of a machine or path of its profile.
    pub machine: Option<String>,
    /// The first call that is not executed ends the program.
    pub strict: bool,
    /// No messages about the recording.
    pub quiet: bool,
    /// OpenGL on Mesa's Direct3D 12 driver.
    pub gl: bool,
    /// A Windows program under Wine.
    pub wine: bool,
    /// Options of the trace writer.
    pub writing: WriteOptions,
}

/// A run whose options were checked.
#[derive(Debug)]
pub struct Launch {
    /// Removed when the launch is dropped.
    folder: TempDir,
    run: RunFolder,
    /// Lock file of the folder.
    lock: File,
    gl: bool,
    /// Loader of Wine, for a Windows program.
    wine: Option<PathBuf>,
    adapters: Adapters,
    settings: Settings,
    program: String,
}

impl Launch {
    /// Creates the folder that the program's processes read, with links to `library`.
    ///
    /// # Errors
    /// An option is wrong, a profile cannot be read, the folder cannot be written, or a part of the system is missing.
    pub fn new(options: RunOptions, library: &Path) -> Result<Launch, Error> {
        let (adapters, settings) = options.world.adapters(options.machine.as_deref(), DEFAULT_DRIVER)?;
        if options.gl {
            check_gl()?;
        }
        let wine = if options.wine { Some(find_wine()?) } else { None };
        let parent = temporary::folder()?;
        let in_folder = || format!("a folder in {}", parent.display());
        temporary::remove_unused(&parent);
        let folder = tempfile::Builder::new().prefix(temporary::PREFIX).tempdir_in(&parent);
        let folder = folder.map_err(|error| Error::io(error).context(in_folder()))?;
        let config = RunConfig {
            output: temporary::followed(options.output),
            program: options.program.clone(),
            drivers: adapters.profiles().cloned().collect(),
            machine: adapters.machine().cloned(),
            settings: settings.clone(),
            strict: options.strict,
            quiet: options.quiet,
            writing: Writing::from(&options.writing),
        };
        let libraries = folder.path().join(LIBRARIES_FOLDER);
        let created = std::fs::create_dir(&libraries)
            .and_then(|()| NAMES.iter().try_for_each(|name| symlink(library, libraries.join(name))))
            .and_then(|()| RunFolder::create(folder.path(), &config));
        let (run, lock) = created.map_err(|error| Error::io(error).context(in_folder()))?;
        let copied = wine.map(|wine| wine.copy(&folder.path().join(WINE_FOLDER), library)).transpose();
        let wine = copied.map_err(|error| Error::io(error).context(in_folder()))?;
        Ok(Launch { folder, run, lock, gl: options.gl, wine, adapters, settings, program: options.program })
    }

    /// The command that starts the program.
    pub fn command(&self, program: &OsStr, arguments: &[OsString]) -> Command {
        let mut command = match &self.wine {
            Some(loader) => {
                let mut command = Command::new(loader);
                command.arg(program);
                command
            }
            None => Command::new(program),
        };
        command.args(arguments).envs(self.environment());
        command
    }

    /// Environment variables of the program.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let folder = (FOLDER_VARIABLE, self.folder.path().into());
        if let Some(loader) = &self.wine {
            return vec![folder, ("WINELOADER", loader.into()), wine::overrides()];
        }
        let mut path = self.folder.path().join(LIBRARIES_FOLDER).into_os_string();
        if let Some(before) = std::env::var_os("LD_LIBRARY_PATH").filter(|before| !before.is_empty()) {
            path.push(":");
            path.push(before);
        }
        let mut variables = vec![("LD_LIBRARY_PATH", path), folder];
        if self.gl {
            variables.extend([("GALLIUM_DRIVER", "d3d12".into()), ("LIBGL_ALWAYS_SOFTWARE", "1".into())]);
        }
        variables
    }

    /// Removes the folder. Returns the path if a process of the program continues to use the folder: the library has to
    /// stay, and a later run removes the folder. Services of Wine, which end some seconds later, are not named.
    pub fn end(self) -> Option<PathBuf> {
        let Launch { folder, lock, wine, .. } = self;
        drop(lock);
        let kept = if RunFolder::is_unused(folder.path()) { None } else { Some(folder.keep()) };
        kept.filter(|_| wine.is_none())
    }

    /// True if a process of the program could not begin its trace.
    pub fn has_failure(&self) -> bool {
        self.run.has_failure()
    }

    /// Traces that the program's processes began; empty if it made no Direct3D call.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn traces(&self) -> Result<Vec<PathBuf>, Error> {
        self.run.traces().map_err(Error::io)
    }

    /// Writes a trace without calls, with the writer that `open` creates for the header.
    ///
    /// # Errors
    /// The trace cannot be written.
    pub fn write_empty(&self, open: impl FnOnce(Header) -> Result<TraceWriter, WriteError>) -> Result<(), Error> {
        let workload = Workload::of_program(&self.program);
        let session = Session::record(open, &self.adapters, self.settings.clone(), workload, Clock::best())?;
        session.finish()?;
        Ok(())
    }
}

/// True if a Windows program cannot be started, of which Wine would give an exit code of its own.
pub fn is_missing(program: &OsStr) -> bool {
    wine::is_missing(program)
}

/// Checks that a program can load the library.
///
/// # Errors
/// The program's file is of another kind.
pub fn check_program(program: &OsStr, wine: bool) -> Result<(), Error> {
    if !wine {
        return program::check_program(program);
    }
    if wine::may_be_program(program) {
        return Ok(());
    }
    Err(Error::io(format!("{}: expected a Windows program for x86-64", Path::new(program).display())))
}

/// The report `client` of a complete trace in three lines.
///
/// # Errors
/// The trace cannot be read.
pub fn client_summary(trace: &Path) -> Result<[String; 3], Error> {
    let trace = Trace::open(trace).map_err(Error::io)?;
    Ok(taut_analyze::reports::client::summary(&Analysis::new(trace)?)?)
}

fn find_wine() -> Result<Wine, Error> {
    Wine::find().ok_or_else(|| Error::io("--wine needs Wine for 64-bit programs: the Debian package wine64 has it"))
}

/// Checks that OpenGL can run: a display, and Mesa's driver.
fn check_gl() -> Result<(), Error> {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") {
        return Err(Error::io("--gl needs a display: DISPLAY is not set; the Debian package xvfb has xvfb-run"));
    }
    let own = std::env::var_os("LIBGL_DRIVERS_PATH");
    let own = own.iter().flat_map(std::env::split_paths).any(|folder| folder.join("d3d12_dri.so").exists());
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"];
    let has_driver = |folder: &&str| MESA_DRIVERS.iter().any(|driver| has_file(Path::new(folder), driver));
    if own || folders.iter().any(has_driver) {
        return Ok(());
    }
    Err(Error::io("--gl needs Mesa's Direct3D 12 driver: the Debian package libgl1-mesa-dri has it"))
}

/// True if the folder has a file whose name begins so.
fn has_file(folder: &Path, begin: &str) -> bool {
    let path = folder.join(begin);
    let (Some(folder), Some(begin)) = (path.parent(), path.file_name()) else { return false };
    let begins = |name: OsString| name.to_string_lossy().starts_with(&*begin.to_string_lossy());
    std::fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(|entry| begins(entry.file_name())))
}

//! Folder in which `taut run` and the processes that it started exchange the configuration and the names of traces.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use taut_capture::{Adapters, Profile, Settings};
use taut_runtime::MachineProfile;
use taut_schemas::ProviderSet;
use taut_traces::{Mode, OnFull, WriteOptions};

/// Environment variable with the folder's path. A process without it is not recorded.
pub const FOLDER_VARIABLE: &str = "TAUT_RUN_FOLDER";

const CONFIG_FILE: &str = "config.json";
const FIRST_FILE: &str = "first";
const FAILED_FILE: &str = "failed";
const TRACES_FOLDER: &str = "traces";

/// File with a shared lock for `taut run` and for each recorded process.
const LOCK_FILE: &str = "lock";
/// Name of the lock file until it is locked: a folder without [`LOCK_FILE`] has a user.
const NEW_LOCK_FILE: &str = "lock.new";

/// Configuration of the sessions of a program.
#[derive(Debug, Serialize, Deserialize)]
pub struct RunConfig {
    /// Path of the first process's trace.
    #[serde(with = "path_bytes")]
    pub output: PathBuf,
    /// Name of the program in the trace.
    pub program: String,
    /// Driver of each adapter, at least one.
    pub drivers: Vec<Profile>,
    /// Machine that has the adapters, if one was named.
    pub machine: Option<MachineProfile>,
    /// Rules and settings of the runtime.
    pub settings: Settings,
    /// The first unsupported call ends the program.
    pub strict: bool,
    /// The library prints no messages about its work.
    pub quiet: bool,
    /// Options of the trace writer.
    pub writing: Writing,
}

/// Paths as lists of bytes: a path is not always UTF-8.
mod path_bytes {
    use super::{Deserialize, OsStrExt, OsString, OsStringExt, Path, PathBuf, Serialize};
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().as_bytes().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        Ok(OsString::from_vec(Vec::deserialize(deserializer)?).into())
    }
}

/// Options of the trace writer, as in [`WriteOptions`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Writing {
    /// Name of the mode.
    mode: String,
    buffer_bytes: usize,
    spare_buffers: usize,
    drops: bool,
    sync_interval: Option<Duration>,
    max_bytes: Option<u64>,
    max_time: Option<Duration>,
    flush_interval: Option<Duration>,
    /// Names of providers, joined by commas.
    providers: String,
}

impl From<&WriteOptions> for Writing {
    fn from(options: &WriteOptions) -> Writing {
        let mode = match options.mode {
            Mode::Sequential => "sequential",
            Mode::Ring => "ring",
            Mode::Circular => "circular",
        };
        Writing {
            mode: mode.to_owned(),
            buffer_bytes: options.buffer_bytes,
            spare_buffers: options.spare_buffers,
            drops: options.on_full == OnFull::Drop,
            sync_interval: options.sync_interval,
            max_bytes: options.max_bytes,
            max_time: options.max_time,
            flush_interval: options.flush_interval,
            providers: options.providers.to_string(),
        }
    }
}

impl Writing {
    /// Options of the trace writer.
    pub fn options(&self) -> WriteOptions {
        let mode = match self.mode.as_str() {
            "ring" => Mode::Ring,
            "circular" => Mode::Circular,
            _ => Mode::Sequential,
        };
        WriteOptions {
            mode,
            buffer_bytes: self.buffer_bytes,
            spare_buffers: self.spare_buffers,
            on_full: if self.drops { OnFull::Drop } else { OnFull::Block },
            sync_interval: self.sync_interval,
            max_bytes: self.max_bytes,
            max_time: self.max_time,
            flush_interval: self.flush_interval,
            providers: ProviderSet::named(self.providers.split(',')).unwrap_or(ProviderSet::ALL),
            ..WriteOptions::default()
        }
    }
}

impl RunConfig {
    /// Adapters of the session; `None` without a driver.
    pub fn adapters(&self) -> Option<Adapters> {
        let (first, others) = self.drivers.split_first()?;
        let adapters = others.iter().fold(Adapters::from(first), |adapters, other| adapters.and(other));
        Some(match &self.machine {
            Some(machine) => adapters.of(machine.clone()),
            None => adapters,
        })
    }
}

/// The folder.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Fills an empty folder for the processes of a program. Also returns the lock file: this process uses the folder
    /// until it has closed the file or ended.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn create(path: &Path, config: &RunConfig) -> io::Result<(RunFolder, File)> {
        let lock = File::create_new(path.join(NEW_LOCK_FILE))?;
        lock.lock_shared()?;
        fs::rename(path.join(NEW_LOCK_FILE), path.join(LOCK_FILE))?;
        fs::create_dir(path.join(TRACES_FOLDER))?;
        fs::write(path.join(CONFIG_FILE), serde_json::to_vec(config)?)?;
        Ok((RunFolder { path: path.to_owned() }, lock))
    }

    /// True if no process uses the folder at `path`, which [`create`](Self::create) has filled: none has its lock, and
    /// none has its path as a variable.
    pub fn is_unused(path: &Path) -> bool {
        let lock = OpenOptions::new().read(true).write(true).open(path.join(LOCK_FILE));
        lock.is_ok_and(|lock| lock.try_lock().is_ok()) && !has_process(path)
    }

    /// Uses the folder until this process ends: its variables are not always visible to others.
    pub(crate) fn use_until_end(&self) {
        // Without a lock, the folder may be removed before this process ends, and later processes are not recorded.
        if let Ok(lock) = File::open(self.path.join(LOCK_FILE))
            && lock.lock_shared().is_ok()
        {
            std::mem::forget(lock);
        }
    }

    /// Folder of this process, if `taut run` started it.
    pub(crate) fn from_environment() -> Option<RunFolder> {
        std::env::var_os(FOLDER_VARIABLE).map(|path| RunFolder { path: path.into() })
    }

    /// Reads the configuration.
    ///
    /// # Errors
    /// The file cannot be read, or another version wrote it.
    pub(crate) fn config(&self) -> io::Result<RunConfig> {
        Ok(serde_json::from_slice(&fs::read(self.path.join(CONFIG_FILE))?)?)
    }

    /// Path of this process's trace: the first process has the output itself, each later one a free name with its process
    /// id. `taut run` has checked the output; files of the other names are left as they are.
    pub(crate) fn trace_path(&self, config: &RunConfig) -> PathBuf {
        let first = OpenOptions::new().write(true).create_new(true).open(self.path.join(FIRST_FILE));
        if first.is_ok() {
            return config.output.clone();
        }
        let mut number = 1;
        loop {
            let name = with_process(&config.output, std::process::id(), number);
            if name.symlink_metadata().is_err() {
                return name;
            }
            number += 1;
        }
    }

    /// Announces to `taut run` that a process could not begin its trace.
    pub(crate) fn announce_failure(&self) {
        // Without the file, `taut run` reports a program without calls.
        let _ = fs::write(self.path.join(FAILED_FILE), []);
    }

    /// True if a process could not begin its trace.
    pub fn has_failure(&self) -> bool {
        self.path.join(FAILED_FILE).exists()
    }

    /// Announces a trace to `taut run`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn announce(&self, trace: &Path) -> io::Result<()> {
        let name = format!("{}", std::process::id());
        let file = self.path.join(TRACES_FOLDER).join(name);
        fs::write(file, trace.as_os_str().as_bytes())
    }

    /// Paths of the traces that the program's processes began; the output comes first. Without a trace the output is
    /// taken: a process that begins one later uses another name.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn traces(&self) -> io::Result<Vec<PathBuf>> {
        let output = self.config()?.output;
        let mut traces = Vec::new();
        for entry in fs::read_dir(self.path.join(TRACES_FOLDER))? {
            traces.push(PathBuf::from(OsString::from_vec(fs::read(entry?.path())?)));
        }
        if traces.is_empty() {
            // An error means that the file exists.
            let _ = File::create_new(self.path.join(FIRST_FILE));
        }
        traces.sort_by_key(|trace| (*trace != output, trace.clone()));
        traces.dedup();
        Ok(traces)
    }
}

/// True if a process of this user began with the folder as a variable.
fn has_process(folder: &Path) -> bool {
    let mut variable = format!("{FOLDER_VARIABLE}=").into_bytes();
    variable.extend(folder.as_os_str().as_bytes());
    let has_variable = |entry: fs::DirEntry| {
        let variables = fs::read(entry.path().join("environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(|found| found == variable)
    };
    fs::read_dir("/proc").is_ok_and(|entries| entries.flatten().any(has_variable))
}

/// `gears.taut` of process 7 is `gears.7.taut`, or `gears.7-2.taut` with the number 2.
fn with_process(output: &Path, process: u32, number: u32) -> PathBuf {
    let mut name = output.file_stem().unwrap_or_default().to_owned();
    name.push(if number > 1 { format!(".{process}-{number}") } else { format!(".{process}") });
    if let Some(extension) = output.extension() {
        name.push(".");
        name.push(extension);
    }
    output.with_file_name(name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn later_traces_have_the_process_in_their_names() {
        assert_eq!(with_process(Path::new("a/gears.taut"), 7, 1), Path::new("a/gears.7.taut"));
        assert_eq!(with_process(Path::new("a/gears.taut"), 7, 2), Path::new("a/gears.7-2.taut"));
        assert_eq!(with_process(Path::new("gears"), 7, 1), Path::new("gears.7"));
    }

    #[test]
    fn the_name_of_a_later_trace_is_free() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("run")).unwrap();
        let config: RunConfig = RunConfig {
            output: folder.path().join(OsString::from_vec(b"x\xff.taut".to_vec())),
            program: String::new(),
            drivers: Vec::new(),
            machine: None,
            settings: Settings::default(),
            strict: false,
            quiet: true,
            writing: Writing::from(&WriteOptions::default()),
        };
        let (run, lock) = RunFolder::create(&folder.path().join("run"), &config).unwrap();
        assert!(!RunFolder::is_unused(&folder.path().join("run")));
        drop(lock);
        assert!(RunFolder::is_unused(&folder.path().join("run")));
        assert_eq!(run.config().unwrap().output, config.output);
        assert_eq!(run.trace_path(&config), config.output);
        let process = std::process::id();
        let named = |number| with_process(&config.output, process, number);
        assert_eq!(run.trace_path(&config), named(1));
        fs::write(named(1), "notes").unwrap();
        std::os::unix::fs::symlink("nowhere", named(2)).unwrap();
        assert_eq!(run.trace_path(&config), named(3), "a file and a dangling link are left as they are");
    }

    #[test]
    fn options_of_the_writer_are_passed_on() {
        let options = WriteOptions {
            mode: Mode::Circular,
            max_bytes: Some(1 << 20),
            on_full: OnFull::Drop,
            sync_interval: Some(Duration::from_millis(5)),
            ..WriteOptions::default()
        };
        assert_eq!(Writing::from(&options).options(), options);
    }
}

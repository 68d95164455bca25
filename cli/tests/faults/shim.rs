//! The library that has calls to the file system fail: built once from shim.c, and put before a process's own functions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time that any run has.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The error numbers EIO and ENOSPC.
pub const ERRORS: [i32; 2] = [5, 28];

/// One call that fails.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// Index among the calls to files below the folder, from 0.
    pub at: usize,
    /// The error number.
    pub error: i32,
    /// All calls after it fail, too.
    pub lasts: bool,
}

/// End of a run.
#[derive(Debug)]
pub struct Run {
    /// The exit code; `None` where a signal ended the process.
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
    /// The calls to files below the folder: what each is, and the file.
    pub calls: Vec<(String, PathBuf)>,
}

/// Runs commands whose calls are counted and may fail.
pub struct Shim {
    library: PathBuf,
    /// Folder of counters and logs, outside of the folders of the commands.
    folder: tempfile::TempDir,
}

impl Shim {
    /// Builds the library; `None` on a machine without a C compiler.
    pub fn build() -> Option<Shim> {
        let folder = tempfile::tempdir().expect("a folder");
        let library = folder.path().join("shim.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/shim.c");
        let mut build = Command::new("cc");
        build.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl");
        let output = build.output().ok()?;
        assert!(output.status.success(), "shim.c: {}", String::from_utf8_lossy(&output.stderr));
        Some(Shim { library, folder })
    }

    /// Runs `taut` with these arguments in `folder`; `fault` fails in it.
    pub fn run(&self, folder: &Path, arguments: &[&str], fault: Option<Fault>) -> Run {
        // A name of their own: runs go on side by side.
        let own = tempfile::tempdir_in(self.folder.path()).expect("a folder");
        let [counter, log, out, err] = ["counter", "log", "out", "err"].map(|name| own.path().join(name));
        fs::write(&counter, [0; 8]).expect("the counter is written");
        fs::write(&log, "").expect("the log is written");
        let output = |path: &Path| Stdio::from(fs::File::create(path).expect("a file for the output"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
        command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(output(&out)).stderr(output(&err));
        command.env("NO_COLOR", "1").env("TAUT_CACHE", folder.join("cache")).env("SOURCE_DATE_EPOCH", "1");
        command.env("LD_PRELOAD", &self.library).env("TAUT_FAULT_FOLDER", folder);
        command.env("TAUT_FAULT_COUNTER", &counter).env("TAUT_FAULT_LOG", &log);
        if let Some(Fault { at, error, lasts }) = fault {
            command.env("TAUT_FAULT_AT", at.to_string()).env("TAUT_FAULT_ERROR", error.to_string());
            command.env("TAUT_FAULT_LASTS", u8::from(lasts).to_string());
        }
        let code = end_of(&mut command.spawn().expect("taut runs"), arguments);
        let log = String::from_utf8_lossy(&fs::read(log).expect("the log is read")).into_owned();
        let call = |line: &str| {
            let (_, rest) = line.split_once(' ')?;
            let (what, path) = rest.split_once(' ')?;
            Some((what.to_owned(), PathBuf::from(path)))
        };
        Run {
            code,
            stdout: fs::read(out).expect("standard output is read"),
            stderr: String::from_utf8_lossy(&fs::read(err).expect("standard error is read")).into_owned(),
            calls: log.lines().filter_map(call).collect(),
        }
    }
}

/// The exit code of a process, which has to end in time.
fn end_of(child: &mut Child, arguments: &[&str]) -> Option<i32> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the process is asked") {
            return status.code();
        }
        if begun.elapsed() > TIMEOUT {
            child.kill().expect("the process is ended");
            panic!("{arguments:?} did not end in {TIMEOUT:?}");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

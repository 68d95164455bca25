//! `taut` as the tests start it.

use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Result of a command.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// JSON on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.current_dir(folder).env("TAUT_CACHE", folder.join("cache"));
    command
}

/// Runs a command to its end.
pub fn run<A: AsRef<OsStr>>(folder: &Path, arguments: &[A]) -> Run {
    let output = command(folder).args(arguments).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs a command that must end with exit code 0; returns its standard output.
pub fn succeed<A: AsRef<OsStr> + std::fmt::Debug>(folder: &Path, arguments: &[A]) -> String {
    let run = run(folder, arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {}{}", run.stdout, run.stderr);
    run.stdout
}

/// Path in the repository.
pub fn repository(path: &str) -> PathBuf {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(path);
    // Built for Windows on another system, the folder lacks the drive.
    std::path::absolute(found).unwrap()
}

/// Process that does not outlive a failed test.
pub struct Process(pub Child);

impl Process {
    pub fn start(command: &mut Command) -> Process {
        Process(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Starts a recording and waits until its trace is at `path`.
    pub fn record(folder: &Path, arguments: &[&str], path: &Path) -> Process {
        let mut process = Process::start(command(folder).args(arguments));
        let begun = Instant::now();
        while !path.exists() {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing is recorded");
            assert!(process.0.try_wait().unwrap().is_none(), "the recording has ended");
            std::thread::sleep(Duration::from_millis(2));
        }
        process
    }

    /// Exit code, once the process has ended.
    pub fn code(&mut self) -> Option<i32> {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.code();
            }
            assert!(begun.elapsed() < Duration::from_secs(120), "the process does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Names of the files in a folder, in order, without the folder of the cache.
pub fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name != "cache")
        .collect();
    names.sort();
    names
}

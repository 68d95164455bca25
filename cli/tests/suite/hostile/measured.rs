//! Peak memory and processor time of a process. The test starts itself as the measuring process: a child's peak memory
//! counts at least the size of its parent, and the tests allocate large files.

use nix::sys::resource::{UsageWho, getrusage};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Environment variable with the command line of the program to measure.
const PROGRAM: &str = "TAUT_MEASURED";

/// Separator of the arguments.
const SEPARATOR: &str = "\u{1f}";

/// Result of a process: exit code, stderr, peak memory, processor time.
#[derive(Debug)]
pub struct Measured {
    pub code: i32,
    pub stderr: String,
    pub peak_bytes: u64,
    pub time: Duration,
}

/// Runs `program` in `folder` and measures it; its output is discarded.
pub fn run(folder: &Path, program: &Path, arguments: &[&str]) -> Measured {
    let words = [&[program.to_str().expect("a path in UTF-8")], arguments].concat().join(SEPARATOR);
    let status = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "hostile::a_program_is_measured"])
        .env(PROGRAM, words)
        .env("NO_COLOR", "1")
        .env("TAUT_CACHE", "")
        .current_dir(folder)
        .stdout(Stdio::null())
        .status()
        .expect("the test runs");
    assert!(status.success(), "{arguments:?} was not measured: {status}");
    let measured = fs::read_to_string(folder.join("measured")).expect("what was measured");
    let mut numbers = measured.split(' ').map(|number| number.parse::<u64>().expect("a number"));
    let mut next = || numbers.next().expect("three numbers");
    let (code, peak_bytes, time) = (next() as i32, next(), Duration::from_micros(next()));
    let stderr = String::from_utf8_lossy(&fs::read(folder.join("said")).expect("what was said")).into_owned();
    Measured { code, stderr, peak_bytes, time }
}

/// Code of the measuring process, which writes its results into the folder.
pub fn measure() {
    let Ok(words) = std::env::var(PROGRAM) else { return };
    let words: Vec<&str> = words.split(SEPARATOR).collect();
    let status = Command::new(words[0])
        .args(&words[1..])
        .stdout(Stdio::null())
        .stderr(File::create("said").expect("a file"))
        .status()
        .expect("the program runs");
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system tells");
    let (user, system) = (used.user_time(), used.system_time());
    let micros = (user.tv_sec() + system.tv_sec()) * 1_000_000 + user.tv_usec() + system.tv_usec();
    // A process ended by a signal has no exit code.
    let code = status.code().expect("an exit code");
    fs::write("measured", format!("{code} {} {micros}", used.max_rss() << 10)).expect("a file");
}

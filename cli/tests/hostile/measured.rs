//! What a process took: its memory at most, and the processor's time. The test runs itself as the one who measures, since a process
//! is said to have had at least the size of whoever began it, and tests make large files.

use nix::sys::resource::{UsageWho, getrusage};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Names the program that is to be measured.
const PROGRAM: &str = "TAUT_MEASURED";

/// Separates its arguments.
const SEPARATOR: &str = "\u{1f}";

/// How a process ended, and what it took.
#[derive(Debug)]
pub struct Measured {
    pub code: i32,
    pub stderr: String,
    pub peak_bytes: u64,
    pub time: Duration,
}

/// Runs `program` in `folder`; nobody keeps what it prints.
pub fn run(folder: &Path, program: &Path, arguments: &[&str]) -> Measured {
    let words = [&[program.to_str().expect("a path in UTF-8")], arguments].concat().join(SEPARATOR);
    let status = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "a_program_is_measured"])
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

/// The part of who measures: leaves what it found in the folder.
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
    // Of a signal there is no code.
    let code = status.code().expect("an exit code");
    fs::write("measured", format!("{code} {} {micros}", used.max_rss() << 10)).expect("a file");
}

//! Tests with files that are costly to read: programs end with the documented exit codes, use little memory, and take
//! time proportional to the file and the rows that it declares.
#![allow(clippy::expect_used)]
#![cfg(target_os = "linux")]

#[path = "../../../../traces/tests/suite/by_hand/mod.rs"]
mod by_hand;
mod files;
mod inputs;
mod measured;

use files::{ALL, Hostile, Verdict};
use measured::{Measured, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const MIB: u64 = 1 << 20;

/// Times below this are not checked for linear growth.
const MIN_CHECKED_TIME: Duration = Duration::from_millis(500);

/// Commands that take a trace.
const COMMANDS: [&[&str]; 5] = [&["info", "--verify"], &["dump"], &["dump", "--json"], &["analyze"], &["replay"]];

const SQL: &str = "SELECT name, count(*) FROM events GROUP BY name";

/// Entry point of the process that measures the others.
#[test]
fn a_program_is_measured() {
    measured::measure();
}

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_taut"))
}

fn ran(folder: &Path, command: &[&str]) -> Measured {
    let question = if command == ["query"] { &[SQL][..] } else { &[] };
    run(folder, &program(), &[command, &["x.taut"], question].concat())
}

/// Maximum memory of a process for blocks with `rows_bytes` bytes of rows: `base`, the mapped file, 64 MiB, and two
/// blocks for each worker.
fn max_memory_bytes(base: u64, file_bytes: u64, rows_bytes: u64) -> u64 {
    let workers = std::thread::available_parallelism().map_or(1, |workers| workers.get() as u64);
    base + file_bytes + (64 * MIB + 2 * rows_bytes * workers).min(256 * MIB)
}

/// Peak memory of `command` for a minimal trace.
fn base(folder: &Path, command: &[&str]) -> u64 {
    fs::write(folder.join("x.taut"), by_hand::file(by_hand::TEXT, &[by_hand::Block::sound()])).expect("a file");
    ran(folder, command).peak_bytes
}

/// Runs a command on a file of this size, checks the result, and returns its time.
fn check(folder: &Path, (hostile, size): (&Hostile, usize), command: &[&str], base: u64) -> Duration {
    let Measured { code, stderr, peak_bytes, time } = ran(folder, command);
    let above = peak_bytes.saturating_sub(base) / MIB;
    let what = format!("{}, {command:?}, {size}: {time:?}, {above} MiB above {}", hostile.name, base / MIB);
    println!("{what}");
    assert!(!stderr.contains("panicked"), "{what}: {stderr}");
    assert!([0, 1, 3].contains(&code), "{what}: {code}, {stderr}");
    if hostile.verdict == Verdict::Damaged {
        assert!(code == 3 && stderr.contains("x.taut"), "{what}: {code}, {stderr}");
    } else if matches!(command[0], "info" | "dump") {
        assert_eq!(code, 0, "{what}: {stderr}");
    }
    let file_bytes = fs::metadata(folder.join("x.taut")).expect("the file").len();
    assert!(peak_bytes <= max_memory_bytes(base, file_bytes, (hostile.rows)(size)), "{what}");
    time
}

#[test]
fn hostile_files_take_little_memory_and_time_proportional_to_their_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let bases = COMMANDS.map(|command| base(folder, command));
    for hostile in &ALL {
        let make = |size| fs::write(folder.join("x.taut"), (hostile.make)(size)).expect("a file");
        make(hostile.size);
        let commands = COMMANDS.into_iter().zip(bases).filter(|(command, _)| !hostile.is_vast || command[0] != "dump");
        let large =
            commands.map(|(command, base)| (command, base, check(folder, (hostile, hostile.size), command, base)));
        let long: Vec<_> = large.filter(|(.., large)| *large > MIN_CHECKED_TIME).collect();
        if !long.is_empty() {
            make(hostile.size / 4);
        }
        for (command, base, large) in long {
            let small = check(folder, (hostile, hostile.size / 4), command, base);
            // Linear cost grows by 4, quadratic cost by 16.
            assert!(large <= 8 * small + MIN_CHECKED_TIME, "{}, {command:?}: {small:?} and {large:?}", hostile.name);
        }
    }
}

/// Checks the same for SQL queries, which run in `taut-tables`.
#[test]
fn queries_of_hostile_files_take_little_memory() {
    if !program().with_file_name("taut-tables").is_file() {
        eprintln!("skipped: queries_of_hostile_files_take_little_memory: taut-tables is not built");
        assert!(std::env::var_os("CI").is_none(), "in CI it has to be there");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let base = base(folder, &["query"]);
    for hostile in &ALL {
        fs::write(folder.join("x.taut"), (hostile.make)(hostile.size)).expect("a file");
        check(folder, (hostile, hostile.size), &["query"], base);
    }
}

//! Tests of `taut dump` of a range, and of a trace that is being recorded: the lines are those of the whole trace.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use taut::Taut;

fn spawn(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs")
}

/// Starts a recording of `frames` frames, and waits until its trace exists.
fn begin(folder: &Path, frames: &str) -> Child {
    let frames = format!("frames={frames}");
    let mut child = spawn(folder, &["record", "streaming-world", "--threads", "3", "--set", &frames, "-o", "x.taut"]);
    let begun = Instant::now();
    while !folder.join("x.taut").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60) && child.try_wait().expect("a state").is_none());
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

fn stamp(line: &str) -> u64 {
    line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a stamp")
}

#[test]
fn a_range_of_a_trace_has_the_lines_of_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "streaming-world", "--threads", "3", "--set", "frames=1200", "-o", "x.taut"]);
    let whole = taut.stdout(&["dump", "x.taut"]);
    let whole: Vec<&str> = whole.lines().collect();
    assert!(whole.len() > 3 * 65_536, "several blocks of each thread: {}", whole.len());
    for (first, last) in
        [(0, 10), (70_000, 70_300), (whole.len() / 2, whole.len() / 2 + 5), (whole.len() - 90, whole.len() - 1)]
    {
        let (from, to) = (stamp(whole[first]), stamp(whole[last]));
        let (from_text, to_text) = (from.to_string(), to.to_string());
        let expected: Vec<&str> = whole.iter().copied().filter(|line| (from..=to).contains(&stamp(line))).collect();
        let part = taut.stdout(&["dump", "x.taut", "--from", &from_text, "--to", &to_text]);
        assert!(part.lines().eq(expected.iter().copied()), "from line {first} to {last}");
        let of_thread = |line: &&&str| line.split_whitespace().nth(1) == Some("2");
        let part = taut.stdout(&["dump", "x.taut", "--from", &from_text, "--to", &to_text, "--thread", "2"]);
        assert!(part.lines().eq(expected.iter().filter(of_thread).copied()), "thread 2 from line {first} to {last}");

        let around = taut.stdout(&["dump", "x.taut", "--around", &to_text]);
        let at = whole.partition_point(|line| stamp(line) < to);
        let expected = &whole[at.saturating_sub(20)..(at + 20).min(whole.len())];
        assert!(around.lines().eq(expected.iter().copied()), "around line {last}: {around}");
        let around = taut.stdout(&["dump", "x.taut", "--around", &to_text, "--event", "Unmap", "--limit", "4"]);
        let is_called = |line: &&str| line.contains(" Unmap ");
        let before: Vec<&str> = whole[..at].iter().rev().copied().filter(is_called).take(2).collect();
        let after = whole[at..].iter().copied().filter(is_called).take(2);
        assert!(around.lines().eq(before.into_iter().rev().chain(after)), "Unmap around line {last}: {around}");
    }
}

#[test]
fn a_recording_is_followed_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let recording = begin(folder.path(), "700");
    let following = spawn(folder.path(), &["dump", "x.taut", "--follow", "--json"]);
    assert!(recording.wait_with_output().expect("it ends").status.success());
    let followed = following.wait_with_output().expect("it ends as the recording does");
    assert_eq!(followed.status.code(), Some(0), "{}", String::from_utf8_lossy(&followed.stderr));
    let whole = taut.stdout(&["dump", "x.taut", "--json"]);
    let followed = String::from_utf8(followed.stdout).expect("UTF-8");
    same_lines(&followed, &whole);
    // With an ended recording, following prints what exists and ends.
    assert!(taut.stdout(&["dump", "x.taut", "--follow", "--limit", "3"]).lines().count() == 3);
}

#[cfg(unix)]
#[test]
fn following_ends_where_a_recording_was_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let mut recording = begin(folder.path(), "1000000000");
    let following = spawn(folder.path(), &["dump", "x.taut", "--follow", "--json"]);
    std::thread::sleep(Duration::from_millis(300));
    recording.kill().expect("it can be killed");
    recording.wait().expect("it ends");
    let followed = following.wait_with_output().expect("it ends as the recording does");
    let whole = taut.run(&["dump", "x.taut", "--json"]);
    assert_eq!((followed.status.code(), whole.code), (Some(3), 3), "{}", String::from_utf8_lossy(&followed.stderr));
    same_lines(&String::from_utf8(followed.stdout).expect("UTF-8"), &whole.stdout);
}

/// Checks for equal lines. Those of a thread without events for a second may come later, but stay in order.
fn same_lines(followed: &str, whole: &str) {
    let thread = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["thread"].as_u64().expect("a thread");
    let by_thread = |text: &str| {
        let mut lines: Vec<(u64, String)> = text.lines().map(|line| (thread(line), line.to_owned())).collect();
        // The sort is stable, so the lines of each thread stay in order.
        lines.sort_by_key(|(thread, _)| *thread);
        lines
    };
    let (followed, whole) = (by_thread(followed), by_thread(whole));
    assert_eq!(followed.len(), whole.len());
    assert!(followed == whole, "a line differs");
}

/// A mapped file that is shortened causes SIGBUS in its readers; the program must turn that into an error.
#[cfg(target_os = "linux")]
#[test]
fn a_trace_that_becomes_shorter_while_it_is_read_is_an_error() {
    use std::io::Read;
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "streaming-world", "--threads", "2", "--set", "frames=1200", "-o", "x.taut"]);
    // The pipe fills, so that the program waits with most of the file unread.
    let mut dumping = spawn(folder.path(), &["dump", "x.taut"]);
    let mut printed = dumping.stdout.take().expect("a pipe");
    printed.read_exact(&mut [0; 100]).expect("lines");
    let file = std::fs::OpenOptions::new().write(true).open(folder.path().join("x.taut")).expect("the trace");
    file.set_len(4096).expect("it can be shortened");
    let mut rest = Vec::new();
    printed.read_to_end(&mut rest).expect("lines");
    drop(printed);
    let ended = dumping.wait_with_output().expect("it ends");
    let message = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(4), "{message}");
    assert!(message.contains("became shorter while it was read"), "{message}");
}

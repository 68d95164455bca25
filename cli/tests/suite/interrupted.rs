//! Tests of interrupted commands: a recording is completed, other commands leave no files. Tests of traces through
//! pipes (`-`).
#![allow(clippy::expect_used)]
#![cfg(unix)]

use crate::taut;

use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use taut::{Taut, recorded};

/// Command with the default signal actions, even if the parent process ignores signals, as under nohup.
fn with_default_signals(program: &str) -> Command {
    const RESET: &str = "--default-signal=HUP,INT,TERM";
    let known = Command::new("env").args([RESET, "true"]).stderr(Stdio::null()).status();
    if !known.is_ok_and(|status| status.success()) {
        return Command::new(program);
    }
    let mut command = Command::new("env");
    command.args([RESET, program]);
    command
}

fn start(folder: &Path, arguments: &[&str], stdin: Stdio) -> Child {
    with_default_signals(env!("CARGO_BIN_EXE_taut"))
        .args(arguments)
        .current_dir(folder)
        .env("SOURCE_DATE_EPOCH", "1763769600")
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
}

/// Waits until an unfinished file of the process has `bytes` bytes. A recording has its final name from the start.
fn wait_for_part(child: &mut Child, folder: &Path, bytes: u64) {
    let begun = Instant::now();
    let is_part = |path: &Path| path.extension().is_some_and(|ending| ending == "part") || path.ends_with("x.taut");
    let size = || {
        let files = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
        let parts = files.filter(|path| is_part(path)).filter_map(|path| fs::metadata(path).ok());
        parts.map(|part| part.len()).max()
    };
    while size().is_none_or(|size| size < bytes) {
        if begun.elapsed() > Duration::from_secs(60) || child.try_wait().expect("a state").is_some() {
            child.kill().expect("it can be killed");
            panic!("nothing is written");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into())
        .collect();
    names.sort();
    names
}

#[test]
fn an_interrupted_recording_is_whole_reports_it_and_replays() {
    for (signal_name, workload, set) in [
        ("-INT", "streaming-world", "frames=1000000000"),
        ("-TERM", "game-session", "frames=1000000000"),
        ("-INT", "texture-upload", "uploads=100000"),
        // SIGHUP: the terminal was closed.
        #[cfg(target_os = "linux")]
        ("-HUP", "mode-storm", "frames=1000000000"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let taut = Taut::new(folder.path());
        let mut child = start(folder.path(), &["record", workload, "--set", set, "-o", "x.taut"], Stdio::null());
        // The header alone exceeds this size.
        wait_for_part(&mut child, folder.path(), 16 << 10);
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, signal_name);
        let ended = child.wait_with_output().expect("it ends");
        let message = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(130), "{workload}: {message}");
        assert!(message.contains("interrupted"), "{workload}: {message}");
        assert_eq!(names(folder.path()), ["x.taut"]);
        let info: Value = serde_json::from_str(&taut.stdout(&["info", "x.taut", "--verify", "--json"])).expect("JSON");
        assert_eq!((&info["complete"], &info["interrupted"]), (&true.into(), &true.into()), "{workload}");
        assert_eq!(info["lost_events"], 0);
        taut.stdout(&["replay", "x.taut"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_recording_that_is_to_outlive_its_terminal_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = with_default_signals("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" record streaming-world --set frames=1000000000 -o x.taut"])
        .arg(env!("CARGO_BIN_EXE_taut"))
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell runs");
    wait_for_part(&mut child, folder.path(), 16 << 10);
    signal(&child, "-HUP");
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("a state").is_none(), "as nohup has it");
    signal(&child, "-TERM");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(names(folder.path()), ["x.taut"]);
}

#[test]
fn a_second_signal_ends_a_recording_that_cannot_end_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let line = ["record", "streaming-world", "--set", "frames=1000000000", "-o", "pipe"];
    let mut child = start(folder.path(), &line, Stdio::null());
    let mut reader = fs::File::open(&pipe).expect("the pipe");
    // Reads the header and the first blocks. The rest is never read, so the recording blocks forever.
    let mut beginning = vec![0; 2 << 20];
    reader.read_exact(&mut beginning).expect("the beginning of a trace");
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("a state").is_none(), "the pipe is full, and the recording not whole");
    signal(&child, "-INT");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

#[test]
fn a_recording_that_ends_by_itself_is_not_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let info: Value = serde_json::from_str(&taut.stdout(&["info", "level.taut", "--json"])).expect("JSON");
    assert_eq!((&info["complete"], &info["interrupted"]), (&true.into(), &false.into()));
}

#[test]
fn interrupted_work_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "streaming-world", "--set", "frames=3000", "-o", "long.taut"]);
    fs::write(folder.path().join("old.jsonl"), "").expect("a file");
    for line in [
        &["export", "long.taut", "--to", "jsonl", "-o", "old.jsonl"][..],
        &["export", "long.taut", "--to", "perfetto", "-o", "new.json"],
        &["replay", "long.taut", "-o", "again.taut"],
        &["analyze", "long.taut", "--format", "html", "-o", "page.html"],
        &["query", "long.taut", "SELECT * FROM events", "--format", "csv", "-o", "events.csv"],
    ] {
        let mut child = start(folder.path(), line, Stdio::null());
        wait_for_part(&mut child, folder.path(), 0);
        signal(&child, "-INT");
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!(ended.status.code(), Some(130), "{line:?}: {}", String::from_utf8_lossy(&ended.stderr));
        assert_eq!(names(folder.path()), ["long.taut", "old.jsonl"], "{line:?}");
        assert_eq!(fs::read(folder.path().join("old.jsonl")).expect("the old file"), b"", "{line:?}");
    }
}

#[test]
fn an_interrupted_lake_leaves_no_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "streaming-world", "--set", "frames=3000", "-o", "long.taut"]);
    let line = ["export", "long.taut", "--to", "parquet", "-o", "new/lake"];
    let mut child = start(folder.path(), &line, Stdio::null());
    let begun = Instant::now();
    while !folder.path().join("new/lake").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60) && child.try_wait().expect("a state").is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(&child, "-INT");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(names(folder.path()), ["long.taut"]);
}

/// Runs a command with `input` as standard input, through a pipe.
fn piped(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = start(folder, arguments, Stdio::piped());
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // Writing fails if the command reads nothing, or not everything.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("it ends")
    })
}

#[test]
fn a_trace_comes_and_goes_through_pipes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (taut, at) = (Taut::new(folder.path()), folder.path());
    let bytes = fs::read(recorded(&taut)).expect("a trace");
    for line in [
        &["info", "-"][..],
        &["dump", "-", "--limit", "9"],
        &["replay", "-"],
        &["analyze", "-"],
        &["diff", "-", "level.taut"],
        &["diff", "level.taut", "-"],
        &["query", "-", "SELECT count(*) AS n FROM heaps"],
        &["export", "-", "--to", "jsonl", "-o", "-"],
        &["export", "-", "--to", "jsonl"],
        &["analyze", "-", "--format", "html", "-o", "-"],
    ] {
        let from_pipe = piped(at, line, &bytes);
        assert_eq!(from_pipe.status.code(), Some(0), "{line:?}: {}", String::from_utf8_lossy(&from_pipe.stderr));
        assert!(!from_pipe.stdout.is_empty(), "{line:?}");
        let file = fs::File::open(at.join("level.taut")).expect("a trace");
        let from_file = start(at, line, file.into()).wait_with_output().expect("it ends");
        assert!(from_file.stdout == from_pipe.stdout, "{line:?}");
        let cut = piped(at, line, &bytes[..bytes.len() - 30]);
        assert!(matches!(cut.status.code(), Some(3)), "{line:?}: {}", String::from_utf8_lossy(&cut.stderr));
        for nothing in [&b""[..], b"no trace", b"\x89TAUT"] {
            let run = piped(at, line, nothing);
            let message = String::from_utf8_lossy(&run.stderr).into_owned();
            assert_eq!(run.status.code(), Some(3), "{line:?}: {message}");
            assert!(message.contains("standard input"), "{line:?}: {message}");
        }
    }
    let recording = ["record", "small-level", "--threads", "1", "--clock", "logical", "-o", "-"];
    assert!(piped(at, &recording, b"").stdout == bytes, "nothing but the trace is written");
    let rewritten = piped(at, &["replay", "-", "-o", "-", "--json"], &bytes);
    assert_eq!(rewritten.status.code(), Some(0));
    assert_eq!(piped(at, &["replay", "-"], &rewritten.stdout).status.code(), Some(0));
    let what_if = piped(at, &["replay", "-", "--tight", "off", "-o", "-"], &bytes);
    assert_eq!(piped(at, &["info", "-"], &what_if.stdout).status.code(), Some(0));
    assert!(!at.join("-").exists());
}

#[test]
fn a_pipe_with_a_name_is_a_trace_and_an_output_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (taut, at) = (Taut::new(folder.path()), folder.path());
    let bytes = fs::read(recorded(&taut)).expect("a trace");
    assert!(Command::new("mkfifo").arg(at.join("pipe")).status().expect("mkfifo runs").success());
    let reading = start(at, &["info", "pipe"], Stdio::null());
    fs::write(at.join("pipe"), &bytes).expect("it is read");
    assert_eq!(reading.wait_with_output().expect("it ends").status.code(), Some(0));
    let writing = start(at, &["replay", "level.taut", "-o", "pipe"], Stdio::null());
    let through = fs::read(at.join("pipe")).expect("a trace");
    assert_eq!(writing.wait_with_output().expect("it ends").status.code(), Some(0));
    assert_eq!(piped(at, &["replay", "-"], &through).status.code(), Some(0));
}

#[test]
fn standard_input_is_read_once_and_never_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let (taut, at) = (Taut::new(folder.path()), folder.path());
    let bytes = fs::read(recorded(&taut)).expect("a trace");
    for line in [&["diff", "-", "-"][..], &["analyze", "-", "-"], &["query", "-", "-"]] {
        let run = piped(at, line, &bytes);
        let message = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.code() == Some(2) && message.contains("only once"), "{line:?}: {message}");
    }
    for line in
        [&["replay", "-", "-o", "level.taut"][..], &["export", "-", "--to", "jsonl", "-o", "level.taut", "--force"]]
    {
        let file = fs::File::open(at.join("level.taut")).expect("a trace");
        let run = start(at, line, file.into()).wait_with_output().expect("it ends");
        assert_eq!(run.status.code(), Some(2), "{line:?}");
        assert!(fs::read(at.join("level.taut")).expect("a trace") == bytes, "{line:?}");
    }
}

#[test]
fn a_recording_may_replace_a_trace_that_another_process_reads() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "streaming-world", "--set", "frames=300", "-o", "x.taut"]);
    let replaying = start(folder.path(), &["replay", "x.taut", "--repeat", "20"], Stdio::null());
    for _ in 0..5 {
        taut.stdout(&["record", "small-level", "-o", "x.taut", "--force"]);
    }
    let ended = replaying.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
}

/// Arguments of `record` in each of its forms.
const FORMS: [&[&str]; 8] = [
    &["small-level"],
    &["streaming-world", "--mode", "ring", "--max-size", "256KiB"],
    &["testdata/scenes/courtyard/courtyard.gltf"],
    &["testdata/scenes/courtyard/courtyard.gltf", "--set", "api=d3d11"],
    &["testdata/buffer-uses.jsonl"],
    &["testdata/allocator-dump.json"],
    &["testdata/presents/test_case_0.csv"],
    &["testdata/scenarios/two-threads.toml"],
];

#[test]
fn a_recording_that_is_interrupted_while_it_begins_is_whole_or_not_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for form in FORMS {
        let (input, options) = form.split_first().expect("a form");
        let input = if input.contains('/') { root.join(input) } else { input.into() };
        let input = input.to_str().expect("UTF-8");
        // None: as soon as the trace has its name.
        for (delay_ms, name) in
            [(None, "-INT"), (None, "-TERM"), (None, "-HUP"), (Some(20), "-TERM"), (Some(90), "-INT")]
        {
            let folder = tempfile::tempdir().expect("a folder");
            let line = [&["record", input, "-o", "x.taut"], options].concat();
            let mut child = start(folder.path(), &line, Stdio::null());
            match delay_ms {
                Some(delay_ms) => std::thread::sleep(Duration::from_millis(delay_ms)),
                None => {
                    while !folder.path().join("x.taut").exists() && child.try_wait().expect("a state").is_none() {
                        std::thread::sleep(Duration::from_micros(100));
                    }
                }
            }
            signal(&child, name);
            let ended = child.wait_with_output().expect("it ends");
            let (code, message) = (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned());
            let case = format!("{form:?}, {name} after {delay_ms:?} ms: {code:?}: {message}");
            // Without a code: the signal came before anything was begun.
            assert!(matches!(code, None | Some(0 | 130)), "{case}");
            let left = names(folder.path());
            assert!(left.is_empty() || left == ["x.taut"], "{case}: {left:?}");
            if !left.is_empty() {
                let info = Taut::new(folder.path()).stdout(&["info", "x.taut", "--verify", "--json"]);
                let info: Value = serde_json::from_str(&info).expect("JSON");
                assert_eq!(info["complete"], true, "{case}");
            }
        }
    }
}

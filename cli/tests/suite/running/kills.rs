//! Kills of a program that allocates on 4 threads: the trace has each call that had returned.

use super::{in_folder, is_installed};
use crate::taut::Taut;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Threads of the program.
const THREADS: u64 = 4;

/// Compiles the program; false, with a message, where the compiler or the headers are missing.
fn has_program(taut: &Taut) -> bool {
    let test = "a_killed_program_leaves_each_call_that_returned";
    if !Path::new("/usr/include/wsl/winadapter.h").is_file() {
        eprintln!("skipped: {test}: DirectX-Headers (Debian package directx-headers-dev) are not installed");
        return false;
    }
    if !is_installed(test, "g++", "g++") {
        return false;
    }
    let source = format!("{}/tests/suite/running/killed.cpp", env!("CARGO_MANIFEST_DIR"));
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++17", "-o", "killed", &source, "-I/usr/include/wsl/stubs", "-I/usr/include/directx"]);
    compiler.args(["-lDirectX-Guids", "-ldl", "-lpthread"]).current_dir(taut.folder());
    assert!(compiler.status().expect("g++ runs").success());
    true
}

/// Process id of the program and creations that have returned on its threads; zeros before its start.
fn counts(taut: &Taut) -> [u64; 2] {
    let bytes = std::fs::read(taut.folder().join("counts")).unwrap_or_default();
    let mut words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
    [words.next().unwrap_or_default(), words.sum()]
}

fn kill(process: u64) {
    assert!(Command::new("kill").args(["-9", &process.to_string()]).status().expect("kill runs").success());
}

/// Number of an entry of the report `client` about the creation of placed resources.
fn creations(report: &serde_json::Value, list: &str, of: impl Fn(&serde_json::Value) -> u64) -> u64 {
    let is_creation = |one: &&serde_json::Value| one.to_string().contains("CreatePlacedResource");
    report["reports"]["client"][list].as_array().expect("a list").iter().filter(is_creation).map(of).sum()
}

/// Kills the program after `ms` of its work; with its parent, which cannot complete the trace then.
fn kill_once(taut: &Taut, ms: u64, with_parent: bool) {
    let _ = std::fs::remove_file(taut.folder().join("counts"));
    let mut command = taut.command(&["run", "--force", "-o", "k.taut", "--", "./killed", "counts"]);
    let mut parent = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    let begin = Instant::now();
    while counts(taut)[1] == 0 {
        assert!(begin.elapsed() < Duration::from_secs(60), "the program makes no call");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(ms));
    if with_parent {
        parent.kill().expect("the parent");
    }
    kill(counts(taut)[0]);
    parent.wait().expect("the parent");
    if with_parent {
        // The process ends, and releases its lock, soon after the signal.
        let begin = Instant::now();
        while taut.run(&["recover", "k.taut"]).code != 0 {
            assert!(begin.elapsed() < Duration::from_secs(60), "{}", taut.run(&["recover", "k.taut"]).stderr);
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let [_, returned] = counts(taut);
    let report = taut.stdout(&["analyze", "k.taut", "--report", "client", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let begun = creations(&report, "calls", |calls| calls["count"].as_u64().expect("a count"));
    let in_progress = creations(&report, "in_progress", |_| 1);
    assert!(begun - in_progress >= returned, "{begun} calls, {in_progress} in progress, {returned} returned");
    assert!(begun <= returned + THREADS, "{begun} calls, {returned} returned on {THREADS} threads");
    let replay = taut.stdout(&["replay", "k.taut"]);
    assert!(replay.contains("identical"), "{replay}");
}

/// TAUT_KILLS sets the number of programs; every second one is killed with its parent.
#[test]
fn a_killed_program_leaves_each_call_that_returned() {
    let kills: u64 = std::env::var("TAUT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6);
    in_folder(|taut| {
        if !has_program(taut) {
            return;
        }
        for number in 0..kills {
            // A linear congruential generator is random enough for moments.
            let moment = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 33;
            kill_once(taut, moment % 150, number % 2 == 1);
        }
    });
}

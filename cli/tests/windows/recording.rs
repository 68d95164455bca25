//! Recordings of every kind, read while they are made, ended and killed.

use crate::program::{Process, command, files, run, succeed};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Options of the three modes.
const MODES: [&[&str]; 3] =
    [&[], &["--mode", "ring", "--max-size", "2MiB"], &["--mode", "circular", "--max-size", "2MiB"]];

/// A workload that runs for hours.
const ENDLESS: [&str; 8] = ["record", "streaming-world", "--threads", "2", "--set", "frames=1000000", "-o", "x.taut"];

/// Default number of kills; `TAUT_KILLS` overrides it.
const KILLS: u64 = 6;

fn assert_replays(folder: &Path, trace: &str) {
    let replay = run(folder, &["replay", trace, "--json"]);
    assert_eq!(replay.json()["identical"], true, "{trace}: {replay:?}");
}

#[test]
#[cfg_attr(not(windows), ignore = "on Windows: the suite records them elsewhere")]
fn every_workload_is_recorded_replayed_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let listed = run(folder.path(), &["workloads", "--json"]).json();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|workload| workload["name"].as_str().unwrap()).collect();
    // The list also has a row for each kind of file.
    let bundled = names.into_iter().filter(|name| !name.contains('.')).map(str::to_owned);
    let files = ["level.gltf", "presents.csv", "allocator-dump.json"]
        .map(|name| crate::program::repository(&format!("examples/{name}")).to_str().unwrap().to_owned());
    let names: Vec<String> = bundled.chain(files).collect();
    assert!(names.len() >= 22, "{names:?}");
    for name in &names {
        succeed(folder.path(), &["record", name, "-o", "x.taut", "--force", "--quiet"]);
        assert_replays(folder.path(), "x.taut");
        for arguments in [
            &["info", "x.taut", "--verify"][..],
            &["analyze", "x.taut"],
            &["analyze", "x.taut", "--format", "html", "-o", "x.html"],
            &["export", "x.taut", "--to", "perfetto", "-o", "x.pftrace"],
            &["export", "x.taut", "--to", "jsonl", "-o", "x.jsonl"],
            &["dump", "x.taut", "--limit", "3", "--json"],
        ] {
            let run = run(folder.path(), arguments);
            assert!(matches!(run.code, Some(0 | 1)), "{name}: {arguments:?}: {run:?}");
        }
    }
}

#[test]
fn a_recording_that_discards_its_oldest_events_ends_as_a_complete_trace() {
    let folder = tempfile::tempdir().unwrap();
    for mode in &MODES[1..] {
        let arguments = ["record", "streaming-world", "--threads", "2", "--set", "frames=2000", "-o", "x.taut"];
        succeed(folder.path(), &[&arguments[..], mode].concat());
        assert_eq!(files(folder.path()), ["x.taut"], "side files and segments are removed");
        let info = run(folder.path(), &["info", "x.taut", "--verify", "--json"]).json();
        assert_eq!((&info["complete"], &info["verified"]), (&true.into(), &true.into()), "{info}");
        assert_replays(folder.path(), "x.taut");
    }
}

#[test]
fn a_recording_is_read_and_controlled_by_other_processes() {
    for mode in MODES {
        let folder = tempfile::tempdir().unwrap();
        let (folder, trace) = (folder.path(), folder.path().join("x.taut"));
        let mut recording = Process::record(folder, &[&ENDLESS[..], mode].concat(), &trace);
        std::thread::sleep(Duration::from_millis(300));
        succeed(folder, &["control", "x.taut", "status"]);
        succeed(folder, &["control", "x.taut", "snapshot"]);
        assert_replays(folder, "x.1.taut");
        for arguments in [&["info", "x.taut"][..], &["analyze", "x.taut"], &["dump", "x.taut", "--limit", "5"]] {
            let run = run(folder, arguments);
            assert!(matches!(run.code, Some(0 | 3)), "{arguments:?}: {run:?}");
        }
        let second = run(folder, &["record", "small-level", "-o", "x.taut", "--force"]);
        assert_eq!(second.code, Some(4), "{second:?}");
        succeed(folder, &["control", "x.taut", "stop"]);
        assert_eq!(recording.code(), Some(0));
        assert_eq!(files(folder), ["x.1.taut", "x.taut"]);
        assert_replays(folder, "x.taut");
    }
}

#[test]
fn a_recording_is_followed_until_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("x.taut");
    let mut recording = Process::record(folder.path(), &ENDLESS, &trace);
    let mut follow = command(folder.path());
    follow.args(["dump", "x.taut", "--follow", "--event", "CreateHeap"]).stdin(Stdio::null()).stderr(Stdio::null());
    let log = folder.path().join("log");
    let mut following = Process(follow.stdout(std::fs::File::create(&log).unwrap()).spawn().unwrap());
    std::thread::sleep(Duration::from_millis(500));
    succeed(folder.path(), &["control", "x.taut", "stop"]);
    assert_eq!((recording.code(), following.code()), (Some(0), Some(0)));
    assert!(std::fs::read_to_string(log).unwrap().lines().count() > 1);
    assert_eq!(files(folder.path()), ["log", "x.taut"]);
}

#[test]
fn a_killed_recording_is_recovered_and_replays_identically() {
    let kills = std::env::var("TAUT_KILLS").ok().map_or(KILLS, |kills| kills.parse().expect("a number"));
    let mut random = 0x9e37_79b9_7f4a_7c15_u64 ^ u64::from(std::process::id());
    for kill in 0..kills {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mode = MODES[(kill % 3) as usize];
        let mut recording = Process::record(folder, &[&ENDLESS[..], mode].concat(), &folder.join("x.taut"));
        std::thread::sleep(Duration::from_millis((random >> 33) % 1500));
        recording.kill();
        let damage = run(folder, &["info", "x.taut"]);
        assert_eq!(damage.code, Some(3), "{mode:?}: {damage:?}");
        let recovered = run(folder, &["recover", "x.taut", "--json"]);
        assert!(matches!(recovered.code, Some(0 | 3)), "{mode:?}: {recovered:?}");
        assert_eq!(files(folder), ["x.taut"], "{mode:?}");
        assert_replays(folder, "x.taut");
    }
}

#[test]
fn exit_codes_are_those_of_the_readme() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &["record", "small-level", "--clock", "logical", "-o", "x.taut"]);
    succeed(folder, &["record", "small-level", "--seed", "2", "--clock", "logical", "-o", "y.taut"]);
    assert_eq!(run(folder, &["diff", "x.taut", "y.taut"]).code, Some(1));
    assert_eq!(run(folder, &["analyze", "x.taut", "--no-such-option"]).code, Some(2));
    assert_eq!(run(folder, &["record", "turn-off", "-o", "x.taut"]).code, Some(2));
    let bytes = std::fs::read(folder.join("x.taut")).unwrap();
    std::fs::write(folder.join("cut.taut"), &bytes[..bytes.len() * 2 / 3]).unwrap();
    assert_eq!(run(folder, &["info", "cut.taut"]).code, Some(3));
    assert_eq!(run(folder, &["info", "none.taut"]).code, Some(4));
}

#[test]
fn drivers_are_tested_and_cases_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["hlk"]);
    let driver = crate::program::repository("examples/driver.toml");
    let hlk = run(folder.path(), &["hlk".as_ref(), "--driver".as_ref(), driver.as_os_str()]);
    assert!(matches!(hlk.code, Some(0 | 1)), "{hlk:?}");
    let cases = crate::program::repository("examples/cases.json");
    let cases = run(folder.path(), &["hlk".as_ref(), "--cases".as_ref(), cases.as_os_str()]);
    assert!(matches!(cases.code, Some(0 | 1)), "{cases:?}");
}

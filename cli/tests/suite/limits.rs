//! Tests of unlimited or deeply nested inputs, unwritable streams, and scarce system resources: a message and the
//! documented exit code.
#![cfg(target_os = "linux")]
#![allow(clippy::expect_used)]

use crate::taut;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};
use taut::{Taut, recorded};

/// Runs a line in a shell, with `taut` as `$T`, under a time limit.
fn shell(folder: &Path, line: &str) -> Output {
    let mut command = Command::new("timeout");
    command.args(["60", "sh", "-c", line]).current_dir(folder).env("T", env!("CARGO_BIN_EXE_taut"));
    command.env("TAUT_CACHE", "").env("NO_COLOR", "1").output().expect("a shell")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_input_without_end_is_larger_than_its_kind_may_be() {
    let folder = tempfile::tempdir().expect("a folder");
    recorded(&Taut::new(folder.path()));
    for name in ["zero.toml", "zero.json", "zero.csv", "zero.gltf"] {
        symlink("/dev/zero", folder.path().join(name)).expect("a link");
    }
    for (line, code, name) in [
        ("record small-level --driver zero.toml -o x.taut", 3, "zero.toml"),
        ("record small-level --machine zero.toml -o x.taut", 3, "zero.toml"),
        ("record zero.toml -o x.taut", 3, "zero.toml"),
        ("record skip-training --set shader=zero.toml -o x.taut", 2, "zero.toml"),
        ("record zero.json -o x.taut", 3, "zero.json"),
        ("record zero.csv -o x.taut", 3, "zero.csv"),
        ("record zero.gltf -o x.taut", 3, "zero.gltf"),
        ("record zero.gltf --set api=d3d11 -o x.taut", 3, "zero.gltf"),
        ("analyze level.taut --budget zero.toml", 3, "zero.toml"),
        ("hlk --cases zero.json", 3, "zero.json"),
        ("alloc-info zero.json", 3, "zero.json, line 1"),
        ("tile-info </dev/zero", 3, "standard input, line 1"),
    ] {
        // Address space limit: 256 MiB for the input and 1 GiB for the rest.
        let output = shell(folder.path(), &format!("ulimit -v 1310720; exec $T {line}"));
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{line}: {message}");
        // A capture is read by rows, and the first one is longer than a heading.
        let reason = if name == "zero.csv" { "expected a heading of at most 1 MiB" } else { "larger than" };
        assert!(name.is_empty() || message.contains(name) && message.contains(reason), "{line}: {message}");
        assert!(!message.contains("panicked"), "{line}: {message}");
        assert!(!folder.path().join("x.taut").exists(), "{line}");
    }
}

#[test]
fn nested_input_is_refused_before_it_takes_the_stack() {
    let folder = tempfile::tempdir().expect("a folder");
    let deep = |open: &str, count: usize| open.repeat(count);
    let scenario = |frame: &str| {
        format!("name = \"x\"\n[[phase]]\nname = \"p\"\nsteps = [{{ play = \"bundled\", frame = \"{frame}\" }}]\n")
    };
    let header = r#"{"format":"d3d12-calls","version":1,"source":"x","allocator_flags":0,"tests":{"0":"all"},"more":"#;
    let nodes = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{}]}}", deep("{},", 4_000_000));
    for (name, text, expected) in [
        ("sum.toml", scenario(&vec!["1"; 100_000].join("+")), "at most 500 operators"),
        ("signs.toml", scenario(&(deep("-", 100_000) + "1")), "at most 500 operators"),
        ("brackets.toml", scenario(&deep("(", 100_000)), "nested at most"),
        ("calls.toml", scenario(&deep("abs(", 100_000)), "nested at most"),
        ("lists.toml", format!("name = {}", deep("[", 100_000)), "lists.toml:1"),
        ("tables.toml", format!("name = {}", deep("{a=", 100_000)), "tables.toml:1"),
        ("many.toml", deep("a=1\n", 2_000_000), "signs and spaces"),
        ("dump.json", format!("{{\"General\":{}", deep("[", 100_000)), "dump.json:1"),
        ("log.jsonl", format!("{header}{}\n", deep("[", 100_000)), "log.jsonl:1"),
        ("scene.gltf", format!("{{\"extras\":{}", deep("[", 100_000)), "scene.gltf"),
        ("nodes.gltf", nodes, "objects in"),
    ] {
        fs::write(folder.path().join(name), text).expect("a file");
        let output = shell(folder.path(), &format!("ulimit -v 1310720; exec $T record {name} -o x.taut"));
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{name}: {message}");
        assert!(message.contains(expected) && message.len() < 2_000, "{name}: {message}");
    }
    for (line, code) in [("alloc-info deep.json", 3), ("tile-info deep.json", 3), ("hlk --cases deep.json", 3)] {
        fs::write(folder.path().join("deep.json"), format!("{{\"id\":{}", deep("[", 100_000))).expect("a file");
        let output = shell(folder.path(), &format!("exec $T {line}"));
        assert_eq!(output.status.code(), Some(code), "{line}: {}", stderr(&output));
    }
}

#[test]
fn pipes_in_the_place_of_buffers_and_images_block_no_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":64,"uri":"b.bin"}],
        "bufferViews":[{"buffer":0,"byteLength":64}],"images":[{"uri":"i.png"},{"bufferView":0,"mimeType":"image/png"}]}"#;
    fs::write(folder.path().join("scene.gltf"), scene).expect("a scene");
    let output = shell(folder.path(), "mkfifo b.bin i.png; exec $T record scene.gltf -o x.taut");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("image"), "what is left out is counted: {}", stderr(&output));
}

#[test]
fn a_pipe_as_a_shader_that_a_scenario_names_is_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, shaders, play) in [("own", "[shaders]\nown = \"pipe.toml\"\n", "own"), ("step", "", "pipe.toml")] {
        let phase = format!("[[phase]]\nname = \"p\"\nsteps = [{{ play = \"{play}\" }}]\n");
        fs::write(folder.path().join(format!("{name}.toml")), format!("name = \"s\"\n{shaders}{phase}"))
            .expect("a file");
        let output =
            shell(folder.path(), &format!("rm -f pipe.toml; mkfifo pipe.toml; exec $T record {name}.toml -o x.taut"));
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{name}: {message}");
        assert!(message.contains("pipe.toml: not a regular file"), "{name}: {message}");
        assert!(!folder.path().join("x.taut").exists(), "{name}");
    }
}

/// Command line, exit code, and true if it prints to stdout.
const COMMANDS: [(&str, i32, bool); 12] = [
    ("info level.taut", 0, true),
    ("dump level.taut --limit 5", 0, true),
    ("analyze level.taut", 0, true),
    ("replay level.taut", 0, true),
    ("drivers", 0, true),
    ("workloads --json", 0, true),
    ("record small-level -o x.taut --force", 0, true),
    ("info missing.taut", 4, false),
    ("info letter.txt", 3, false),
    ("record small-levle", 2, false),
    ("replya", 2, false),
    ("analyze level.taut --budget limits.toml --format csv -o x.csv --force", 1, false),
];

fn with_files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    recorded(&Taut::new(folder.path()));
    fs::write(folder.path().join("letter.txt"), "Dear diary").expect("a file");
    let limits = "limits = [\"alignment.peak.waste_ratio <= 0 %\"]";
    fs::write(folder.path().join("limits.toml"), limits).expect("a file");
    folder
}

#[test]
fn pipes_in_a_folder_that_is_written_into_are_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    for (line, name) in [("demo -o d --force", "d/page.html"), ("man -o d", "d/taut.1")] {
        let output = shell(folder.path(), &format!("mkdir -p d; $T {line} -q >names.txt; ls d"));
        let listed = String::from_utf8_lossy(&output.stdout).into_owned();
        let first = listed.lines().find(|file| !file.ends_with(".taut") || name.ends_with(".taut"));
        let first = first.unwrap_or_else(|| panic!("{line}: {listed}"));
        let output =
            shell(folder.path(), &format!("rm d/{first}; mkfifo d/{first}; $T {line}; end=$?; rm -r d; exit $end"));
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {message}");
        assert!(message.contains(first) && message.contains("found a pipe or a device"), "{line}: {message}");
    }
}

#[test]
fn a_stderr_that_takes_nothing_changes_no_exit_code() {
    let folder = with_files();
    for (line, code, _) in COMMANDS {
        for stderr in ["2>/dev/full", "2>&-"] {
            let output = shell(folder.path(), &format!("exec $T {line} {stderr}"));
            assert_eq!(output.status.code(), Some(code), "{line} {stderr}");
        }
    }
}

#[test]
fn a_stdout_that_takes_nothing_is_an_io_failure() {
    let folder = with_files();
    for (line, _, _) in COMMANDS.iter().filter(|(.., prints)| *prints) {
        let output = shell(folder.path(), &format!("exec $T {line} >/dev/full"));
        assert_eq!(output.status.code(), Some(4), "{line}: {}", stderr(&output));
        assert!(stderr(&output).contains("standard output"), "{line}: {}", stderr(&output));
    }
}

#[test]
fn a_system_that_gives_little_ends_no_command_by_a_panic() {
    let folder = with_files();
    for (line, ..) in COMMANDS {
        for limit in ["ulimit -n 8", "ulimit -n 5", "ulimit -f 0"] {
            let output = shell(folder.path(), &format!("{limit}; exec $T {line} 2>err"));
            let message = fs::read_to_string(folder.path().join("err")).unwrap_or_default() + &stderr(&output);
            let code = output.status.code();
            assert!(code.is_some_and(|code| code <= 4), "{limit}; {line}: {code:?} {message}");
            assert!(!message.contains("panicked"), "{limit}; {line}: {message}");
            assert!(!message.contains(".taut-"), "{limit}; {line}: {message}");
        }
    }
}

#[test]
fn cleared_caches_keep_what_taut_did_not_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let theirs = ["photos/a.table", "0123456789abcdef/a.table", "a.table"].map(|name| folder.path().join(name));
    for path in &theirs {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, "Dear diary").expect("a file");
    }
    let output = shell(folder.path(), "TAUT_CACHE=$PWD exec $T cache clear");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let message = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        message.contains("0 tables of 0 traces") && message.matches("stays, not a table of taut").count() == 3,
        "{message}"
    );
    theirs.iter().for_each(|path| assert_eq!(fs::read_to_string(path).expect("it is there"), "Dear diary"));
}

#[test]
fn the_demo_replaces_what_it_wrote_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    for _ in 0..2 {
        taut.stdout(&["demo", "-o", "demo"]);
    }
    for name in ["small-level.taut", "tight.taut", "page.html", ".taut-demo"] {
        let path = folder.path().join("demo").join(name);
        let own = fs::read(&path).expect("a file");
        let theirs = if name.ends_with(".taut") {
            fs::read(folder.path().join("level.taut")).expect("a trace")
        } else {
            b"<!doctype html>Mine".to_vec()
        };
        fs::write(&path, &theirs).expect("a file");
        let run = taut.run(&["demo", "-o", "demo"]);
        assert_eq!((run.code, fs::read(&path).expect("a file")), (2, theirs), "{name}: {}", run.stderr);
        assert!(run.stderr.contains(name), "{name}: {}", run.stderr);
        fs::write(&path, own).expect("a file");
    }
    fs::write(folder.path().join("demo/page.html"), "<!doctype html>Mine").expect("a file");
    taut.stdout(&["demo", "-o", "demo", "--force"]);
    taut.stdout(&["demo", "-o", "demo"]);
}

#[test]
fn a_recording_in_a_small_address_space_is_whole_or_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    for kib in (80_000..=300_000).step_by(20_000) {
        for line in ["small-level", "streaming-world --threads 8 --set frames=20", "game-session"] {
            let output = shell(folder.path(), &format!("ulimit -v {kib}; exec $T record {line} -o x.taut --force"));
            let message = stderr(&output);
            let case = format!("{kib} KiB, {line}: {:?}: {message}", output.status);
            assert!(!message.contains("panicked") && !message.contains("memory allocation"), "{case}");
            match output.status.code() {
                Some(0) => drop(Taut::new(folder.path()).stdout(&["info", "x.taut"])),
                Some(1) => assert!(message.contains("address space") || message.contains("thread"), "{case}"),
                // The program itself is not loaded.
                Some(127) => {}
                code => panic!("{code:?}: {case}"),
            }
        }
    }
}

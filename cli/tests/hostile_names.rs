//! A name in a trace may hold anything. No terminal obeys it.
#![allow(clippy::expect_used)]

mod taut;

use std::fs;
use std::path::Path;
use taut::Taut;

/// ESC, newline, bell, right-to-left override; and the program's own bold.
const NAME: &str = r"a\u001b[31mred\nnext\u0007\u202eback\u001b[1mbold";

/// Records a scene all of whose names are hostile, and one that is a little different.
fn record(taut: &Taut, folder: &Path) {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/scenes/courtyard");
    for file in fs::read_dir(scene).expect("the scene").flatten() {
        fs::copy(file.path(), folder.join(file.file_name())).expect("a copy");
    }
    let text = fs::read_to_string(folder.join("courtyard.gltf")).expect("the scene");
    let mut hostile = String::new();
    for (number, part) in text.split("\"name\": \"").enumerate() {
        hostile += &if number == 0 { part.to_owned() } else { format!("\"name\": \"{NAME} {number} {part}") };
    }
    assert!(hostile.matches(NAME).count() > 3, "the scene has names: {hostile}");
    fs::write(folder.join("courtyard.gltf"), hostile).expect("a scene");
    taut.stdout(&["record", "courtyard.gltf", "--clock", "logical", "-o", "scene.taut"]);
    taut.stdout(&["replay", "scene.taut", "--tight", "on", "-o", "tight.taut"]);
    let limits = "limits = [\"alignment.peak.waste_ratio <= 0 %\"]";
    fs::write(folder.join("limits.toml"), limits).expect("a budget");
}

/// What is left when this program's own colours are taken out, and line ends.
fn active(text: &str) -> Option<char> {
    let plain =
        ["\u{1b}[1m", "\u{1b}[0m", "\u{1b}[31m"].iter().fold(text.to_owned(), |text, own| text.replace(own, ""));
    plain.chars().find(|character| (character.is_control() && *character != '\n') || *character == '\u{202e}')
}

#[test]
fn names_are_shown_escaped_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    record(&taut, folder.path());
    let tables = Path::new(env!("CARGO_BIN_EXE_taut")).with_file_name("taut-tables").is_file();
    let question = "select distinct name from resources where name <> '' order by name limit 3";
    let mut shown = 0;
    for command in [
        &["info", "scene.taut"][..],
        &["info", "scene.taut", "--json"],
        &["dump", "scene.taut"],
        &["dump", "scene.taut", "--json"],
        &["analyze", "scene.taut"],
        &["analyze", "scene.taut", "tight.taut"],
        &["analyze", "scene.taut", "--json"],
        &["replay", "scene.taut", "--tight", "on"],
        &["replay", "scene.taut", "--tight", "on", "--json"],
        &["diff", "scene.taut", "tight.taut"],
        &["diff", "scene.taut", "tight.taut", "--json"],
        &["query", "scene.taut", question],
        &["analyze", "scene.taut", "--report", "alignment", "--budget", "limits.toml"],
    ] {
        if command[0] == "query" && !tables {
            eprintln!("skipped: {command:?}: taut-tables is not built");
            continue;
        }
        for colour in ["always", "never"] {
            let run = taut.run(&[command, &["--color", colour]].concat());
            assert!(run.code <= 1, "{command:?}: {}", run.stderr);
            for text in [&run.stdout, &run.stderr] {
                assert_eq!(active(text), None, "{command:?}: {text}");
                assert!(!text.contains("\u{1b}[1mbold") && !text.contains("\nnext"), "{command:?}: {text}");
            }
            shown += usize::from(run.stdout.contains(r"a\u{1b}[31mred\nnext\u{7}\u{202e}back"));
        }
    }
    assert!(shown >= 6, "names are shown by some commands: {shown}");
}

/// A file's name need not be text.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_utf_8_ends_no_command() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a folder");
    taut::recorded(&Taut::new(folder.path()));
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.taut");
    fs::copy(folder.path().join("level.taut"), folder.path().join(name)).expect("a copy");
    let run = |before: &[&str], after: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_taut"));
        command.args(before).arg(name).args(after).current_dir(folder.path()).env("TAUT_CACHE", "");
        let ended = command.output().expect("the binary runs");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(0), "{before:?} {after:?}: {said}");
        ended.stdout
    };
    for (before, after) in [
        (&["analyze"][..], &["--json"][..]),
        (&["analyze"], &["--baseline", "level.taut", "--json"]),
        (&["analyze", "level.taut", "--json", "--baseline"], &[]),
        (&["info"], &["--json"]),
        (&["replay"], &["--json"]),
        (&["diff", "level.taut"], &["--json"]),
        (&["record", "small-level", "--json", "-o"], &[]),
    ] {
        let document: serde_json::Value = serde_json::from_slice(&run(before, after)).expect("JSON");
        assert!(!document.is_null());
    }
    run(&["analyze"], &["--format", "html", "-o", "page.html"]);
    run(&["analyze"], &["--format", "markdown"]);
}

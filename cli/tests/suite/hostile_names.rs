//! Tests of names with control characters: no output may let them act on a terminal.
#![allow(clippy::expect_used)]

use crate::taut;

use std::fs;
use std::path::Path;
use taut::Taut;
use taut_testkit::testdata;

/// ESC, newline, bell, right-to-left override, and the sequence for bold that the program itself uses.
const NAME: &str = r"a\u001b[31mred\nnext\u0007\u202eback\u001b[1mbold";

/// Records a scene in which all names are hostile, and its replay with tight alignment.
fn record(taut: &Taut, folder: &Path) {
    let scene = testdata("scenes/courtyard");
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

/// The first control character that is not a colour of the program or a line end.
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

/// File names may contain any byte but `/` and NUL.
#[cfg(unix)]
#[test]
fn names_of_files_are_shown_escaped_and_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut::recorded(&taut);
    let name = "a\u{1b}[2J\u{1b}[1mb\ntaut: fine\u{202e}";
    fs::copy(folder.path().join("level.taut"), folder.path().join(format!("{name}.taut"))).expect("a copy");
    for ending in ["taut", "jsonl", "toml", "json", "csv", "gltf"] {
        if ending != "taut" {
            fs::write(folder.path().join(format!("{name}.{ending}")), "Dear diary").expect("a file");
        }
        let file = format!("{name}.{ending}");
        for line in [
            &["info", &file][..],
            &["dump", &file, "--limit", "3"],
            &["analyze", &file, "--format", "csv"],
            &["analyze", &file, "--format", "markdown"],
            &["record", &file, "-o", "x.taut"],
            &["record", "small-level", "--driver", &file, "-o", "y.taut"],
            &["record", "small-level", "--machine", &file, "-o", "y.taut"],
            &["analyze", "level.taut", "--budget", &file],
            &["hlk", "--cases", &file],
            &["alloc-info", &file],
            &["replay", &file, "--until", &file],
            &[&file],
        ] {
            let run = taut.run(&[line, &["--color", "always"]].concat());
            for text in [&run.stdout, &run.stderr] {
                assert_eq!(active(text), None, "{line:?}: {text}");
                assert!(!text.contains("\u{1b}[1mb"), "{line:?}: {text}");
            }
            assert!(!run.stderr.contains("\ntaut: fine"), "{line:?}: {}", run.stderr);
        }
    }
}

/// With forced colour, text of a trace is not mistaken for the program's own colours.
#[test]
fn colours_in_a_log_are_not_taken_for_the_programs_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let source = r"x\u001b[1mbold\u001b[31mred\u001b[0m";
    let log = format!(
        "{{\"format\":\"d3d12-calls\",\"version\":1,\"source\":\"{source}\",\"allocator_flags\":0,\"tests\":{{\"0\":\"(setup)\"}}}}\n{}\n",
        r#"{"seq":0,"thread":0,"test":0,"call":"EndCapture","objects_created":0,"objects_live":0}"#
    );
    fs::write(folder.path().join("in.jsonl"), log).expect("a log");
    taut.stdout(&["record", "in.jsonl", "-o", "x.taut"]);
    for command in [&["info", "x.taut"][..], &["dump", "x.taut"], &["analyze", "x.taut"]] {
        let text = taut.stdout(&[command, &["--color", "always"]].concat());
        for own in ["\u{1b}[1mbold", "\u{1b}[31mred"] {
            assert!(!text.contains(own), "{command:?}: {text}");
        }
    }
}

#[test]
fn csv_safe_cells_of_text_begin_with_an_apostrophe_and_numbers_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let scene = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":70000}],
        "bufferViews":[{"buffer":0,"byteLength":70000,"name":"=1+1"}],"nodes":[{"name":"@SUM(A1)"}],"scenes":[{"nodes":[0]}]}"#;
    fs::write(folder.path().join("scene.gltf"), scene).expect("a scene");
    taut.stdout(&["record", "scene.gltf", "-o", "x.taut"]);
    let lines = |more: &[&str]| {
        taut.stdout(&[&["analyze", "x.taut", "--report", "alignment", "--format", "csv"], more].concat())
    };
    let (plain, safe) = (lines(&[]), lines(&["--csv-safe"]));
    assert!(plain.contains(",=1+1\n") && !safe.contains(",=1+1\n") && safe.contains(",'=1+1\n"), "{safe}");
    let values = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.rsplit(',').next()?.parse::<f64>().ok()).map(|n| n.to_string()).collect()
    };
    assert!(!values(&plain).is_empty());
    assert_eq!(values(&plain), values(&safe));
    assert_eq!(taut.run(&["analyze", "x.taut", "--csv-safe"]).code, 2);
}

/// File names need not be UTF-8.
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
        let message = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(0), "{before:?} {after:?}: {message}");
        ended.stdout
    };
    for (before, after) in [
        (&["analyze"][..], &["--json"][..]),
        (&["analyze"], &["--baseline", "level.taut", "--json"]),
        (&["analyze", "level.taut", "--json", "--baseline"], &[]),
        (&["info"], &["--json"]),
        (&["replay"], &["--json"]),
        (&["diff", "level.taut"], &["--json"]),
        (&["record", "small-level", "--force", "--json", "-o"], &[]),
    ] {
        let document: serde_json::Value = serde_json::from_slice(&run(before, after)).expect("JSON");
        assert!(!document.is_null());
    }
    run(&["analyze"], &["--format", "html", "-o", "page.html"]);
    run(&["analyze"], &["--format", "markdown"]);
}

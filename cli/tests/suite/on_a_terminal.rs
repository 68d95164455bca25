//! Tests of the screens of commands, on colour terminals of several widths.
#![cfg(unix)]
#![allow(clippy::expect_used)]

use crate::taut;
use crate::terminal;

use std::path::Path;
use taut::{Taut, recorded};
use terminal::{Screen, screen, shell};

/// Usual widths of terminals, in columns.
const COLUMNS: [u16; 4] = [60, 80, 120, 200];

/// Number of rows, large enough that no text scrolls away.
const ROWS: u16 = 600;

/// Creates a folder with two traces that differ.
fn two_traces() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    taut.stdout(&["replay", "level.taut", "--tight", "on", "--driver", "peer", "-o", "tight.taut"]);
    folder
}

/// Pieces of text with single spaces between words, as (first column, column after the last, text).
fn cells(row: &str) -> Vec<(usize, usize, String)> {
    let characters: Vec<char> = row.chars().collect();
    let mut cells: Vec<(usize, usize, String)> = Vec::new();
    for (at, character) in characters.iter().enumerate().filter(|(_, character)| **character != ' ') {
        match cells.last_mut() {
            Some((_, end, text)) if at <= *end + 1 => {
                text.extend(&characters[*end..at]);
                text.push(*character);
                *end = at + 1;
            }
            _ => cells.push((at, at + 1, character.to_string())),
        }
    }
    cells
}

fn is_rule(row: &str) -> bool {
    row.chars().count() > 3 && row.chars().all(|character| character == '─')
}

/// Checks that each cell of a heading begins or ends where a cell of its column does.
fn headings_stand_over_their_columns(screen: &Screen, what: &str) {
    for rule in (0..screen.rows.len()).filter(|row| is_rule(&screen.rows[*row])) {
        let body = screen.rows[rule + 1..].iter().take_while(|row| row.starts_with(' '));
        let body: Vec<_> = body.flat_map(|row| cells(row)).collect();
        let heading = screen.rows[..rule]
            .iter()
            .zip(&screen.marked)
            .rev()
            .take_while(|(row, marked)| row.starts_with(' ') && marked.trim_start().starts_with('*'));
        let mut lines = 0;
        for (start, end, text) in heading.flat_map(|(row, _)| {
            lines += 1;
            cells(row)
        }) {
            let below: Vec<_> = body.iter().filter(|cell| cell.0 < end && start < cell.1).collect();
            let stands = below.iter().any(|cell| cell.0 == start || cell.1 == end);
            assert!(
                stands || below.is_empty(),
                "{what}: {text:?} at {start} to {end} stands over nothing:\n{}",
                screen.golden()
            );
        }
        assert!(lines > 0, "{what}: a rule without a heading:\n{}", screen.golden());
    }
}

fn holds(screen: &Screen, columns: u16, what: &str) {
    headings_stand_over_their_columns(screen, what);
    let text = screen.text();
    assert!(screen.is_reset, "{what}: colour leaks");
    for left_over in ["\u{1b}", "[0m", "[1m", "[31m"] {
        assert!(!text.contains(left_over), "{what}: {left_over:?} on the screen:\n{text}");
    }
    let mut goes_on = false;
    for (row, overflows) in screen.rows.iter().zip(&screen.overflowing) {
        // Commands to copy stay in one line, as does a word longer than half a line.
        let longest = row.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
        let may_overflow = goes_on || row.contains("  see ") || longest > usize::from(columns) / 2;
        assert!(may_overflow || !overflows, "{what}: too long for {columns} columns: {row}");
        goes_on = *overflows;
    }
}

/// Runs the command at every width, checks the screens, and returns them as a snapshot.
fn at_every_width(folder: &Path, arguments: &[&str], code: i32) -> String {
    let mut golden = String::new();
    for columns in COLUMNS {
        let what = format!("{columns} columns: taut {}", arguments.join(" "));
        let screen = screen(folder, columns, ROWS, arguments);
        assert_eq!(screen.code, code, "{what}:\n{}", screen.text());
        holds(&screen, columns, &what);
        golden += &format!("# {what}\n{}\n", screen.golden());
    }
    let untimed = golden.lines().map(|line| match line.split_once(" cases in ") {
        Some((cases, _)) => format!("{cases} cases in …"),
        None if line.starts_with("  size ") => "  size       …".to_owned(),
        None => line.to_owned(),
    });
    untimed.collect::<Vec<_>>().join("\n")
}

#[test]
fn drivers_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    insta::assert_snapshot!("drivers", at_every_width(folder.path(), &["drivers"], 0));
}

#[test]
fn workloads_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    insta::assert_snapshot!("workloads", at_every_width(folder.path(), &["workloads"], 0));
}

#[test]
fn a_driver_is_put_to_its_checks() {
    let folder = tempfile::tempdir().expect("a folder");
    insta::assert_snapshot!("hlk", at_every_width(folder.path(), &["hlk"], 0));
    let failing = at_every_width(folder.path(), &["hlk", "--driver", "faulty-worse", "--quiet"], 1);
    assert!(failing.contains("taut alloc-info"), "{failing}");
}

#[test]
fn a_trace_is_looked_into() {
    let folder = two_traces();
    insta::assert_snapshot!("info", at_every_width(folder.path(), &["info", "level.taut"], 0));
    insta::assert_snapshot!("dump", at_every_width(folder.path(), &["dump", "level.taut", "--limit", "14"], 0));
}

#[test]
fn a_trace_is_reported_on() {
    let folder = two_traces();
    let report = ["analyze", "level.taut", "--report", "alignment"];
    insta::assert_snapshot!("analyze", at_every_width(folder.path(), &report, 0));
}

#[test]
fn two_traces_are_compared() {
    let folder = two_traces();
    insta::assert_snapshot!("diff", at_every_width(folder.path(), &["diff", "level.taut", "tight.taut"], 1));
}

#[test]
fn a_query_is_run() {
    let tables_program = Path::new(env!("CARGO_BIN_EXE_taut")).with_file_name("taut-tables");
    if !tables_program.is_file() {
        eprintln!("skipped: a_query_is_run: {} is not built", tables_program.display());
        return;
    }
    let folder = two_traces();
    let question = ["query", "level.taut", "select * from resources limit 12"];
    let golden = at_every_width(folder.path(), &question, 0);
    assert!(golden.contains(" columns omitted"), "{golden}");
    insta::assert_snapshot!("query", golden);
    let piped = Taut::new(folder.path()).stdout(&question);
    assert!(!piped.contains('…'), "a pipe has all columns: {piped}");
}

#[test]
fn output_to_a_file_does_not_depend_on_the_terminal() {
    let folder = two_traces();
    let report = ["analyze", "level.taut", "--report", "alignment", "-o", "seen.txt"];
    assert_eq!(screen(folder.path(), 60, ROWS, &report).code, 0);
    let piped = Taut::new(folder.path()).stdout(&report[..4]);
    assert_eq!(std::fs::read_to_string(folder.path().join("seen.txt")).expect("the report"), piped);
}

#[test]
fn long_commands_show_progress_and_clear_it() {
    let folder = two_traces();
    let replay = ["replay", "level.taut", "--repeat", "200"];
    let shown = screen(folder.path(), 100, ROWS, &replay);
    assert!(shown.written.contains("/s, ") && shown.written.contains("to go"), "{}", shown.written);
    assert!(!shown.text().contains("to go") && shown.is_reset, "{}", shown.text());
    let quiet = screen(folder.path(), 100, ROWS, &[&replay[..], &["--quiet"]].concat());
    assert!(!quiet.written.contains("to go"), "{}", quiet.written);
    assert!(Taut::new(folder.path()).run(&replay).stderr.is_empty(), "off a terminal nothing is shown");
}

/// A scene that consists of `views` buffer views.
fn scene_of(views: usize) -> String {
    let views = vec![r#"{"buffer":0,"byteOffset":0,"byteLength":256}"#; views].join(",");
    let buffers = r#"[{"byteLength":256,"uri":"data:application/octet-stream;base64,AAAA"}]"#;
    format!(r#"{{"asset":{{"version":"2.0"}},"buffers":{buffers},"bufferViews":[{views}]}}"#)
}

#[test]
fn a_recording_shows_its_progress() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("many.gltf"), scene_of(60_000)).expect("a scene");
    let world = ["record", "streaming-world", "--threads", "1", "--set", "frames=40000"];
    let tries = ["record", "pix-single-frame", "--driver", "faulty-never-converges", "--set", "tries=1000"];
    for (line, what, total) in [
        (&world[..], "recording steps", "/40,000 "),
        (&tries, "recording steps, at most", "/1,008 "),
        (&["record", "many.gltf", "--set", "heap_mib=4096"], "recording resources", "/60,000 "),
    ] {
        let rest = ["--clock", "logical", "--force", "-o"];
        let seen = screen(folder.path(), 100, ROWS, &[line, &rest, &["seen.taut"]].concat());
        assert_eq!(seen.code, 0, "{}", seen.text());
        let bar = seen.written.split('\r').find(|text| text.contains(what) && text.contains(total));
        let bar = bar.unwrap_or_else(|| panic!("{what}: {}", seen.written));
        assert!(bar.contains("/s, ") && bar.contains(" to go"), "{bar}");
        assert!(!seen.text().contains(what), "it is gone in the end: {}", seen.text());
        let quiet = screen(folder.path(), 100, ROWS, &[line, &rest, &["quiet.taut", "--quiet"]].concat());
        assert!(!quiet.written.contains("to go"), "{}", quiet.written);
        Taut::new(folder.path()).stdout(&[line, &rest, &["unseen.taut"]].concat());
        let read = |name: &str| std::fs::read(folder.path().join(name)).expect("a trace");
        if what != "recording steps, at most" {
            assert!(read("seen.taut") == read("unseen.taut"), "being watched changes nothing");
        }
    }
}

#[test]
fn a_dumb_terminal_gets_no_escape_sequences() {
    let folder = two_traces();
    for line in
        ["analyze level.taut", "diff level.taut tight.taut", "record streaming-world --set frames=20000", "drivers"]
    {
        let seen = shell(folder.path(), 80, ROWS, &format!("TERM=dumb taut {line}"));
        assert!(!seen.written.contains('\u{1b}'), "{line}: {:?}", seen.written);
    }
}

#[test]
fn json_on_a_terminal_has_control_characters_as_escapes_and_elsewhere_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "a\u{9b}31mred\u{85}\u{202e}\u{7f}b";
    let scene = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":64,"uri":"data:;base64,AAAA"}}],
        "bufferViews":[{{"buffer":0,"byteLength":64,"name":"{name}"}}]}}"#
    );
    std::fs::write(folder.path().join("scene.gltf"), scene).expect("a scene");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "scene.gltf", "--clock", "logical", "-o", "x.taut"]);
    let lines = [
        &["export", "x.taut", "--to", "jsonl", "-o", "-"][..],
        &["export", "x.taut", "--to", "jsonl", "-o", "/dev/stdout"],
        &["replay", "x.taut", "--tight", "on", "--changes", "-"],
    ];
    for line in lines {
        let shown = screen(folder.path(), 100, ROWS, line);
        assert_eq!(shown.code, 0, "{line:?}: {}", shown.text());
        let active = |letter: &char| letter.is_control() && !matches!(letter, '\n' | '\r') || *letter == '\u{202e}';
        let written = shown.written.lines().filter(|line| line.starts_with('{')).collect::<String>();
        assert_eq!(written.chars().find(active), None, "{line:?}");
        let piped = taut.stdout(line);
        if line[0] == "export" {
            assert!(written.contains(r"a\u009b31mred\u0085\u202e\u007fb"), "{line:?}: {written}");
            assert!(piped.contains(name), "a pipe gets the text as it is");
        }
    }
}

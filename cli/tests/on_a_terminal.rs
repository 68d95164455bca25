//! What a person sees: each command on terminals of several widths, with colour.
#![cfg(unix)]
#![allow(clippy::expect_used)]

mod taut;
mod terminal;

use std::path::Path;
use taut::{Taut, recorded};
use terminal::{Screen, screen, shell};

/// Columns of the terminals that people have.
const COLUMNS: [u16; 4] = [60, 80, 120, 200];

/// So many that nothing scrolls away.
const ROWS: u16 = 600;

/// A folder with two traces that differ.
fn two_traces() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    taut.stdout(&["replay", "level.taut", "--tight", "on", "--driver", "peer", "-o", "tight.taut"]);
    folder
}

/// Stretches of text with at most one space between words, as (first column, column after the last, text).
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

/// Each cell of a heading begins where a cell of its column does, or ends where one does.
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
        // What is to be copied stays in one line, and so does a word that is longer than half a line.
        let longest = row.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
        let is_kept = goes_on || row.contains("  see ") || longest > usize::from(columns) / 2;
        assert!(is_kept || !overflows, "{what}: too long for {columns} columns: {row}");
        goes_on = *overflows;
    }
}

/// Runs at every width, checks what always holds, and gives the golden.
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
fn a_question_is_answered() {
    let beside = Path::new(env!("CARGO_BIN_EXE_taut")).with_file_name("taut-tables");
    if !beside.is_file() {
        eprintln!("skipped: a_question_is_answered: {} is not built", beside.display());
        return;
    }
    let folder = two_traces();
    let question = ["query", "level.taut", "select * from resources limit 12"];
    let golden = at_every_width(folder.path(), &question, 0);
    assert!(golden.contains(" columns fit this terminal"), "{golden}");
    insta::assert_snapshot!("query", golden);
    let piped = Taut::new(folder.path()).stdout(&question);
    assert!(!piped.contains('…'), "a pipe has all columns: {piped}");
}

#[test]
fn what_is_written_to_a_file_does_not_depend_on_the_terminal() {
    let folder = two_traces();
    let report = ["analyze", "level.taut", "--report", "alignment", "-o", "seen.txt"];
    assert_eq!(screen(folder.path(), 60, ROWS, &report).code, 0);
    let piped = Taut::new(folder.path()).stdout(&report[..4]);
    assert_eq!(std::fs::read_to_string(folder.path().join("seen.txt")).expect("the report"), piped);
}

#[test]
fn what_takes_long_shows_how_far_it_is_and_leaves_nothing_of_that() {
    let folder = two_traces();
    let replay = ["replay", "level.taut", "--repeat", "200"];
    let shown = screen(folder.path(), 100, ROWS, &replay);
    assert!(shown.written.contains("/s, ") && shown.written.contains("to go"), "{}", shown.written);
    assert!(!shown.text().contains("to go") && shown.is_reset, "{}", shown.text());
    let quiet = screen(folder.path(), 100, ROWS, &[&replay[..], &["--quiet"]].concat());
    assert!(!quiet.written.contains("to go"), "{}", quiet.written);
    assert!(Taut::new(folder.path()).run(&replay).stderr.is_empty(), "off a terminal nothing is shown");
}

/// A scene of so many buffer views, which are all there is to it.
fn scene_of(views: usize) -> String {
    let views = vec![r#"{"buffer":0,"byteOffset":0,"byteLength":256}"#; views].join(",");
    let buffers = r#"[{"byteLength":256,"uri":"data:application/octet-stream;base64,AAAA"}]"#;
    format!(r#"{{"asset":{{"version":"2.0"}},"buffers":{buffers},"bufferViews":[{views}]}}"#)
}

#[test]
fn a_recording_shows_how_far_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("many.gltf"), scene_of(60_000)).expect("a scene");
    let world = ["record", "streaming-world", "--threads", "1", "--set", "frames=40000"];
    let tries = ["record", "pix-single-frame", "--driver", "faulty-never-converges", "--set", "tries=1000"];
    for (line, what, total) in [
        (&world[..], "recording steps", "/40,000 "),
        (&tries, "recording steps, at most", "/1,008 "),
        (&["record", "many.gltf", "--set", "heap_mib=4096"], "recording resources", "/60,000 "),
    ] {
        let rest = ["--clock", "logical", "-o"];
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
fn a_terminal_that_can_only_print_is_told_nothing_else() {
    let folder = two_traces();
    for line in
        ["analyze level.taut", "diff level.taut tight.taut", "record streaming-world --set frames=20000", "drivers"]
    {
        let seen = shell(folder.path(), 80, ROWS, &format!("TERM=dumb taut {line}"));
        assert!(!seen.written.contains('\u{1b}'), "{line}: {:?}", seen.written);
    }
}

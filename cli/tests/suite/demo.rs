//! Tests of `taut demo`.
#![allow(clippy::expect_used)]

use crate::taut;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use taut::Taut;

const LINES: usize = 15;
const COLUMNS: usize = 80;

/// Runs a line in a shell, with `taut` in the path and temporary files in this folder.
fn shell(folder: &Path, line: &str) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_taut"));
    let mut places = vec![binary.parent().expect("a folder").to_owned()];
    places.extend(std::env::split_paths(&std::env::var_os("PATH").expect("a path")));
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).env("NO_COLOR", "1").env("TMPDIR", folder).env("TAUT_CACHE", "");
    command.env("PATH", std::env::join_paths(places).expect("a path")).output().expect("a shell")
}

fn stdout_text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Number of lines on a terminal that is `COLUMNS` wide.
fn lines(text: &str) -> usize {
    text.lines().map(|line| line.chars().count().div_ceil(COLUMNS).max(1)).sum()
}

fn page(text: &str) -> PathBuf {
    PathBuf::from(text.lines().find_map(|line| line.strip_prefix("Page: ")).expect("the page"))
}

#[cfg(unix)]
#[test]
fn the_demo_fits_one_screen_and_its_next_commands_work() {
    let folder = tempfile::tempdir().expect("a folder");
    for (line, what) in [("taut demo", "taut-demo-"), ("taut demo -o \'a folder\'", "a folder")] {
        let text = stdout_text(&shell(folder.path(), line));
        assert!(lines(&text) <= LINES, "{} lines:\n{text}", lines(&text));
        assert!(text.contains("calls: all results identical"), "{text}");
        let page = folder.path().join(page(&text));
        assert!(page.to_string_lossy().contains(what), "{}", page.display());
        let page = std::fs::read_to_string(page).expect("the page");
        assert!(page.starts_with("<!doctype html"));
        let next: Vec<&str> = text.lines().skip_while(|line| *line != "Next:").skip(1).collect();
        assert_eq!(next.len(), 3, "{text}");
        for command in next {
            assert!(!stdout_text(&shell(folder.path(), command)).is_empty(), "{command}");
        }
    }
}

#[test]
fn the_demo_shows_how_much_less_tight_alignment_takes() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = Taut::new(folder.path()).stdout(&["demo", "-o", "kept"]);
    let bars: Vec<usize> = text.lines().map(|line| line.matches('█').count()).filter(|columns| *columns > 0).collect();
    assert_eq!(bars.len(), 4, "{text}");
    assert!(bars[1] < bars[0] && bars[3] < bars[2], "{text}");
    assert!(text.contains("(-") && text.contains("alignment wastes"), "{text}");
}

#[test]
fn the_demo_in_json_has_the_paths_of_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = Taut::new(folder.path()).stdout(&["demo", "-o", "kept", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["identical"], true);
    for key in ["file", "page"] {
        assert!(folder.path().join(document[key].as_str().expect("a path")).is_file(), "{document}");
    }
    assert!(document["reports"]["alignment"]["verdict"]["sentence"].is_string());
}

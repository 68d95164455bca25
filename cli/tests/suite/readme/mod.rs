//! Tests of the README and the guide: every command is run on a colour terminal in a folder that has the examples, and
//! its output must match the listing. `BLESS=1` rewrites listings that differ.
#![cfg(unix)]
#![allow(clippy::expect_used)]

mod listing;

use crate::taut;
use crate::terminal;

use listing::{Step, blessed, matches, steps};
use std::path::{Path, PathBuf};
use taut::tables_are_built;
use terminal::shell;

/// Width of the terminal of the listings, in columns.
const COLUMNS: u16 = 120;
const ROWS: u16 = 600;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the project's folder")
}

/// The README and the pages of the guide.
fn pages() -> Vec<PathBuf> {
    let guide =
        std::fs::read_dir(project().join("docs/guide")).expect("the guide").map(|file| file.expect("a file").path());
    let mut pages: Vec<PathBuf> = guide.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    pages.sort();
    pages.insert(0, project().join("README.md"));
    pages
}

/// Runs the commands of a page in order. Returns the page with the current listings, and the differences.
fn run(page: &Path, text: &str) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    for input in ["examples", "testdata"] {
        std::os::unix::fs::symlink(project().join(input), folder.path().join(input)).expect("a link");
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut wrong = Vec::new();
    let steps = steps(text);
    let mut screens = Vec::new();
    for step in &steps {
        let screen = shell(folder.path(), COLUMNS, ROWS, &step.command);
        if screen.code != step.code {
            let Step { command, code, .. } = step;
            wrong.push(format!(
                "{}: $ {command}\nexit code {}, not {code}\n{}",
                page.display(),
                screen.code,
                screen.text()
            ));
        }
        screens.push(screen.rows);
    }
    // From the last listing to the first, so that positions of lines stay valid.
    for (step, rows) in steps.iter().zip(&screens).rev() {
        if step.shown.is_empty() || matches(&step.shown, rows, step.varies) {
            continue;
        }
        let (shown, rows_text) = (step.shown.join("\n"), rows.join("\n"));
        wrong.push(format!(
            "{}: $ {}\nthe page has\n{shown}\nthe screen has\n{rows_text}",
            page.display(),
            step.command
        ));
        let listing = blessed(&step.shown, rows).into_iter().map(|line| format!("    {line}").trim_end().to_owned());
        lines.splice(step.lines.clone(), listing);
    }
    (lines.join("\n") + "\n", wrong)
}

#[test]
fn every_command_of_the_readme_and_the_guide_runs_and_prints_what_its_page_shows() {
    if !tables_are_built("every_command_of_the_readme_and_the_guide_runs_and_prints_what_its_page_shows") {
        return;
    }
    let mut wrong = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        assert!(!steps(&text).is_empty(), "{} has no command", page.display());
        let (current, differences) = run(&page, &text);
        if std::env::var_os("BLESS").is_some() && current != text {
            std::fs::write(&page, current).expect("the page is written");
        }
        wrong.extend(differences);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_file_of_the_examples_has_an_origin_and_is_small() {
    let folder = project().join("examples");
    let origins = std::fs::read_to_string(folder.join("README.md")).expect("the origins");
    let mut bytes = 0;
    for file in std::fs::read_dir(&folder).expect("the examples") {
        let file = file.expect("a file");
        let name = file.file_name().to_string_lossy().into_owned();
        bytes += file.metadata().expect("its size").len();
        assert!(
            name == "README.md" || origins.contains(&format!("`{name}`")),
            "{name} has no line in examples/README.md"
        );
    }
    assert!(bytes < 100_000, "{bytes} bytes of examples");
}

#[test]
fn the_readme_and_the_pages_of_the_guide_are_short() {
    for page in pages() {
        let lines = std::fs::read_to_string(&page).expect("a page").lines().count();
        let max_lines = if page.ends_with("README.md") { 250 } else { 40 };
        assert!(lines <= max_lines, "{} has {lines} lines, at most {max_lines} are allowed", page.display());
    }
}

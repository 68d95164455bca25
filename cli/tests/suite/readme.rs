//! Test of the tour in the README: every command is run on a colour terminal, and its output must match the listing. A
//! line `...` matches any number of lines.
#![cfg(unix)]
#![allow(clippy::expect_used)]

use crate::taut;
use crate::terminal;

use std::path::{Path, PathBuf};
use taut::{tables_are_built, without_sizes};
use terminal::shell;

/// Width of the terminal of the listings, in columns.
const COLUMNS: u16 = 120;
const ROWS: u16 = 400;

/// A scene that is not part of the project, but whose figures are in the README.
const SCENE: &str = "../shared/data/scenes/AbandonedWarehouse/AbandonedWarehouse.gltf";

/// A command of the tour, with its listed output.
struct Step {
    command: String,
    shown: Vec<String>,
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the project's folder")
}

/// Commands of the listings, in order.
fn steps() -> Vec<Step> {
    let readme = std::fs::read_to_string(project().join("README.md")).expect("the README");
    let mut steps: Vec<Step> = Vec::new();
    let mut is_open = false;
    for line in readme.lines() {
        match line.strip_prefix("    ") {
            Some(listing) => match listing.strip_prefix("$ ") {
                Some(command) => {
                    let command = command.split(" # ").next().unwrap_or_default().trim().to_owned();
                    steps.push(Step { command, shown: Vec::new() });
                    is_open = true;
                }
                None if is_open => {
                    steps.last_mut().expect("a step").shown.push(listing.trim_end().to_owned());
                }
                None => {}
            },
            // An empty line may be part of a listing.
            None if line.is_empty() => {
                if let Some(step) = steps.last_mut().filter(|_| is_open) {
                    step.shown.push(String::new());
                }
            }
            None => is_open = false,
        }
    }
    for step in &mut steps {
        let used = step.shown.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        step.shown.truncate(used);
    }
    steps
}

/// True if a line matches the listed one. The size of a recording depends on its stamps, by a few per cent.
fn line_matches(shown: &str, seen: &str) -> bool {
    let size = |line: &str| {
        let (before, _) = line.split_once(" KiB, ")?;
        before.rsplit_once(' ')?.1.replace(',', "").parse::<f64>().ok()
    };
    let is_near = |(shown, seen): (f64, f64)| (shown - seen).abs() <= shown * 0.05;
    shown == seen
        || (shown.starts_with("recorded ")
            && without_sizes(shown) == without_sizes(seen)
            && size(shown).zip(size(seen)).is_some_and(is_near))
}

/// True if `seen` matches `shown`, in which a line `...` matches any lines.
fn matches_listing(shown: &[String], seen: &[String]) -> bool {
    match shown.split_first() {
        None => seen.iter().all(String::is_empty),
        Some((line, rest)) if line == "..." => (0..=seen.len()).any(|skipped| matches_listing(rest, &seen[skipped..])),
        Some((line, rest)) => {
            seen.split_first().is_some_and(|(first, seen)| line_matches(line, first) && matches_listing(rest, seen))
        }
    }
}

#[test]
fn the_tour_of_the_readme_is_what_a_person_sees() {
    if !tables_are_built("the_tour_of_the_readme_is_what_a_person_sees") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(project().join("testdata"), folder.path().join("testdata")).expect("a link");
    std::fs::write(folder.path().join("limits.toml"), "limits = [\"health.lost_events == 0\"]\n").expect("limits");
    let scene = project().join(SCENE);
    if scene.is_file() {
        std::os::unix::fs::symlink(&scene, folder.path().join("scene.gltf")).expect("a link");
    }
    let steps = steps();
    assert!(steps.len() > 8, "the README has a tour");
    let mut wrong = Vec::new();
    for step in steps {
        let needs_scene = ["scene.", "tight.taut"].iter().any(|name| step.command.contains(name));
        if needs_scene && !scene.is_file() {
            eprintln!("skipped: `{}`: the scene is not here", step.command);
            continue;
        }
        let screen = shell(folder.path(), COLUMNS, ROWS, &step.command);
        let code = i32::from(step.command.starts_with("taut diff"));
        assert_eq!(screen.code, code, "{}\n{}", step.command, screen.text());
        if !step.shown.is_empty() && !matches_listing(&step.shown, &screen.rows) {
            let shown = step.shown.join("\n");
            wrong.push(format!("$ {}\nthe README says\n{shown}\nand a person sees\n{}", step.command, screen.text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

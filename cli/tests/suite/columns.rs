//! Tests of the columns that tables show on narrow terminals: the declared ones remain, and `--wide` shows all.
#![cfg(unix)]
#![allow(clippy::expect_used)]

use crate::taut;
use crate::terminal;

use std::path::Path;
use taut::Taut;
use terminal::{Screen, screen};

const ROWS: u16 = 600;

/// Widths of the screens, in columns.
const COLUMNS: [u16; 2] = [80, 120];

/// Recordings of the screens.
const RECORDINGS: &[&[&str]] = &[
    &["record", "examples/level.gltf", "--set", "memory=committed", "-o", "level.taut"],
    &["record", "examples/level.gltf", "--set", "tight=on", "-o", "main.taut"],
    &["record", "examples/benchmark-primed.toml", "-o", "primed.taut"],
    &["record", "examples/presents.csv", "--driver", "igpu-tier1+dgpu", "-o", "twice.taut"],
    &["record", "texture-upload", "-o", "rows.taut"],
    &[
        "record",
        "examples/level.gltf",
        "--set",
        "api=d3d11",
        "--set",
        "contexts=4",
        "--driver",
        "faulty-one-line",
        "-o",
        "contexts.taut",
    ],
    &["replay", "contexts.taut", "--setting", "handle_accesses=true", "-o", "accesses.taut"],
];

/// Screens with tables, and their exit codes.
const SCREENS: &[(&str, i32)] = &[
    ("analyze level.taut", 0),
    ("analyze main.taut", 0),
    ("analyze level.taut --baseline main.taut", 0),
    ("analyze primed.taut", 0),
    ("analyze twice.taut", 0),
    ("analyze rows.taut", 0),
    ("analyze accesses.taut", 1),
    ("diff level.taut main.taut", 1),
    ("replay level.taut --tight on", 0),
    ("replay main.taut --tight off", 0),
    ("replay twice.taut --driver igpu-tier3+dgpu", 0),
    ("replay level.taut --place first-fit,tlsf", 0),
    ("replay primed.taut --sweep min_saving_permille=0,300", 0),
    ("hlk --check A-52", 0),
    ("workloads texture-upload", 0),
    ("machines hybrid-laptop", 0),
    ("drivers reference", 0),
    ("info level.taut", 0),
];

/// Columns that a table shows at every width from 80 columns on: a part of its caption, or of its headings if it has no
/// caption, and the columns.
const DECLARED: &[(&str, &[&str])] = &[
    ("Causes of waste at peak", &["Saves", "Change", "Wasted", "Count", "Reclaimed"]),
    ("Resources with the most alignment waste", &["Advice", "Group waste", "Max waste", "Count"]),
    ("Heaps at their own peaks", &["Size", "Rounding", "Padding", "Free gaps"]),
    ("Resource memory by tag", &["Group", "Memory", "Wasted"]),
    ("Memory at the peak of resource memory", &["Peak", "Peak allocated", "End"]),
    ("Buffers and textures created", &["Rounding", "Granularity", "Wasted"]),
    ("Passes", &["Further measurements", "Action", "Mode", "Saved"]),
    ("Instructions executed by draws", &["Draws", "Saved", "Draws with variant"]),
    ("Specialisations found", &["Outcome", "Instructions saved", "Draws with variant"]),
    ("Mapped surfaces", &["Ratio", "Order", "Transactions", "Full lines", "Partial lines"]),
    ("Cache lines with the most transfers between contexts", &["Transfers", "Contexts", "Sharing", "Calls"]),
    ("Swap chains, with the path", &["Path", "Reason"]),
    ("call part field", &["field", "first", "second"]),
    ("policy heap size", &["memory", "wasted"]),
    ("min_saving_permille", &["fit", "served", "saved"]),
];

/// A folder with the recordings.
fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").canonicalize().expect("the examples");
    std::os::unix::fs::symlink(examples, folder.path().join("examples")).expect("a link");
    let taut = Taut::new(folder.path());
    for recording in RECORDINGS {
        let clock: &[&str] = if recording[0] == "record" { &["--clock", "logical"] } else { &[] };
        taut.stdout(&[recording, clock].concat());
    }
    folder
}

/// A table of a screen: its caption and headings in one line, and the columns that it omits.
#[derive(Debug)]
struct Table {
    start: String,
    omitted: Vec<String>,
}

fn is_rule(row: &str) -> bool {
    row.chars().count() > 3 && row.chars().all(|character| character == '─')
}

/// Tables of a screen, in order.
fn tables(screen: &Screen) -> Vec<Table> {
    let rows = &screen.rows;
    let at_rule = (0..rows.len()).filter(|row| is_rule(&rows[*row]));
    let one = |rule: usize| {
        let first = rows[..rule].iter().rposition(String::is_empty).map_or(0, |empty| empty + 1);
        let start = rows[first..rule].join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let block: Vec<&str> = rows[rule..].iter().take_while(|row| !row.is_empty()).map(String::as_str).collect();
        let note = block.iter().position(|row| row.contains(" columns omitted")).map(|at| block[at..].join(" "));
        let note = note.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let names = note.split_once(" omitted: ").and_then(|(_, names)| names.split_once(" (--wide"));
        let omitted = names.map_or_else(Vec::new, |(names, _)| names.split(", ").map(str::to_owned).collect());
        Table { start, omitted }
    };
    at_rule.map(one).collect()
}

#[test]
fn declared_columns_are_shown_at_80_and_at_120_columns() {
    let folder = recorded();
    let mut seen = std::collections::BTreeSet::new();
    let mut omissions = String::new();
    for columns in COLUMNS {
        for (line, code) in SCREENS {
            let screen = screen(folder.path(), columns, ROWS, &line.split(' ').collect::<Vec<_>>());
            assert_eq!(screen.code, *code, "{line}\n{}", screen.text());
            for table in tables(&screen) {
                for (caption, declared) in DECLARED.iter().filter(|(caption, _)| table.start.contains(caption)) {
                    seen.insert(*caption);
                    let lost = declared.iter().find(|column| table.omitted.iter().any(|name| name == *column));
                    assert_eq!(lost, None, "{line} at {columns} columns: {}\n{}", table.start, screen.text());
                }
                if !table.omitted.is_empty() && !line.contains("accesses") {
                    let start: String = table.start.chars().take(40).collect();
                    omissions += &format!("{columns}  {line}: {start}…: {}\n", table.omitted.join(", "));
                }
            }
        }
    }
    let unseen: Vec<_> = DECLARED.iter().filter(|(caption, _)| !seen.contains(caption)).collect();
    assert!(unseen.is_empty(), "no screen has these tables: {unseen:?}");
    insta::assert_snapshot!("omissions", omissions);
}

#[test]
fn wide_shows_every_column() {
    let folder = recorded();
    for (line, _) in SCREENS.iter().filter(|(line, _)| line.starts_with("analyze")) {
        let words: Vec<&str> = line.split(' ').chain(["--wide"]).collect();
        let text = screen(folder.path(), 80, ROWS, &words).text();
        assert!(!text.contains(" columns omitted"), "{line}\n{text}");
    }
}

#[test]
fn quiet_analysis_prints_verdicts_with_advice_and_broken_limits_only() {
    let folder = recorded();
    let taut = Taut::new(folder.path());
    let quiet = ["analyze", "level.taut", "--report", "alignment", "--budget", "examples/limits.toml", "--baseline"];
    let run = taut.run(&[&quiet[..], &["main.taut", "-q"]].concat());
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(
        run.stdout.contains("alignment.peak.waste_ratio") && run.stdout.contains("limits broken"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains('─') && run.stdout.lines().count() < 40, "{}", run.stdout);
    let verdict = taut.stdout(&["analyze", "rows.taut", "--report", "tiling", "-q"]);
    assert!(verdict.lines().count() <= 3 && verdict.contains("Write in tile order"), "{verdict}");
    let none = taut.stdout(&["analyze", "level.taut", "--report", "present", "-q"]);
    assert!(none.starts_with("Presents: nothing to report: "), "{none}");
}

#[test]
fn a_broken_limit_is_red_on_a_colour_terminal() {
    let folder = recorded();
    let line = "analyze level.taut --report alignment --budget examples/limits.toml --baseline main.taut -q";
    let screen = screen(folder.path(), 120, ROWS, &line.split(' ').collect::<Vec<_>>());
    let is_red = |row: &str| row.contains("\u{1b}[31mbroken\u{1b}[0m: level.taut: alignment waste at peak");
    assert!(screen.written.lines().any(is_red), "{}", screen.written);
}

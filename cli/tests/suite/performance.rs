//! The page `docs/performance.md` is generated from the measurements in `bench/results`.
//!
//! A file there is named `<date>-<subject>.json` or `<subject>.json`. Where several files have a subject, a row of a later one
//! replaces the row of the same name.
#![allow(clippy::expect_used)]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use taut_schemas::grouped;

/// Keys of a row, in the order of the files.
const KEYS: [&str; 10] = ["name", "unit", "target", "measured", "floor", "met", "command", "date", "machine", "note"];

/// Length of the date and the hyphen that precede a file's subject, in bytes.
const DATE_BYTES: usize = "2026-11-26-".len();

const INTRODUCTION: &str = "# Performance

Measured figures and results of long checks, with their targets. `BLESS=1 cargo test -p taut-cli --test suite -- performance::`
writes this page from `bench/results/*.json`.

- A target is a maximum, except for speeds, rates and counts of successes.
- A floor is the value that the unit compares with: the run without the measured part, another program, or the input.
- A check that was not run counts as not met.
- Times are wall-clock medians of whole processes unless the unit says otherwise.
- `ma.taut` is `testdata/d3d12ma-tight.jsonl.gz` recorded with `--driver peer`: 1.7 million events. `big.taut` is
  `streaming-world` recorded with `--threads 4 --seed 7 --set frames=76000`: 19.2 million events; `big/` is its lake.
";

const HEADING: &str = "
| figure | measured | unit | target | met | floor | date | machine | command | note |
|---|---|---|---|---|---|---|---|---|---|
";

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the subject of a file of results: its name without date.
fn subject(stem: &str) -> &str {
    let is_date = |prefix: &str| prefix.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    match stem.split_at_checked(DATE_BYTES) {
        Some((date, subject)) if is_date(date) => subject,
        _ => stem,
    }
}

/// Returns the newest row of each figure, by subject, in the order of the files.
fn results() -> BTreeMap<String, Vec<Value>> {
    let entries = std::fs::read_dir(project().join("bench/results")).expect("the folder of results");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let mut results: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a file of results");
        let rows: Vec<Value> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let known = results.entry(subject(&stem).to_owned()).or_default();
        for row in rows {
            match known.iter_mut().find(|known| known["name"] == row["name"]) {
                Some(known) => *known = row,
                None => known.push(row),
            }
        }
    }
    results
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "**no**".to_owned(),
        Value::Number(number) => number.as_u64().map_or_else(|| number.to_string(), grouped),
        Value::String(text) => text.replace('|', "\\|"),
        other => other.to_string(),
    }
}

fn line(row: &Value) -> String {
    // Without a target, nothing is met or missed.
    let met = if row["target"].is_null() { cell(&Value::Null) } else { cell(&row["met"]) };
    let command = format!("`{}`", cell(&row["command"]));
    let of = |key: &str| cell(&row[key]);
    let (measured, floor) = (of("measured"), of("floor"));
    let cells =
        [of("name"), measured, of("unit"), of("target"), met, floor, of("date"), of("machine"), command, of("note")];
    format!("| {} |\n", cells.join(" | "))
}

/// Returns the heading of a subject: its words, the first one with a capital letter.
fn title(subject: &str) -> String {
    let words = subject.replace('-', " ");
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    first + letters.as_str()
}

fn page(results: &BTreeMap<String, Vec<Value>>) -> String {
    let rows = || results.values().flatten().filter(|row| !row["target"].is_null());
    let met = rows().filter(|row| row["met"] == true).count();
    let mut page = format!("{INTRODUCTION}\n{met} of {} targets are met.\n", rows().count());
    for (subject, rows) in results {
        page += &format!("\n## {}\n{HEADING}", title(subject));
        rows.iter().for_each(|row| page += &line(row));
    }
    page
}

#[test]
fn every_result_has_the_keys_of_the_schema() {
    for (subject, rows) in results() {
        for row in rows {
            let what = format!("{subject}: {}", row["name"]);
            let keys: BTreeSet<&str> = row.as_object().expect("an object").keys().map(String::as_str).collect();
            assert_eq!(keys, BTreeSet::from(KEYS), "{what}");
            for key in ["name", "unit", "command", "machine", "note"] {
                assert!(row[key].is_string(), "{what}: {key}");
            }
            for key in ["target", "floor"] {
                assert!(row[key].is_number() || row[key].is_string() || row[key].is_null(), "{what}: {key}");
            }
            // A check that was not run yet has neither result nor date.
            let is_run = row["measured"].is_number() && row["date"].is_string();
            assert!(is_run || row["measured"].is_null() && row["date"].is_null(), "{what}: measured");
            assert!(row["met"].is_boolean() && (is_run || row["met"] == false), "{what}: met");
        }
    }
}

#[test]
fn the_page_of_performance_matches_the_results() -> Result<(), std::io::Error> {
    let path = project().join("docs/performance.md");
    let page = page(&results());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page)?;
    }
    let found = std::fs::read_to_string(path)?.replace("\r\n", "\n");
    assert!(
        found == page,
        "docs/performance.md differs from bench/results: BLESS=1 cargo test -p taut-cli --test suite -- performance:: writes it"
    );
    Ok(())
}

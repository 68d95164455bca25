//! Names that programs outside the project read: keys of JSON and columns of tables, frozen from 0.1.0. The list in
//! `frozen.txt` grows; a line that it has once is never removed.

use crate::golden::trace;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use taut_analyze::{Analysis, REPORTS};
use taut_tables::TABLES;

fn list() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/analyze/frozen.txt")
}

/// Lines of the keys in docs/json.md, each with its heading. A test of the command line finds each key in real output.
fn keys_of_commands() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/json.md");
    let (page, mut heading, mut lines) = (std::fs::read_to_string(page).unwrap(), "", Vec::new());
    for line in page.lines() {
        heading = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")).unwrap_or(heading);
        let Some(row) = line.strip_prefix("| ") else { continue };
        // `bench` has a row per command, whose keys are in the second cell.
        let cell = row.split(" | ").nth(usize::from(heading == "taut bench")).unwrap_or_default();
        lines.extend(cell.split('`').skip(1).step_by(2).map(|key| format!("json    {heading}: {key}")));
    }
    lines
}

/// Keys and columns of this build, a line each.
fn current() -> BTreeSet<String> {
    let reports = REPORTS.iter().flat_map(|report| {
        let definitions = report.definitions();
        definitions
            .iter()
            .map(|definition| format!("report  {}: {}", report.name(), definition.key))
            .collect::<Vec<_>>()
    });
    let analysis = Analysis::new(trace()).unwrap();
    let columns = TABLES.iter().flat_map(|table| {
        let columns = table.columns_of(&analysis).into_iter();
        columns.map(|column| format!("column  {}.{} {}", table.name, column.name, column.kind.name()))
    });
    keys_of_commands().into_iter().chain(reports).chain(columns).collect()
}

#[test]
fn no_key_of_json_and_no_column_of_a_table_is_removed_or_renamed() {
    let current = current();
    let text = std::fs::read_to_string(list()).unwrap_or_default();
    let frozen: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    if std::env::var_os("BLESS").is_some() {
        let all: Vec<&str> = frozen.union(&current).map(String::as_str).collect();
        std::fs::write(list(), all.join("\n") + "\n").unwrap();
        return;
    }
    assert!(frozen.len() > 800, "{}", frozen.len());
    let removed: Vec<_> = frozen.difference(&current).collect();
    assert!(removed.is_empty(), "frozen from 0.1.0, but removed, renamed or of another type: {removed:#?}");
}

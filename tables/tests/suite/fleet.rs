//! Fleet queries: the same results here and in the engines that fleets are queried with.
#![allow(clippy::unwrap_used)]

use crate::recording;

use serde_json::{Map, Value};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use taut_analyze::Analysis;
use taut_console::output::Outputs;
use taut_tables::parquet::{Lake, TraceSource};
use taut_testkit::repository_file;
use taut_traces::Trace;

/// A small fleet: a level under two drivers, and a frame, with tags.
static FLEET: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let mut written = Lake::at(&folder.path().join("lake")).unwrap();
    let mut write = |path: &Path, tags: [(&str, &str); 2]| {
        let analysis = Analysis::new(Trace::open(path).unwrap()).unwrap();
        let tags = tags.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        let source = TraceSource { path: path.file_name().unwrap().to_string_lossy().into_owned(), tags };
        written.write(&analysis, &source, &mut Outputs::default()).unwrap();
    };
    for (driver, branch, commit) in [("peer", "main", "1f3a9c"), ("legacy", "other", "2b4c6d")] {
        let path = folder.path().join(format!("{driver}.taut"));
        recording::record(&path, driver);
        write(&path, [("branch", branch), ("commit", commit)]);
    }
    write(&repository_file("testdata/pix-single-frame.taut"), [("branch", "main"), ("commit", "2b4c6d")]);
    folder
});

fn questions() -> Vec<PathBuf> {
    let found = std::fs::read_dir(repository_file("fleet/queries")).unwrap().map(|file| file.unwrap().path());
    let mut found: Vec<PathBuf> = found.filter(|path| path.extension().is_some_and(|ending| ending == "sql")).collect();
    found.sort();
    found
}

fn ours() -> Map<String, Value> {
    let one = |question: PathBuf| {
        let name = question.file_stem().unwrap().to_string_lossy().into_owned();
        let mut command = Command::new(env!("CARGO_BIN_EXE_taut-tables"));
        command.arg("query").arg(FLEET.path().join("lake")).arg("-").stdin(File::open(&question).unwrap());
        let output = command.args(["--format", "json"]).env("TAUT_CACHE", "").output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        (name, serde_json::from_slice(&output.stdout).unwrap())
    };
    questions().into_iter().map(one).collect()
}

/// Compares results; floating point numbers may differ as far as the order of a sum permits.
fn is_close(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) if one.is_f64() || other.is_f64() => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| is_close(value, other)))
        }
        (one, other) => one == other,
    }
}

#[test]
fn the_questions_have_answers() {
    let answers = ours();
    assert!(answers.len() >= 10);
    for (name, rows) in &answers {
        // Every call of these recordings succeeded.
        let is_empty = rows.as_array().unwrap().is_empty();
        assert!(!is_empty || name == "failed-calls", "{name} has no rows");
    }
}

/// The configured Python, if it has the module of an engine.
fn python_with(engine: &str, module: &str) -> Option<String> {
    let python = std::env::var("TAUT_FLEET_PYTHON").or_else(|_| std::env::var("TAUT_DUCKDB_PYTHON"));
    let python = python.unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", &format!("import {module}")]).stderr(Stdio::null()).status();
    let is_usable = has.is_ok_and(|status| status.success());
    if !is_usable {
        eprintln!("skipped: the fleet's questions in {engine} (`pip install {module}`, and TAUT_FLEET_PYTHON)");
    }
    is_usable.then_some(python)
}

/// Runs the queries in one engine, if the configured Python has it.
fn compare_with(engine: &str, module: &str, workers: Option<&str>) {
    let Some(python) = python_with(engine, module) else { return };
    let mut command = Command::new(&python);
    if let Some(master) = workers {
        // Workers are started by the scripts of a Spark distribution, which pyspark contains.
        let where_it_is = format!("import os, {module}; print(os.path.dirname({module}.__file__))");
        let home = Command::new(&python).args(["-c", &where_it_is]).output().unwrap();
        let home = String::from_utf8(home.stdout).unwrap();
        command.env("SPARK_HOME", home.trim()).env("PYSPARK_PYTHON", &python).env("TAUT_SPARK_MASTER", master);
    }
    command.arg(repository_file("fleet/ask.py")).arg(engine).arg(FLEET.path().join("lake")).args(questions());
    let output = command.output().unwrap();
    let stderr_text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr_text}");
    let theirs: Map<String, Value> = serde_json::from_slice(&output.stdout).unwrap();
    for (name, ours) in ours() {
        let (ours, theirs) = (ours.as_array().unwrap(), theirs[&name].as_array().unwrap());
        assert_eq!(ours.len(), theirs.len(), "{engine}, {name}");
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert!(is_close(ours, theirs), "{engine}, {name}:\n{ours}\n{theirs}");
        }
    }
}

#[test]
fn duckdb_has_the_same_answers() {
    compare_with("duckdb", "duckdb", None);
}

#[test]
fn datafusion_has_the_same_answers() {
    compare_with("datafusion", "datafusion", None);
}

#[test]
fn spark_has_the_same_answers() {
    compare_with("spark", "pyspark", None);
}

#[test]
fn spark_on_two_workers_has_the_same_answers() {
    compare_with("spark", "pyspark", Some("local-cluster[2,1,1024]"));
}

#[test]
fn a_query_of_a_missing_tag_names_the_tag_and_the_other_queries_are_answered() {
    let Some(python) = python_with("duckdb", "duckdb") else { return };
    let folder = tempfile::tempdir().unwrap();
    let lake = folder.path().join("lake");
    let analysis = Analysis::new(Trace::open(repository_file("testdata/pix-single-frame.taut")).unwrap()).unwrap();
    let source = TraceSource { path: "frame.taut".to_owned(), tags: Vec::new() };
    Lake::at(&lake).unwrap().write(&analysis, &source, &mut Outputs::default()).unwrap();
    let mut command = Command::new(&python);
    let output =
        command.arg(repository_file("fleet/ask.py")).arg("duckdb").arg(&lake).args(questions()).output().unwrap();
    let stderr_text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr_text}");
    assert!(stderr_text.contains("skipped which-build-grew: it needs the tags commit"), "{stderr_text}");
    assert!(stderr_text.contains("skipped regressions-by-tag: it needs the tags branch"), "{stderr_text}");
    assert!(!stderr_text.contains("Traceback"), "{stderr_text}");
    let answers: Map<String, Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answers.len(), questions().len() - 2);
}

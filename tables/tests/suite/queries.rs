//! User queries: answered as DuckDB answers them over the exported tables, or rejected; never differently.
#![allow(clippy::unwrap_used)]

use serde_json::json;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, LazyLock};
use taut_analyze::Analysis;
use taut_analyze::export::trace_id;
use taut_capture::Clock;
use taut_console::output::Outputs;
use taut_tables::parquet::{Lake, TraceSource};
use taut_tables::sql::{NamedTrace, Query};
use taut_testkit::{Recording, testdata};
use taut_traces::Trace;
use taut_workloads::call_log;

/// Recordings of a call log and of a frame.
static TRACES: LazyLock<[Arc<Analysis>; 2]> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ma.taut");
    let log = call_log::read(&testdata("d3d12ma-tight.jsonl.gz")).unwrap().log;
    let recording = Recording::under("peer").with_clock(Clock::Logical).with_workload("ma", Default::default());
    recording.record_call_log(&log, &path);
    [path, testdata("pix-single-frame.taut")].map(|path| Arc::new(Analysis::new(Trace::open(path).unwrap()).unwrap()))
});

/// Tables that queries of a kind run on.
fn tables_of_kind(of: &str) -> Query {
    let [log, frame] = TRACES.each_ref().map(Arc::clone);
    let named = |name: &str, analysis| NamedTrace::new(name, analysis);
    Query::new(match of {
        "log" => vec![named("ma", log)],
        _ => vec![named("base/frame", frame), named("new/frame", log)],
    })
}

/// Queries, each with the kind of its tables.
fn questions() -> Vec<(&'static str, String)> {
    let (mut of, mut found) = ("log", Vec::new());
    for line in include_str!("questions.sql").lines() {
        match line.strip_prefix("-- ") {
            Some(comment) if comment.starts_with("log: ") => of = "log",
            Some(comment) if comment.starts_with("two: ") => of = "two",
            None if !line.is_empty() => found.push((of, line.trim_end_matches(';').to_owned())),
            _ => {}
        }
    }
    found
}

/// Result as JSON, or the error.
fn answer(query: &Query, sql: &str) -> Result<String, String> {
    let mut text = Vec::new();
    let result = query.run(sql).map_err(|error| error.to_string())?;
    result.write_json(&mut text).unwrap();
    Ok(String::from_utf8(text).unwrap())
}

#[test]
fn queries_have_the_recorded_results() {
    let questions = questions();
    assert!(questions.len() >= 150);
    let (log, two) = (tables_of_kind("log"), tables_of_kind("two"));
    let mut text = String::new();
    for (of, sql) in &questions {
        let answer = answer(if *of == "log" { &log } else { &two }, sql);
        let shown = match &answer {
            Ok(rows) => rows.lines().filter(|line| line.starts_with('{')).take(12).collect::<Vec<_>>().join("\n"),
            Err(refused) => format!("refused: {refused}"),
        };
        text += &format!("{sql}\n{shown}\n\n");
    }
    // Rows without ORDER BY have no fixed order: they are compared with DuckDB's only.
    let ordered: Vec<&str> =
        text.split("\n\n").filter(|one| one.contains("ORDER BY") || one.lines().count() <= 2).collect();
    insta::assert_snapshot!("answers", ordered.join("\n\n"));
}

#[test]
fn answers_are_those_of_duckdb() {
    let python = std::env::var("TAUT_DUCKDB_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", "import duckdb"]).stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        eprintln!("skipped: answers_are_those_of_duckdb (no DuckDB: `pip install duckdb`, and TAUT_DUCKDB_PYTHON)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let lake = folder.path().join("lake");
    let mut written = Lake::at(&lake).unwrap();
    for analysis in TRACES.iter() {
        written.write(analysis, &TraceSource::default(), &mut Outputs::default()).unwrap();
    }
    let ids = TRACES.each_ref().map(|analysis| trace_id(analysis.trace()));
    let tables_by_kind = [("log", tables_of_kind("log")), ("two", tables_of_kind("two"))];
    let answers: Vec<_> = questions()
        .into_iter()
        .map(|(of, sql)| {
            let (_, query) = tables_by_kind.iter().find(|(name, _)| *name == of).unwrap();
            let answer = answer(query, &sql);
            json!({"of": of, "sql": sql, "rows": answer.as_ref().ok(), "refused": answer.as_ref().err()})
        })
        .collect();
    let file = folder.path().join("answers.json");
    let names = json!({"log": {&ids[0]: "ma"}, "two": {&ids[1]: "base/frame", &ids[0]: "new/frame"}});
    std::fs::write(&file, json!({"lake": lake, "names": names, "answers": answers}).to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/duckdb_answers.py");
    let output = Command::new(&python).arg(script).arg(&file).output().unwrap();
    let stdout_text = String::from_utf8_lossy(&output.stdout);
    eprintln!("{stdout_text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout_text}");
}

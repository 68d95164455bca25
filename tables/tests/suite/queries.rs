//! User queries: answered as DuckDB answers them over the exported tables, or rejected; never differently.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, LazyLock};
use taut_analyze::Analysis;
use taut_analyze::export::trace_id;
use taut_capture::Clock;
use taut_console::output::Outputs;
use taut_tables::parquet::{Lake, TraceSource};
use taut_tables::sql::{NamedTrace, Query};
use taut_testkit::{Recording, Taut, testdata};
use taut_traces::Trace;
use taut_workloads::call_log;

/// Files with the recordings of a call log and of a frame.
static FILES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ma.taut");
    let log = call_log::read(&testdata("d3d12ma-tight.jsonl.gz")).unwrap().log;
    let recording = Recording::under("peer").with_clock(Clock::Logical).with_workload("ma", Default::default());
    recording.record_call_log(&log, &path);
    [path, testdata("pix-single-frame.taut")].map(|path| std::fs::read(path).unwrap())
});

/// The traces of [`FILES`].
static TRACES: LazyLock<[Arc<Analysis>; 2]> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.taut");
    FILES.each_ref().map(|bytes| {
        std::fs::write(&path, bytes).unwrap();
        let analysis = Analysis::new(Trace::open(&path).unwrap()).unwrap();
        // The trace is a mapping of the file: the next one is another file.
        std::fs::remove_file(&path).unwrap();
        Arc::new(analysis)
    })
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
    questions_of(include_str!("questions.sql"))
}

/// Queries of a file.
fn questions_of(text: &'static str) -> Vec<(&'static str, String)> {
    let (mut of, mut found) = ("log", Vec::new());
    for line in text.lines() {
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
    let Some(python) = duckdb_python("answers_are_those_of_duckdb") else { return };
    let tables_by_kind = [("log", tables_of_kind("log")), ("two", tables_of_kind("two"))];
    let answers = questions().into_iter().map(|(of, sql)| {
        let (_, query) = tables_by_kind.iter().find(|(name, _)| *name == of).unwrap();
        let answer = answer(query, &sql);
        json!({"of": of, "sql": sql, "rows": answer.as_ref().ok(), "refused": answer.as_ref().err()})
    });
    compare(&python, answers.collect());
}

/// Queries as users of other engines write them.
#[test]
fn typed_queries_are_answered_as_duckdb_does_or_refused_by_the_missing_word() {
    let queries = questions_of(include_str!("typed.sql"));
    assert!(queries.len() >= 160);
    let tables = tables_of_kind("log");
    let (mut text, mut answers, mut unnamed) = (String::new(), Vec::new(), String::new());
    for (of, sql) in queries {
        let answer = answer(&tables, &sql);
        let shown = match &answer {
            Ok(rows) => rows.lines().filter(|line| line.starts_with('{')).take(6).collect::<Vec<_>>().join("\n"),
            Err(refused) => {
                let words: Vec<&str> = refused.split('`').skip(1).step_by(2).collect();
                if !words.iter().any(|word| sql.contains(word)) {
                    unnamed += &format!("{sql}: {refused}\n");
                }
                format!("refused: {refused}")
            }
        };
        text += &format!("{sql}\n{shown}\n\n");
        // DuckDB would execute what is refused, such as COPY.
        if answer.is_err() {
            continue;
        }
        answers.push(json!({"of": of, "sql": sql, "rows": answer.as_ref().ok(), "refused": null}));
    }
    assert!(unnamed.is_empty(), "refused without a word of the query:\n{unnamed}");
    insta::assert_snapshot!("typed", text);
    if let Some(python) = duckdb_python("typed_queries_are_answered_as_duckdb_does_or_refused_by_the_missing_word") {
        compare(&python, answers);
    }
}

/// A statement of its own, because DuckDB estimates some of these values.
#[test]
fn a_summary_has_the_values_that_single_queries_have() {
    let tables = tables_of_kind("log");
    let summary = tables.run("summarize heaps").unwrap();
    let count = tables.tables().iter().find(|table| table.name == "heaps").unwrap().columns.len();
    assert_eq!(summary.height(), count);
    let row = |name: &str| {
        let sql = format!(
            "FROM heaps SELECT '{name}' AS column_name, count(DISTINCT {name}) AS d, count(*) AS n, count({name}) AS known"
        );
        let values = answer(&tables, &sql).unwrap();
        serde_json::from_str::<Value>(&values).unwrap()[0].clone()
    };
    let mut text = Vec::new();
    summary.write_json(&mut text).unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&text).unwrap();
    for column in &rows {
        let expected = row(column["column_name"].as_str().unwrap());
        assert_eq!(column["approx_unique"], expected["d"], "{column}");
        assert_eq!(column["count"], expected["n"], "{column}");
        let missing = expected["n"].as_f64().unwrap() - expected["known"].as_f64().unwrap();
        let share = 100.0 * missing / expected["n"].as_f64().unwrap();
        assert!((column["null_percentage"].as_f64().unwrap() - share).abs() < 1e-9, "{column}");
    }
    insta::assert_snapshot!("summary", rows.iter().map(|row| format!("{row}\n")).collect::<String>());
    assert!(answer(&tables, "SUMMARIZE SELECT 1").unwrap_err().contains("`SUMMARIZE` takes the name of a table"));
}

#[test]
fn taut_duckdb_answers_every_query_as_duckdb_over_the_exported_lake() {
    let name = "taut_duckdb_answers_every_query_as_duckdb_over_the_exported_lake";
    let Some(python) = duckdb_python(name) else { return };
    if !Command::new("duckdb").arg("-version").output().is_ok_and(|version| version.status.success()) {
        eprintln!("skipped: {name} (no program duckdb: `pip install duckdb-cli`)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut answers = Vec::new();
    for of in ["log", "two"] {
        let session = folder.path().join(of);
        let paths = files_of_kind(of, folder.path());
        std::fs::create_dir(&session).unwrap();
        let questions: Vec<String> =
            questions().into_iter().filter(|(kind, _)| *kind == of).map(|(_, sql)| sql).collect();
        let file = |number: usize| session.join(format!("{number}.csv"));
        let mut script = ".mode csv\n.headers off\n.nullvalue <null>\n".to_owned();
        for (number, sql) in questions.iter().enumerate() {
            script += &format!(".output \"{}\"\n{sql};\n", file(number).display());
        }
        let mut arguments = vec!["duckdb"];
        arguments.extend(paths.iter().map(String::as_str));
        let tables = Taut::tables(folder.path());
        let mut command = tables.command(&arguments);
        command.env("TAUT_DUCKDB_SESSION", &session).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
        for (number, sql) in questions.into_iter().enumerate() {
            let rows = std::fs::read_to_string(file(number)).unwrap();
            answers.push(json!({"of": of, "sql": sql, "csv": rows, "refused": null}));
        }
    }
    assert!(answers.len() >= 150);
    compare(&python, answers);
}

/// Files of the traces that queries of a kind run on, with the names that [`tables_of_kind`] gives them.
fn files_of_kind(of: &str, folder: &Path) -> Vec<String> {
    let [log, frame] = &*FILES;
    let named = match of {
        "log" => vec![("ma.taut", log)],
        _ => vec![("base/frame.taut", frame), ("new/frame.taut", log)],
    };
    let paths = named.into_iter().map(|(name, bytes)| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path.to_string_lossy().into_owned()
    });
    paths.collect()
}

/// A Python with DuckDB; without one, the test with this name is skipped.
fn duckdb_python(test: &str) -> Option<String> {
    let python = std::env::var("TAUT_DUCKDB_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", "import duckdb"]).stderr(Stdio::null()).status();
    if has.is_ok_and(|status| status.success()) {
        return Some(python);
    }
    eprintln!("skipped: {test} (no DuckDB: `pip install duckdb`, and TAUT_DUCKDB_PYTHON)");
    None
}

/// Compares answers with those of DuckDB over the exported lake.
fn compare(python: &str, answers: Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    let lake = folder.path().join("lake");
    let mut written = Lake::at(&lake).unwrap();
    for analysis in TRACES.iter() {
        written.write(analysis, &TraceSource::default(), &mut Outputs::default()).unwrap();
    }
    let ids = TRACES.each_ref().map(|analysis| trace_id(analysis.trace()));
    let file = folder.path().join("answers.json");
    let names = json!({"log": {&ids[0]: "ma"}, "two": {&ids[1]: "base/frame", &ids[0]: "new/frame"}});
    std::fs::write(&file, json!({"lake": lake, "names": names, "answers": answers}).to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/duckdb_answers.py");
    let output = Command::new(python).arg(script).arg(&file).output().unwrap();
    let stdout_text = String::from_utf8_lossy(&output.stdout);
    eprintln!("{stdout_text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout_text}");
}

//! Wrong queries: each has an error of one plain sentence.
#![allow(clippy::unwrap_used)]

use std::process::Command;
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_tables::sql::{NamedTrace, Query};
use taut_testkit::testdata;
use taut_traces::Trace;

fn file() -> std::path::PathBuf {
    testdata("pix-single-frame.taut")
}

#[test]
fn wrong_queries_have_plain_error_messages() {
    let analysis = Arc::new(Analysis::new(Trace::open(file()).unwrap()).unwrap());
    let query = Query::new(vec![NamedTrace::new("pix", analysis)]);
    let questions: Vec<&str> = include_str!("refused.sql").lines().filter(|line| !line.is_empty()).collect();
    assert!(questions.len() >= 60);
    let mut text = String::new();
    for sql in questions {
        let refused = query.run(sql).err().unwrap_or_else(|| panic!("answered: {sql}")).to_string();
        for engine in ["Identifier(", "Expr", "polars", "dyn ", "LogicalPlan", "BinaryOp", "{", "Some(", "i128"] {
            assert!(!refused.contains(engine), "{sql}: {refused}");
        }
        assert_eq!(refused.lines().count(), 1, "{sql}: {refused}");
        text += &format!("{sql}\n  {refused}\n");
    }
    insta::assert_snapshot!("refused", text);
}

/// Chains that the parser reads in a loop still nest in the syntax tree: no length of them may overflow the stack.
#[test]
fn no_length_of_a_query_ends_the_program() {
    let analysis = Arc::new(Analysis::new(Trace::open(file()).unwrap()).unwrap());
    let query = Query::new(vec![NamedTrace::new("pix", analysis)]);
    for (link, links) in
        [("+", 2_000), (" OR thread=", 100_000), ("||", 100_000), (" AND 1=", 20_000), ("::bigint+", 3_000)]
    {
        let refused = query.run(&format!("SELECT 1{}", format!("{link}1").repeat(links))).err().unwrap().to_string();
        assert!(refused.contains("nested too deeply: more than 500 operators"), "{link}: {refused}");
    }
    let list = (0..3_000).map(|one| one.to_string()).collect::<Vec<_>>().join(", ");
    for answered in [format!("SELECT 1{} AS x", "+1".repeat(100)), format!("SELECT 1 AS x WHERE 2999 IN ({list})")] {
        assert_eq!(query.run(&answered).unwrap().height(), 1);
    }
}

#[test]
fn options_stand_anywhere_and_wrong_questions_exit_with_2() {
    let run = |arguments: &[&str]| {
        let file = file().to_string_lossy().into_owned();
        let arguments = arguments.iter().map(|one| if *one == "FILE" { file.as_str() } else { one });
        Command::new(env!("CARGO_BIN_EXE_taut-tables")).env("TAUT_CACHE", "").args(arguments).output().unwrap()
    };
    let sql = "SELECT 1 AS z, 2 AS a";
    for order in [
        ["query", "FILE", "--format", "csv", sql],
        ["query", "--format", "csv", "FILE", sql],
        ["query", "FILE", sql, "--format", "csv"],
    ] {
        assert_eq!(String::from_utf8(run(&order).stdout).unwrap(), "z,a\n1,2\n");
    }
    let json = String::from_utf8(run(&["query", "FILE", sql, "--json"]).stdout).unwrap();
    assert_eq!(json, "[\n{\"z\":1,\"a\":2}\n]\n");
    for wrong in ["DROP TABLE heaps", "SELECT name, count(*) FROM events", "SELECT nope(1)"] {
        assert_eq!(run(&["query", "FILE", wrong]).status.code(), Some(2), "{wrong}");
    }
}

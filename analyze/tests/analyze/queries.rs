//! SQL queries.

use crate::golden::trace;
use crate::trace_builder::TraceBuilder;
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_tables::sql::{NamedTrace, Query, QueryError, QueryResult};
use taut_traces::Trace;

fn named(name: &str, trace: Trace) -> NamedTrace {
    NamedTrace::new(name, Arc::new(Analysis::new(trace).unwrap()))
}

fn run_sql(sql: &str) -> Result<QueryResult, QueryError> {
    Query::new(vec![named("one", trace())]).run(sql)
}

fn json(result: &QueryResult) -> serde_json::Value {
    let mut text = Vec::new();
    result.write_json(&mut text).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn refused(sql: &str) -> String {
    run_sql(sql).err().unwrap().to_string()
}

#[test]
fn a_query_returns_rows_of_the_trace() {
    let result =
        run_sql("SELECT kind, count(*) AS n, sum(requested_bytes) AS asked FROM resources GROUP BY kind ORDER BY kind")
            .unwrap();
    let expected = serde_json::json!([
        {"kind": "committed", "n": 2, "asked": 1100},
        {"kind": "placed", "n": 5, "asked": 1000 + 600 + 21844 + 256 + 256},
    ]);
    assert_eq!(json(&result), expected);
    let mut csv = Vec::new();
    result.write_csv(&mut csv).unwrap();
    assert_eq!(String::from_utf8(csv).unwrap().lines().next(), Some("kind,n,asked"));
}

#[test]
fn tables_can_be_joined_filtered_and_counted() {
    let sql = "SELECT r.resource FROM resources r JOIN heaps h ON r.heap = h.heap WHERE r.width > 500 AND h.size_bytes = \
               1048576 AND r.name LIKE 'part%'";
    assert_eq!(json(&run_sql(sql).unwrap()), serde_json::json!([{"resource": 3}]));
    let counted = run_sql("SELECT count(*) AS n FROM events").unwrap();
    assert_eq!(json(&counted)[0]["n"], trace().summary().events);
    let phases = run_sql("SELECT phase, resources FROM phases ORDER BY 2 DESC").unwrap();
    assert_eq!(
        json(&phases),
        serde_json::json!([{"phase": "play", "resources": 4}, {"phase": "load", "resources": 3}])
    );
}

#[test]
fn a_query_reads_only_the_columns_it_names() {
    let plan =
        Query::new(vec![named("one", trace())]).explain("SELECT name, count(*) FROM calls GROUP BY name").unwrap();
    assert!(plan.contains("partial_aggregate: calls: part by part, 1 of 10 columns"), "{plan}");
}

#[test]
fn an_unknown_table_or_column_error_names_position_and_nearest_name() {
    assert_eq!(
        refused("SELECT heap\nFROM resorces"),
        "SQL, line 2, column 6: there is no table `resorces`: did you mean `resources`?"
    );
    assert_eq!(
        refused("SELECT formt FROM resources"),
        "SQL, line 1, column 8: there is no column `formt`: did you mean `format`?"
    );
    assert_eq!(
        refused("SELECT kind FROM resources WHERE widht > 5"),
        "SQL, line 1, column 34: there is no column `widht`: did you mean `width`?"
    );
}

#[test]
fn a_syntax_error_names_its_position() {
    let error = run_sql("SELECT kind FROM resources WHERE").err().unwrap();
    assert_eq!(error.position(), Some((1, 33)), "{error}");
    let error = run_sql("SELECT kind,\n FROM FROM resources").err().unwrap();
    assert_eq!(error.position().map(|(line, _)| line), Some(2), "{error}");
    assert!(refused("DROP TABLE nothing; SELECT 1").contains("one"));
}

#[test]
fn several_traces_are_one_table_with_a_column_for_the_trace() {
    let mut other = TraceBuilder::new();
    other.create_heap(1, 4096);
    let query = Query::new(vec![named("one", trace()), named("two", other.finish())]);
    let result = query.run("SELECT trace, count(*) AS n FROM heaps GROUP BY trace ORDER BY trace").unwrap();
    assert_eq!(json(&result), serde_json::json!([{"trace": "one", "n": 2}, {"trace": "two", "n": 1}]));
}

//! `--explain`: the rewrites that apply to a query, by name.

use taut_analyze::Analysis;
use taut_tables::sql::{NamedTrace, Query};
use taut_testkit::testdata;
use taut_traces::Trace;

fn query() -> Query {
    let path = testdata("pix-single-frame.taut");
    Query::new(vec![NamedTrace::new("pix", Analysis::new(Trace::open(path).unwrap()).unwrap())])
}

/// Lines about rewrites, which come first.
fn rewrites(sql: &str) -> Vec<String> {
    let names = ["metadata_aggregate", "stamp_range", "partial_aggregate", "rows_in_parts"];
    let text = query().explain(sql).unwrap();
    let is_rewrite = |line: &&str| names.iter().any(|name| line.starts_with(&format!("{name}: ")));
    text.lines().take_while(is_rewrite).map(ToOwned::to_owned).collect()
}

#[test]
fn every_rewrite_is_named_with_its_table_and_its_effect() {
    let heads =
        "metadata_aggregate: events: one row per class of records, from the headers of its blocks; no record is read";
    let stamps = "stamp_range: events: blocks outside the range of stamps are not read";
    let classes = "stamp_range: events: classes of records are not read";
    let by_class =
        "partial_aggregate: events: part by part, class by class, 2 of 7 columns; the groups of the parts are combined";
    let parts = "partial_aggregate: calls: part by part, 1 of 10 columns; the groups of the parts are combined";
    let rows = "rows_in_parts: events: part by part; only rows that pass the filter stay in memory";
    for (sql, expected) in [
        ("SELECT count(*) AS n FROM events WHERE layer = 'api'", vec![heads]),
        ("SELECT DISTINCT name FROM events", vec![heads]),
        ("SELECT name, max(stamp) AS last FROM events WHERE stamp > 9 GROUP BY name", vec![stamps, by_class]),
        ("SELECT name, count(*) AS n FROM calls GROUP BY name", vec![parts]),
        ("SELECT stamp FROM events WHERE name LIKE 'Create%' ORDER BY stamp", vec![classes, rows]),
        ("SELECT stamp FROM events WHERE 9 >= stamp", vec![stamps, rows]),
        ("SELECT * FROM heaps", vec![]),
        ("SELECT stamp FROM events ORDER BY stamp", vec![]),
    ] {
        assert_eq!(rewrites(sql), expected, "{sql}");
    }
}

#[test]
fn an_explained_query_executes_nothing() {
    let sql = "SELECT stamp FROM events WHERE stamp > (SELECT CAST(max(name) AS BIGINT) FROM events)";
    assert!(query().run(sql).is_err(), "a name is no number");
    let rewrites = rewrites(sql);
    assert!(rewrites[0].starts_with("metadata_aggregate: events: "), "of the subquery: {rewrites:?}");
}

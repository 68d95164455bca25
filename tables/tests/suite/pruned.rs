//! Pruning: equal results from a trace, of which only block heads and some records are read, and from all its records
//! in memory.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use taut_analyze::Analysis;
use taut_schemas::{EventSchema, FieldKind, SchemaTable};
use taut_tables::sql::{NamedTrace, Query};
use taut_traces::{Header, Trace, TraceWriter, WriteOptions};

/// Payload whose numbers are 0 and whose texts and lists are empty.
fn row(event: &EventSchema) -> Vec<u8> {
    let bytes = event.fields.iter().map(|field| match &field.kind {
        FieldKind::Scalar(scalar) => usize::from(scalar.width_bytes),
        _ => 4,
    });
    vec![0; bytes.sum()]
}

/// Generates a trace of many blocks: threads with few events each, and one that fills more than a block. Stamps mostly
/// rise.
fn trace(seed: u32) -> Arc<Analysis> {
    Arc::new(Analysis::new(Trace::from_bytes(file(seed)).unwrap()).unwrap())
}

/// Generates the trace's file.
fn file(seed: u32) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("generated.taut");
    let schema = SchemaTable::current();
    let header = Header { schema: schema.clone(), ..Header::default() };
    let writer = TraceWriter::create(&path, header, WriteOptions::default()).unwrap();
    let mut state = seed;
    let mut random = move |end: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % end
    };
    let rows: Vec<Vec<u8>> = schema.events.iter().map(row).collect();
    for thread in 0..24 {
        let mut writer = writer.thread(if thread == 20 { 65_536 } else { thread });
        let known: Vec<usize> = (0..1 + random(6)).map(|_| random(schema.events.len().min(90))).collect();
        for record in 0..if thread == 3 { 67_000 } else { random(900) } {
            // Each block of the long thread has events of its own.
            let from = if thread == 3 { record / 30_000 } else { 0 };
            let event = known[(from + random(2)) % known.len()];
            let stamp = (record * 10 + random(25)) as u64;
            writer.event(schema.events[event].code, stamp, |encoder| {
                rows[event].iter().for_each(|byte| encoder.u8(*byte))
            });
        }
    }
    writer.finish().unwrap();
    std::fs::read(&path).unwrap()
}

struct Both {
    trace: Query,
    memory: Query,
}

impl Both {
    fn new(traces: Vec<NamedTrace>) -> Both {
        let trace = Query::new(traces);
        let all = trace.run("SELECT * FROM events").unwrap().frame().clone();
        Both { trace, memory: Query::from_frames(vec![("events".to_owned(), all)]) }
    }
}

static QUERIES: LazyLock<[Both; 2]> = LazyLock::new(|| {
    let [one, other] = [1, 2].map(|seed| NamedTrace::new(format!("trace{seed}"), trace(seed)));
    [Both::new(vec![one.clone()]), Both::new(vec![one, other])]
});

fn condition() -> impl Strategy<Value = String> {
    let names: Vec<String> = SchemaTable::current().events.iter().take(90).map(|event| event.name.clone()).collect();
    let leaf = prop_oneof![
        3 => prop::sample::select(names).prop_map(|name| format!("name = '{name}'")),
        3 => prop::sample::select(vec![
            "name LIKE 'Create%'", "name IS NULL", "name = NULL", "provider = 'd3d12'", "opcode IN ('start', 'info')",
            "layer <> 'api'", "upper(opcode) = 'STOP'", "length(name) > 14", "true", "1 = 2", "name IS NOT NULL",
        ]).prop_map(str::to_owned),
        2 => (0..30u32).prop_map(|thread| format!("thread <= {thread}")),
        1 => (0..30u32).prop_map(|thread| format!("thread = {thread}")),
        2 => (2..5u32).prop_map(|by| format!("code % {by} = 1")),
        2 => (0..9_000u32).prop_map(|stamp| format!("stamp > {stamp}")),
        1 => (0..9_000u32).prop_map(|stamp| format!("stamp BETWEEN {stamp} AND {}", stamp + 300)),
        1 => (0..700_000u32).prop_map(|stamp| format!("{stamp} < stamp")),
        1 => (0..30u32).prop_map(|number| format!("stamp % 31 + thread = {number}")),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            4 => (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("({one} AND {other})")),
            2 => (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("({one} OR {other})")),
            1 => inner.prop_map(|one| format!("NOT ({one})")),
        ]
    })
}

fn query_text() -> impl Strategy<Value = String> {
    let keys = prop::sample::subsequence(
        vec!["name", "thread", "provider", "opcode", "code % 7", "thread > 5", "stamp // 3000"],
        1..4,
    );
    let aggregates = prop::sample::subsequence(
        vec![
            "count(*)",
            "count(name)",
            "min(thread)",
            "max(code)",
            "sum(code)",
            "avg(thread)",
            "count(DISTINCT name)",
            "count_if(thread > 3)",
            "min(name)",
            "sum(thread) FILTER (WHERE opcode = 'start')",
            "bool_and(thread < 9)",
            "max(stamp)",
            "min(stamp)",
            "avg(stamp)",
            "median(stamp)",
            "count(*) + max(code)",
            "sum(stamp) FILTER (WHERE opcode = 'start')",
            "count_if(stamp % 7 = thread % 7)",
            "sum(stamp - code)",
        ],
        1..4,
    );
    (condition(), keys, aggregates, 0..7u8).prop_map(|(condition, keys, aggregates, form)| {
        let (keys, aggregates) = (keys.join(", "), aggregates.join(", "));
        match form {
            0 => format!("SELECT {aggregates} FROM events WHERE {condition}"),
            1 => format!("SELECT {keys}, {aggregates} FROM events GROUP BY ALL"),
            2 => format!("SELECT stamp, name, thread FROM events WHERE {condition}"),
            3 => format!("SELECT DISTINCT {keys} FROM events WHERE {condition}"),
            4 => format!(
                "SELECT n, count(*), sum(t) FROM (SELECT name AS n, thread + 1 AS t, stamp FROM events WHERE {condition}) AS e \
                 WHERE t > 2 GROUP BY n HAVING count(*) > 5"
            ),
            5 => format!("SELECT {keys}, {aggregates} FROM events WHERE {condition} GROUP BY ALL ORDER BY 2 DESC LIMIT 9"),
            _ => format!("SELECT {keys}, {aggregates} FROM events WHERE {condition} GROUP BY ALL"),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pruning_changes_no_result(sql in query_text(), several in any::<bool>()) {
        let Both { trace, memory } = &QUERIES[usize::from(several)];
        match (trace.run(&sql), memory.run(&sql)) {
            (Ok(read), Ok(known)) => {
                prop_assert!(read.frame().equals_missing(known.frame()), "{sql}\n{}\n{}", read.frame(), known.frame());
            }
            (Err(read), Err(known)) => prop_assert_eq!(read.to_string(), known.to_string()),
            (read, known) => prop_assert!(false, "{}\n{:?}\n{:?}", sql, read.is_ok(), known.is_ok()),
        }
    }
}

/// Counts from block heads, compared with counts over the rows.
#[test]
fn counts_from_heads_of_blocks_are_those_of_the_rows() {
    let analysis = trace(7);
    let mut counts: BTreeMap<(String, u32), u64> = BTreeMap::new();
    let schema = &analysis.trace().header().schema;
    let mut rows = analysis.trace().rows();
    while let Some(row) = rows.next_row() {
        let name = schema.event(row.code).unwrap().name.clone();
        *counts.entry((name, row.thread)).or_default() += 1;
    }
    let query = Query::new(vec![NamedTrace::new("one", analysis.clone())]);
    let selected = query.run("SELECT name, thread, count(*) FROM events GROUP BY name, thread ORDER BY 1, 2").unwrap();
    let answered: Vec<Vec<String>> = selected.table(usize::MAX).rows;
    let known: Vec<Vec<String>> = counts
        .iter()
        .map(|((name, thread), count)| vec![name.clone(), thread.to_string(), count.to_string()])
        .collect();
    assert_eq!(answered, known);
    let all: u64 = counts.values().sum();
    assert_eq!(query.run("SELECT count(*) FROM events").unwrap().table(1).rows, [[all.to_string()]]);
}

/// Heads are read once per query; records are read only from blocks whose stamp range meets the condition.
#[test]
fn a_block_whose_stamps_are_outside_a_condition_is_not_read() {
    let analysis = trace(5);
    let query = Query::new(vec![NamedTrace::new("one", analysis.clone())]);
    let blocks = analysis.trace().blocks();
    let all: u64 = blocks.iter().map(|block| u64::from(block.records)).sum();
    for bound in [0, 4_000, 200_000, 600_000, 1 << 40] {
        let within = blocks.iter().filter(|block| block.max_stamp > bound).map(|block| u64::from(block.records));
        let within: u64 = within.sum();
        for selected in ["count(*), min(stamp)", "name, max(stamp)", "stamp, name"] {
            let by = if selected.starts_with("name") { " GROUP BY name" } else { "" };
            let sql = format!("SELECT {selected} FROM events WHERE {bound} < stamp{by}");
            let before = analysis.trace().records_read();
            query.run(&sql).unwrap();
            assert_eq!(analysis.trace().records_read() - before, all + within, "{sql}");
        }
    }
}

#[test]
fn a_query_without_trace_data_reads_no_block() {
    let analysis = trace(6);
    let query = Query::new(vec![NamedTrace::new("one", analysis.clone())]);
    for sql in ["SELECT 1", "SELECT 2 + 3 AS five", "SHOW TABLES", "SELECT driver FROM traces"] {
        query.run(sql).unwrap();
        assert_eq!(analysis.trace().records_read(), 0, "{sql}");
    }
}

/// Event, thread, number of records, minimum and maximum stamp.
type Group = (String, u32, u64, u64, u64);

/// Computes the groups row by row, with the damage met.
fn groups_of_rows(trace: &Trace) -> (Vec<Group>, Vec<String>) {
    let mut groups: BTreeMap<(String, u32), (u64, u64, u64)> = BTreeMap::new();
    let mut rows = trace.rows();
    while let Some(row) = rows.next_row() {
        let name = trace.header().schema.event(row.code).unwrap().name.clone();
        let group = groups.entry((name, row.thread)).or_insert((0, u64::MAX, 0));
        *group = (group.0 + 1, group.1.min(row.stamp), group.2.max(row.stamp));
    }
    let met: BTreeMap<u64, String> = rows.damage().iter().map(|damage| (damage.offset, damage.to_string())).collect();
    let groups =
        groups.into_iter().map(|((name, thread), (count, lowest, highest))| (name, thread, count, lowest, highest));
    (groups.collect(), met.into_values().collect())
}

static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| file(3));

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// A flipped bit, an erased block, or a truncated file.
    #[test]
    fn results_and_damage_of_a_damaged_trace_equal_those_of_its_rows(form in 0..3u8, block: u32, at: u32) {
        let mut bytes = FILE.clone();
        let blocks = Trace::from_bytes(bytes.clone()).unwrap().blocks().to_vec();
        let block = &blocks[block as usize % blocks.len()];
        let (start, length) = (block.offset as usize, block.length_bytes as usize);
        match form {
            0 => bytes[start + at as usize % length] ^= 1 << (at % 8),
            1 => bytes[start..start + length].fill(0),
            _ => bytes.truncate(start + at as usize % length),
        }
        let analysis = Arc::new(Analysis::new(Trace::from_bytes(bytes).unwrap()).unwrap());
        let (groups, damage) = groups_of_rows(analysis.trace());
        let query = Query::new(vec![NamedTrace::new("one", analysis.clone())]);
        let heads = "SELECT name, thread, count(*) FROM events GROUP BY name, thread ORDER BY 1, 2";
        let answered: Vec<Vec<String>> = query.run(heads).unwrap().table(usize::MAX).rows;
        let known: Vec<Vec<String>> =
            groups.iter().map(|(name, thread, count, ..)| vec![name.clone(), thread.to_string(), count.to_string()]).collect();
        prop_assert_eq!(answered, known);
        prop_assert_eq!(&analysis.damage_met(), &damage);
        let stamps = "SELECT name, thread, count(*), min(stamp), max(stamp) FROM events GROUP BY name, thread ORDER BY 1, 2";
        let answered = query.run(stamps).unwrap();
        let number = |column: usize, row: usize| answered.frame().columns()[column].get(row).unwrap().try_extract::<u64>().unwrap();
        let known = groups.iter().map(|(_, thread, count, lowest, highest)| [u64::from(*thread), *count, *lowest, *highest]);
        let answered = (0..answered.height()).map(|row| [1, 2, 3, 4].map(|column| number(column, row)));
        prop_assert!(answered.eq(known));
        prop_assert_eq!(&analysis.damage_met(), &damage);
    }
}

/// A damaged block is in no result, and is reported although none of its columns is read.
#[test]
fn a_damaged_block_is_reported_where_only_heads_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.taut");
    let mut bytes = std::fs::read(taut_testkit::testdata("pix-single-frame.taut")).unwrap();
    let whole = Trace::from_bytes(bytes.clone()).unwrap();
    let block = whole.blocks().iter().max_by_key(|block| block.records).unwrap().clone();
    bytes[block.offset as usize + block.length_bytes as usize - 20] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let analysis = Arc::new(Analysis::new(Trace::open(&path).unwrap()).unwrap());
    let query = Query::new(vec![NamedTrace::new("one", analysis.clone())]);
    let left = whole.summary().events - u64::from(block.records);
    assert_eq!(query.run("SELECT count(*) FROM events").unwrap().table(1).rows, [[left.to_string()]]);
    assert_eq!(analysis.damage_met().len(), 1);
}

/// LIMIT and OFFSET over chunked rows: the rows of the whole result, without holding all of them.
#[test]
fn rows_of_a_limit_arrive_in_chunks() {
    let Both { trace, memory } = &QUERIES[1];
    for (sql, comes_in_parts) in [
        ("SELECT stamp, name FROM events LIMIT 100000", true),
        ("SELECT * FROM events LIMIT 90000 OFFSET 5000", true),
        ("SELECT stamp + 1 AS s, thread FROM events WHERE thread = 3 LIMIT 100000 OFFSET 900", true),
        ("SELECT stamp FROM events WHERE thread = 3 OFFSET 200000", false),
        ("SELECT name, stamp FROM events LIMIT 0", false),
        ("SELECT name, stamp FROM events LIMIT 3", false),
        ("SELECT name FROM events ORDER BY stamp LIMIT 70000", false),
    ] {
        let mut parts = Vec::new();
        let take = &mut |part| {
            parts.push(part);
            std::ops::ControlFlow::Continue(())
        };
        trace.each(sql, take).unwrap();
        let rows = parts.iter().filter(|part| part.height() > 0).count();
        assert_eq!(rows > 1, comes_in_parts, "{sql}: {rows} parts");
        let joined = parts.into_iter().reduce(|joined, part| joined.vstack(&part).unwrap()).unwrap();
        let known = memory.run(sql).unwrap();
        assert!(joined.equals_missing(known.frame()), "{sql}\n{joined}\n{}", known.frame());
    }
}

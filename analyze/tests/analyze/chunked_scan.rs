//! Tables read in chunks, and queries evaluated in chunks.

use crate::golden::trace;
use crate::trace_builder::TraceBuilder;
use std::ops::ControlFlow;
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_schemas::{HeapDesc, HeapId, PhaseEdge, d3d12, d3d12_ddi};
use taut_tables::polars::prelude::DataFrame;
use taut_tables::sql::{NamedTrace, Query, ResultFormat, ResultWriter};
use taut_tables::{TABLES, table};
use taut_traces::Trace;

fn named(name: &str, trace: Trace) -> NamedTrace {
    NamedTrace::new(name, Arc::new(Analysis::new(trace).unwrap()))
}

/// A trace of many threads, whose blocks form several chunks.
fn of_many_threads() -> Trace {
    let mut trace_builder = TraceBuilder::new();
    for thread in 0..11 {
        trace_builder.thread = thread;
        trace_builder.phase(thread, PhaseEdge::BEGIN, "all at once");
        for heap in 0..=u64::from(thread) {
            trace_builder.create_heap(100 * u64::from(thread) + heap + 1, 4096 << heap);
        }
    }
    trace_builder.api_start(d3d12::CreateHeap::default());
    trace_builder.finish()
}

/// Rows as sorted text, independent of row order.
fn sorted(frame: &DataFrame) -> Vec<String> {
    let mut text = Vec::new();
    let mut writer = ResultWriter::new(ResultFormat::Csv, &mut text, Vec::new());
    writer.push(frame.clone()).unwrap();
    writer.finish().unwrap();
    let mut lines: Vec<String> = String::from_utf8(text).unwrap().lines().map(str::to_owned).collect();
    lines[1..].sort();
    lines
}

const QUESTIONS: &[&str] = &[
    "SELECT name, thread, count(*) FROM events GROUP BY name, thread",
    "SELECT count(*) FROM events",
    "SELECT count(*) AS n, max(stamp) AS last, min(stamp) AS first, sum(thread) AS sum FROM events WHERE layer = 'api'",
    "SELECT layer, count(*) AS n FROM events WHERE thread > 2 AND name LIKE 'Create%' GROUP BY layer HAVING count(*) > 3",
    "SELECT name, count(*) AS n, sum(duration_ns) / count(*) AS mean FROM calls GROUP BY name ORDER BY n DESC, name LIMIT 2",
    "SELECT name, avg(duration_ns) AS mean, count(DISTINCT thread) AS threads FROM calls GROUP BY name",
    "SELECT thread + 1 AS one, count(stop_stamp) AS ended, sum(duration_ns) AS ns FROM calls GROUP BY thread + 1",
    "SELECT sum(duration_ns) AS ns, max(name) AS name FROM calls WHERE thread > 100",
    "SELECT thread, max(hr) FROM calls WHERE thread > 100 GROUP BY thread",
    "SELECT call, name, start_stamp FROM calls WHERE hr = 0 AND duration_ns > 10000",
    "SELECT * FROM heaps WHERE size_bytes > 10000 ORDER BY heap DESC LIMIT 3",
    "SELECT DISTINCT name FROM events WHERE opcode = 'start'",
    "SELECT e.name, e.n, c.n AS calls FROM (SELECT name, count(*) AS n FROM events GROUP BY name) e JOIN (SELECT name, \
     count(*) AS n FROM calls GROUP BY name) c ON e.name = c.name",
    "SELECT CASE WHEN thread < 3 THEN 'few' ELSE 'many' END AS kind, count(*) AS n FROM events GROUP BY kind",
    "SELECT name, count(*) AS n FROM ddi_calls GROUP BY name UNION ALL SELECT kind, count(*) AS n FROM messages GROUP BY kind",
];

#[test]
fn a_chunked_query_equals_that_of_the_whole_table() {
    for trace in [of_many_threads, trace] {
        let known = named("one", trace());
        let frame = |table: &taut_tables::Table| (table.name.to_owned(), table.frame(&known.analysis, None).unwrap());
        let whole = Query::from_frames(TABLES.iter().map(frame).collect());
        let query = Query::new(vec![known]);
        for sql in QUESTIONS {
            let expected = whole.run(sql).unwrap().frame().clone();
            assert_eq!(sorted(query.run(sql).unwrap().frame()), sorted(&expected), "{sql}");
            let mut parts: Option<DataFrame> = None;
            let mut take = |part: DataFrame| {
                match &mut parts {
                    Some(parts) => drop(parts.vstack_mut(&part).unwrap()),
                    None => parts = Some(part),
                }
                ControlFlow::Continue(())
            };
            query.each(sql, &mut take).unwrap();
            assert_eq!(sorted(&parts.unwrap()), sorted(&expected), "{sql}");
        }
    }
}

#[test]
fn several_traces_are_counted_together_and_apart() {
    let query = Query::new(vec![named("one", trace()), named("two", of_many_threads())]);
    let counts = query.run("SELECT trace, count(*) AS n FROM events GROUP BY trace ORDER BY trace").unwrap();
    let events = [trace().summary().events, of_many_threads().summary().events];
    assert_eq!(
        sorted(counts.frame()),
        ["trace,n".to_owned(), format!("one,{}", events[0]), format!("two,{}", events[1])]
    );
    let all = query.run("SELECT count(*) AS n FROM events").unwrap();
    assert_eq!(sorted(all.frame())[1], (events[0] + events[1]).to_string());
}

#[test]
fn a_table_s_parts_end_when_enough_has_been_taken() {
    // A chunk contains at most one million events.
    let mut trace_builder = TraceBuilder::new();
    for thread in 0..8 {
        trace_builder.thread = thread;
        (0..180_000).for_each(|_| trace_builder.phase(thread, PhaseEdge::BEGIN, "again"));
    }
    let analysis = Analysis::new(trace_builder.finish()).unwrap();
    let mut taken = 0;
    let wanted = ["stamp".to_owned()];
    table("events")
        .unwrap()
        .parts(&analysis, Some(&wanted), &Ok, &mut |part| {
            taken += part.height();
            Ok(ControlFlow::Break(()))
        })
        .unwrap();
    assert!(taken > 0 && (taken as u64) < analysis.trace().summary().events);
}

/// The trace has more than one batch of blocks.
#[test]
fn calls_are_joined_and_in_order_across_batches() {
    let mut trace_builder = TraceBuilder::new();
    let call = || d3d12::CreateHeap { desc: HeapDesc { size_bytes: 4096, ..Default::default() }, ..Default::default() };
    // Thread 0 stays within one call while thread 1 makes many calls.
    let (mut long, long_thread, short_thread) = (0, 7, 3);
    trace_builder.thread = long_thread;
    trace_builder.api(call(), Ok(HeapId(1)), |trace_builder| {
        while long < 3 {
            trace_builder.thread = short_thread;
            for _ in 0..100_000 {
                trace_builder.api(call(), Ok(HeapId(2)), |trace_builder| {
                    trace_builder.ddi(d3d12_ddi::CheckResourceAllocationInfo::default(), Default::default());
                });
            }
            trace_builder.thread = long_thread;
            trace_builder.ddi(d3d12_ddi::CheckResourceAllocationInfo::default(), Default::default());
            long += 1;
        }
    });
    let trace = trace_builder.finish();
    assert!(trace.summary().events > 1 << 20);
    let analysis = Analysis::new(trace).unwrap();
    let wanted = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let calls = table("calls").unwrap();
    let frame =
        calls.frame(&analysis, Some(&wanted(&["call", "thread", "start_stamp", "stop_stamp", "result_heap"]))).unwrap();
    let numbers = |name: &str| -> Vec<Option<i128>> {
        let column = frame.column(name).unwrap().cast(&taut_tables::polars::prelude::DataType::Int128).unwrap();
        column.i128().unwrap().iter().collect()
    };
    assert_eq!(frame.height(), 300_001);
    assert_eq!(numbers("call"), (0..300_001).map(Some).collect::<Vec<_>>());
    assert!(numbers("start_stamp").is_sorted());
    assert_eq!((numbers("result_heap")[0], numbers("result_heap")[1]), (Some(1), Some(2)));
    assert_eq!(numbers("stop_stamp")[0], Some(analysis.trace().summary().events.into()));
    let ddi_calls = table("ddi_calls").unwrap().frame(&analysis, Some(&wanted(&["call", "thread"]))).unwrap();
    let of_long = ddi_calls.column("call").unwrap().i64().unwrap().iter().filter(|call| *call == Some(0));
    assert_eq!((ddi_calls.height(), of_long.count()), (300_003, 3));
}

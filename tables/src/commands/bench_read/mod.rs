//! `taut bench read`: queries on events, compared with a scan of mapped records in the same run.

mod floor;
mod generated;

use floor::Floor;
use serde_json::json;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use taut_analyze::Analysis;
use taut_analyze::render::{grouped, span};
use taut_console::args::{BenchRead, Common};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{print, print_json};
use taut_console::traces::{name, open, scratch};
use taut_tables::polars::prelude::DataType;
use taut_tables::sql::{NamedTrace, Query};
use taut_traces::Trace;

/// Query answered from the heads of blocks.
const GROUPS: &str = "SELECT name, thread, count(*) AS n FROM events GROUP BY name, thread";

/// Query over all columns of all records; values that follow from an event and its thread are computed once per class.
const FRAMES: &str = "SELECT name, thread, count(*) AS n, max(stamp) AS s, max(code) AS c, max(provider) AS p, max(layer) AS l, \
                      max(opcode) AS o FROM events GROUP BY name, thread";

/// Query whose result has all columns of all records.
const ROWS: &str = "SELECT * FROM events";

/// Runs the benchmark.
pub fn run(bench: &BenchRead, common: Common) -> Outcome {
    let (file, title) = match &bench.file {
        Some(file) => (None, name(file)),
        None => (Some(generated::trace(bench.events)?), "a generated trace".to_owned()),
    };
    let reopen = || -> Result<Trace, Failure> {
        match &file {
            Some(file) => Ok(Trace::from_file(file, "generated")?),
            None => open(bench.file.as_ref().unwrap_or(&PathBuf::new())),
        }
    };
    let floor = Floor::new(&reopen()?, scratch()?)?;
    let events = floor.records();
    let (mut floors, mut groups, mut frames, mut rows) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // Interleaved, so that a drift of the machine's speed affects all measurements.
    for _ in 0..bench.repeat {
        floors.push(timed(|| Ok(floor.scan()), events)?);
        groups.push(timed(|| count_in_groups(reopen()?, GROUPS), events)?);
        frames.push(timed(|| count_in_groups(reopen()?, FRAMES), events)?);
        rows.push(timed(|| count_rows(reopen()?, ROWS), events)?);
    }
    let [floor_ns, group_ns, frame_ns, row_ns] = [floors, groups, frames, rows].map(median);
    let mevents_per_s = |ns: u64| events as f64 * 1e3 / ns.max(1) as f64;
    let over_floor = floor_ns as f64 / group_ns.max(1) as f64;
    if common.json {
        print_json(&json!({
            "events": events,
            "group_by_mevents_per_s": mevents_per_s(group_ns),
            "floor_mevents_per_s": mevents_per_s(floor_ns),
            "group_by_over_floor": over_floor,
            "frame_mevents_per_s": mevents_per_s(frame_ns),
            "frame_over_floor": floor_ns as f64 / frame_ns.max(1) as f64,
            "row_mevents_per_s": mevents_per_s(row_ns),
            "repeat": bench.repeat,
        }))?;
    } else {
        let line = |what: &str, ns: u64| {
            format!("  {what:<44} {:>10}   {:.0} million events/s\n", span(ns), mevents_per_s(ns))
        };
        print(&format!(
            "{title}: {} events, median of {}\n{}{}{}{}  the query is {over_floor:.2} times as fast as the scan\n",
            grouped(events),
            bench.repeat,
            line("events by name and thread, trace reopened", group_ns),
            line("all columns of events, grouped", frame_ns),
            line("all columns of events, as rows", row_ns),
            line("scan of mapped records, grouped", floor_ns),
        ))?;
    }
    Ok(Status::Fine)
}

/// Measures a run in nanoseconds, and checks that it counted `events` records.
fn timed(run: impl FnOnce() -> Result<u64, Failure>, events: u64) -> Result<u64, Failure> {
    let start = Instant::now();
    let counted = run()?;
    let took_ns = start.elapsed().as_nanos() as u64;
    if counted != events {
        return Err(Failure::input(anyhow(counted, events)));
    }
    Ok(took_ns)
}

fn anyhow(counted: u64, events: u64) -> std::io::Error {
    std::io::Error::other(format!(
        "{counted} records were counted of {events}: the trace is damaged, or the query wrong"
    ))
}

fn query(trace: Trace) -> Result<Query, Failure> {
    let analysis = Analysis::new(Arc::new(trace)).map_err(Failure::input)?;
    Ok(Query::new(vec![NamedTrace::new("trace", analysis)]))
}

/// Runs a query and returns the sum of its groups' counts.
fn count_in_groups(trace: Trace, sql: &str) -> Result<u64, Failure> {
    let answer = query(trace)?.run(sql).map_err(Failure::input)?;
    let counts = answer.frame().column("n").and_then(|column| column.cast(&DataType::UInt64));
    let sum = counts.and_then(|column| Ok(column.u64()?.iter().flatten().sum()));
    sum.map_err(Failure::input)
}

/// Runs a query in chunks and returns the number of its rows.
fn count_rows(trace: Trace, sql: &str) -> Result<u64, Failure> {
    let mut rows = 0;
    let counted = query(trace)?.each(sql, &mut |part| {
        rows += part.height() as u64;
        ControlFlow::Continue(())
    });
    counted.map_err(Failure::input)?;
    Ok(rows)
}

fn median(mut samples: Vec<u64>) -> u64 {
    samples.sort_unstable();
    samples.get(samples.len() / 2).copied().unwrap_or(0)
}

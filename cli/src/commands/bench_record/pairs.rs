//! What recording costs a workload: with the recorder on, and off, in turn.

use super::super::bench::{median, quartile, to_scratch};
use crate::args::{BenchRecord, Common};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Instant;
use taut_analyze::render::{grouped, span};
use taut_capture::workloads::{self, Parameters, WORKLOADS, Workload};
use taut_capture::{Adapters, Clock, Session};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{print, print_json, unknown};
use taut_console::traces::scratch;
use taut_runtime::Settings;
use taut_traces::WriteSummary;

/// Pairs of runs, unless said otherwise.
const PAIRS: u32 = 61;

/// Measures what recording costs. What is left of a run without the recorder is the floor.
pub fn run(name: &str, bench: &BenchRecord, common: Common) -> Outcome {
    let names: Vec<&str> = WORKLOADS.iter().map(|workload| workload.name).collect();
    let found = WORKLOADS.iter().find(|workload| workload.name == name);
    let workload = found.ok_or_else(|| Failure::usage(unknown("workload", name, &names)))?;
    let parameters = parameters(bench, workload)?;
    let profile =
        Adapters::named(workload.driver).ok_or_else(|| Failure::usage("the bundled driver model is missing"))?;
    let (mut on, mut off, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut written = WriteSummary::default();
    let pairs = bench.repeat.unwrap_or(PAIRS);
    for pair in 0..pairs {
        // Who runs second may find the machine warmer, or more tired.
        let off_first = (pair % 2 == 0).then(|| unrecorded(workload, &parameters, &profile)).transpose()?;
        let (recorded_ns, summary) = recorded(workload, &parameters, &profile)?;
        let unrecorded_ns = off_first.map_or_else(|| unrecorded(workload, &parameters, &profile), Ok)?;
        on.push(recorded_ns);
        off.push(unrecorded_ns);
        ratios.push(recorded_ns as f64 / unrecorded_ns.max(1) as f64 - 1.0);
        written = summary;
    }
    let [low, overhead, high] = [1, 2, 3].map(|quarter| quartile(&ratios, quarter));
    let (on_ns, off_ns) = (median(&mut on), median(&mut off));
    let WriteSummary { events, bytes, lost_events } = written;
    let record_ns_per_event = overhead.max(0.0) * off_ns as f64 / events.max(1) as f64;
    let bytes_per_event = bytes as f64 / events.max(1) as f64;
    if common.json {
        print_json(&json!({
            "workload": workload.name,
            "producers": parameters.get("threads"),
            "events": events,
            "recorder_on_ns": on_ns,
            "recorder_off_ns": off_ns,
            "overhead_ratio": overhead,
            "overhead_quartiles": [low, high],
            "record_ns_per_event": record_ns_per_event,
            "bytes_per_event": bytes_per_event,
            "lost_events": lost_events,
        }))?;
    } else {
        print(&format!(
            "{}: {} events, {} pairs of runs, on and off in turn; medians\n\
             \x20 recorder off {:>10}\n\
             \x20 recorder on  {:>10}   {:+.1} % of its pair (half of the pairs {:+.1} to {:+.1} %), \
             {record_ns_per_event:.0} ns/event, {bytes_per_event:.2} bytes/event\n",
            workload.name,
            grouped(events),
            pairs,
            span(off_ns),
            span(on_ns),
            overhead * 100.0,
            low * 100.0,
            high * 100.0,
        ))?;
    }
    Ok(Status::Fine)
}

fn parameters(bench: &BenchRecord, workload: &Workload) -> Result<Parameters, Failure> {
    let mut given = BTreeMap::new();
    given.extend(bench.threads.map(|threads| ("threads".to_owned(), threads.to_string())));
    for set in &bench.set {
        let pair = set.split_once('=').ok_or_else(|| Failure::usage(format!("--set {set}: expected KEY=VALUE")))?;
        given.insert(pair.0.to_owned(), pair.1.to_owned());
    }
    Parameters::new(workload.parameters, given).map_err(Failure::usage)
}

fn unrecorded(workload: &Workload, parameters: &Parameters, profile: &Adapters) -> Result<u64, Failure> {
    let start = Instant::now();
    let session = Session::unrecorded(profile, Settings::default(), Clock::best());
    workloads::run(workload.name, &session, parameters).map_err(Failure::usage)?;
    session.end().map_err(super::super::recording::unrecorded)?;
    Ok(start.elapsed().as_nanos() as u64)
}

/// How long a recorded run takes, and what is written.
pub(in super::super) fn recorded(
    workload: &Workload,
    parameters: &Parameters,
    profile: &Adapters,
) -> Result<(u64, WriteSummary), Failure> {
    let file = scratch()?;
    let start = Instant::now();
    let of = taut_traces::Workload { name: workload.name.to_owned(), parameters: parameters.values() };
    let session = Session::record(to_scratch(&file), profile, Settings::default(), of, Clock::best())
        .map_err(super::super::recording::unrecorded)?;
    workloads::run(workload.name, &session, parameters).map_err(Failure::usage)?;
    let written = session.finish().map_err(super::super::recording::unrecorded)?;
    Ok((start.elapsed().as_nanos() as u64, written))
}

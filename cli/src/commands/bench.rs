//! `taut bench`: this machine's figures, beside a floor measured in the same run.

use super::{open, record, replay::failure};
use crate::args::{Bench, BenchReplay, Common};
use crate::outcome::{Failure, Outcome, Status};
use crate::printing::{print, print_json};
use serde_json::json;
use std::time::Instant;
use taut_analyze::render::{grouped, span};
use taut_capture::Clock;
use taut_capture::workloads::{Parameters, WORKLOADS};
use taut_replay::{Options, Replayer};
use taut_runtime::{Profile, Settings};
use taut_traces::Trace;

/// Runs a benchmark.
pub fn run(bench: &Bench, common: Common) -> Outcome {
    match bench {
        Bench::Replay(bench) => replay(bench, common),
        Bench::Tile(bench) => super::bench_tile::run(bench, common),
    }
}

/// Replay and decoding alone, in turn, so that both see the same machine; medians.
fn replay(bench: &BenchReplay, common: Common) -> Outcome {
    let bundled = std::env::temp_dir().join(format!("taut-bench-{}.taut", std::process::id()));
    let name = bench.file.as_deref().unwrap_or(&bundled);
    let trace = match &bench.file {
        Some(file) => open(file)?,
        None => {
            let trace = bundled_trace(&bundled);
            // The mapping keeps the file alive where the system allows it; elsewhere the next run overwrites it.
            let _ = std::fs::remove_file(&bundled);
            trace?
        }
    };
    let replayer = Replayer::new(&trace, Options::default());
    let (mut replays, mut decodes, mut events) = (Vec::new(), Vec::new(), 0);
    let mut outcome = replayer.run().map_err(|error| failure(error, name))?;
    for _ in 0..bench.repeat {
        let start = Instant::now();
        events = decode(&trace)?;
        decodes.push(start.elapsed().as_nanos() as u64);
        let start = Instant::now();
        outcome = replayer.run().map_err(|error| failure(error, name))?;
        replays.push(start.elapsed().as_nanos() as u64);
    }
    let (replay_ns, decode_ns) = (median(&mut replays), median(&mut decodes));
    let mcalls_per_s = outcome.calls as f64 * 1e3 / replay_ns.max(1) as f64;
    let ratio = replay_ns as f64 / decode_ns.max(1) as f64;
    if common.json {
        print_json(&json!({
            "calls": outcome.calls,
            "ddi_calls": outcome.ddi_calls,
            "events": events,
            "mcalls_per_s": mcalls_per_s,
            "replay_ns": replay_ns,
            "decode_ns": decode_ns,
            "replay_over_decode": ratio,
        }))?;
    } else {
        print(&format!(
            "{} calls, {} events, one thread, median of {}\n\
             \x20 replay       {:>10}   {mcalls_per_s:.2} million calls/s\n\
             \x20 decode alone {:>10}   {:.1} ns/event\n\
             \x20 replay takes {ratio:.1} times the decoding\n",
            grouped(outcome.calls),
            grouped(events),
            bench.repeat,
            span(replay_ns),
            span(decode_ns),
            decode_ns as f64 / events.max(1) as f64,
        ))?;
    }
    Ok(if outcome.is_identical() { Status::Fine } else { Status::Found })
}

fn bundled_trace(path: &std::path::Path) -> Result<Trace, Failure> {
    let workload = &WORKLOADS[0];
    let parameters = Parameters::new(workload.parameters, [].into()).map_err(Failure::usage)?;
    let profile = Profile::named("reference").ok_or_else(|| Failure::usage("the bundled driver model is missing"))?;
    record::generated(workload.name, &parameters, &profile, Settings::default(), Clock::best(), path)?;
    Ok(Trace::open(path)?)
}

fn decode(trace: &Trace) -> Result<u64, Failure> {
    let (mut rows, mut events, mut sum) = (trace.rows(), 0, 0);
    while let Some(row) = rows.next()? {
        events += 1;
        sum += row.payload.len();
    }
    std::hint::black_box(sum);
    Ok(events)
}

fn median(samples: &mut [u64]) -> u64 {
    samples.sort_unstable();
    samples.get(samples.len() / 2).copied().unwrap_or(0)
}

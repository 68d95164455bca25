//! `taut replay --place`: what allocators of other policies would make of a recording.

use crate::args::{Common, Replay, ReportForm};
use crate::policy_picture::{Bars, picture};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;
use taut_analyze::Analysis;
use taut_analyze::placing::{Limits, PlacingOutcome, Requests};
use taut_analyze::render::{binary_bytes, counted, grouped};
use taut_analyze::reports::alignment::{Measure, Sweep};
use taut_analyze::world::World;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Output, Outputs};
use taut_console::printing::table;
use taut_console::traces::{name, open, tell_damage};
use taut_replay::{RecordedSizes, Tight};

/// A policy's outcome, and the time that it takes.
struct Tried {
    outcome: PlacingOutcome,
    ns_per_allocation: u64,
}

/// What came of the policies on one trace.
struct Judged<'a> {
    file: &'a Path,
    /// What the recording's own heaps hold at most, and how many there are then.
    recorded: (u64, u64),
    requests: Requests,
    tried: Vec<Tried>,
}

/// Tries the policies.
pub fn run(replay: &Replay, common: Common, outputs: &Outputs, picture: Option<Output>) -> Outcome {
    let files = std::iter::once(&replay.file).chain(&replay.placing.more);
    let mut status = Status::Fine;
    let mut traces = Vec::new();
    for file in files {
        let (judged, damage) = judged(replay, file)?;
        status = status.max(damage);
        traces.push(judged);
    }
    if let Some(picture) = picture {
        picture.finish_with_text(&drawn(&traces))?;
    }
    if common.json || replay.report == Some(ReportForm::Json) {
        match &traces[..] {
            [one] => outputs.tell_json(&as_json(one))?,
            several => outputs.tell_json(&json!({ "traces": several.iter().map(as_json).collect::<Vec<Value>>() }))?,
        }
    } else {
        let mut text: String = traces.iter().map(|trace| as_text(trace) + "\n").collect();
        if traces.len() > 1 {
            text += &together(&traces);
        }
        outputs.tell(text.trim_end_matches('\n'))?;
        outputs.tell("\n")?;
    }
    Ok(status)
}

fn judged<'a>(replay: &Replay, file: &'a Path) -> Result<(Judged<'a>, Status), Failure> {
    let trace = open(file)?;
    let changed = super::what_if::changed_world(replay, &trace.header().world)?;
    let sizes = RecordedSizes::of(&changed).map_err(Failure::input)?;
    let analysis = Analysis::new(trace).map_err(Failure::input)?;
    let world = analysis.world().map_err(Failure::input)?;
    let tight = match replay.tight.unwrap_or_default() {
        Tight::On => Some(true),
        Tight::Off => Some(false),
        Tight::AsRecorded => None,
    };
    let is_recorded = replay.driver.is_none() && replay.rules.is_none();
    let requests = Requests::of(world, &sizes, tight, is_recorded);
    let tried = tried(replay, &requests);
    let damage = analysis.head().map_err(Failure::input)?.damage.clone();
    let status = tell_damage(file, analysis.trace(), &damage);
    Ok((Judged { file, recorded: recorded(world), requests, tried }, status))
}

/// The memory of every policy on every trace, side by side.
fn together(traces: &[Judged<'_>]) -> String {
    let names: Vec<String> = traces.iter().map(|trace| name(trace.file)).collect();
    let heading: Vec<&str> = ["policy", "heap size"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let own = std::iter::once(["as recorded".to_owned(), "\u{2013}".to_owned()].to_vec())
        .map(|row| row.into_iter().chain(traces.iter().map(|trace| binary_bytes(trace.recorded.0))).collect());
    let first = traces.first().map_or(&[][..], |trace| &trace.tried);
    let rows = first.iter().enumerate().map(|(at, Tried { outcome, .. })| {
        let memory = traces.iter().map(|trace| binary_bytes(trace.tried[at].outcome.memory_bytes));
        [outcome.policy.to_owned(), binary_bytes(outcome.block_bytes)].into_iter().chain(memory).collect()
    });
    let rows: Vec<Vec<String>> = own.chain(rows).collect();
    let right: Vec<usize> = (1..heading.len()).collect();
    table(&heading, &right, rows)
}

fn drawn(traces: &[Judged<'_>]) -> String {
    let bars = traces.iter().map(|trace| Bars {
        name: name(trace.file),
        recorded_bytes: trace.recorded.0,
        policies: trace
            .tried
            .iter()
            .map(|Tried { outcome, .. }| {
                let name = format!("{}, heaps of {}", outcome.policy, binary_bytes(outcome.block_bytes));
                (name, outcome.taken_bytes, outcome.memory_bytes)
            })
            .collect(),
    });
    picture(&bars.collect::<Vec<Bars>>())
}

fn tried(replay: &Replay, requests: &Requests) -> Vec<Tried> {
    let options = &replay.placing;
    let dedicated_above_bytes = options.dedicated_above;
    let all = options.place.iter().flat_map(|policy| options.block_size.iter().map(move |block| (*policy, *block)));
    let tried = all.map(|(policy, block_bytes)| {
        let began = Instant::now();
        let outcome = PlacingOutcome::of(requests, policy, Limits { block_bytes, dedicated_above_bytes }, |_, _| {});
        let ns = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Tried { ns_per_allocation: ns / outcome.allocations.max(1), outcome }
    });
    tried.collect()
}

/// What the recording's own heaps hold at most, and how many there are then.
fn recorded(world: &World) -> (u64, u64) {
    let peak = Sweep::over(world).peak(Measure::RealBytes);
    let live = world.live_after(peak.turn);
    (u64::try_from(peak.value).unwrap_or(u64::MAX), live.heaps.count)
}

fn as_json(Judged { file, recorded: (memory_bytes, heaps), requests, tried }: &Judged<'_>) -> Value {
    let policies = tried.iter().map(|one| {
        let mut told = serde_json::to_value(&one.outcome).unwrap_or_default();
        told["ns_per_allocation"] = json!(one.ns_per_allocation);
        told
    });
    json!({
        "file": file.to_string_lossy(),
        "recorded": { "memory_bytes": memory_bytes, "heaps": heaps },
        "left_out": requests.left_out,
        "policies": policies.collect::<Vec<Value>>(),
    })
}

fn as_text(Judged { file, recorded: (memory_bytes, heaps), requests, tried }: &Judged<'_>) -> String {
    let mut text = format!(
        "{}: {} placed by other policies, each time the same; when recorded, {} and committed resources hold {} at most\n",
        name(file),
        counted(requests.resources.len() as u64, "resource"),
        counted(*heaps, "heap"),
        binary_bytes(*memory_bytes),
    );
    if requests.left_out > 0 {
        let left_out = counted(requests.left_out, "resource");
        text += &format!("{left_out} left out: their size is not known, or the driver refuses them\n");
    }
    let rows = tried.iter().map(|Tried { outcome, ns_per_allocation }| {
        [
            outcome.policy.to_owned(),
            binary_bytes(outcome.block_bytes),
            binary_bytes(outcome.memory_bytes),
            grouped(outcome.heaps),
            grouped(outcome.dedicated),
            binary_bytes(outcome.waste_bytes),
            binary_bytes(outcome.free_bytes),
            grouped(outcome.heaps_created),
            format!("{} ns", grouped(*ns_per_allocation)),
        ]
    });
    let heading =
        ["policy", "heap size", "memory", "heaps", "alone", "wasted", "of that free", "heaps made", "a resource"];
    text + "\n" + &table(&heading, &[1, 2, 3, 4, 5, 6, 7, 8], rows)
}

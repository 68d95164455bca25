//! `taut replay --place`: what allocators of other policies would make of a recording.

use crate::args::{Common, Replay, ReportForm};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;
use taut_analyze::Analysis;
use taut_analyze::placing::{Limits, PlacingOutcome, Requests};
use taut_analyze::render::{binary_bytes, counted, grouped};
use taut_analyze::reports::alignment::{Measure, Sweep};
use taut_analyze::world::World;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::Outputs;
use taut_console::printing::table;
use taut_console::traces::{name, open, tell_damage};
use taut_replay::{RecordedSizes, Tight};

/// A policy's outcome, and the time that it takes.
struct Tried {
    outcome: PlacingOutcome,
    ns_per_allocation: u64,
}

/// Tries the policies.
pub fn run(replay: &Replay, common: Common, outputs: &Outputs) -> Outcome {
    let trace = open(&replay.file)?;
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
    if common.json || replay.report == Some(ReportForm::Json) {
        outputs.tell_json(&as_json(world, &requests, &tried))?;
    } else {
        outputs.tell(&as_text(&replay.file, world, &requests, &tried))?;
    }
    let damage = analysis.head().map_err(Failure::input)?.damage.clone();
    Ok(Status::Fine.max(tell_damage(&replay.file, analysis.trace(), &damage)))
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

fn as_json(world: &World, requests: &Requests, tried: &[Tried]) -> Value {
    let (memory_bytes, heaps) = recorded(world);
    let policies = tried.iter().map(|one| {
        let mut told = serde_json::to_value(&one.outcome).unwrap_or_default();
        told["ns_per_allocation"] = json!(one.ns_per_allocation);
        told
    });
    json!({
        "recorded": { "memory_bytes": memory_bytes, "heaps": heaps },
        "left_out": requests.left_out,
        "policies": policies.collect::<Vec<Value>>(),
    })
}

fn as_text(file: &Path, world: &World, requests: &Requests, tried: &[Tried]) -> String {
    let (memory_bytes, heaps) = recorded(world);
    let mut text = format!(
        "{}: {} placed by other policies, each time the same; when recorded, {} and committed resources hold {} at most\n",
        name(file),
        counted(requests.resources.len() as u64, "resource"),
        counted(heaps, "heap"),
        binary_bytes(memory_bytes),
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

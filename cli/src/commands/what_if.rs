//! `taut replay` in another world.

use super::replay::failure;
use crate::args::{Common, Replay, ReportForm};
use crate::world::profile;
use serde_json::{Value, json};
use std::io::Write;
use taut_analyze::render::{binary_bytes, grouped};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Output, Outputs};
use taut_console::printing::table;
use taut_console::traces::{name, tell_damage};
use taut_replay::{HeapChange, Replayer, ResourceChange, Tight, WhatIfOutcome};
use taut_runtime::RuleSet;
use taut_schemas::SchemaTable;
use taut_traces::{Header, Trace, World};

/// Changes shown in the text.
const SHOWN: usize = 10;

/// Replays with the changes asked for.
pub fn run(
    replay: &Replay,
    common: Common,
    (trace, replayer): (&Trace, &Replayer<'_>),
    (outputs, output, changes): (&Outputs, Option<Output>, Option<Output>),
) -> Outcome {
    let world = changed_world(replay, &trace.header().world)?;
    let tight = replay.tight.unwrap_or_default();
    let outcome = match output {
        Some(output) => {
            let header = Header { schema: SchemaTable::current(), world: world.clone() };
            let writer = output.trace_writer(header)?;
            let outcome = replayer.what_if(&world, tight, Some(&writer));
            let outcome = outcome.map_err(|error| failure(error, &replay.file))?;
            writer.finish()?;
            output.finish()?;
            outcome
        }
        None => replayer.what_if(&world, tight, None).map_err(|error| failure(error, &replay.file))?,
    };
    if let Some(changes) = changes {
        write_changes(changes, &outcome.resources)?;
    }
    if common.json || replay.report == Some(ReportForm::Json) {
        as_json(&outcome, &world, outputs)?;
    } else {
        outputs.tell(&as_text(&outcome, replay, &world))?;
    }
    Ok(Status::Fine.max(tell_damage(&replay.file, trace, &outcome.replayed.damage)))
}

/// The recorded world with the driver and rules asked for. The header keeps what was changed beside the workload's own
/// parameters.
fn changed_world(replay: &Replay, recorded: &World) -> Result<World, Failure> {
    let mut world = recorded.clone();
    if let Some(driver) = &replay.driver {
        let profile = profile(driver)?;
        world.driver = profile.name.clone();
        world.profile = serde_json::to_value(&profile).map_err(Failure::input)?;
    }
    if let Some(rules) = &replay.rules {
        let rules = rules.parse::<RuleSet>().map_err(Failure::usage)?;
        world.rules = rules.to_string();
        if let Value::Object(settings) = &mut world.settings {
            settings.insert("rules".to_owned(), json!(rules));
        }
    }
    let tight = replay.tight.unwrap_or_default().name();
    let what_if = json!({"driver": world.driver, "rules": world.rules, "tight": tight});
    world.workload.parameters.insert("what_if".to_owned(), what_if);
    Ok(world)
}

fn write_changes(mut output: Output, resources: &[ResourceChange]) -> Result<(), Failure> {
    for resource in resources {
        serde_json::to_writer(&mut output, resource).map_err(std::io::Error::from)?;
        output.write_all(b"\n")?;
    }
    output.finish()?;
    Ok(())
}

fn as_json(outcome: &WhatIfOutcome, world: &World, outputs: &Outputs) -> Result<(), Failure> {
    let mut document = serde_json::to_value(outcome).map_err(Failure::input)?;
    if let Value::Object(document) = &mut document {
        document.insert("calls".to_owned(), json!(outcome.replayed.calls));
        document.insert("ddi_calls".to_owned(), json!(outcome.replayed.ddi_calls));
        document.insert("driver".to_owned(), json!(world.driver));
        document.insert("rules".to_owned(), json!(world.rules));
    }
    outputs.tell_json(&document)
}

fn as_text(outcome: &WhatIfOutcome, replay: &Replay, world: &World) -> String {
    let tight = replay.tight.unwrap_or_default().name();
    let mut text = format!(
        "{}: {} calls made again on driver {}, rules {}, tight alignment {tight}\n\
         {} taken by the resources of all creations together; {} when recorded\n",
        name(&replay.file),
        grouped(outcome.replayed.calls),
        world.driver,
        world.rules,
        binary_bytes(outcome.live_bytes),
        binary_bytes(outcome.recorded_bytes),
    );
    let mut say = |count: u64, what: &str| {
        if count > 0 {
            text += &format!("  {:>11}  {what}\n", grouped(count));
        }
    };
    say(outcome.flags_added, "resources given the tight flag");
    say(outcome.flags_dropped, "resources without the tight flag they had");
    say(outcome.placements_redone, "resources placed anew, first fit; which heap was the application's decision");
    say(outcome.heaps_grown, &format!("heaps grown, by {} together", binary_bytes(outcome.heap_growth_bytes)));
    say(outcome.heaps_realigned, "heaps created at a larger alignment");
    let refused = match replay.tight.unwrap_or_default() {
        Tight::AsRecorded => "creations that fail now (--tight off makes them without the tight flag)",
        Tight::On | Tight::Off => "creations that fail now",
    };
    say(outcome.refused_creations, refused);
    say(outcome.new_creations, "creations that succeed only now");
    say(outcome.skipped_calls, "calls skipped: their object was never created");
    for (call, count) in &outcome.changed_results {
        say(*count, &format!("results of {call} that are others"));
    }
    text += &heaps(&outcome.heaps);
    text += &resources(&outcome.resources);
    text
}

fn label(name: &str, kind: &str, handle: u64) -> String {
    if name.is_empty() { format!("{kind} {handle}") } else { name.to_owned() }
}

fn heaps(heaps: &[HeapChange]) -> String {
    if heaps.is_empty() {
        return String::new();
    }
    let mut by_change: Vec<&HeapChange> = heaps.iter().collect();
    by_change.sort_by_key(|heap| std::cmp::Reverse(heap.recorded_high_water_bytes.abs_diff(heap.high_water_bytes)));
    let rows = by_change.iter().take(SHOWN).map(|heap| {
        [
            label(&heap.name, "heap", heap.heap.0),
            grouped(heap.resources),
            binary_bytes(heap.recorded_bytes),
            binary_bytes(heap.live_bytes),
            binary_bytes(heap.recorded_high_water_bytes),
            binary_bytes(heap.high_water_bytes),
        ]
    });
    let heading = ["heap", "resources", "size recorded", "size now", "high water recorded", "high water now"];
    format!("\n{} of {} heaps placed anew\n{}", rows.len(), heaps.len(), table(&heading, &[1, 2, 3, 4, 5], rows))
}

fn resources(resources: &[ResourceChange]) -> String {
    if resources.is_empty() {
        return "\nno resource changed\n".to_owned();
    }
    let mut by_change: Vec<&ResourceChange> = resources.iter().collect();
    by_change.sort_by_key(|change| std::cmp::Reverse(change.recorded.size_bytes.abs_diff(change.live.size_bytes)));
    let rows = by_change.iter().take(SHOWN).map(|change| {
        [
            label(&change.name, "resource", change.resource.0),
            size(change.recorded.size_bytes),
            size(change.live.size_bytes),
            grouped(change.recorded.alignment_bytes),
            grouped(change.live.alignment_bytes),
        ]
    });
    let heading = ["resource", "size recorded", "size now", "alignment recorded", "alignment now"];
    let table = table(&heading, &[1, 2, 3, 4], rows);
    format!(
        "\n{} of {} changed resources (--changes FILE for all)\n{table}",
        resources.len().min(SHOWN),
        grouped(resources.len() as u64)
    )
}

fn size(bytes: u64) -> String {
    if bytes == u64::MAX { "refused".to_owned() } else { binary_bytes(bytes) }
}

//! `taut replay` in another world.

use super::diff::presents_differ;
use super::replay::failure;
use crate::args::{Common, Replay, ReportForm};
use crate::task_options::{self, note_tasks};
use crate::world::{adapters, change_settings};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use taut_analyze::diff::{SwapChainDiff, diff_presents};
use taut_analyze::render::{binary_bytes, counted, grouped};
use taut_analyze::reports::present::has_any as has_presents;
use taut_analyze::{Analysis, Findings, report};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Output, Outputs};
use taut_console::printing::table;
use taut_console::progress;
use taut_console::traces::{name, open, tell_damage};
use taut_replay::{CauseChange, Changes, HeapChange, Replayer, ResourceChange, TaskModel, Tight, WhatIfOutcome};
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
    let recorded = &trace.header().world;
    let mut world = changed_world(replay, recorded)?;
    let tasks = replay.tasks.model(replayer, (&world, recorded)).map_err(|error| failure(error, &replay.file))?;
    note_tasks(&mut world, tasks)?;
    let made = Changes::new(replay.tight.unwrap_or_default(), &replay.changed.change).with_tasks(tasks);
    let is_written = output.is_some();
    let outcome = match output {
        Some(output) => beside(trace, common.quiet, || written((trace, replayer), &world, made, &replay.file, output))?,
        None => beside(trace, common.quiet, || replayer.what_if(&world, made, None))
            .map_err(|error| failure(error, &replay.file))?,
    };
    if let Some(changes) = changes {
        write_changes(changes, &outcome.resources)?;
    }
    let presents = presents(trace, &replay.file, replay.output.as_deref().filter(|_| is_written))?;
    if common.json || replay.report == Some(ReportForm::Json) {
        as_json(&outcome, (&world, tasks), &presents, outputs)?;
    } else {
        let presents = as_words(&presents);
        // Of a program without resources there is no memory to tell of.
        let has_memory = outcome.recorded_bytes > 0 || outcome.live_bytes > 0 || outcome.failed_creations > 0;
        let whole = if !has_memory && !presents.is_empty() {
            let calls = counted(outcome.replayed.calls, "call");
            format!("{}: {calls} made again on driver {}\n", name(&replay.file), world.drivers())
        } else {
            as_text(&outcome, replay, (&world, tasks))
        };
        outputs.tell(&(whole + &presents))?;
    }
    Ok(Status::Fine.max(tell_damage(&replay.file, trace, &outcome.replayed.damage)))
}

/// What becomes of presents in the other world.
struct OtherPresents {
    /// The recording has any.
    has_any: bool,
    /// How they are others; none where nothing was written that could be asked.
    differences: Option<Vec<SwapChainDiff>>,
}

/// Presents of a recording beside those of what was written.
fn presents(trace: &Trace, file: &Path, written: Option<&Path>) -> Result<OtherPresents, Failure> {
    let has_any = has_presents(trace);
    // What went to standard output cannot be read again.
    let Some(written) = written.filter(|path| has_any && path.is_file()) else {
        return Ok(OtherPresents { has_any, differences: None });
    };
    let said = |path: &Path| {
        let analysis = Analysis::new(open(path)?).map_err(Failure::input)?;
        let report = report("present").map_err(Failure::input)?;
        Ok::<_, Failure>(Findings::of(&analysis, &[report]).map_err(Failure::input)?.reports())
    };
    Ok(OtherPresents { has_any, differences: Some(diff_presents(&said(file)?, &said(written)?)) })
}

/// The same for people.
fn as_words(presents: &OtherPresents) -> String {
    let paced = "presents are made when they were recorded: the pace is the recording's\n";
    match &presents.differences {
        _ if !presents.has_any => String::new(),
        None => "with -o FILE it writes the other world's trace, and tells what becomes of presents\n".to_owned(),
        Some(differences) if differences.is_empty() => "\nevery frame is presented as it was recorded\n".to_owned(),
        Some(differences) => {
            let refused: u64 = differences.iter().map(refused_frames).sum();
            let slower = match refused {
                0 => String::new(),
                one => format!(
                    "{} could not be made when recorded, as the one before had not come back: record in that world \
                     instead\n",
                    counted(one, "present")
                ),
            };
            format!("{}{slower}{paced}", presents_differ(differences))
        }
    }
}

/// Frames that the other world has fewer.
fn refused_frames(chain: &SwapChainDiff) -> u64 {
    let frames = chain.figures.iter().find(|figure| figure.figure == "frames");
    let of = |value: &Value| value.as_u64().unwrap_or_default();
    frames.map_or(0, |frames| of(&frames.a).saturating_sub(of(&frames.b)))
}

/// Does the work beside a bar: it goes through the trace twice, once to survey it.
fn beside<R>(trace: &Trace, quiet: bool, work: impl FnOnce() -> R) -> R {
    let events = trace.summary().events.saturating_mul(2);
    progress::beside(events, "replaying", quiet, || trace.records_read(), work)
}

/// Replays in another world, and writes what happens to a trace.
pub fn written(
    (recorded, replayer): (&Trace, &Replayer<'_>),
    world: &World,
    changes: impl Into<Changes>,
    file: &Path,
    output: Output,
) -> Result<WhatIfOutcome, Failure> {
    let identity = recorded.header().identity.of_replay("taut", env!("CARGO_PKG_VERSION"), world);
    let header = Header { identity, schema: SchemaTable::current(), world: world.clone() };
    let writer = output.trace_writer(header)?;
    let outcome = replayer.what_if(world, changes, Some(&writer)).map_err(|error| failure(error, file))?;
    writer.finish()?;
    output.finish()?;
    Ok(outcome)
}

/// The recorded world with the driver and rules asked for. The header keeps what was changed beside the workload's own
/// parameters.
pub fn changed_world(replay: &Replay, recorded: &World) -> Result<World, Failure> {
    let mut world = World { providers: None, ..recorded.clone() };
    if let Some(driver) = &replay.driver {
        let adapters = adapters(driver)?;
        let (found, expected) = (adapters.profiles().count(), recorded.adapters.len());
        if found != expected {
            let joined = if expected > 1 { ", joined by `+`" } else { "" };
            let (expected, found) = (counted(expected as u64, "driver"), counted(found as u64, "driver"));
            return Err(Failure::usage(format!("--driver {driver}: expected {expected}{joined}, found {found}")));
        }
        for (adapter, profile) in world.adapters.iter_mut().zip(adapters.profiles()) {
            adapter.driver = profile.name.clone();
            adapter.profile = serde_json::to_value(profile).map_err(Failure::input)?;
        }
    }
    change_settings(&mut world, &replay.setting)?;
    if let Some(rules) = &replay.rules {
        let rules = rules.parse::<RuleSet>().map_err(Failure::usage)?;
        world.rules = rules.to_string();
        if let Value::Object(settings) = &mut world.settings {
            settings.insert("rules".to_owned(), json!(rules));
        }
    }
    note(&mut world, replay.tight.unwrap_or_default());
    if !replay.changed.change.is_empty()
        && let Some(Value::Object(what_if)) = world.workload.parameters.get_mut("what_if")
    {
        let changes: Vec<String> = replay.changed.change.iter().map(CauseChange::to_string).collect();
        what_if.insert("changes".to_owned(), changes.into());
    }
    Ok(world)
}

/// Notes beside the workload's own parameters what was changed.
pub fn note(world: &mut World, tight: Tight) {
    let what_if = json!({
        "driver": world.drivers(),
        "rules": world.rules,
        "tight": tight.name(),
        "recorded_task_starts": false,
    });
    world.workload.parameters.insert("what_if".to_owned(), what_if);
}

fn write_changes(mut output: Output, resources: &[ResourceChange]) -> Result<(), Failure> {
    for resource in resources {
        serde_json::to_writer(&mut output, resource).map_err(std::io::Error::from)?;
        output.write_all(b"\n")?;
    }
    output.finish()?;
    Ok(())
}

fn as_json(
    outcome: &WhatIfOutcome,
    (world, tasks): (&World, Option<TaskModel>),
    presents: &OtherPresents,
    outputs: &Outputs,
) -> Result<(), Failure> {
    let mut document = serde_json::to_value(outcome).map_err(Failure::input)?;
    if let Value::Object(document) = &mut document {
        document.insert("calls".to_owned(), json!(outcome.replayed.calls));
        document.insert("ddi_calls".to_owned(), json!(outcome.replayed.ddi_calls));
        document.insert("driver".to_owned(), json!(world.drivers()));
        document.insert("rules".to_owned(), json!(world.rules));
        if let Some(differences) = &presents.differences {
            document.insert("presents".to_owned(), json!(differences));
        }
        document.insert("recorded_tasks".to_owned(), json!(outcome.replayed.recorded_tasks));
        document.insert("tasks".to_owned(), json!(outcome.replayed.tasks));
        document.insert("task_model".to_owned(), json!(tasks));
    }
    outputs.tell_json(&document)
}

/// What fails comes first; memory is that of what both worlds create.
fn headline(outcome: &WhatIfOutcome, replay: &Replay, world: &World) -> String {
    let (file, tight) = (name(&replay.file), replay.tight.unwrap_or_default().name());
    let place = format!("on driver {}, rules {}, tight alignment {tight}", world.drivers(), world.rules);
    let calls = counted(outcome.replayed.calls, "call");
    let (live, recorded) = (outcome.live_in_both_bytes, outcome.recorded_in_both_bytes);
    if outcome.failed_creations == 0 {
        return format!(
            "{file}: {calls} made again {place}\n\
             {} taken by the resources of all creations together; {} when recorded\n{}",
            binary_bytes(live),
            binary_bytes(recorded),
            held(outcome),
        );
    }
    let failed = format!("{} of {}", grouped(outcome.failed_creations), counted(outcome.creations, "creation"));
    let memory = match outcome.creations - outcome.failed_creations {
        0 => "nothing is created in both worlds, so there is no memory to compare".to_owned(),
        _ => format!(
            "{} taken by the resources that both worlds create; {} when recorded",
            binary_bytes(live),
            binary_bytes(recorded)
        ),
    };
    format!("{file}: {failed} fail {place}\n{memory}\n{}{calls} in all\n", held(outcome))
}

/// What heaps hold: a resource that shrinks gives nothing back as long as its heap stays.
fn held(outcome: &WhatIfOutcome) -> String {
    let (live, recorded) = (outcome.live_heap_bytes, outcome.recorded_heap_bytes);
    match live == recorded {
        true if recorded == 0 => String::new(),
        true => format!("{} still held by their heaps, whose sizes are the application's\n", binary_bytes(live)),
        false => format!("{} held by their heaps; {} when recorded\n", binary_bytes(live), binary_bytes(recorded)),
    }
}

fn as_text(outcome: &WhatIfOutcome, replay: &Replay, (world, tasks): (&World, Option<TaskModel>)) -> String {
    let mut text = headline(outcome, replay, world);
    let mut say = |count: u64, what: &str| {
        if count > 0 {
            // One of many things is one thing.
            let (thing, rest) = what.split_once(' ').unwrap_or((what, ""));
            let thing = if count == 1 { thing.trim_end_matches('s') } else { thing };
            text += &format!("  {:>11}  {thing} {rest}\n", grouped(count));
        }
    };
    say(outcome.flags_added, "resources given the tight flag");
    say(outcome.flags_dropped, "resources without the tight flag they had");
    say(outcome.placements_redone, "resources placed anew, first fit; which heap was the application's decision");
    say(outcome.heaps_grown, &format!("heaps grown, by {} together", binary_bytes(outcome.heap_growth_bytes)));
    let first_fit = binary_bytes(outcome.first_fit_growth_bytes);
    let by_first_fit = format!("heaps that first fit of the recorded sizes would grow, by {first_fit} together");
    say(outcome.heaps_grown_by_first_fit, &by_first_fit);
    say(outcome.heaps_realigned, "heaps created at a larger alignment");
    let refused = match replay.tight.unwrap_or_default() {
        Tight::AsRecorded => "creations failing now (--tight off makes them without the tight flag)",
        Tight::On | Tight::Off => "creations failing now",
    };
    say(outcome.refused_creations, refused);
    say(outcome.new_creations, "creations succeeding only now");
    say(outcome.skipped_calls, "calls skipped, for want of an object");
    for (call, count) in &outcome.changed_results {
        say(*count, &format!("results of {call} changed"));
    }
    if let Some(model) = tasks.filter(|_| outcome.replayed.tasks > 0 || outcome.replayed.recorded_tasks > 0) {
        text += &task_options::as_words(&model, outcome.replayed.tasks, outcome.replayed.recorded_tasks);
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
            binary_bytes(heap.first_fit_high_water_bytes),
            binary_bytes(heap.high_water_bytes),
        ]
    });
    let heading =
        ["heap", "resources", "size recorded", "size now", "high water recorded", "by first fit", "high water now"];
    let all = counted(heaps.len() as u64, "heap");
    format!("\n{} of {all} placed anew\n{}", rows.len(), table(&heading, &[1, 2, 3, 4, 5, 6], rows))
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
        "\n{} of {} (--changes FILE for all)\n{table}",
        resources.len().min(SHOWN),
        counted(resources.len() as u64, "changed resource")
    )
}

fn size(bytes: u64) -> String {
    if bytes == u64::MAX { "refused".to_owned() } else { binary_bytes(bytes) }
}

//! What-if replay: the recorded calls with other drivers, rules or settings.

use super::diff::present_diff_text;
use super::driver_change;
use crate::args::{Common, Replay};
use crate::failure::failure;
use crate::progress_bar::ProgressBar;
use crate::task_options;
use std::io::Write;
use taut_analyze::render::{binary_bytes, counted, grouped};
use taut_app::replay::{self, PresentDiff, WhatIf, WhatIfOptions};
use taut_console::outcome::Failure;
use taut_console::output::{Output, Outputs};
use taut_console::printing::{folded, ranked_table, table};
use taut_console::traces::{name, open};
use taut_replay::{HeapChange, ResourceChange, Tight, WhatIfOutcome};
use taut_traces::{Trace, World};

/// Maximum number of changes in each table.
const SHOWN: usize = 10;

/// Replays with the requested changes; the replay is recorded if there is an output.
pub fn run(
    replayed: &replay::Replay<'_>,
    options: &WhatIfOptions,
    output: Option<&Output>,
    common: Common,
) -> Result<WhatIf, Failure> {
    let progress = ProgressBar { quiet: common.quiet };
    let what_if = match output {
        Some(output) => replayed.what_if(options, Some(&|header| output.trace_writer(header)), &progress),
        None => replayed.what_if(options, None, &progress),
    };
    what_if.map_err(failure)
}

/// Outputs of a what-if.
pub struct WhatIfOutputs<'a> {
    /// True if the other world's trace was written.
    pub has_trace: bool,
    /// Output of the changed resources.
    pub changes: Option<Output>,
    pub outputs: &'a Outputs,
}

/// Prints the result, and writes the changes.
pub fn print(
    replay: &Replay,
    trace: &Trace,
    what_if: &WhatIf,
    written: WhatIfOutputs<'_>,
    common: Common,
) -> Result<(), Failure> {
    let outcome = &what_if.outcome;
    if let Some(changes) = written.changes {
        write_changes(changes, &outcome.resources)?;
    }
    let presents = presents(replay, trace, written.has_trace)?;
    let tasks = driver_change::compare_tasks(replay, what_if, written.has_trace)?;
    if replay.is_json(common) {
        return written.outputs.print_json_message(&what_if.json(&presents, tasks).map_err(failure)?);
    }
    let change = driver_change::as_text(replay, what_if, &trace.header().world.drivers(), tasks, &presents);
    let presents = as_words(&presents);
    // A program that only presents has no memory to report.
    let has_memory = outcome.recorded_bytes > 0 || outcome.live_bytes > 0 || outcome.failed_creations > 0;
    let whole = if !has_memory && !presents.is_empty() {
        let calls = counted(outcome.replayed.calls, "call");
        format!("{}: {calls} replayed on driver {}\n", name(&replay.file), what_if.world.drivers())
    } else {
        as_text(what_if, replay, has_memory)
    };
    written.outputs.print_message(&(folded(&change) + &whole + &presents))
}

/// Compares the presents of the recording with those of the written trace.
fn presents(replay: &Replay, trace: &Trace, has_trace: bool) -> Result<PresentDiff, Failure> {
    let not_compared = PresentDiff::not_compared(trace);
    let written = replay.output.as_deref().filter(|_| has_trace && not_compared.has_any);
    // A trace on standard output cannot be read back.
    match written.filter(|path| path.is_file()) {
        Some(written) => PresentDiff::compare(open(&replay.file)?, open(written)?).map_err(failure),
        None => Ok(not_compared),
    }
}

/// Formats the comparison of presents as text.
fn as_words(presents: &PresentDiff) -> String {
    let paced = "the what-if calls Present at the recorded times\n";
    match &presents.differences {
        _ if !presents.has_any => String::new(),
        None => "-o FILE writes the trace of the what-if and compares its presents with the recorded ones\n".to_owned(),
        Some(differences) if differences.is_empty() => "\nevery frame is presented as recorded\n".to_owned(),
        Some(differences) => {
            let slower = match presents.refused_frames() {
                0 => String::new(),
                one => format!(
                    "{} refused at the recorded time, because the previous frame had not completed: record the \
                     workload with `--driver` instead\n",
                    counted(one, "present")
                ),
            };
            format!("{}{slower}{paced}", present_diff_text(differences))
        }
    }
}

fn write_changes(mut output: Output, resources: &[ResourceChange]) -> Result<(), Failure> {
    for resource in resources {
        serde_json::to_writer(&mut output, resource).map_err(std::io::Error::from)?;
        output.write_all(b"\n")?;
    }
    output.finish()?;
    Ok(())
}

/// First lines of the text: failed creations come first; memory is that of the resources created both when recorded and
/// in the what-if.
fn headline(outcome: &WhatIfOutcome, replay: &Replay, world: &World) -> String {
    let (file, tight) = (name(&replay.file), replay.tight.unwrap_or_default().name());
    let place = format!("on driver {}, rules {}, tight alignment {tight}", world.drivers(), world.rules);
    let calls = counted(outcome.replayed.calls, "call");
    let (live, recorded) = (outcome.live_in_both_bytes, outcome.recorded_in_both_bytes);
    if live == 0 && recorded == 0 && outcome.failed_creations == 0 {
        return format!("{file}: {calls} replayed {place}\n");
    }
    if outcome.failed_creations == 0 {
        return format!(
            "{file}: {calls} replayed {place}\n\
             all resources created: {} of resource memory; {} in the recording\n{}",
            binary_bytes(live),
            binary_bytes(recorded),
            held(outcome),
        );
    }
    let failed = format!("{} of {}", grouped(outcome.failed_creations), counted(outcome.creations, "creation"));
    let memory = match outcome.creations - outcome.failed_creations {
        0 => "no creation succeeds in the recording and in the what-if: no memory to compare".to_owned(),
        _ => format!(
            "resources created in the recording and in the what-if: {} allocated; {} in the recording",
            binary_bytes(live),
            binary_bytes(recorded)
        ),
    };
    format!("{file}: {failed} fail {place}\n{memory}\n{}{calls} in all\n", held(outcome))
}

/// Line on the sizes of heaps: resources that shrink save no memory while their heap has the recorded size.
fn held(outcome: &WhatIfOutcome) -> String {
    let (live, recorded) = (outcome.live_heap_bytes, outcome.recorded_heap_bytes);
    match live == recorded {
        true if recorded == 0 => String::new(),
        true => format!("heaps: {} allocated, unchanged: the application chose their sizes\n", binary_bytes(live)),
        false => format!("heaps: {} allocated; {} in the recording\n", binary_bytes(live), binary_bytes(recorded)),
    }
}

fn as_text(what_if: &WhatIf, replay: &Replay, has_memory: bool) -> String {
    let WhatIf { world, tasks, outcome, .. } = what_if;
    let mut text = headline(outcome, replay, world);
    let mut add_line = |count: u64, what: &str| {
        if count > 0 {
            // The first word is a plural; a count of 1 removes its `s`.
            let (thing, rest) = what.split_once(' ').unwrap_or((what, ""));
            let thing = if count == 1 { thing.trim_end_matches('s') } else { thing };
            text += &format!("  {:>11}  {thing} {rest}\n", grouped(count));
        }
    };
    add_line(outcome.flags_added, "resources with the tight flag added");
    add_line(outcome.flags_dropped, "resources with the tight flag removed");
    add_line(outcome.resources_repacked, "resources placed again first-fit, in their recorded heaps");
    add_line(outcome.heaps_grown, &format!("heaps grown, by {} in total", binary_bytes(outcome.heap_growth_bytes)));
    let first_fit = binary_bytes(outcome.first_fit_growth_bytes);
    let by_first_fit = format!("heaps that first fit of the recorded sizes grows, by {first_fit} in total");
    add_line(outcome.heaps_grown_by_first_fit, &by_first_fit);
    add_line(outcome.heaps_realigned, "heaps created at a larger alignment");
    let refused = match replay.tight.unwrap_or_default() {
        Tight::AsRecorded => "creations failing only in the what-if (--tight off makes them without the tight flag)",
        Tight::On | Tight::Off => "creations failing only in the what-if",
    };
    add_line(outcome.newly_failing_creations, refused);
    add_line(outcome.new_creations, "creations succeeding only in the what-if");
    add_line(outcome.skipped_calls, "calls skipped: the what-if did not create their object");
    for (call, count) in &outcome.changed_results {
        add_line(*count, &format!("results of {call} changed"));
    }
    if let Some(model) = tasks.as_ref().filter(|_| outcome.replayed.tasks > 0 || outcome.replayed.recorded_tasks > 0) {
        text += &task_options::as_words(model, outcome.replayed.tasks, outcome.replayed.recorded_tasks);
    }
    text += &heaps(&outcome.heaps);
    if has_memory {
        text += &resources(&outcome.resources);
    }
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
    let heading = ["heap", "resources", "recorded size", "new size", "recorded peak", "first-fit peak", "new peak"];
    let all = counted(heaps.len() as u64, "heap");
    format!(
        "\n{} of {all} with resources placed again\n{}",
        rows.len(),
        ranked_table(&heading, &[1, 2, 3, 4, 5, 6], &[4, 6], rows)
    )
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
    let heading = ["resource", "recorded size", "new size", "recorded alignment", "new alignment"];
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

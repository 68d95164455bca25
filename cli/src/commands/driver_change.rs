//! First lines of a what-if under another driver: the keys of its profile that differ, and their effect.

use crate::args::Replay;
use crate::failure::failure;
use taut_analyze::render::{binary_bytes, counted, grouped, percent};
use taut_app::replay::{PresentDiff, TaskComparison, TaskFigures, WhatIf};
use taut_console::outcome::Failure;
use taut_console::traces::{name, open};
use taut_traces::Trace;

/// Maximum number of keys that the text names.
const SHOWN_KEYS: usize = 6;

/// Compares the background tasks of the recording with those of the what-if; `None` if the recorded tasks were replayed,
/// or if the trace of the what-if cannot be read back.
pub fn compare_tasks(replay: &Replay, what_if: &WhatIf, has_trace: bool) -> Result<Option<TaskComparison>, Failure> {
    if what_if.tasks.is_none() {
        return Ok(None);
    }
    let figures = |trace: Trace| TaskFigures::of(trace).map_err(failure);
    let written = replay.output.as_deref().filter(|path| has_trace && path.is_file());
    let live = match (what_if.live_tasks, written) {
        (Some(live), _) => live,
        (None, Some(path)) => figures(open(path)?)?,
        (None, None) => return Ok(None),
    };
    Ok(Some(TaskComparison { recorded: figures(open(&replay.file)?)?, live }))
}

/// Text of the change of the drivers; empty if no driver was named.
pub fn as_text(
    replay: &Replay,
    what_if: &WhatIf,
    recorded: &str,
    tasks: Option<TaskComparison>,
    presents: &PresentDiff,
) -> String {
    if replay.driver.is_none() {
        return String::new();
    }
    let live = what_if.world.drivers();
    let profile = match what_if.profile_changes.len() {
        0 => "its profile is the recorded one".to_owned(),
        _ => format!("differs in {}", keys(what_if)),
    };
    let effect = if what_if.is_without_effect(tasks, presents) && what_if.profile_changes.is_empty() {
        "nothing changes: no size, result, task or present differs from the recording".to_owned()
    } else if what_if.is_without_effect(tasks, presents) {
        "changes: no size, result, task or present; accesses to handle data may differ, which `taut analyze --report handles` of \
         the new trace shows"
            .to_owned()
    } else {
        format!("changes: {}", effects(what_if, tasks, presents))
    };
    format!("{}: driver {live} in place of {recorded}; {profile}\n{effect}\n", name(&replay.file))
}

/// Differing keys with both values; tables that only one of the profiles has without.
fn keys(what_if: &WhatIf) -> String {
    let changes = &what_if.profile_changes;
    let is_single = what_if.world.adapters.len() == 1;
    let named = changes.iter().take(SHOWN_KEYS).map(|change| {
        let adapter = if is_single { String::new() } else { format!(" (adapter {})", change.adapter) };
        let is_table = change.recorded.is_object() || change.live.is_object() || change.live.is_array();
        match is_table {
            true => format!("{}{adapter}", change.key),
            false => format!("{} {} → {}{adapter}", change.key, change.recorded, change.live),
        }
    });
    let named: Vec<String> = named.collect();
    match changes.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {}", named.join(", "), counted(more as u64, "other key")),
    }
}

/// Figures that differ, each as recorded and in the what-if.
fn effects(what_if: &WhatIf, tasks: Option<TaskComparison>, presents: &PresentDiff) -> String {
    let outcome = &what_if.outcome;
    let mut effects = Vec::new();
    let mut add = |what: &str, recorded: String, live: String| {
        if recorded != live {
            effects.push(format!("{what} {recorded} → {live}"));
        }
    };
    add("allocated", binary_bytes(outcome.recorded_in_both_bytes), binary_bytes(outcome.live_in_both_bytes));
    add("heaps", binary_bytes(outcome.recorded_heap_bytes), binary_bytes(outcome.live_heap_bytes));
    if let Some(TaskComparison { recorded, live }) = tasks {
        add("tasks", grouped(recorded.tasks_finished), grouped(live.tasks_finished));
        add("variants", grouped(recorded.variants), grouped(live.variants));
        add("draws with a variant", share(recorded.variant_draw_ratio), share(live.variant_draw_ratio));
        add("instructions saved", share(recorded.saving_ratio), share(live.saving_ratio));
    } else {
        add("tasks", grouped(outcome.replayed.recorded_tasks), grouped(outcome.replayed.tasks));
    }
    let results: u64 = outcome.changed_results.values().sum();
    let counts = [
        (outcome.failed_creations, "failed creation"),
        (outcome.new_creations, "new creation"),
        (results, "changed result"),
        (presents.differences.as_ref().map_or(0, |chains| chains.len() as u64), "swap chain"),
    ];
    effects.extend(counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(count, what)));
    match effects.is_empty() {
        true => "no compared figure".to_owned(),
        false => effects.join(", "),
    }
}

fn share(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "\u{2013}".to_owned(), percent)
}

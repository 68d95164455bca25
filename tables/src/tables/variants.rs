//! `variants`: specialisations that a driver found, and what became of them.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::reports::pgo::{GuardValue, VariantFigures, variants};

pub(super) const TABLE: Table = Table {
    name: "variants",
    description: "One specialisation that a driver found, in the order of their tasks, and what became of it; then variants \
                  that no task made.",
    columns: columns![
        task: I64, "The task that it was found worth; null for a variant that no task made.";
        pipeline_state: U64, "Handle of the pipeline state.";
        name: Text, "Name of the pipeline state: the one it was last given, that of its shader, or its handle.";
        variant: U64, "The variant; null if nothing came into use.";
        guard: Text, "Slots and the values that they must have, as `slot=0xbits`, with spaces between; null if the trace does not say.";
        guard_slots: I64, "How many slots those are.";
        asked_slots: I64, "Slots that the driver wanted to take as fixed.";
        fate: Text, "What became of it: `in_use`; out of use because its guard `misses`, it `loses`, or another `replaced` it; left because `pipeline_dead`, `discarded`, `nothing_folded` or `same_guard`; `cancelled`, `failed`, `not_finished` or `not_judged`.";
        found_stamp: I64, "When QueueProcessingWork had taken it, in ticks.";
        queued: Bool, "It came into the queue.";
        compiled: Bool, "Its work was done.";
        installed_stamp: I64, "When it came into use, in ticks.";
        dropped_stamp: I64, "When it went out of use, in ticks; null if it did not.";
        length_before: I64, "Instructions in the text of the generic shader.";
        length_after: I64, "Instructions in the text of the specialised one.";
        draws_served: I64, "Draws that it served.";
        generic_executed: I64, "Instructions that the generic shader executes for them.";
        executed: I64, "Instructions executed for them, guards included.";
        compile_ns: I64, "How long its task ran.";
        break_even_draws: I64, "Draws after which it has saved the time that its task ran, at what an instruction took in this recording; null where it saves nothing.";
    ],
    fields_of: None,
    make: Make::Whole(make),
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let found = variants(analysis, analysis.background()?);
    let all = || found.iter();
    frame.column("task", || all().map(|one| one.task).collect::<Vec<_>>());
    frame.column("pipeline_state", || all().map(|one| one.pipeline_state).collect::<Vec<_>>());
    frame.column("name", || all().map(|one| one.name.as_str()).collect::<Vec<&str>>());
    frame.column("variant", || all().map(|one| one.variant).collect::<Vec<_>>());
    frame.column("guard", || all().map(|one| one.guard.as_deref().map(guard)).collect::<Vec<Option<String>>>());
    let slots = |one: &VariantFigures| one.guard.as_ref().map(|guard| guard.len() as u64);
    frame.column("guard_slots", || all().map(slots).collect::<Vec<Option<u64>>>());
    frame.column("asked_slots", || all().map(|one| one.asked_slots).collect::<Vec<_>>());
    frame.column("fate", || all().map(|one| one.fate).collect::<Vec<&str>>());
    frame.column("found_stamp", || all().map(|one| one.found_at_stamp).collect::<Vec<_>>());
    frame.column("queued", || all().map(|one| one.queued).collect::<Vec<_>>());
    frame.column("compiled", || all().map(|one| one.compiled).collect::<Vec<_>>());
    frame.column("installed_stamp", || all().map(|one| one.installed_at_stamp).collect::<Vec<_>>());
    frame.column("dropped_stamp", || all().map(|one| one.dropped_at_stamp).collect::<Vec<_>>());
    frame.column("length_before", || all().map(|one| one.length_before).collect::<Vec<_>>());
    frame.column("length_after", || all().map(|one| one.length_after).collect::<Vec<_>>());
    frame.column("draws_served", || all().map(|one| one.draws_served).collect::<Vec<_>>());
    frame.column("generic_executed", || all().map(|one| one.instructions_before).collect::<Vec<_>>());
    frame.column("executed", || all().map(|one| one.instructions_after).collect::<Vec<_>>());
    frame.column("compile_ns", || all().map(|one| one.compile_ns).collect::<Vec<_>>());
    frame.column("break_even_draws", || all().map(|one| one.break_even_draws).collect::<Vec<_>>());
    Ok(())
}

fn guard(values: &[GuardValue]) -> String {
    values.iter().map(|value| format!("{}=0x{:08x}", value.slot, value.word)).collect::<Vec<_>>().join(" ")
}

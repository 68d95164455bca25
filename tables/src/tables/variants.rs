//! `variants`: specialisations that a driver found, and their outcome.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::background::Background;
use taut_analyze::reports::pgo::{GuardValue, VariantFigures, variants};

pub(super) const TABLE: Table = Table {
    name: "variants",
    description: "One specialisation that a driver found, in the order of their tasks, and its outcome; then variants \
                  that no task made, then those that were never compiled.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfBackground(make),
};

columns! {
    row of rows: &VariantRows;
    task: I64, "The task that it was found worth; null for a variant that no task made.", row.task;
    pipeline_state: U64, "Handle of the pipeline state.", row.pipeline_state;
    name: Text, "Name of the pipeline state: the one it was last given, that of its shader, or its handle.", row.name.as_str();
    variant: U64, "The variant; null if nothing was installed.", row.variant;
    guard: Text, "Slots and the values that they must have, as `slot=0xbits`, with spaces between; null if the trace does not say.", row.guard.as_deref().map(guard);
    guard_slots: I64, "How many slots those are.", Some(row.guard.as_ref()?.len() as u64);
    candidate_slots: I64, "Slots that the driver wanted to take as fixed.", row.candidate_slots;
    outcome: Text, "Outcome: `in_use`; out of use because its guard `misses`, it `loses`, or another `replaced` it; left because `pipeline_dead`, `discarded`, `nothing_folded` or `same_guard`; `cancelled`, `failed`, `not_finished` or `not_judged`; `estimated` to gain too little, and never compiled.", row.outcome;
    found_stamp: I64, "When QueueProcessingWork had taken it, in ticks.", row.found_at_stamp;
    queued: Bool, "It came into the queue.", row.queued;
    compiled: Bool, "Its work was done.", row.compiled;
    installed_stamp: I64, "Time of its installation, in ticks.", row.installed_at_stamp;
    dropped_stamp: I64, "When it went out of use, in ticks; null if it did not.", row.dropped_at_stamp;
    length_before: I64, "Instructions in the text of the shader that was specialised, the generic one or a variant.", row.length_before;
    length_after: I64, "Instructions in the text of the specialised one.", row.length_after;
    variant_draws: I64, "Draws that it served.", row.variant_draws;
    generic_executed: I64, "Instructions that the generic shader executes for them.", row.instructions_before;
    executed: I64, "Instructions executed for them, guards included.", row.instructions_after;
    generic_ns: I64, "The shortest run of the generic shader on the recording's machine, run by turns with the variant; null without a measurement.", row.time.map(|time| time.generic_min_ns);
    generic_spread_ns: I64, "How much longer than that the middle one of its runs took.", row.time.map(|time| time.generic_spread_ns);
    variant_ns: I64, "The shortest run of the variant.", row.time.map(|time| time.variant_min_ns);
    variant_spread_ns: I64, "How much longer than that the middle one of its runs took.", row.time.map(|time| time.variant_spread_ns);
    time_disagrees: Bool, "What it saves in time and in instructions differ by more than a tenth and more than the spreads.", row.time.and_then(|time| time.time_disagrees);
    compile_ns: I64, "How long its task ran.", row.compile_ns;
    break_even_draws: I64, "Draws after which it has saved the time that its task ran, at what an instruction took in this recording; null where it saves nothing.", row.break_even_draws;
}

struct VariantRows(Vec<VariantFigures>);

impl VariantRows {
    fn all(&self) -> impl Iterator<Item = &VariantFigures> {
        self.0.iter()
    }
}

fn make(analysis: &Analysis, background: &Background, frame: &mut Frame<'_>) -> Result<(), TableError> {
    fill(&VariantRows(variants(analysis, background)), frame)
}

fn guard(values: &[GuardValue]) -> String {
    values.iter().map(|value| format!("{}=0x{:08x}", value.slot, value.word)).collect::<Vec<_>>().join(" ")
}

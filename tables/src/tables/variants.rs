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
    description: "One row per specialisation that a driver found, with its outcome: those of tasks, in order of the \
                  tasks; variants without a task; specialisations that were never compiled.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfBackground(make),
};

columns! {
    row of rows: &VariantRows;
    task: I64, "Number of the task; null for a variant without a task.", row.task;
    pipeline_state: U64, "Handle of the pipeline state.", row.pipeline_state;
    name: Text, "Name of the pipeline state: the last one set, else the shader's name, else the handle.", row.name.as_str();
    variant: U64, "Number of the variant; null if none was installed.", row.variant;
    guard: Text, "Constant slots and required values, as `slot=0xbits`, separated by spaces; null if not in the trace.", row.guard.as_deref().map(guard);
    guard_slots: I64, "Number of slots in the guard.", Some(row.guard.as_ref()?.len() as u64);
    candidate_slots: I64, "Constant slots that the driver assumed to be fixed.", row.candidate_slots;
    outcome: Text, "`in_use`; dropped because the guard `misses`, the variant `loses` or another one `replaced` it; not installed because of `pipeline_dead`, `discarded`, `nothing_to_do`, `nothing_folded` or `same_guard`; `cancelled`, `failed`, `not_finished` or `not_judged`; `estimated` to gain too little, and never compiled.", row.outcome;
    found_stamp: I64, "Return of QueueProcessingWork, in ticks.", row.found_at_stamp;
    queued: Bool, "True if the task entered the queue.", row.queued;
    compiled: Bool, "True if the task's work was done.", row.compiled;
    installed_stamp: I64, "Installation, in ticks.", row.installed_at_stamp;
    dropped_stamp: I64, "End of use, in ticks; null if not dropped.", row.dropped_at_stamp;
    length_before: I64, "Static instruction count of the source shader: the generic one or a variant.", row.length_before;
    length_after: I64, "Static instruction count of the specialised shader.", row.length_after;
    variant_draws: I64, "Draws that ran the variant.", row.variant_draws;
    generic_executed: I64, "Instructions that the generic shader executes for these draws.", row.instructions_before;
    executed: I64, "Instructions executed for these draws, including guards.", row.instructions_after;
    generic_ns: I64, "Min run time of the generic shader on the recording machine, alternating with the variant; null without a measurement.", row.time.map(|time| time.generic_min_ns);
    generic_spread_ns: I64, "p50 minus min of the generic shader's run times.", row.time.map(|time| time.generic_spread_ns);
    variant_ns: I64, "Min run time of the variant.", row.time.map(|time| time.variant_min_ns);
    variant_spread_ns: I64, "p50 minus min of the variant's run times.", row.time.map(|time| time.variant_spread_ns);
    time_disagrees: Bool, "True if the savings in time and in instructions differ by more than a tenth and more than the spreads.", row.time.and_then(|time| time.time_disagrees);
    compile_ns: I64, "Run time of the task.", row.compile_ns;
    break_even_draws: I64, "Draws after which the variant has saved the task's run time, at this recording's time per instruction; null without a saving.", row.break_even_draws;
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

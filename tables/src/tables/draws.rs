//! `draws`: draws and dispatches executed by the GPU.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::background::{Background, Draw};
use taut_analyze::events::{Events, ValueNames};
use taut_schemas::BackgroundProcessingMode;

pub(super) const TABLE: Table = Table {
    name: "draws",
    description: "One row per draw or dispatch submitted and completed, in the order in which drivers read the \
                  measurements.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfBackground(make),
};

columns! {
    row of rows: &DrawRows<'_>;
    submission: I64, "Number of the submission among all operations of all command queues.", row.submission;
    draw: I64, "Index of the draw in the submission, from 0.", row.index;
    command_queue: U64, "Handle of the command queue.", row.command_queue.0;
    frame: I64, "Frame of the command queue at submission, from 1; null if the submission was lost.", Some(row.frame).filter(|frame| *frame > 0);
    pass: I64, "Number, in `passes`, of the pass in which the draw was submitted.", row.pass;
    mode: Text, "D3D12_BACKGROUND_PROCESSING_MODE at submission, without its prefix.", rows.modes.of(&row.mode);
    submitted_stamp: I64, "Submission, in ticks; null if the submission was lost.", row.submitted_stamp;
    submitted_ns: I64, "Submission, in ns since the first stamp.", rows.analysis.since_start_ns(row.submitted_stamp?);
    measured_stamp: I64, "Time at which the driver read the measurements, in ticks.", row.measured_stamp;
    measured_ns: I64, "Time at which the driver read the measurements, in ns.", rows.analysis.since_start_ns(row.measured_stamp);
    pipeline_state: U64, "Handle of the pipeline state.", row.run.pipeline_state.0;
    name: Text in &rows.names, "Name of the pipeline state: the last one set, else the shader's name, else the handle.", rows.pipeline(row);
    variant: U64, "Variant that ran; null for the generic shader.", row.is_served().then_some(row.run.variant.0);
    guard_missed: Bool, "True if a variant existed and its guard did not hold.", row.guard_missed;
    guard_cost: I64, "Shader instructions for evaluating guards.", row.guard_cost;
    executed: I64, "Instructions executed, including guards.", row.run.executed;
    counter_executed: I64, "Part of `executed` in counter code.", row.run.counter_executed;
    generic_executed: I64, "Instructions that the generic shader executes for the draw.", row.run.generic_executed;
    output_hash: U64, "Hash of the outputs.", row.run.output_hash;
    generic_output_hash: U64, "Hash of the generic shader's outputs; differs from `output_hash` only if the driver is wrong.", row.run.generic_output_hash;
}

struct DrawRows<'a> {
    analysis: &'a Analysis,
    background: &'a Background,
    modes: ValueNames<'a, BackgroundProcessingMode>,
    /// Names of the pipeline states, in the order of their handles.
    names: Vec<&'a str>,
}

fn make(analysis: &Analysis, background: &Background, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let modes = Events::new(&analysis.trace().header().schema).names();
    let names = background.pipelines.iter().map(|pipeline| pipeline.name.as_str()).collect();
    fill(&DrawRows { analysis, background, modes, names }, frame)
}

impl<'a> DrawRows<'a> {
    fn all(&self) -> impl Iterator<Item = &'a Draw> {
        self.background.draws.iter()
    }

    /// Index of a draw's pipeline state, which is always in the list.
    fn pipeline(&self, draw: &Draw) -> u32 {
        self.background.pipelines.partition_point(|known| known.id < draw.run.pipeline_state) as u32
    }
}

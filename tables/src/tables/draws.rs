//! `draws`: what the graphics processor was given and did.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::background::Draw;
use taut_analyze::columns::Events;
use taut_schemas::BackgroundProcessingMode;

pub(super) const TABLE: Table = Table {
    name: "draws",
    description: "One draw or dispatch that was submitted and done, in the order in which drivers read their measurements.",
    columns: columns![
        submission: I64, "Number of its submission among all operations of all command queues.";
        draw: I64, "Its place in the submission, from 0.";
        command_queue: U64, "Handle of the command queue.";
        frame: I64, "The frame of the command queue that it was submitted in, from 1; null if the submission was lost.";
        pass: I64, "The pass it was submitted in, by its number in the table `passes`.";
        mode: Text, "D3D12_BACKGROUND_PROCESSING_MODE in force then, without its prefix.";
        submitted_stamp: I64, "When it was submitted, in ticks; null if that was lost.";
        submitted_ns: I64, "The same in nanoseconds since the trace's first stamp.";
        measured_stamp: I64, "When the driver read what it did.";
        measured_ns: I64, "The same in nanoseconds.";
        pipeline_state: U64, "Handle of the pipeline state.";
        name: Text, "Name of the pipeline state: the one it was last given, that of its shader, or its handle.";
        variant: U64, "The variant that served it; null for the generic shader.";
        guard_missed: Bool, "A variant was there and its guard did not hold.";
        guard_cost: I64, "Instructions of the shader form that asking guards cost.";
        executed: I64, "Instructions executed, guards included.";
        generic_executed: I64, "Instructions that the generic shader executes for it.";
        output_hash: U64, "Hash of its outputs.";
        generic_output_hash: U64, "Hash of the generic shader's outputs: the same, or the driver is wrong.";
    ],
    fields_of: None,
    make: Make::Whole(make),
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let background = analysis.background()?;
    let events = Events::new(&analysis.trace().header().schema);
    let all = || background.draws.iter();
    frame.column("submission", || all().map(|draw| draw.submission).collect::<Vec<_>>());
    frame.column("draw", || all().map(|draw| draw.index).collect::<Vec<_>>());
    frame.column("command_queue", || all().map(|draw| draw.command_queue.0).collect::<Vec<_>>());
    frame.column("frame", || all().map(|draw| Some(draw.frame).filter(|frame| *frame > 0)).collect::<Vec<_>>());
    frame.column("pass", || all().map(|draw| draw.pass).collect::<Vec<_>>());
    let modes = events.names::<BackgroundProcessingMode>();
    frame.column("mode", || all().map(|draw| modes.of(&draw.mode)).collect::<Vec<String>>());
    frame.column("submitted_stamp", || all().map(|draw| draw.submitted_stamp).collect::<Vec<_>>());
    let submitted = || all().map(|draw| analysis.since_start_ns(draw.submitted_stamp?));
    frame.column("submitted_ns", || submitted().collect::<Vec<Option<u64>>>());
    frame.column("measured_stamp", || all().map(|draw| draw.measured_stamp).collect::<Vec<_>>());
    let measured = || all().map(|draw| analysis.since_start_ns(draw.measured_stamp));
    frame.column("measured_ns", || measured().collect::<Vec<Option<u64>>>());
    frame.column("pipeline_state", || all().map(|draw| draw.run.pipeline_state.0).collect::<Vec<_>>());
    let names: Vec<&str> = background.pipelines.iter().map(|pipeline| pipeline.name.as_str()).collect();
    frame.words("name", &names, || {
        // Pipeline states are in the order of their handles, and every one that is drawn with is there.
        let place = |draw: &Draw| background.pipelines.partition_point(|known| known.id < draw.run.pipeline_state);
        all().map(|draw| place(draw) as u32).collect()
    })?;
    frame.column("variant", || all().map(|draw| draw.is_served().then_some(draw.run.variant.0)).collect::<Vec<_>>());
    frame.column("guard_missed", || all().map(|draw| draw.guard_missed).collect::<Vec<_>>());
    frame.column("guard_cost", || all().map(|draw| draw.guard_cost).collect::<Vec<_>>());
    let mut number = |name: &str, of: fn(&Draw) -> u64| frame.column(name, || all().map(of).collect::<Vec<u64>>());
    number("executed", |draw| draw.run.executed);
    number("generic_executed", |draw| draw.run.generic_executed);
    number("output_hash", |draw| draw.run.output_hash);
    number("generic_output_hash", |draw| draw.run.generic_output_hash);
    Ok(())
}

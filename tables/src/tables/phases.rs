//! `phases`: named parts of the workload.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;

pub(super) const TABLE: Table = Table {
    name: "phases",
    description: "One named part of the workload, in the order they first begin; parts of one name are one.",
    columns: columns![
        phase: Text, "Its name.";
        began_stamp: I64, "When it first began, in ticks.";
        began_ns: I64, "The same in nanoseconds since the trace's first stamp.";
        began_seq: I64, "`seq` of the call log's line then; null where the workload follows no log.";
        began_thread: I64, "The thread that said so.";
        ended_stamp: I64, "When it last ended; null if it never does.";
        ended_ns: I64, "The same in nanoseconds.";
        ended_seq: I64, "`seq` of the call log's line then.";
        ended_thread: I64, "The thread that said so.";
        resources: I64, "Resources created in it.";
    ],
    fields_of: None,
    make: Make::Whole(make),
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let world = analysis.world()?;
    let all = || world.phases.iter();
    frame.column("phase", || all().map(|phase| phase.name.as_str()).collect::<Vec<&str>>());
    frame.moments(analysis, "began_", all().map(|phase| Some(phase.began)));
    frame.moments(analysis, "ended_", all().map(|phase| phase.ended));
    frame.column("resources", || {
        let mut resources = vec![0_u64; world.phases.len()];
        world.resources.iter().filter_map(|resource| resource.phase).for_each(|phase| resources[phase.0 as usize] += 1);
        resources
    });
    Ok(())
}

//! `phases`: named parts of the workload.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use std::cell::OnceCell;
use taut_analyze::Analysis;
use taut_analyze::memory::{Phase, World};

pub(super) const TABLE: Table = Table {
    name: "phases",
    description: "One row per named phase of the workload, in order of the first begin. Phases with the same name are \
                  merged.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfWorld(make),
};

columns! {
    row of rows: &PhaseRows<'_>;
    phase: Text, "Name of the phase.", row.phase.name.as_str();
    began_stamp: I64, "First begin, in ticks.", row.phase.began.stamp;
    began_ns: I64, "First begin, in ns since the first stamp.", rows.analysis.since_start_ns(row.phase.began.stamp);
    began_seq: I64, "`seq` of the call log line at the first begin; null without a call log.", row.phase.began.seq;
    began_thread: I64, "Thread of the first begin.", row.phase.began.thread;
    ended_stamp: I64, "Last end, in ticks; null if the phase never ends.", Some(row.phase.ended?.stamp);
    ended_ns: I64, "Last end, in ns.", rows.analysis.since_start_ns(row.phase.ended?.stamp);
    ended_seq: I64, "`seq` of the call log line at the last end.", row.phase.ended?.seq;
    ended_thread: I64, "Thread of the last end.", Some(row.phase.ended?.thread);
    resources: I64, "Number of resources created in the phase.", rows.resources()[row.index];
}

struct PhaseRows<'a> {
    analysis: &'a Analysis,
    world: &'a World,
    /// Number of resources, by phase.
    resources: OnceCell<Vec<u64>>,
}

struct PhaseRow<'a> {
    index: usize,
    phase: &'a Phase,
}

fn make(analysis: &Analysis, world: &World, frame: &mut Frame<'_>) -> Result<(), TableError> {
    fill(&PhaseRows { analysis, world, resources: OnceCell::new() }, frame)
}

impl<'a> PhaseRows<'a> {
    fn all(&self) -> impl Iterator<Item = PhaseRow<'a>> {
        self.world.phases.iter().enumerate().map(|(index, phase)| PhaseRow { index, phase })
    }

    fn resources(&self) -> &[u64] {
        self.resources.get_or_init(|| {
            let mut resources = vec![0_u64; self.world.phases.len()];
            let phases = self.world.resources.iter().filter_map(|resource| resource.phase);
            phases.for_each(|phase| resources[phase.0 as usize] += 1);
            resources
        })
    }
}

//! `causes`: wasted memory by cause, at peak.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::memory::{Moment, Turn, World};
use taut_analyze::reports::alignment::{CauseFigures, Measure, Sweep};

pub(super) const TABLE: Table = Table {
    name: "causes",
    description: "One row per cause of the memory wasted at peak, largest waste first; every wasted byte has one \
                  cause. The report `alignment` lists changes for each cause.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfWorld(make),
};

columns! {
    row of rows: &CauseRows<'_>;
    cause: Text, "Name of the cause.", row.cause.name;
    meaning: Text, "Description of the cause.", row.cause.meaning;
    count: I64, "Number of resources, gaps or heaps with this cause.", row.cause.count;
    waste_bytes: I64, "Wasted bytes.", row.cause.waste_bytes;
    example: Text, "Name of the first resource or heap with this cause; a description if it has no name.", row.cause.example.as_str();
    at_stamp: I64, "Peak, in ticks.", row.at.stamp;
    at_ns: I64, "Peak, in ns since the first stamp.", rows.analysis.since_start_ns(row.at.stamp);
    at_seq: I64, "`seq` of the call log line at the peak; null without a call log.", row.at.seq;
}

struct CauseRows<'a> {
    analysis: &'a Analysis,
    at: Moment,
    causes: Vec<CauseFigures>,
}

struct CauseRow<'a> {
    at: Moment,
    cause: &'a CauseFigures,
}

fn make(analysis: &Analysis, world: &World, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let turn: Option<Turn> = Sweep::over(world).peak(Measure::InUseBytes).turn;
    let mut causes = CauseFigures::all(world, turn, None);
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.waste_bytes));
    let at = turn.map_or(world.start, |turn| world.moment(turn));
    fill(&CauseRows { analysis, at, causes }, frame)
}

impl CauseRows<'_> {
    fn all(&self) -> impl Iterator<Item = CauseRow<'_>> {
        self.causes.iter().map(|cause| CauseRow { at: self.at, cause })
    }
}

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
    description: "One cause of the memory wasted at peak, those that waste most first: every wasted byte \
                  has one cause. What to do about each is said by the report `alignment`.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfWorld(make),
};

columns! {
    row of rows: &CauseRows<'_>;
    cause: Text, "Which cause.", row.cause.name;
    meaning: Text, "What it is.", row.cause.meaning;
    count: I64, "Resources, gaps or heaps that waste by it.", row.cause.count;
    waste_bytes: I64, "What it wastes.", row.cause.waste_bytes;
    example: Text, "Name of the first of them; of one without a name what it is.", row.cause.example.as_str();
    at_stamp: I64, "Time of the peak, in ticks.", row.at.stamp;
    at_ns: I64, "The same in nanoseconds since the trace's first stamp.", rows.analysis.since_start_ns(row.at.stamp);
    at_seq: I64, "`seq` of the call log's line then; null where the workload follows no log.", row.at.seq;
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

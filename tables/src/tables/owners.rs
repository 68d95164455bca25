//! `owners`: memory by owner, at peak.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::memory::{Moment, World};
use taut_analyze::reports::alignment::{Measure, Owner, Owners, Sweep};

pub(super) const TABLE: Table = Table {
    name: "owners",
    description: "What some resources have in common at peak, and the memory that is theirs: by name, \
                  phase, heap, heap type, format and node of a scene. All owners in one way together have all that is taken.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfWorld(make),
};

columns! {
    row of rows: &OwnerRows<'_>;
    breakdown: Text, "In which way: name, phase, heap, heap type, format or node.", row.breakdown;
    name: Text, "What they have in common: `tex/env/*`; empty if they have no name, or are of no phase or node.", row.owner.name.as_deref().unwrap_or_default();
    merged_owners: I64, "Owners told as this one; of more than 24 the least are.", row.owner.groups;
    resources: I64, "Its resources.", row.owner.resources;
    requested_bytes: I64, "What they ask for.", row.owner.requested_bytes;
    in_use_bytes: I64, "What they take.", row.owner.in_use_bytes;
    waste_bytes: I64, "Their rounding and granularity.", row.owner.waste_bytes;
    at_stamp: I64, "Time of the peak, in ticks.", row.at.stamp;
    at_ns: I64, "The same in nanoseconds since the trace's first stamp.", rows.analysis.since_start_ns(row.at.stamp);
    at_seq: I64, "`seq` of the call log's line then; null where the workload follows no log.", row.at.seq;
}

struct OwnerRows<'a> {
    analysis: &'a Analysis,
    at: Moment,
    owners: Owners,
}

struct OwnerRow<'a> {
    breakdown: &'static str,
    owner: &'a Owner,
    at: Moment,
}

fn make(analysis: &Analysis, world: &World, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let turn = Sweep::over(world).peak(Measure::InUseBytes).turn;
    let at = turn.map_or(world.start, |turn| world.moment(turn));
    fill(&OwnerRows { analysis, at, owners: Owners::after(world, turn) }, frame)
}

impl OwnerRows<'_> {
    fn all(&self) -> impl Iterator<Item = OwnerRow<'_>> {
        let at = self.at;
        self.owners
            .all()
            .into_iter()
            .flat_map(move |(breakdown, owners)| owners.iter().map(move |owner| OwnerRow { breakdown, owner, at }))
    }
}

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
    description: "One row per group of resources at peak, with the group's memory: by name, phase, heap, heap type, \
                  format and scene node. The groups of each breakdown add up to all memory in use.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfWorld(make),
};

columns! {
    row of rows: &OwnerRows<'_>;
    breakdown: Text, "Property that defines the group: name, phase, heap, heap type, format or node.", row.breakdown;
    name: Text, "Common value of the property, such as `tex/env/*`; empty for resources without a name, phase or node.", row.owner.name.as_deref().unwrap_or_default();
    merged_owners: I64, "Number of groups in this row; of more than 24 groups, the smallest are merged.", row.owner.groups;
    resources: I64, "Number of resources.", row.owner.resources;
    requested_bytes: I64, "Requested bytes.", row.owner.requested_bytes;
    in_use_bytes: I64, "Bytes in use.", row.owner.in_use_bytes;
    waste_bytes: I64, "Rounding and granularity.", row.owner.waste_bytes;
    at_stamp: I64, "Peak, in ticks.", row.at.stamp;
    at_ns: I64, "Peak, in ns since the first stamp.", rows.analysis.since_start_ns(row.at.stamp);
    at_seq: I64, "`seq` of the call log line at the peak; null without a call log.", row.at.seq;
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

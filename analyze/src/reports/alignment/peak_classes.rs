//! Resources at the peak by the class of their rounding, so that two traces can be compared class by class.

use super::Cause;
use super::figures::narrow;
use crate::memory::{Turn, World};
use crate::reports::figures::figures;
use std::collections::BTreeMap;

figures! {
    /// Resources of one class at the peak.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PeakClass {
        name: &'static str, Text, same;
        resources: u64, Count, same;
        tight: u64, Count, "Resources of the class with USE_TIGHT_ALIGNMENT.";
        requested_bytes: u64, Bytes, same;
        allocated_bytes: u64, Bytes, same;
    }
}

#[derive(Default)]
struct Sums {
    resources: u64,
    tight: u64,
    requested_bytes: u128,
    allocated_bytes: u128,
}

impl PeakClass {
    /// Classes of the resources that live right after `turn`, in the order of [`Cause::ALL`].
    pub fn all(world: &World, turn: Option<Turn>) -> Vec<PeakClass> {
        let Some(turn) = turn else { return Vec::new() };
        let mut classes: BTreeMap<Cause, Sums> = BTreeMap::new();
        let live = world.resources.iter().filter(|resource| resource.lives_after(turn) && !resource.is_reserved());
        for resource in live {
            let Some(allocation) = resource.allocation else { continue };
            let class = classes.entry(Cause::of_rounding(resource)).or_default();
            class.resources += 1;
            class.tight += u64::from(resource.is_tight());
            class.requested_bytes += u128::from(resource.requested_bytes);
            class.allocated_bytes += u128::from(allocation.size_bytes);
        }
        let figures = classes.into_iter().map(|(cause, sums)| PeakClass {
            name: cause.name(),
            resources: sums.resources,
            tight: sums.tight,
            requested_bytes: narrow(sums.requested_bytes),
            allocated_bytes: narrow(sums.allocated_bytes),
        });
        figures.collect()
    }
}

//! Pushdown of a plan into the scans of its tables: rewrites from plan to plan, each with a name.
//!
//! Row-wise steps are executed on each part of a table. An aggregate over row-wise steps is computed per part and
//! combined, or computed from the classes of the table's records without reading them. polars executes the remaining
//! steps on the results. A rewrite must not change the result of a query; a rewrite that would change the schema of a plan
//! is discarded.

mod chunked_scan;
mod class_aggregate;
mod class_scan;
mod flat;
mod metadata_aggregate;
mod partial_aggregate;
mod row_window;
mod row_wise;
mod rows_in_parts;
mod stamp_range;

pub(super) use chunked_scan::ChunkedScan;
pub(super) use row_window::RowWindow;
pub(super) use row_wise::{is_row_wise_node, map_children};
pub(super) use stamp_range::may_hold;

use super::plan_tree::{map_inputs, without_cached_schemas};
use polars::prelude::DslPlan;

/// All rewrites, in the order of their application: first those that read only class columns, then those that skip
/// blocks, and last the reading of the remaining records in parts.
const REWRITES: &[Rewrite] = &[
    metadata_aggregate::METADATA_AGGREGATE,
    stamp_range::STAMP_RANGE,
    partial_aggregate::PARTIAL_AGGREGATE,
    rows_in_parts::ROWS_IN_PARTS,
];

/// Rewrite of a plan.
struct Rewrite {
    /// Name in the output of `taut query --explain`.
    name: &'static str,
    /// Meaning, for the documentation.
    doc: &'static str,
    /// Rewrites a step and its inputs; `None` if the rewrite does not apply to the step.
    step: fn(&DslPlan) -> Option<Rewritten>,
}

/// A rewritten step.
struct Rewritten {
    plan: DslPlan,
    change: Change,
}

/// Description of a change: built on request, because it may need a plan's schema.
type Change = Box<dyn Fn() -> String>;

/// Application of a rewrite.
pub(super) struct Applied {
    /// Name of the rewrite.
    pub rewrite: &'static str,
    pub change: Change,
}

impl Rewrite {
    /// Applies the rewrite to the outermost steps that it fits.
    fn apply(&self, plan: &DslPlan, applied: &mut Vec<Applied>) -> DslPlan {
        match (self.step)(plan) {
            Some(Rewritten { plan, change }) => {
                applied.push(Applied { rewrite: self.name, change });
                plan
            }
            None => map_inputs(plan, &mut |input| self.apply(input, applied)),
        }
    }
}

/// Names of all rewrites, with their meaning.
pub(crate) fn documented() -> impl Iterator<Item = (&'static str, &'static str)> {
    REWRITES.iter().map(|rewrite| (rewrite.name, rewrite.doc))
}

/// Applies all rewrites; returns the new plan and what was applied.
pub(super) fn pushdown(plan: &DslPlan) -> (DslPlan, Vec<Applied>) {
    let mut applied = Vec::new();
    let plan = without_cached_schemas(plan);
    let plan = REWRITES.iter().fold(plan, |plan, rewrite| rewrite.apply(&plan, &mut applied));
    (plan, applied)
}

/// Scan of a plan's rows part by part; `None` if the plan is not row-wise over one table.
pub(super) fn rows(plan: &DslPlan) -> Option<ChunkedScan> {
    let plan = stamp_range::STAMP_RANGE.apply(&without_cached_schemas(plan), &mut Vec::new());
    ChunkedScan::new(row_wise::scanned_table(&plan)?, plan)
}

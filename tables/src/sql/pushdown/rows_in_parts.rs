//! Filtered rows of a table part by part: only the rows that pass are held.

use super::chunked_scan::ChunkedScan;
use super::row_wise::{has_filter, scanned_table};
use super::{Rewrite, Rewritten};
use crate::sql::leaf::leaf;
use crate::sql::plan_tree::inputs;
use polars::prelude::DslPlan;
use std::sync::Arc;

pub(super) const ROWS_IN_PARTS: Rewrite =
    Rewrite { name: "rows_in_parts", doc: "Filters rows part by part; only rows that pass stay in memory.", step };

fn step(plan: &DslPlan) -> Option<Rewritten> {
    let table = scanned_table(plan)?;
    // Where all rows are held, parts gain nothing: polars projects the table's scan itself.
    if inputs(plan).is_empty() || !(table.is_limited() || has_filter(plan)) {
        return None;
    }
    let name = table.name();
    let plan = leaf(Arc::new(ChunkedScan::new(table, plan.clone())?)).ok()?.logical_plan;
    let change = move || format!("{name}: part by part; only rows that pass the filter stay in memory");
    Some(Rewritten { plan, change: Box::new(change) })
}

//! Two-phase aggregation: partial aggregates per part of a table, combined into the aggregate of the whole table.
//!
//! Limited to aggregates for which this is exact: counts, sums and averages of integers, minima, maxima, and
//! expressions over these.

use super::chunked_scan::ChunkedScan;
use super::metadata_aggregate::map_aggregates;
use super::row_wise::{is_combination, is_row_wise, map_children, scanned_table};
use super::{Rewrite, Rewritten};
use crate::sql::leaf::leaf;
use crate::sql::plan_tree::{inputs, map_inputs, schema};
use polars::prelude::{AggExpr, DataType, DslPlan, Expr, FunctionExpr, NULL, Schema, col, lit, when};
use std::sync::Arc;

pub(super) const PARTIAL_AGGREGATE: Rewrite = Rewrite {
    name: "partial_aggregate",
    doc: "Computes an aggregate per part of a table and combines the results.",
    step,
};

fn step(plan: &DslPlan) -> Option<Rewritten> {
    let input = *inputs(plan).first()?;
    let (table, schema_of_rows) = (scanned_table(input)?, schema(input)?);
    let name = table.name();
    let mut partial = Partial { schema: &schema_of_rows, aggregates: Vec::new() };
    let mut whole = map_aggregates(plan, input, &mut |expr| partial.whole(expr))?;
    let of_parts = partial.of_parts();
    // A SELECT of literals alone is one row, whatever the table holds.
    if of_parts.is_empty() && matches!(plan, DslPlan::Select { .. }) {
        return None;
    }
    let mut of_part = plan.clone();
    match (&mut of_part, &mut whole) {
        (DslPlan::GroupBy { aggs, predicates, .. }, DslPlan::GroupBy { keys, .. }) => {
            *aggs = of_parts;
            // Only a whole group can be left out.
            predicates.clear();
            for key in keys {
                *key = col(key.to_field(&schema_of_rows).ok()?.name);
            }
        }
        (DslPlan::Select { expr, .. }, _) => *expr = of_parts,
        _ => return None,
    }
    let scan = Arc::new(ChunkedScan::from_aggregates(table, of_part)?);
    let parts = leaf(scan.clone()).ok()?.logical_plan;
    let new = map_inputs(&whole, &mut |_| parts.clone());
    let change = move || format!("{name}: {}; the groups of the parts are combined", scan.description());
    (schema(&new)? == schema(plan)?).then(|| Rewritten { plan: new, change: Box::new(change) })
}

/// Partial aggregates, and the expressions that combine them into the aggregates of all rows.
struct Partial<'a> {
    /// Schema of the aggregated rows.
    schema: &'a Schema,
    /// Aggregates of each part; the one at index `i` is the column [`name`]`(i)` of the parts' output.
    aggregates: Vec<Expr>,
}

/// Name of the partial aggregate at an index.
fn name(place: usize) -> String {
    // The prefix keeps these names apart from the query's own columns.
    format!("__TAUT_PART_{place}")
}

impl Partial<'_> {
    /// Returns the aggregates to compute for each part, under their generated names.
    fn of_parts(self) -> Vec<Expr> {
        self.aggregates.into_iter().enumerate().map(|(place, expr)| expr.alias(name(place))).collect()
    }

    /// Rewrites an aggregate over rows as one over the parts' partial aggregates, under its own name. `None` if the
    /// result is not known to be exact.
    fn whole(&mut self, expr: &Expr) -> Option<Expr> {
        let output = expr.to_field(self.schema).ok()?.name;
        Some(self.over_parts(expr)?.alias(output))
    }

    fn over_parts(&mut self, expr: &Expr) -> Option<Expr> {
        match expr {
            Expr::Len => Some(self.part(expr).sum()),
            Expr::Agg(AggExpr::Count { input, .. }) if is_row_wise(input) => Some(self.part(expr).sum()),
            Expr::Agg(AggExpr::Sum(input)) if is_row_wise(input) && self.is_integer(input) => {
                Some(self.part(expr).sum())
            }
            Expr::Agg(AggExpr::Min { input, .. }) if is_row_wise(input) => Some(self.part(expr).min()),
            Expr::Agg(AggExpr::Max { input, .. }) if is_row_wise(input) => Some(self.part(expr).max()),
            // A 128-bit sum cannot overflow for any possible number of 64-bit integers.
            Expr::Agg(AggExpr::Mean(input)) if is_row_wise(input) && self.is_integer(input) => {
                let sum = self.part(&input.as_ref().clone().cast(DataType::Int128).sum()).sum();
                let count = self.part(&input.as_ref().clone().count()).sum();
                let mean = sum.cast(DataType::Float64) / count.clone().cast(DataType::Float64);
                Some(when(count.gt(lit(0))).then(mean).otherwise(lit(NULL)))
            }
            Expr::Function { input, function: FunctionExpr::NullCount } if input.iter().all(is_row_wise) => {
                Some(self.part(expr).sum())
            }
            expr if is_combination(expr) => map_children(expr, &mut |input| self.over_parts(input)),
            _ => None,
        }
    }

    /// Returns the column that holds a partial aggregate, and registers the aggregate if it is new.
    fn part(&mut self, aggregate: &Expr) -> Expr {
        let known = self.aggregates.iter().position(|known| known == aggregate);
        let place = known.unwrap_or_else(|| {
            self.aggregates.push(aggregate.clone());
            self.aggregates.len() - 1
        });
        col(name(place))
    }

    /// True if an expression is integral: sums of integers do not depend on the order of the rows, sums of floats do.
    fn is_integer(&self, expr: &Expr) -> bool {
        let kind = expr.to_field(self.schema).map(|field| field.dtype);
        kind.is_ok_and(|kind| kind.is_integer() || kind == DataType::Boolean)
    }
}

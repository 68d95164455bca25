//! Aggregates and distinct rows from the heads of a table's blocks: an expression that reads only class columns is
//! evaluated on one row per class, weighted with the class's number of records, and no record is read.

use super::class_scan::ClassScan;
use super::row_wise::{columns, is_combination, is_row_wise, map_children, scanned_table};
use super::{Rewrite, Rewritten};
use crate::sql::leaf::leaf;
use crate::sql::plan_tree::{inputs, map_inputs, schema};
use crate::tables::RECORDS;
use polars::prelude::{AggExpr, DataType, DslPlan, Expr, FunctionExpr, LazyFrame, Schema, col, lit, when};
use std::sync::Arc;

pub(super) const METADATA_AGGREGATE: Rewrite = Rewrite {
    name: "metadata_aggregate",
    doc: "Computes aggregates and distinct rows of columns that depend on a record's code and thread only, from block \
          headers, without reading records.",
    step,
};

fn step(plan: &DslPlan) -> Option<Rewritten> {
    let input = *inputs(plan).first()?;
    let table = scanned_table(input)?;
    let name = table.name();
    let over = over_classes(input, &leaf(Arc::new(ClassScan::new(table)?)).ok()?.logical_plan)?;
    let new = match plan {
        // One row per class, in the order in which the classes first occur.
        DslPlan::Distinct { .. } => {
            let own: Vec<Expr> = schema(input)?.iter_names().cloned().map(col).collect();
            map_inputs(plan, &mut |_| LazyFrame::from(over.clone()).select(own.clone()).logical_plan)
        }
        plan => {
            let schema = schema(input)?;
            map_aggregates(plan, &over, &mut |expr| weighted(expr, &schema))?
        }
    };
    let change =
        move || format!("{name}: one row per class of records, from the headers of its blocks; no record is read");
    (schema(&new)? == schema(plan)?).then(|| Rewritten { plan: new, change: Box::new(change) })
}

/// An aggregate, grouped by row-wise keys or over all rows, with mapped aggregates over another input. `None` for other
/// steps, or if an aggregate has no image.
pub(super) fn map_aggregates(
    plan: &DslPlan,
    input: &DslPlan,
    map: &mut dyn FnMut(&Expr) -> Option<Expr>,
) -> Option<DslPlan> {
    let mut plan = map_inputs(plan, &mut |_| input.clone());
    let mut exprs: Vec<&mut Expr> = match &mut plan {
        DslPlan::GroupBy { keys, predicates, aggs, options, apply, .. }
            if options.slice.is_none() && apply.is_none() && keys.iter().all(is_row_wise) =>
        {
            predicates.iter_mut().chain(aggs).collect()
        }
        DslPlan::Select { expr, .. } if !expr.iter().all(is_row_wise) => expr.iter_mut().collect(),
        _ => return None,
    };
    for expr in &mut exprs {
        **expr = map(expr)?;
    }
    Some(plan)
}

/// Rewrites row-wise steps to run over classes, with the record count carried through each step. Columns that need more
/// than class columns are dropped, so a later use of one fails to resolve and the rewrite is rejected.
fn over_classes(plan: &DslPlan, classes: &DslPlan) -> Option<DslPlan> {
    let Some(input) = inputs(plan).first().copied() else { return Some(classes.clone()) };
    let input = over_classes(input, classes)?;
    let available = schema(&input)?;
    let is_available = |name: &str| name != RECORDS && available.contains(name);
    let mut plan = map_inputs(plan, &mut |_| input.clone());
    if let DslPlan::Select { expr: exprs, .. } | DslPlan::HStack { exprs, .. } = &mut plan {
        exprs.retain(|expr| is_row_wise(expr) && columns(expr).all(is_available));
    }
    if let DslPlan::Select { expr, .. } = &mut plan {
        expr.push(col(RECORDS));
    }
    Some(plan)
}

/// Rewrites an aggregate over records as one over classes, under its own name. `None` if the result is not known to be
/// exact.
fn weighted(expr: &Expr, schema: &Schema) -> Option<Expr> {
    let output = expr.to_field(schema).ok()?.name;
    Some(over_records(expr, schema)?.alias(output))
}

fn over_records(expr: &Expr, schema: &Schema) -> Option<Expr> {
    // polars' counts are UInt32, and the rewritten plan must have the same schema.
    let of_count = |count: Expr| count.cast(DataType::UInt32);
    let records_where = |truth: Expr| of_count(when(truth).then(col(RECORDS)).otherwise(lit(0i64)).sum());
    match expr {
        Expr::Len => Some(of_count(col(RECORDS).sum())),
        // A class has one value, so its number of records does not change a count of distinct values.
        Expr::Agg(AggExpr::Count { input, .. }) if is_unique(input) => Some(expr.clone()),
        Expr::Agg(AggExpr::Count { input, include_nulls: false }) if is_row_wise(input) => {
            Some(records_where(input.as_ref().clone().is_not_null()))
        }
        // A wrapping product equals the wrapping sum of equal terms in 64 bits; in 128 bits neither can overflow.
        Expr::Agg(AggExpr::Sum(input)) if is_row_wise(input) => {
            let kind = input.to_field(schema).ok()?.dtype;
            let fits = matches!(kind, DataType::Int64 | DataType::Int128);
            fits.then(|| (input.as_ref().clone() * col(RECORDS).cast(kind)).sum())
        }
        Expr::Agg(AggExpr::Min { input, .. } | AggExpr::Max { input, .. }) if is_row_wise(input) => Some(expr.clone()),
        Expr::Function { input, function: FunctionExpr::NullCount } if input.iter().all(is_row_wise) => {
            Some(records_where(input.first()?.clone().is_null()))
        }
        expr if is_combination(expr) => map_children(expr, &mut |input| over_records(input, schema)),
        _ => None,
    }
}

/// True for the distinct values of a row-wise expression.
fn is_unique(expr: &Expr) -> bool {
    let is_known = |expr: &Expr| match expr {
        Expr::Function { input, function: FunctionExpr::DropNulls } => input.iter().all(is_row_wise),
        expr => is_row_wise(expr),
    };
    matches!(expr, Expr::Function { input, function: FunctionExpr::Unique(_) } if input.iter().all(is_known))
}

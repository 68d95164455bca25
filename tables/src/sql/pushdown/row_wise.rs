//! Plan steps and expressions that are evaluated row by row. Their results for any part of a table are the same as for
//! the whole table.

use crate::sql::leaf::Leaf;
use crate::sql::plan_tree::{inputs, map_inputs};
use crate::sql::scan::TableScan;
use polars::error::PolarsError;
use polars::prelude::{
    AggExpr, BooleanFunction, DslPlan, Expr, FileScanDsl, FunctionExpr, LiteralValue, StringFunction,
};
use polars_plan::plans::visitor::TreeWalker;
use std::sync::Arc;

/// True if an expression's value in a row depends only on the columns' values in that row.
pub(super) fn is_row_wise(expr: &Expr) -> bool {
    expr.into_iter().all(is_row_wise_node)
}

/// True if the root node of an expression computes its value in a row only from its inputs' values in that row. The
/// inputs themselves are not checked.
pub(in crate::sql) fn is_row_wise_node(expr: &Expr) -> bool {
    match expr {
        Expr::Column(_) | Expr::Alias(..) | Expr::Cast { .. } | Expr::BinaryExpr { .. } | Expr::Ternary { .. } => true,
        // A literal series occurs in a plan only as the set of `IN`.
        Expr::Literal(literal) => !matches!(literal, LiteralValue::Range(_)),
        Expr::Agg(AggExpr::Implode { input, .. }) => {
            matches!(input.as_ref(), Expr::Literal(LiteralValue::Series(_)))
        }
        Expr::AnonymousFunction { options, .. } => options.is_elementwise(),
        Expr::Function { function: FunctionExpr::Boolean(BooleanFunction::IsIn { .. }), .. } => true,
        Expr::Function { function, .. } => is_row_wise_function(function),
        _ => false,
    }
}

/// True if the root node of an expression combines its inputs' values row by row. If the inputs are aggregates, the
/// expression has one value per group.
pub(super) fn is_combination(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_) | Expr::Alias(..) | Expr::Cast { .. } | Expr::BinaryExpr { .. } | Expr::Ternary { .. } => true,
        Expr::Function { function, .. } => is_row_wise_function(function),
        _ => false,
    }
}

/// True if a function computes its value in a row only from its arguments in that row. Functions that are not listed
/// here count as functions of several rows.
fn is_row_wise_function(function: &FunctionExpr) -> bool {
    match function {
        FunctionExpr::Boolean(function) => matches!(
            function,
            BooleanFunction::IsNull
                | BooleanFunction::IsNotNull
                | BooleanFunction::AllHorizontal
                | BooleanFunction::AnyHorizontal
                | BooleanFunction::Not
        ),
        FunctionExpr::StringExpr(function) => matches!(
            function,
            StringFunction::Contains { .. }
                | StringFunction::StartsWith
                | StringFunction::EndsWith
                | StringFunction::Lowercase
                | StringFunction::Uppercase
                | StringFunction::LenChars
                | StringFunction::LenBytes
                | StringFunction::ConcatHorizontal { .. }
                | StringFunction::Replace { .. }
                | StringFunction::Slice
                | StringFunction::Head
                | StringFunction::Tail
                | StringFunction::StripChars
                | StringFunction::StripCharsStart
                | StringFunction::StripCharsEnd
        ),
        FunctionExpr::Abs
        | FunctionExpr::Coalesce
        | FunctionExpr::FillNull
        | FunctionExpr::Round { .. }
        | FunctionExpr::Floor
        | FunctionExpr::Ceil
        | FunctionExpr::Clip { .. }
        | FunctionExpr::Pow(_)
        | FunctionExpr::Log
        | FunctionExpr::MinHorizontal
        | FunctionExpr::MaxHorizontal => true,
        _ => false,
    }
}

/// Names of the columns that an expression reads.
pub(super) fn columns(expr: &Expr) -> impl Iterator<Item = &str> {
    expr.into_iter().filter_map(|node| if let Expr::Column(name) = node { Some(name.as_str()) } else { None })
}

/// Replaces each input of the root node of `expr` by the result of `map`. Returns `None` if `map` returns `None` for an
/// input.
pub(in crate::sql) fn map_children(expr: &Expr, map: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Option<Expr> {
    let unmapped = || PolarsError::ComputeError("no replacement".into());
    expr.clone().map_children(&mut |child, _| map(&child).ok_or_else(unmapped), &mut ()).ok()
}

/// Returns the scan of the only table of a plan whose steps are all row-wise. `None` if a step is not row-wise, or the
/// source of the plan is not a table scan.
pub(super) fn scanned_table(plan: &DslPlan) -> Option<Arc<TableScan>> {
    let is_row_wise_or_selector = |expr: &Expr| is_row_wise(expr) || matches!(expr, Expr::Selector(_));
    // A SELECT with literals only has one row for any number of rows of the table, so it is not row-wise.
    let has_column = |expr: &Expr| expr.into_iter().any(|node| matches!(node, Expr::Column(_) | Expr::Selector(_)));
    match plan {
        DslPlan::Filter { input, predicate } if is_row_wise(predicate) => scanned_table(input),
        DslPlan::Select { expr, input, .. }
            if expr.iter().all(is_row_wise_or_selector) && expr.iter().any(has_column) =>
        {
            scanned_table(input)
        }
        DslPlan::HStack { input, exprs, .. } if exprs.iter().all(is_row_wise) => scanned_table(input),
        DslPlan::Scan { scan_type, .. } => match scan_type.as_ref() {
            FileScanDsl::Anonymous { function, .. } => {
                let leaf = function.as_any().downcast_ref::<Leaf<TableScan>>()?;
                Some(leaf.0.clone())
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns `plan` with `source` in place of its source. `plan` must have a single source.
pub(super) fn with_source(plan: &DslPlan, source: &DslPlan) -> DslPlan {
    if inputs(plan).is_empty() { source.clone() } else { map_inputs(plan, &mut |input| with_source(input, source)) }
}

/// True if a step of a plan is a filter, which removes rows.
pub(super) fn has_filter(plan: &DslPlan) -> bool {
    matches!(plan, DslPlan::Filter { .. }) || inputs(plan).into_iter().any(has_filter)
}

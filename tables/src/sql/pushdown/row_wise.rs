//! Plan steps and expressions that are evaluated row by row, and so on any part of a table.

use crate::sql::leaf::Leaf;
use crate::sql::plan_tree::{inputs, map_inputs};
use crate::sql::scan::TableScan;
use polars::error::PolarsError;
use polars::prelude::{
    AggExpr, BooleanFunction, DslPlan, Expr, FileScanDsl, FunctionExpr, LiteralValue, StringFunction,
};
use polars_plan::plans::visitor::TreeWalker;
use std::sync::Arc;

/// True if an expression's value in a row depends on that row alone.
pub(super) fn is_row_wise(expr: &Expr) -> bool {
    expr.into_iter().all(is_row_wise_node)
}

/// True if an expression's value in a row depends on the values of its inputs in that row alone.
pub(in crate::sql) fn is_row_wise_node(expr: &Expr) -> bool {
    match expr {
        Expr::Column(_) | Expr::Alias(..) | Expr::Cast { .. } | Expr::BinaryExpr { .. } | Expr::Ternary { .. } => true,
        // A series stands in a plan as the set of `IN` alone.
        Expr::Literal(literal) => !matches!(literal, LiteralValue::Range(_)),
        Expr::Agg(AggExpr::Implode { input, .. }) => {
            matches!(input.as_ref(), Expr::Literal(LiteralValue::Series(_)))
        }
        Expr::AnonymousFunction { options, .. } => options.is_elementwise(),
        Expr::Function { function: FunctionExpr::Boolean(BooleanFunction::IsIn { .. }), .. } => true,
        Expr::Function { function, .. } => is_of_one_row(function),
        _ => false,
    }
}

/// True if an expression combines values of its inputs row by row: over aggregates, it is one of each group.
pub(super) fn is_combination(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_) | Expr::Alias(..) | Expr::Cast { .. } | Expr::BinaryExpr { .. } | Expr::Ternary { .. } => true,
        Expr::Function { function, .. } => is_of_one_row(function),
        _ => false,
    }
}

/// True if a function's value in a row depends on that row alone. Functions that are not listed are assumed not to.
fn is_of_one_row(function: &FunctionExpr) -> bool {
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

/// The expression with each of its inputs mapped; `None` if one has no image.
pub(in crate::sql) fn map_children(expr: &Expr, map: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Option<Expr> {
    let no_image = || PolarsError::ComputeError("no image".into());
    expr.clone().map_children(&mut |child, _| map(&child).ok_or_else(no_image), &mut ()).ok()
}

/// The table below a row-wise plan; `None` if a step is not row-wise, or the source is not a table scan.
pub(super) fn table(plan: &DslPlan) -> Option<Arc<TableScan>> {
    let is_of_rows = |expr: &Expr| is_row_wise(expr) || matches!(expr, Expr::Selector(_));
    // A SELECT of literals alone is one row, whatever the table holds.
    let has_column = |expr: &Expr| expr.into_iter().any(|node| matches!(node, Expr::Column(_) | Expr::Selector(_)));
    match plan {
        DslPlan::Filter { input, predicate } if is_row_wise(predicate) => table(input),
        DslPlan::Select { expr, input, .. } if expr.iter().all(is_of_rows) && expr.iter().any(has_column) => {
            table(input)
        }
        DslPlan::HStack { input, exprs, .. } if exprs.iter().all(is_row_wise) => table(input),
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

/// Returns the steps of a plan with one source over another source.
pub(super) fn over(plan: &DslPlan, source: &DslPlan) -> DslPlan {
    if inputs(plan).is_empty() { source.clone() } else { map_inputs(plan, &mut |input| over(input, source)) }
}

/// True if a plan has a step that leaves out rows.
pub(super) fn has_filter(plan: &DslPlan) -> bool {
    matches!(plan, DslPlan::Filter { .. }) || inputs(plan).into_iter().any(has_filter)
}

//! Which steps of a plan look at one row at a time, so that they can be taken on any part of a table alone.

use super::scan::TableScan;
use polars::prelude::{
    AnonymousScan, BooleanFunction, DslPlan, Expr, FileScanDsl, FunctionExpr, LiteralValue, StringFunction,
};
use std::sync::Arc;

/// Whether an expression's value in a row follows from that row.
pub(super) fn is_row_wise(expr: &Expr) -> bool {
    match expr {
        Expr::Column(_) => true,
        Expr::Literal(literal) => !matches!(literal, LiteralValue::Series(_) | LiteralValue::Range(_)),
        Expr::Alias(inner, _) => is_row_wise(inner),
        Expr::Cast { expr, .. } => is_row_wise(expr),
        Expr::BinaryExpr { left, right, .. } => is_row_wise(left) && is_row_wise(right),
        Expr::Ternary { predicate, truthy, falsy } => {
            is_row_wise(predicate) && is_row_wise(truthy) && is_row_wise(falsy)
        }
        Expr::AnonymousFunction { input, options, .. } => options.is_elementwise() && input.iter().all(is_row_wise),
        Expr::Function { input, function } => is_of_one_row(function) && input.iter().all(is_row_wise),
        _ => false,
    }
}

/// Whether a function's value in a row follows from that row. Of those that do, only some are known here.
pub(super) fn is_of_one_row(function: &FunctionExpr) -> bool {
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
        ),
        FunctionExpr::Abs | FunctionExpr::Coalesce | FunctionExpr::FillNull => true,
        _ => false,
    }
}

/// The columns of an expression, which are of the rows.
fn has_column(expr: &Expr) -> bool {
    match expr {
        Expr::Column(_) | Expr::Selector(_) => true,
        Expr::Alias(inner, _) => has_column(inner),
        Expr::Cast { expr, .. } => has_column(expr),
        Expr::BinaryExpr { left, right, .. } => has_column(left) || has_column(right),
        Expr::Ternary { predicate, truthy, falsy } => [predicate, truthy, falsy].into_iter().any(|one| has_column(one)),
        Expr::Function { input, .. } | Expr::AnonymousFunction { input, .. } => input.iter().any(has_column),
        _ => false,
    }
}

/// The table under a plan that looks at one row at a time; none if it does not, or is over something else.
pub(super) fn table(plan: &DslPlan) -> Option<Arc<dyn AnonymousScan>> {
    match plan {
        DslPlan::IR { dsl, .. } => table(dsl),
        DslPlan::Filter { input, predicate } if is_row_wise(predicate) => table(input),
        DslPlan::Select { expr, input, .. }
            if expr.iter().all(|expr| is_row_wise(expr) || matches!(expr, Expr::Selector(_)))
                && expr.iter().any(has_column) =>
        {
            table(input)
        }
        DslPlan::HStack { input, exprs, .. } if exprs.iter().all(is_row_wise) => table(input),
        DslPlan::Scan { scan_type, .. } => match scan_type.as_ref() {
            FileScanDsl::Anonymous { function, .. } if function.as_any().is::<TableScan>() => Some(function.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The same plan over another table.
pub(super) fn over(plan: &DslPlan, source: &DslPlan) -> DslPlan {
    match plan {
        DslPlan::IR { dsl, .. } => over(dsl, source),
        DslPlan::Filter { input, predicate } => {
            DslPlan::Filter { input: Arc::new(over(input, source)), predicate: predicate.clone() }
        }
        DslPlan::Select { expr, input, options } => {
            DslPlan::Select { expr: expr.clone(), input: Arc::new(over(input, source)), options: *options }
        }
        DslPlan::HStack { input, exprs, options } => {
            DslPlan::HStack { input: Arc::new(over(input, source)), exprs: exprs.clone(), options: *options }
        }
        _ => source.clone(),
    }
}

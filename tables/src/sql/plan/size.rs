//! Limits on a plan: its number of steps, and the length of the longest chain of steps.
//!
//! A table of WITH is inlined wherever it is named: 39 tables that each name the previous one twice are 2³⁹ steps.
//! Steps share their inputs until polars optimizes them, so they are counted here without visiting any twice.

use crate::sql::QueryError;
use crate::sql::error::Unsupported;
use crate::sql::parse::MAX_CHAIN;
use crate::sql::plan_tree::inputs;
use polars::prelude::{DslPlan, Expr};
use std::collections::HashMap;
use taut_analyze::render::grouped;

/// Maximum number of steps of a plan. polars' optimizer holds about 2 KiB for each.
const MAX_STEPS: u64 = 20_000;

/// Maximum length of a chain of steps: a SELECT takes up to 5, a set operation 3.
const MAX_DEPTH: usize = 5 * MAX_CHAIN;

/// Max number of values that the expressions of a plan compute. polars copies an expression for each occurrence, and
/// evaluates each copy.
const MAX_VALUES: usize = 80_000;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Size {
    steps: u64,
    depth: usize,
    /// Values that their expressions compute.
    values: u64,
}

impl Size {
    fn with(self, other: Size) -> Size {
        Size {
            steps: self.steps.saturating_add(other.steps),
            depth: self.depth.max(other.depth),
            values: self.values.saturating_add(other.values),
        }
    }
}

/// Rejects a plan larger than polars can process.
pub(super) fn check(plan: &DslPlan) -> Result<(), Unsupported> {
    let Size { steps, depth, values } = measure(plan);
    if steps > MAX_STEPS {
        let (steps, limit_text) = (grouped(steps), grouped(MAX_STEPS));
        return Err(QueryError::Limit(format!(
            "this query needs more than {limit_text} steps ({steps} with the tables of WITH expanded): select less"
        )));
    }
    if depth > MAX_DEPTH {
        return Err(QueryError::Limit(format!(
            "this query needs more than {MAX_DEPTH} consecutive steps: select less"
        )));
    }
    if values > MAX_VALUES as u64 { too_many_values() } else { Ok(()) }
}

/// Refuses an expression that is larger than polars can work with.
pub(super) fn check_expression(expr: &Expr) -> Result<(), Unsupported> {
    if expr.into_iter().nth(MAX_VALUES).is_some() { too_many_values() } else { Ok(()) }
}

fn too_many_values() -> Result<(), Unsupported> {
    let limit_text = grouped(MAX_VALUES as u64);
    Err(QueryError::Limit(format!(
        "this query computes more than {limit_text} values per row: nested functions (%, //, nullif, lists) repeat their arguments; \
         compute the inner ones in a subquery"
    )))
}

/// Measures a plan, visiting each shared input once. Iterative, because the plan may be deeper than the stack.
fn measure(plan: &DslPlan) -> Size {
    // A shared input is a single allocation, so its address identifies it.
    let mut known: HashMap<*const DslPlan, Size> = HashMap::new();
    let mut open = vec![plan];
    while let Some(next) = open.last().copied() {
        let unknown: Vec<&DslPlan> =
            inputs(next).into_iter().filter(|input| !known.contains_key(&std::ptr::from_ref(*input))).collect();
        if !unknown.is_empty() {
            open.extend(unknown);
            continue;
        }
        let sizes = inputs(next).into_iter().filter_map(|input| known.get(&std::ptr::from_ref(input)));
        let all = sizes.fold(Size::default(), |all, size| all.with(*size));
        let own = Size { steps: 1, depth: 0, values: values(next) };
        known.insert(next, Size { depth: all.depth + 1, ..all.with(own) });
        open.pop();
    }
    known.get(&std::ptr::from_ref(plan)).copied().unwrap_or_default()
}

/// Values that the expressions of a step compute.
fn values(plan: &DslPlan) -> u64 {
    let count = |exprs: &[Expr]| exprs.iter().map(|expr| expr.into_iter().take(MAX_VALUES + 1).count() as u64).sum();
    match plan {
        DslPlan::Filter { predicate, .. } => count(std::slice::from_ref(predicate)),
        DslPlan::Select { expr: exprs, .. } | DslPlan::HStack { exprs, .. } => count(exprs),
        DslPlan::GroupBy { keys, aggs, .. } => count(keys) + count(aggs),
        DslPlan::Sort { by_column, .. } => count(by_column),
        DslPlan::Join { left_on, right_on, .. } => count(left_on) + count(right_on),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polars::prelude::{IntoLazy, LazyFrame, NamedFrom, Series, UnionArgs, col, concat};

    fn doubled(times: usize) -> LazyFrame {
        let mut frame = Series::new("a".into(), [1i64]).into_frame().lazy();
        for _ in 0..times {
            let half = frame.select([col("a")]);
            frame = concat([half.clone(), half], UnionArgs::default()).unwrap();
        }
        frame
    }

    #[test]
    fn a_plan_that_doubles_is_measured_without_being_visited_twice() {
        // One table, and for each doubling two selections and a union.
        assert_eq!(measure(&doubled(1).logical_plan).steps, 5);
        assert_eq!(measure(&doubled(2).logical_plan).steps, 13);
        assert!(measure(&doubled(62).logical_plan).steps > 1 << 62);
        assert!(check(&doubled(11).logical_plan).is_ok());
        assert!(matches!(check(&doubled(39).logical_plan), Err(QueryError::Limit(_))));
    }

    #[test]
    fn an_expression_that_doubles_is_refused_before_it_is_visited_whole() {
        let doubled = |times: usize| (0..times).fold(col("a"), |expr, _| expr.clone() + expr);
        assert!(check_expression(&doubled(15)).is_ok());
        assert!(matches!(check_expression(&doubled(60)), Err(QueryError::Limit(_))));
        // The same of several together.
        let columns =
            |count: usize| (0..count).map(|place| doubled(9).alias(format!("{place}"))).collect::<Vec<Expr>>();
        let selected = |count: usize| one_column().select(columns(count));
        assert!(check(&selected(40).logical_plan).is_ok());
        assert!(matches!(check(&selected(500).logical_plan), Err(QueryError::Limit(_))));
    }

    fn one_column() -> LazyFrame {
        doubled(0)
    }

    #[test]
    fn steps_after_one_another_have_a_limit() {
        let steps = |count: usize| (0..count).fold(doubled(0), |frame, _| frame.filter(col("a").gt(0)));
        assert!(check(&steps(MAX_DEPTH - 1).logical_plan).is_ok());
        assert!(matches!(check(&steps(MAX_DEPTH + 1).logical_plan), Err(QueryError::Limit(_))));
    }
}

//! Blocks left out by the stamps and the classes of their records. A condition over class columns next to the table
//! decides which classes are read, and needs no test per row; a condition over stamps is tested against each block's
//! range of stamps, and stays for the rows of the blocks that are read.

use super::class_scan::{ClassScan, and};
use super::flat::Flat;
use super::row_wise::{scanned_table, with_source};
use super::{Rewrite, Rewritten};
use crate::sql::leaf::leaf;
use crate::sql::plan_tree::{inputs, map_inputs};
use crate::sql::scan::Conditions;
use polars::prelude::{AnyValue, DataType, DslPlan, Expr, LiteralValue, Operator};
use std::sync::Arc;

pub(super) const STAMP_RANGE: Rewrite = Rewrite {
    name: "stamp_range",
    doc: "Reads only the records and blocks that a condition on code, thread or stamp selects.",
    step,
};

/// Name of the column with stamps.
const STAMP: &str = "stamp";

fn step(plan: &DslPlan) -> Option<Rewritten> {
    let table = scanned_table(plan)?;
    let classes = ClassScan::new(table.clone())?;
    let of_records = Flat::from_plan(plan).and_then(|flat| flat.conditions(&classes).of_records);
    let of_records = of_records.filter(is_of_stamps);
    let (rest, of_classes) = without_class_filter(plan, &classes);
    if of_records.is_none() && of_classes.is_none() {
        return None;
    }
    let name = table.name();
    let left_out = match (&of_classes, &of_records) {
        (Some(_), Some(_)) => "classes of records and blocks outside the range of stamps",
        (Some(_), None) => "classes of records",
        _ => "blocks outside the range of stamps",
    };
    let change = move || format!("{name}: {left_out} are not read");
    let limited = table.limited(Conditions { of_classes, of_records });
    let limited = leaf(Arc::new(limited)).ok()?.logical_plan;
    Some(Rewritten { plan: with_source(&rest, &limited), change: Box::new(change) })
}

/// Removes the conditions next to the table that are over class columns alone, and returns them separately.
fn without_class_filter(plan: &DslPlan, classes: &ClassScan) -> (DslPlan, Option<Expr>) {
    let Some(input) = inputs(plan).first().copied() else { return (plan.clone(), None) };
    let (input, filter) = without_class_filter(input, classes);
    match plan {
        DslPlan::Filter { predicate, .. } if matches!(input, DslPlan::Scan { .. }) => {
            let (of_classes, left) = classes.split(predicate);
            let plan = match left {
                Some(predicate) => DslPlan::Filter { input: Arc::new(input), predicate },
                None => input,
            };
            (plan, and(filter, of_classes))
        }
        plan => (map_inputs(plan, &mut |_| input.clone()), filter),
    }
}

/// True if a condition has a comparison of the stamp that may leave out blocks.
fn is_of_stamps(condition: &Expr) -> bool {
    match condition {
        Expr::Alias(inner, _) => is_of_stamps(inner),
        Expr::BinaryExpr { left, op: Operator::And | Operator::LogicalAnd, right } => {
            is_of_stamps(left) || is_of_stamps(right)
        }
        Expr::BinaryExpr { left, op: Operator::Or | Operator::LogicalOr, right } => {
            is_of_stamps(left) && is_of_stamps(right)
        }
        Expr::BinaryExpr { left, op, right } => {
            let is_range = is_stamp(left) && number(right).is_some() || is_stamp(right) && number(left).is_some();
            is_range && turned(*op).is_some()
        }
        _ => false,
    }
}

/// False only if the condition cannot be true of any record whose stamp is in the range.
pub(in crate::sql) fn may_hold(condition: &Expr, range: (u64, u64)) -> bool {
    let Expr::BinaryExpr { left, op, right } = condition else {
        return match condition {
            Expr::Alias(inner, _) => may_hold(inner, range),
            _ => true,
        };
    };
    match op {
        // One stamp may meet the left side and another the right, so this is an upper bound.
        Operator::And | Operator::LogicalAnd => may_hold(left, range) && may_hold(right, range),
        Operator::Or | Operator::LogicalOr => may_hold(left, range) || may_hold(right, range),
        _ => match (is_stamp(left), number(right), number(left), is_stamp(right)) {
            (true, Some(number), ..) => compared(*op, number, range),
            (_, _, Some(number), true) => turned(*op).is_none_or(|op| compared(op, number, range)),
            _ => true,
        },
    }
}

/// True if `stamp op number` can be true for a stamp of the range.
fn compared(op: Operator, number: i128, range: (u64, u64)) -> bool {
    let (lowest, highest) = (i128::from(range.0), i128::from(range.1));
    match op {
        Operator::Eq => lowest <= number && number <= highest,
        Operator::Lt => lowest < number,
        Operator::LtEq => lowest <= number,
        Operator::Gt => highest > number,
        Operator::GtEq => highest >= number,
        _ => true,
    }
}

/// Mirrors a comparison, for exchanged operands.
fn turned(op: Operator) -> Option<Operator> {
    match op {
        Operator::Eq => Some(Operator::Eq),
        Operator::Lt => Some(Operator::Gt),
        Operator::LtEq => Some(Operator::GtEq),
        Operator::Gt => Some(Operator::Lt),
        Operator::GtEq => Some(Operator::LtEq),
        _ => None,
    }
}

fn is_stamp(expr: &Expr) -> bool {
    match expr {
        Expr::Column(name) => name == STAMP,
        Expr::Cast { expr, dtype, .. } => dtype.as_literal().is_some_and(is_wide) && is_stamp(expr),
        _ => false,
    }
}

fn number(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Literal(LiteralValue::Scalar(scalar)) => match scalar.value() {
            AnyValue::Int64(number) => Some((*number).into()),
            AnyValue::UInt64(number) => Some((*number).into()),
            AnyValue::Int128(number) => Some(*number),
            _ => None,
        },
        Expr::Cast { expr, dtype, .. } if dtype.as_literal().is_some_and(is_wide) => number(expr),
        _ => None,
    }
}

/// True for a type that holds every 64-bit integer, signed or unsigned: a cast to it changes no value.
fn is_wide(kind: &DataType) -> bool {
    *kind == DataType::Int128
}

#[cfg(test)]
mod tests {
    use super::*;
    use polars::prelude::{Scalar, col, lit};
    use proptest::prelude::*;

    fn condition() -> impl Strategy<Value = Expr> {
        let number = |number: i64| lit(Scalar::new(DataType::Int64, AnyValue::Int64(number)));
        let leaf = (0..10_u8, -2..12_i64).prop_map(move |(form, value)| match form {
            0 => col(STAMP).lt(number(value)),
            1 => col(STAMP).lt_eq(number(value)),
            2 => col(STAMP).gt(number(value)),
            3 => col(STAMP).gt_eq(number(value)),
            4 => col(STAMP).eq(number(value)),
            5 => col(STAMP).neq(number(value)),
            6 => number(value).lt(col(STAMP)),
            7 => number(value).gt_eq(col(STAMP)),
            8 => col(STAMP).cast(DataType::Int128).gt(number(value).cast(DataType::Int128)),
            _ => (col(STAMP) % number(3)).eq(number(value)),
        });
        leaf.prop_recursive(3, 8, 2, |inner| {
            (inner.clone(), inner, 0..3_u8).prop_map(|(one, other, form)| match form {
                0 => one.and(other),
                1 => one.or(other),
                _ => one.not(),
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_pruned_range_has_no_matching_stamp(condition in condition(), from in 0..10_u64, stamps in 0..5_u64) {
            use polars::prelude::{IntoLazy, NamedFrom, Series};
            let all: Vec<i64> = (from..=from + stamps).map(|stamp| stamp as i64).collect();
            let rows = Series::new(STAMP.into(), all).into_frame().lazy().filter(condition.clone()).collect().unwrap();
            let may = may_hold(&condition, (from, from + stamps));
            prop_assert!(may || rows.height() == 0, "{}", condition);
        }
    }

    #[test]
    fn a_range_outside_the_condition_is_pruned() {
        let within = col(STAMP).gt_eq(lit(Scalar::new(DataType::Int64, AnyValue::Int64(5))));
        let within = within.and(col(STAMP).lt_eq(lit(Scalar::new(DataType::Int64, AnyValue::Int64(7)))));
        assert_eq!([(0, 4), (0, 5), (7, 9), (8, 9)].map(|range| may_hold(&within, range)), [false, true, true, false]);
    }
}

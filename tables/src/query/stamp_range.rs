//! Whether a condition can be true of any stamp of a range, as a block's head tells it.

use polars::prelude::{AnyValue, DataType, Expr, LiteralValue, Operator};

/// The column with stamps.
const STAMP: &str = "stamp";

/// Whether the condition may be true of a record whose stamp is in the range; `true` wherever that is not known.
pub(super) fn may_hold(condition: &Expr, range: (u64, u64)) -> bool {
    let Expr::BinaryExpr { left, op, right } = condition else {
        return match condition {
            Expr::Alias(inner, _) => may_hold(inner, range),
            _ => true,
        };
    };
    match op {
        Operator::And | Operator::LogicalAnd => may_hold(left, range) && may_hold(right, range),
        Operator::Or | Operator::LogicalOr => may_hold(left, range) || may_hold(right, range),
        _ => match (is_stamp(left), number(right), number(left), is_stamp(right)) {
            (true, Some(number), ..) => compared(*op, number, range),
            (_, _, Some(number), true) => turned(*op).is_none_or(|op| compared(op, number, range)),
            _ => true,
        },
    }
}

/// Whether `stamp op number` may be true.
fn compared(op: Operator, number: i128, (least, greatest): (u64, u64)) -> bool {
    let (least, greatest) = (i128::from(least), i128::from(greatest));
    match op {
        Operator::Eq => least <= number && number <= greatest,
        Operator::Lt => least < number,
        Operator::LtEq => least <= number,
        Operator::Gt => greatest > number,
        Operator::GtEq => greatest >= number,
        _ => true,
    }
}

/// The comparison with its sides exchanged.
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

/// Numbers that hold every whole one of 64 bits.
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
        fn a_range_without_a_stamp_that_fits_has_none(condition in condition(), from in 0..10_u64, stamps in 0..5_u64) {
            use polars::prelude::{IntoLazy, NamedFrom, Series};
            let all: Vec<i64> = (from..=from + stamps).map(|stamp| stamp as i64).collect();
            let rows = Series::new(STAMP.into(), all).into_frame().lazy().filter(condition.clone()).collect().unwrap();
            let may = may_hold(&condition, (from, from + stamps));
            prop_assert!(may || rows.height() == 0, "{}", condition);
        }
    }

    #[test]
    fn a_range_beside_what_is_wanted_is_left_out() {
        let within = col(STAMP).gt_eq(lit(Scalar::new(DataType::Int64, AnyValue::Int64(5))));
        let within = within.and(col(STAMP).lt_eq(lit(Scalar::new(DataType::Int64, AnyValue::Int64(7)))));
        assert_eq!([(0, 4), (0, 5), (7, 9), (8, 9)].map(|range| may_hold(&within, range)), [false, true, true, false]);
    }
}

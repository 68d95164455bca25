//! Operators. Integer arithmetic uses 128 bits and the result must fit into 64: nothing wraps.

use super::kind::{Kind, Typed};
use crate::sql::error::{Unsupported, unsupported};
use polars::prelude::{DataType, Expr as Column, NULL, lit, when};
use sqlparser::ast::{BinaryOperator, Expr, Spanned};

/// Translates a binary operator that is no [`Junction`](super::junction::Junction).
pub(super) fn binary(left: &Typed, op: &BinaryOperator, right: &Typed, whole: &Expr) -> Result<Typed, Unsupported> {
    use BinaryOperator as Op;
    let compare = |of: fn(Column, Column) -> Column| {
        let (left, right) = compared(left, right, whole)?;
        Ok(Typed::new(of(left, right), Kind::Bool))
    };
    match op {
        Op::Eq => compare(|left, right| left.eq(right)),
        Op::NotEq => compare(|left, right| left.neq(right)),
        Op::Lt => compare(|left, right| left.lt(right)),
        Op::LtEq => compare(|left, right| left.lt_eq(right)),
        Op::Gt => compare(|left, right| left.gt(right)),
        Op::GtEq => compare(|left, right| left.gt_eq(right)),
        Op::Plus | Op::Minus | Op::Multiply | Op::Modulo | Op::DuckIntegerDivide | Op::Divide => {
            arithmetic(left, op, right, whole)
        }
        Op::BitwiseAnd | Op::BitwiseOr => match (left.to(Kind::Int), right.to(Kind::Int)) {
            (Some(left), Some(right)) if *op == Op::BitwiseAnd => Ok(Typed::new(left.and(right), Kind::Int)),
            (Some(left), Some(right)) => Ok(Typed::new(left.or(right), Kind::Int)),
            _ => unsupported(whole.span(), format!("{op} takes integers")),
        },
        other => unsupported(whole.span(), format!("the operator `{other}` is not supported")),
    }
}

/// Converts two values to a type in which they can be compared.
pub(super) fn compared(left: &Typed, right: &Typed, whole: &Expr) -> Result<(Column, Column), Unsupported> {
    let pair = [left, right];
    if let Some(kind) = super::kind::common(pair)
        && let (Some(left), Some(right)) = (left.to(kind), right.to(kind))
    {
        return Ok(if kind == Kind::Null { (pair[0].output(), pair[1].output()) } else { (left, right) });
    }
    match (left.kind, right.kind) {
        (Kind::Int | Kind::Id, Kind::Int | Kind::Id) => Ok((wide(&left.expr), wide(&right.expr))),
        (left, right) => unsupported(whole.span(), format!("cannot compare {} with {}", left.word(), right.word())),
    }
}

fn wide(expr: &Column) -> Column {
    expr.clone().cast(DataType::Int128)
}

/// Narrows a 128-bit integer to 64 bits; the query fails if it does not fit.
pub(super) fn narrow(expr: Column) -> Column {
    expr.strict_cast(DataType::Int64)
}

fn arithmetic(left: &Typed, op: &BinaryOperator, right: &Typed, whole: &Expr) -> Result<Typed, Unsupported> {
    for one in [left, right] {
        match one.kind {
            Kind::Id => {
                let message = "arithmetic on handles, addresses and hashes is not supported: use CAST(x AS BIGINT)";
                return unsupported(whole.span(), message);
            }
            Kind::Bool | Kind::Text | Kind::Nested => {
                return unsupported(whole.span(), format!("`{op}` takes numbers, found {}", one.kind.word()));
            }
            Kind::Int | Kind::Real | Kind::Null => {}
        }
    }
    let real = || (left.expr.clone().cast(DataType::Float64), right.expr.clone().cast(DataType::Float64));
    if *op == BinaryOperator::Divide {
        let (left, right) = real();
        return Ok(Typed::new(left / right, Kind::Real));
    }
    if [left.kind, right.kind].contains(&Kind::Real) {
        let (left, right) = real();
        return match op {
            BinaryOperator::Plus => Ok(Typed::new(left + right, Kind::Real)),
            BinaryOperator::Minus => Ok(Typed::new(left - right, Kind::Real)),
            BinaryOperator::Multiply => Ok(Typed::new(left * right, Kind::Real)),
            _ => unsupported(whole.span(), format!("`{op}` takes integers")),
        };
    }
    let (left, right) = (wide(&left.expr), wide(&right.expr));
    let result = match op {
        BinaryOperator::Plus => left + right,
        BinaryOperator::Minus => left - right,
        BinaryOperator::Multiply => left * right,
        BinaryOperator::Modulo => remainder(left, right),
        _ => quotient(left, right),
    };
    Ok(Typed::new(narrow(result), Kind::Int))
}

fn zero() -> Column {
    lit(0i64).cast(DataType::Int128)
}

/// A value that does not fit into 64 bits: makes the query fail where a divisor is 0.
fn overflow() -> Column {
    lit(i64::MAX).cast(DataType::Int128) * lit(4i64).cast(DataType::Int128)
}

/// Integer division, rounded towards zero.
fn quotient(left: Column, right: Column) -> Column {
    let size = |expr: &Column| expr.clone().abs();
    let is_zero = right.clone().eq(zero()).and(left.clone().is_not_null());
    let divisor = when(right.clone().eq(zero())).then(lit(NULL)).otherwise(size(&right));
    let quotient = size(&left).floor_div(divisor);
    let negative = left.lt(zero()).neq(right.lt(zero()));
    when(is_zero).then(overflow()).when(negative).then(zero() - quotient.clone()).otherwise(quotient)
}

/// Remainder with the sign of the dividend.
fn remainder(left: Column, right: Column) -> Column {
    let is_zero = right.clone().eq(zero()).and(left.clone().is_not_null());
    when(is_zero).then(overflow()).otherwise(left.clone() - quotient(left, right.clone()) * right)
}

//! `IN` with a list: short lists are compared value by value, long lists of constants become a set lookup.

use super::expression::{Expressions, negated_if};
use super::junction::balanced;
use super::kind::{Kind, Typed};
use super::operators::compared;
use crate::sql::error::{Unsupported, unsupported};
use polars::prelude::{DataType, Expr as Column, LiteralValue, NULL, NamedFrom, Series, SpecialEq, lit, when};
use sqlparser::ast::{Expr, Spanned};

/// Lists up to this length are compared value by value, which lets block pruning see the values. The cost is per row
/// and value.
const FEW: usize = 256;

/// Maximum length of a list that is not a set of constants: each of its values is compared with every row.
const MAX_COMPARED: usize = 10_000;

/// Constants of a list.
enum Constants {
    Numbers(Vec<i128>),
    Texts(Vec<String>),
}

impl Expressions<'_> {
    pub fn in_list(&mut self, inner: &Expr, list: &[Expr], negated: bool) -> Result<Typed, Unsupported> {
        let value = self.of(inner)?;
        let mut values = Vec::with_capacity(list.len());
        for one in list {
            values.push(self.of(one)?);
        }
        let looked_up = if values.len() > FEW { looked_up(&value, &values) } else { None };
        let found = match looked_up {
            Some(found) => found,
            None if values.len() > MAX_COMPARED => {
                let message =
                    format!("a list of more than {MAX_COMPARED} values takes only constants of the column's type");
                return unsupported(inner.span(), message);
            }
            None => {
                let mut equals = Vec::with_capacity(values.len());
                for (typed, one) in values.iter().zip(list) {
                    let (left, right) = compared(&value, typed, one)?;
                    equals.push(left.eq(right));
                }
                balanced(equals, Column::or).unwrap_or_else(|| lit(false))
            }
        };
        Ok(Typed::new(negated_if(found, negated), Kind::Bool))
    }
}

/// Condition that looks a column's value up in a set of constants. `None` if the constants are of several types, or the
/// value is a constant itself.
fn looked_up(value: &Typed, values: &[Typed]) -> Option<Column> {
    let (constants, has_null) = constants(values)?;
    if value.number.is_some() || value.text.is_some() {
        return None;
    }
    let set = match (value.kind, constants) {
        // A number outside the column's range equals none of its values, so it is left out of the set.
        (Kind::Int, Constants::Numbers(numbers)) => Series::new(
            "".into(),
            numbers.iter().filter_map(|number| i64::try_from(*number).ok()).collect::<Vec<i64>>(),
        ),
        (Kind::Id, Constants::Numbers(numbers)) => Series::new(
            "".into(),
            numbers.iter().filter_map(|number| u64::try_from(*number).ok()).collect::<Vec<u64>>(),
        ),
        (Kind::Text, Constants::Texts(texts)) => Series::new("".into(), texts),
        _ => return None,
    };
    let found = if set.is_empty() {
        // SQL's three-valued logic: NULL IN (…) is NULL.
        when(value.expr.clone().is_null()).then(lit(NULL).cast(DataType::Boolean)).otherwise(lit(false))
    } else {
        let set = set.unique().unwrap_or(set);
        value.expr.clone().is_in(Column::Literal(LiteralValue::Series(SpecialEq::new(set))).implode(true), false)
    };
    Some(if has_null { when(found).then(lit(true)).otherwise(lit(NULL).cast(DataType::Boolean)) } else { found })
}

/// Returns the constants if all are of one type, and whether `NULL` is among them.
fn constants(values: &[Typed]) -> Option<(Constants, bool)> {
    let known = || values.iter().filter(|value| value.kind != Kind::Null);
    let has_null = known().count() < values.len();
    let numbers: Option<Vec<i128>> = known().map(|value| value.number).collect();
    let constants = match numbers {
        Some(numbers) => Constants::Numbers(numbers),
        None => Constants::Texts(known().map(|value| value.text.clone()).collect::<Option<_>>()?),
    };
    Some((constants, has_null))
}

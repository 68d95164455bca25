//! Aggregates of a table from aggregates of its parts.
//!
//! Only where that is exact: counts, sums and averages of integers, least and greatest values, and what is reckoned from
//! these.

use super::row_wise::{is_of_one_row, is_row_wise};
use polars::prelude::{AggExpr, DataType, Expr, FunctionExpr, NULL, Schema, col, lit, when};
use std::sync::Arc;

/// Aggregates of parts, and how those of the whole follow from them.
#[derive(Debug)]
pub(super) struct Partial<'a> {
    /// The rows' columns.
    schema: &'a Schema,
    /// Aggregates of each part, by their places: see [`name`].
    aggregates: Vec<Expr>,
}

/// Name of the part's aggregate at a place.
fn name(place: usize) -> String {
    format!("__TAUT_PART_{place}")
}

impl<'a> Partial<'a> {
    pub fn new(schema: &'a Schema) -> Partial<'a> {
        Partial { schema, aggregates: Vec::new() }
    }

    /// The aggregates to make of each part, with their names.
    pub fn of_parts(self) -> Vec<Expr> {
        self.aggregates.into_iter().enumerate().map(|(place, expr)| expr.alias(name(place))).collect()
    }

    /// An aggregate over rows as one over the aggregates of parts, under its own name; none if it is not known to be
    /// exact.
    pub fn whole(&mut self, expr: &Expr) -> Option<Expr> {
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
            // Sums of 128 bits hold any number of integers of 64.
            Expr::Agg(AggExpr::Mean(input)) if is_row_wise(input) && self.is_integer(input) => {
                let sum = self.part(&input.as_ref().clone().cast(DataType::Int128).sum()).sum();
                let count = self.part(&input.as_ref().clone().count()).sum();
                let mean = sum.cast(DataType::Float64) / count.clone().cast(DataType::Float64);
                Some(when(count.gt(lit(0))).then(mean).otherwise(lit(NULL)))
            }
            Expr::Function { input, function: FunctionExpr::NullCount } if input.iter().all(is_row_wise) => {
                Some(self.part(expr).sum())
            }
            Expr::Literal(_) => Some(expr.clone()),
            Expr::Alias(inner, output) => Some(self.over_parts(inner)?.alias(output.clone())),
            Expr::Cast { expr, dtype, options } => {
                Some(Expr::Cast { expr: self.shared(expr)?, dtype: dtype.clone(), options: *options })
            }
            Expr::BinaryExpr { left, op, right } => {
                Some(Expr::BinaryExpr { left: self.shared(left)?, op: *op, right: self.shared(right)? })
            }
            Expr::Ternary { predicate, truthy, falsy } => Some(Expr::Ternary {
                predicate: self.shared(predicate)?,
                truthy: self.shared(truthy)?,
                falsy: self.shared(falsy)?,
            }),
            Expr::Function { input, function } if is_of_one_row(function) => {
                let input: Option<Vec<Expr>> = input.iter().map(|input| self.over_parts(input)).collect();
                Some(Expr::Function { input: input?, function: function.clone() })
            }
            _ => None,
        }
    }

    fn shared(&mut self, expr: &Expr) -> Option<Arc<Expr>> {
        self.over_parts(expr).map(Arc::new)
    }

    /// The column with a part's aggregate.
    fn part(&mut self, aggregate: &Expr) -> Expr {
        let known = self.aggregates.iter().position(|known| known == aggregate);
        let place = known.unwrap_or_else(|| {
            self.aggregates.push(aggregate.clone());
            self.aggregates.len() - 1
        });
        col(name(place))
    }

    /// Sums of integers are the same in any order.
    fn is_integer(&self, expr: &Expr) -> bool {
        let kind = expr.to_field(self.schema).map(|field| field.dtype);
        kind.is_ok_and(|kind| kind.is_integer() || kind == DataType::Boolean)
    }
}

//! Subqueries within expressions. They are executed during planning, and their result becomes a constant.

use super::expression::{Expressions, negated_if};
use super::junction::balanced;
use super::kind::{Kind, Typed};
use super::operators::compared;
use super::scope::{Relation, Scope};
use crate::sql::error::{Unsupported, unsupported};
use polars::prelude::{Expr as Column, LiteralValue, NULL, Scalar, lit, when};
use sqlparser::ast::{Expr, Query, Spanned};

/// Results up to this length are compared value by value; longer ones become a set lookup.
const FEW: usize = 32;

impl Expressions<'_> {
    /// `(SELECT max(size_bytes) FROM heaps)`.
    pub fn scalar(&mut self, query: &Query) -> Result<Typed, Unsupported> {
        let (values, kind) = self.values(query)?;
        match values.len() {
            0 => Ok(Typed { expr: lit(NULL).cast(kind.data_type()), ..Typed::new(lit(NULL), kind) }),
            1 => Ok(constant(&values, kind)),
            _ => unsupported(query.span(), "expected a subquery with one row, found several: add LIMIT 1, or use IN"),
        }
    }

    pub fn in_subquery(&mut self, inner: &Expr, query: &Query, negated: bool) -> Result<Typed, Unsupported> {
        let value = self.of(inner)?;
        let (values, kind) = self.values(query)?;
        let known = values.drop_nulls();
        let of_set = Typed::new(lit(NULL), kind);
        let found: Column = if known.is_empty() {
            // IN over an empty set is false, even for null.
            if values.is_empty() {
                lit(false)
            } else {
                value.expr.is_null().and(lit(NULL)).or(lit(NULL)).cast(Kind::Bool.data_type())
            }
        } else if known.len() <= FEW {
            let mut equals = Vec::with_capacity(known.len());
            for place in 0..known.len() {
                let (left, right) = compared(&value, &constant(&known.slice(place as i64, 1), kind), inner)?;
                equals.push(left.eq(right));
            }
            balanced(equals, Column::or).unwrap_or_else(|| lit(false))
        } else {
            let (left, _) = compared(&value, &of_set, inner)?;
            let left = if value.kind == kind { left } else { left.cast(kind.data_type()) };
            left.is_in(
                Column::Literal(LiteralValue::Series(polars::prelude::SpecialEq::new(known.unique().unwrap_or(known))))
                    .implode(true),
                false,
            )
        };
        let found = match values.null_count() {
            0 => found,
            // SQL's three-valued logic: the value may equal the null of the set, so the result is NULL instead of
            // false.
            _ => when(found.clone()).then(lit(true)).otherwise(lit(NULL)),
        };
        Ok(Typed::new(negated_if(found, negated), Kind::Bool))
    }

    pub fn exists(&mut self, query: &Query, negated: bool) -> Result<Typed, Unsupported> {
        let relation = self.relation(query)?;
        // One row decides EXISTS.
        let any = self.planner.collect(relation.frame.limit(1))?.height() > 0;
        Ok(Typed::new(lit(any != negated), Kind::Bool))
    }

    fn values(&mut self, query: &Query) -> Result<(polars::prelude::Series, Kind), Unsupported> {
        const WANTED: &str = "expected a subquery with one column";
        let relation = self.relation(query)?;
        let [(_, kind)] = relation.columns.as_slice() else {
            return unsupported(query.span(), format!("{WANTED}, found {}", relation.columns.len()));
        };
        let frame = self.planner.collect(relation.frame)?;
        let Some(column) = frame.columns().first() else { return unsupported(query.span(), WANTED) };
        Ok((column.as_materialized_series().clone(), *kind))
    }

    fn relation(&self, query: &Query) -> Result<Relation, Unsupported> {
        if self.of_rows.is_active {
            return unsupported(query.span(), "an expression with a subquery cannot be a key");
        }
        let around: Vec<Scope> = self.outer.iter().chain([self.scope]).cloned().collect();
        self.planner.plan_query(query, self.named, &around)
    }
}

/// The first value of a series, as a constant.
fn constant(values: &polars::prelude::Series, kind: Kind) -> Typed {
    let value = values.get(0).map(|value| value.into_static()).unwrap_or(polars::prelude::AnyValue::Null);
    Typed::new(lit(Scalar::new(kind.data_type(), value)), kind)
}

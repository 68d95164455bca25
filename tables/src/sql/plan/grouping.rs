//! GROUP BY: keys, and the aggregates computed for each group.

use super::expression::Expressions;
use super::kind::Typed;
use crate::sql::error::{Unsupported, unsupported};
use polars::prelude::{Expr as Column, LazyFrame, col};
use sqlparser::ast::{Expr, Visit, Visitor};
use sqlparser::tokenizer::Span;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::ptr;

/// Keys and aggregates of a grouped query.
#[derive(Debug, Clone, Default)]
pub(super) struct Grouping {
    pub keys: Vec<Typed>,
    pub aggregates: Vec<Column>,
}

fn key_name(place: usize) -> String {
    format!("#key{place}")
}

fn aggregate_name(place: usize) -> String {
    format!("#aggregate{place}")
}

impl Grouping {
    /// Returns the column that holds an aggregate, and registers the aggregate if it is new.
    pub fn aggregate(&mut self, translated: Typed) -> Typed {
        let known = self.aggregates.iter().position(|known| *known == translated.expr);
        let place = known.unwrap_or_else(|| {
            self.aggregates.push(translated.expr);
            self.aggregates.len() - 1
        });
        Typed::new(col(aggregate_name(place)), translated.kind)
    }

    /// Applies the grouping: one row per group, or one row over all rows if there are no keys.
    pub fn apply(self, frame: LazyFrame) -> LazyFrame {
        let named = |(place, translated): (usize, Column)| translated.alias(aggregate_name(place));
        let aggregates: Vec<Column> = self.aggregates.into_iter().enumerate().map(named).collect();
        if self.keys.is_empty() {
            return frame.select(aggregates);
        }
        let keys = self.keys.into_iter().enumerate();
        let keys: Vec<Column> = keys.map(|(place, key)| key.expr.alias(key_name(place))).collect();
        // Stable, so that groups keep the order of their first rows and the same query returns the same rows, LIMIT or
        // not.
        frame.group_by_stable(keys).agg(aggregates)
    }
}

/// Expressions of a query, translated over its rows. Each expression is translated once, even if several expressions
/// contain it.
#[derive(Default)]
pub(super) struct RowExpressions {
    /// True while expressions are translated over rows: then subqueries are not executed.
    pub is_active: bool,
    /// By address, because the text of a query lives as long as its translation; `None` for an error.
    known: HashMap<*const Expr, Option<Typed>>,
}

impl RowExpressions {
    /// The translation of an expression, if it is known.
    pub fn known(&self, expr: &Expr) -> Option<Result<Typed, Unsupported>> {
        let known = if self.is_active { self.known.get(&ptr::from_ref(expr))? } else { return None };
        Some(known.clone().map_or_else(|| unsupported(Span::empty(), "not an expression over rows"), Ok))
    }

    /// Adds a translation. Names are left out: they may be temporary, and are resolved in constant time.
    pub fn add(&mut self, expr: &Expr, typed: &Result<Typed, Unsupported>) {
        if self.is_active && !matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_)) {
            self.known.insert(expr, typed.as_ref().ok().cloned());
        }
    }
}

impl Expressions<'_> {
    /// Returns the key column that an expression equals, if any.
    pub fn key(&mut self, expr: &Expr) -> Option<Typed> {
        if self.grouping.as_ref()?.keys.is_empty() || matches!(expr, Expr::Value(_)) {
            return None;
        }
        let of_rows = self.over_rows(expr)?;
        let keys = &self.grouping.as_ref()?.keys;
        let place = keys.iter().position(|key| key.expr == of_rows.expr)?;
        Some(Typed::new(col(key_name(place)), keys[place].kind))
    }

    /// Translates an expression over rows; `None` if it is not one.
    fn over_rows(&mut self, expr: &Expr) -> Option<Typed> {
        let (grouping, windows) = (self.grouping.take(), self.windows.take());
        self.of_rows.is_active = true;
        let found = self.of(expr).ok();
        self.of_rows.is_active = false;
        (self.grouping, self.windows) = (grouping, windows);
        found
    }
}

/// Visitor that finds aggregates outside of subqueries.
#[derive(Default)]
struct AggregateVisitor {
    queries: usize,
    is_found: bool,
}

impl Visitor for AggregateVisitor {
    type Break = ();

    fn pre_visit_query(&mut self, _query: &sqlparser::ast::Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _query: &sqlparser::ast::Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expr {
            let name = super::functions::name_of(function);
            let is_aggregate = function.over.is_none() && super::aggregates::NAMES.contains(&name.as_str());
            self.is_found |= self.queries == 0 && is_aggregate;
        }
        ControlFlow::Continue(())
    }
}

/// True if an expression has an aggregate outside of subqueries.
pub(super) fn has_aggregate(expr: &Expr) -> bool {
    let mut visitor = AggregateVisitor::default();
    let _ = expr.visit(&mut visitor);
    visitor.is_found
}

//! Groups: their keys, and the aggregates made of each.

use super::expression::Expressions;
use super::kind::{Kind, Typed};
use polars::prelude::{Expr as Column, LazyFrame, col};
use sqlparser::ast::{Expr, Visit, Visitor};
use std::ops::ControlFlow;

/// What is known of groups.
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
    /// The column with an aggregate.
    pub fn aggregate(&mut self, made: Typed) -> Typed {
        let known = self.aggregates.iter().position(|known| *known == made.expr);
        let place = known.unwrap_or_else(|| {
            self.aggregates.push(made.expr);
            self.aggregates.len() - 1
        });
        Typed::new(col(aggregate_name(place)), made.kind)
    }

    /// One row a group; of all rows, if there are no keys.
    pub fn apply(self, frame: LazyFrame) -> LazyFrame {
        let named = |(place, made): (usize, Column)| made.alias(aggregate_name(place));
        let aggregates: Vec<Column> = self.aggregates.into_iter().enumerate().map(named).collect();
        if self.keys.is_empty() {
            return frame.select(aggregates);
        }
        let keys = self.keys.into_iter().enumerate();
        let keys: Vec<Column> = keys.map(|(place, key)| key.expr.alias(key_name(place))).collect();
        // In the order in which groups come first: the same question gets the same answer again, LIMIT or not.
        frame.group_by_stable(keys).agg(aggregates)
    }
}

impl Expressions<'_> {
    /// The key that an expression is, if it is one.
    pub fn key(&mut self, expr: &Expr) -> Option<Typed> {
        let grouping = self.grouping.take()?;
        let constant = matches!(expr, Expr::Value(_));
        let of_rows =
            if grouping.keys.is_empty() || constant || has_subquery(expr) { None } else { self.quietly(expr) };
        let place = of_rows.and_then(|of_rows| grouping.keys.iter().position(|key| key.expr == of_rows.expr));
        let found = place.map(|place| (place, grouping.keys[place].kind));
        self.grouping = Some(grouping);
        found.map(|(place, kind): (usize, Kind)| Typed::new(col(key_name(place)), kind))
    }

    /// An expression over rows, if it is one.
    fn quietly(&mut self, expr: &Expr) -> Option<Typed> {
        let windows = self.windows.take();
        let found = self.of(expr).ok();
        self.windows = windows;
        found
    }
}

/// Looks for aggregates, and for subqueries.
#[derive(Default)]
struct Looking {
    within: usize,
    aggregate: bool,
    subquery: bool,
}

impl Visitor for Looking {
    type Break = ();

    fn pre_visit_query(&mut self, _query: &sqlparser::ast::Query) -> ControlFlow<()> {
        self.within += 1;
        self.subquery = true;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _query: &sqlparser::ast::Query) -> ControlFlow<()> {
        self.within -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expr {
            let name = super::functions::name_of(function);
            let aggregates = function.over.is_none() && super::aggregates::NAMES.contains(&name.as_str());
            self.aggregate |= self.within == 0 && aggregates;
        }
        ControlFlow::Continue(())
    }
}

/// Whether an expression has an aggregate, other than in a subquery.
pub(super) fn has_aggregate(expr: &Expr) -> bool {
    let mut looking = Looking::default();
    let _ = expr.visit(&mut looking);
    looking.aggregate
}

fn has_subquery(expr: &Expr) -> bool {
    let mut looking = Looking::default();
    let _ = expr.visit(&mut looking);
    looking.subquery
}

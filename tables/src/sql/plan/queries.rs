//! Queries: `WITH`, set operations, ORDER BY and LIMIT around `SELECT`.

use super::kind::{Kind, Typed, common};
use super::literal;
use super::scope::{Named, Relation, Scope, same};
use super::select::{Direction, Order, sorted};
use super::{Planner, joins};
use crate::sql::error::{Unsupported, unsupported};
use crate::sql::parse::MAX_CHAIN;
use polars::prelude::{Expr as Column, JoinType, LazyFrame, UnionArgs, UniqueKeepStrategy, col, concat};
use sqlparser::ast::{
    Expr, LimitClause, OrderBy, OrderByKind, Query, SetExpr, SetOperator, SetQuantifier, Spanned, Value,
};

impl Planner<'_> {
    /// Plans a query. `outer` are the scopes of enclosing queries, whose columns it cannot use.
    pub(super) fn plan_query(&self, query: &Query, named: &Named, outer: &[Scope]) -> Result<Relation, Unsupported> {
        let clauses = [
            (query.fetch.is_some(), "FETCH"),
            (!query.locks.is_empty() || query.for_clause.is_some(), "FOR"),
            (query.settings.is_some(), "SETTINGS"),
            (query.format_clause.is_some(), "FORMAT"),
            (!query.pipe_operators.is_empty(), "|>"),
        ];
        if let Some((_, word)) = clauses.into_iter().find(|(is_used, _)| *is_used) {
            let message = format!("`{word}` is not supported: a query takes WITH, SELECT, ORDER BY, LIMIT and OFFSET");
            return unsupported(query.span(), message);
        }
        let mut named = named.clone();
        if let Some(with) = &query.with {
            if with.recursive {
                return unsupported(with.with_token.0.span, "`RECURSIVE` is not supported");
            }
            if with.cte_tables.len() > MAX_CHAIN {
                let tables = with.cte_tables.len();
                let message = format!("WITH has {tables} tables, expected at most {MAX_CHAIN}");
                return unsupported(with.with_token.0.span, message);
            }
            for table in &with.cte_tables {
                let relation = self.plan_query(&table.query, &named, outer)?;
                named.push((table.alias.name.value.clone(), joins::called_as(relation, Some(&table.alias))?));
            }
        }
        let order = order(query.order_by.as_ref(), query)?;
        let relation = match query.body.as_ref() {
            SetExpr::Select(select) => self.select(select, order, &named, outer)?,
            body => ordered(self.rows(body, &named, outer)?, order)?,
        };
        limited(relation, query.limit_clause.as_ref(), query)
    }

    fn rows(&self, body: &SetExpr, named: &Named, outer: &[Scope]) -> Result<Relation, Unsupported> {
        match body {
            SetExpr::Select(select) => self.select(select, Order::By(&[]), named, outer),
            SetExpr::Query(query) => self.plan_query(query, named, outer),
            SetExpr::SetOperation { left, op, set_quantifier, right } => {
                let (one, other) = (self.rows(left, named, outer)?, self.rows(right, named, outer)?);
                let all = match set_quantifier {
                    SetQuantifier::All => true,
                    SetQuantifier::None | SetQuantifier::Distinct => false,
                    _ => {
                        return unsupported(body.span(), "`BY NAME` is not supported: columns are matched by position");
                    }
                };
                together(one, other, *op, all, body)
            }
            SetExpr::Values(_) => {
                unsupported(body.span(), "`VALUES` is not supported: write SELECT 1 UNION ALL SELECT 2")
            }
            _ => unsupported(body.span(), "only queries are supported: SELECT …"),
        }
    }
}

/// Set operation of two queries: UNION, EXCEPT or INTERSECT.
fn together(
    one: Relation,
    other: Relation,
    op: SetOperator,
    all: bool,
    whole: &SetExpr,
) -> Result<Relation, Unsupported> {
    if one.columns.len() != other.columns.len() {
        let (left, right) = (one.columns.len(), other.columns.len());
        return unsupported(whole.span(), format!("{op} needs equal numbers of columns, found {left} and {right}"));
    }
    let mut columns = Vec::new();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for ((name, kind), (other_name, other_kind)) in one.columns.iter().zip(&other.columns) {
        let pair = [Typed::new(col(name.as_str()), *kind), Typed::new(col(other_name.as_str()), *other_kind)];
        let kind =
            common(&pair).or(pair.iter().all(|one| matches!(one.kind, Kind::Int | Kind::Id)).then_some(Kind::Int));
        let Some(kind) = kind else {
            return unsupported(
                whole.span(),
                format!(
                    "column `{name}` is {} in one query and {} in the other",
                    pair[0].kind.word(),
                    pair[1].kind.word()
                ),
            );
        };
        let cast = |typed: &Typed| {
            if typed.kind == kind { typed.expr.clone() } else { typed.expr.clone().strict_cast(kind.data_type()) }
        };
        left.push(cast(&pair[0]).alias(name.as_str()));
        right.push(cast(&pair[1]).alias(name.as_str()));
        columns.push((name.clone(), kind));
    }
    let (left, right) = (one.frame.select(left), other.frame.select(right));
    let keys: Vec<Column> = columns.iter().map(|(name, _)| col(name.as_str())).collect();
    let distinct = |frame: LazyFrame| frame.unique_stable(None, UniqueKeepStrategy::First);
    let found = |how: JoinType| {
        // Nulls are joined: set operations treat them as equal.
        let builder = distinct(left.clone()).join_builder().with(right.clone());
        builder.left_on(keys.clone()).right_on(keys.clone()).how(how).join_nulls(true).finish()
    };
    let frame = match (op, all) {
        (SetOperator::Union, all) => {
            let both = concat([left.clone(), right.clone()], UnionArgs::default());
            let Ok(both) = both else { return unsupported(whole.span(), "these queries cannot be combined") };
            if all { both } else { distinct(both) }
        }
        (SetOperator::Except, false) => found(JoinType::Anti),
        (SetOperator::Intersect, false) => found(JoinType::Semi),
        _ => {
            let all = if all { " ALL" } else { "" };
            let message = format!("`{op}{all}` is not supported: write UNION, UNION ALL, EXCEPT or INTERSECT");
            return unsupported(whole.span(), message);
        }
    };
    Ok(Relation { frame, columns })
}

fn order<'a>(order: Option<&'a OrderBy>, query: &Query) -> Result<Order<'a>, Unsupported> {
    match order {
        None => Ok(Order::By(&[])),
        Some(OrderBy { kind: OrderByKind::Expressions(by), interpolate: None })
            if by.iter().all(|by| by.with_fill.is_none()) =>
        {
            Ok(Order::By(by))
        }
        Some(OrderBy { kind: OrderByKind::All(options), interpolate: None }) => Ok(Order::All(options)),
        Some(_) => unsupported(query.span(), "ORDER BY takes columns and expressions"),
    }
}

/// Orders the rows of a set operation by its output columns.
fn ordered(relation: Relation, order: Order<'_>) -> Result<Relation, Unsupported> {
    let mut directions = Vec::new();
    if let Order::All(options) = order {
        directions.extend(relation.columns.iter().map(|(name, _)| Direction::new(col(name.as_str()), options)));
    }
    for by in order.expressions() {
        let place = match &by.expr {
            Expr::Identifier(name) => relation.columns.iter().position(|(known, _)| same(known, &name.value)),
            Expr::Value(value) => match &value.value {
                Value::Number(text, _) => text.parse::<usize>().ok().and_then(|place| place.checked_sub(1)),
                _ => None,
            },
            _ => None,
        };
        let Some((name, _)) = place.and_then(|place| relation.columns.get(place)) else {
            let names: Vec<&str> = relation.columns.iter().map(|(name, _)| name.as_str()).collect();
            return unsupported(by.expr.span(), format!("ORDER BY takes one of {} here", names.join(", ")));
        };
        directions.push(Direction::new(col(name.as_str()), &by.options));
    }
    let frame = if directions.is_empty() { relation.frame } else { sorted(relation.frame, &directions) };
    Ok(Relation { frame, ..relation })
}

fn limited(relation: Relation, limit: Option<&LimitClause>, query: &Query) -> Result<Relation, Unsupported> {
    let (limit, offset) = match limit {
        None => return Ok(relation),
        Some(LimitClause::LimitOffset { limit, offset, limit_by }) if limit_by.is_empty() => {
            (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
        }
        Some(_) => return unsupported(query.span(), "this `LIMIT` is not supported: write LIMIT n OFFSET m"),
    };
    let number = |expr: &Expr| {
        let plain = match expr {
            Expr::Value(value) => match &value.value {
                Value::Number(text, _) => literal::integer(text),
                _ => None,
            },
            _ => None,
        };
        plain.map_or_else(|| unsupported(expr.span(), "`LIMIT` and `OFFSET` take a constant number of rows"), Ok)
    };
    // polars' slices have 32-bit lengths and 64-bit offsets.
    let limit = limit.map(number).transpose()?.unwrap_or(i128::from(u32::MAX)).min(u32::MAX.into());
    let offset = offset.map(number).transpose()?.unwrap_or(0).min(i64::MAX.into());
    Ok(Relation { frame: relation.frame.slice(offset as i64, limit as u32), ..relation })
}

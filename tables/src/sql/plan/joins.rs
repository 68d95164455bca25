//! `FROM`: tables, subqueries and joins.

use super::expression::Expressions;
use super::operators::compared;
use super::scope::{Named, Relation, Scope, same};
use super::{Found, Planner};
use crate::sql::error::{Unsupported, missing, unsupported};
use polars::prelude::{Expr as Column, JoinCoalesce, JoinType, LazyFrame, PlSmallStr, col};
use sqlparser::ast::{
    BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, ObjectNamePart, Spanned, TableAlias, TableFactor,
    TableWithJoins,
};
use sqlparser::tokenizer::Span;
use taut_schemas::nearest;

/// Error message for every other form of a table name.
const PLAIN_NAME: &str = "expected a table name, such as `resources` or `d3d12.CreateHeap`";

/// Maximum number of tables in one FROM. Each join resolves the columns of all previous ones, so planning time is
/// quadratic.
const MAX_TABLES: usize = 500;

/// Rows of `FROM`, with the columns that can be named.
pub(super) struct Source {
    pub frame: LazyFrame,
    pub scope: Scope,
    /// Maximum number of rows, if it is known without executing the plan.
    pub rows: Option<f64>,
}

impl Source {
    /// Every pair of rows of two sources.
    fn cross(self, other: Source, rows: Option<f64>) -> Source {
        Source { frame: self.frame.cross_join(other.frame, None), scope: combined_scope(self.scope, other.scope), rows }
    }
}

/// Columns that the condition of a join can name.
#[derive(Clone, Copy)]
struct Sides<'a> {
    left: &'a Scope,
    right: &'a Scope,
    both: &'a Scope,
}

/// Conditions of a join, by the sides they read.
#[derive(Default)]
struct On {
    left: Vec<Column>,
    right: Vec<Column>,
    /// Conditions over both sides that are not equalities.
    rest: Vec<Column>,
    /// Conditions over the right side alone.
    of_right: Vec<Column>,
}

impl Planner<'_> {
    /// Translates `FROM`.
    pub(super) fn from(
        &self,
        from: &[TableWithJoins],
        filter: Option<&Expr>,
        named: &Named,
        outer: &[Scope],
    ) -> Result<Source, Unsupported> {
        let several = from.len() > 1 || from.iter().any(|one| !one.joins.is_empty());
        let tables = from.iter().map(|one| 1 + one.joins.len()).sum::<usize>();
        if tables > MAX_TABLES {
            return unsupported(Span::empty(), format!("FROM has {tables} tables, expected at most {MAX_TABLES}"));
        }
        let mut number = 0;
        let mut whole: Option<Source> = None;
        for one in from {
            let mut rows = self.factor(&one.relation, named, outer, several.then_some(&mut number))?;
            for join in &one.joins {
                let right = self.factor(&join.relation, named, outer, Some(&mut number))?;
                rows = if matches!(join.join_operator, JoinOperator::CrossJoin(JoinConstraint::None)) {
                    unlike_names(&rows.scope, &right.scope, &join.relation)?;
                    let pairs = self.check_product(&rows, &right, filter, tables, named, outer)?;
                    rows.cross(right, pairs)
                } else {
                    self.join(rows, right, join, named, outer)?
                };
            }
            whole = Some(match whole {
                Some(whole) => {
                    unlike_names(&whole.scope, &rows.scope, &one.relation)?;
                    let pairs = self.check_product(&whole, &rows, filter, tables, named, outer)?;
                    whole.cross(rows, pairs)
                }
                None => rows,
            });
        }
        whole.map_or_else(|| unsupported(Span::empty(), "FROM has no table"), Ok)
    }

    /// Refuses a product of two sources that is too large. The condition in WHERE may make it a smaller join: that of two
    /// tables is read, and of more tables nothing is known before they are joined.
    fn check_product(
        &self,
        left: &Source,
        right: &Source,
        filter: Option<&Expr>,
        tables: usize,
        named: &Named,
        outer: &[Scope],
    ) -> Result<Option<f64>, Unsupported> {
        let mut on = On::default();
        if let Some(filter) = filter {
            let both = combined_scope(left.scope.clone(), right.scope.clone());
            let sides = Sides { left: &left.scope, right: &right.scope, both: &both };
            // An error is reported when WHERE is translated.
            if tables > 2 || self.conditions(filter, sides, &mut on, named, outer).is_err() {
                return Ok(None);
            }
        }
        self.check_join(left, right, &on.of_right, (&on.left, &on.right))
    }

    /// Translates a table or subquery; among several, its columns get unique keys.
    fn factor(
        &self,
        factor: &TableFactor,
        named: &Named,
        outer: &[Scope],
        number: Option<&mut usize>,
    ) -> Result<Source, Unsupported> {
        let (name, mut relation) = match factor {
            TableFactor::Table { name, alias, args: None, sample: None, .. } => {
                let relation = self.table(&name.0, factor.span(), named)?;
                let Some(ObjectNamePart::Identifier(table)) = name.0.last() else {
                    return unsupported(factor.span(), PLAIN_NAME);
                };
                let called = alias.as_ref().map_or(table, |alias| &alias.name);
                (called.value.clone(), called_as(relation, alias.as_ref())?)
            }
            TableFactor::Derived { lateral: false, subquery, alias, sample: None } => {
                let relation = self.plan_query(subquery, named, outer)?;
                let called = alias.as_ref().map_or_else(|| "subquery".to_owned(), |alias| alias.name.value.clone());
                (called, called_as(relation, alias.as_ref())?)
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                return self.from(std::slice::from_ref(table_with_joins), None, named, outer);
            }
            other => {
                let found = match other {
                    TableFactor::Table { name, args: Some(_), .. } => name.to_string(),
                    TableFactor::Table { .. } => "TABLESAMPLE".to_owned(),
                    TableFactor::Derived { lateral: true, .. } => "LATERAL".to_owned(),
                    TableFactor::Pivot { .. } => "PIVOT".to_owned(),
                    TableFactor::Unpivot { .. } => "UNPIVOT".to_owned(),
                    other => other.to_string().split(['(', ' ']).next().unwrap_or_default().to_owned(),
                };
                let message = format!("`{found}` is not supported: FROM takes tables, subqueries and joins");
                return unsupported(other.span(), message);
            }
        };
        let mut scope = Scope::new(&name, &relation);
        if let Some(number) = number {
            *number += 1;
            let renamed = scope.columns.iter_mut().map(|column| {
                let old = column.key.clone();
                column.key = format!("{}.{}.{number}", column.table, column.name).into();
                col(old).alias(column.key.clone())
            });
            let renamed: Vec<Column> = renamed.collect();
            relation.frame = relation.frame.select(renamed);
        }
        Ok(Source { frame: relation.frame, scope, rows: None })
    }

    /// Resolves a table by `NAME` or `PROVIDER.NAME`.
    pub(super) fn table(&self, parts: &[ObjectNamePart], at: Span, named: &Named) -> Result<Relation, Unsupported> {
        let (provider, name) = match parts {
            [ObjectNamePart::Identifier(name)] => (None, name),
            [ObjectNamePart::Identifier(provider), ObjectNamePart::Identifier(name)] => (Some(provider), name),
            _ => return unsupported(at, PLAIN_NAME),
        };
        let from_with = named.iter().rev().find(|(known, _)| provider.is_none() && same(known, &name.value));
        if let Some((_, relation)) = from_with {
            return Ok(relation.clone());
        }
        match self.tables.find(provider.map(|provider| provider.value.as_str()), &name.value)? {
            Found::One(relation) => Ok(*relation),
            Found::Several(names) => {
                let which: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                unsupported(name.span, format!("`{}` is ambiguous: use {}", name.value, which.join(" or ")))
            }
            Found::None => {
                let requested =
                    provider.map_or_else(|| name.value.clone(), |of| format!("{}.{}", of.value, name.value));
                let mut tables = self.tables.names(|_| true);
                if nearest(&requested, tables.iter().map(String::as_str)).is_none() {
                    // The suggestion lists fixed tables only: the tables of calls and marks are too many to print.
                    tables = self.tables.names(|table| table.full_name.is_none());
                }
                let names = named.iter().map(|(name, _)| name.as_str()).chain(tables.iter().map(String::as_str));
                missing(name.span, "table", &requested, names)
            }
        }
    }

    fn join(
        &self,
        left: Source,
        right: Source,
        join: &Join,
        named: &Named,
        outer: &[Scope],
    ) -> Result<Source, Unsupported> {
        use JoinOperator as Op;
        unlike_names(&left.scope, &right.scope, &join.relation)?;
        let (how, constraint) = match &join.join_operator {
            Op::Join(on) | Op::Inner(on) => (JoinType::Inner, on),
            Op::Left(on) | Op::LeftOuter(on) => (JoinType::Left, on),
            Op::Right(on) | Op::RightOuter(on) => (JoinType::Right, on),
            Op::FullOuter(on) => (JoinType::Full, on),
            Op::Semi(on) | Op::LeftSemi(on) => (JoinType::Semi, on),
            Op::Anti(on) | Op::LeftAnti(on) => (JoinType::Anti, on),
            _ => return unsupported(join.relation.span(), "joins are INNER, LEFT, RIGHT, FULL, CROSS, SEMI or ANTI"),
        };
        let mut both = combined_scope(left.scope.clone(), right.scope.clone());
        let mut on = On::default();
        let sides = Sides { left: &left.scope, right: &right.scope, both: &both };
        match constraint {
            JoinConstraint::On(condition) => self.conditions(condition, sides, &mut on, named, outer)?,
            JoinConstraint::Using(names) => {
                if matches!(how, JoinType::Right | JoinType::Full) {
                    return unsupported(join.relation.span(), "`USING` is for INNER and LEFT joins: write ON");
                }
                let merged = using(names.iter().map(|name| name.0.as_slice()), sides, &mut on, join)?;
                both.columns.iter_mut().for_each(|column| column.merged |= merged.contains(&column.key));
            }
            JoinConstraint::Natural => {
                return unsupported(join.relation.span(), "`NATURAL` joins are not supported: use ON or USING");
            }
            JoinConstraint::None => return unsupported(join.relation.span(), "a `JOIN` needs ON or USING"),
        }
        let scope = if matches!(how, JoinType::Semi | JoinType::Anti) { left.scope.clone() } else { both };
        if how == JoinType::Inner || !on.left.is_empty() && !matches!(how, JoinType::Semi | JoinType::Anti) {
            self.check_join(&left, &right, &on.of_right, (&on.left, &on.right))?;
        }
        Ok(Source { frame: joined(left.frame, right.frame, how, on, join)?, scope, rows: None })
    }

    /// Sorts the conjuncts of a condition by the sides that they read.
    fn conditions(
        &self,
        condition: &Expr,
        sides: Sides<'_>,
        on: &mut On,
        named: &Named,
        outer: &[Scope],
    ) -> Result<(), Unsupported> {
        match condition {
            Expr::Nested(inner) => return self.conditions(inner, sides, on, named, outer),
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                self.conditions(left, sides, on, named, outer)?;
                return self.conditions(right, sides, on, named, outer);
            }
            _ => {}
        }
        let within = |scope: &Scope, expr: &Expr| Expressions::new(self, named, scope, outer).of(expr);
        // Evaluated first for its error: a name that is ambiguous or missing is reported here, not dropped below.
        let whole = Expressions::new(self, named, sides.both, outer).truth(condition)?;
        if let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition {
            for (one, other) in [(left, right), (right, left)] {
                if let (Ok(one), Ok(other)) = (within(sides.left, one), within(sides.right, other))
                    && one.number.is_none()
                    && other.number.is_none()
                    && one.text.is_none()
                    && other.text.is_none()
                {
                    let (one, other) = compared(&one, &other, condition)?;
                    on.left.push(one);
                    on.right.push(other);
                    return Ok(());
                }
            }
        }
        match Expressions::new(self, named, sides.right, outer).truth(condition) {
            Ok(of_right) => on.of_right.push(of_right),
            Err(_) => on.rest.push(whole),
        }
        Ok(())
    }
}

fn joined(left: LazyFrame, right: LazyFrame, how: JoinType, on: On, join: &Join) -> Result<LazyFrame, Unsupported> {
    let inner = how == JoinType::Inner;
    let filtered = |frame: LazyFrame, by: Vec<Column>| by.into_iter().fold(frame, LazyFrame::filter);
    // polars joins on equalities. Other conditions become a filter after the join, which is correct for inner joins
    // only.
    if !inner && (!on.rest.is_empty() || on.left.is_empty()) {
        let message = "this join takes equalities between its sides, and conditions on its right side only";
        return unsupported(join.relation.span(), message);
    }
    if !on.of_right.is_empty() && matches!(how, JoinType::Right | JoinType::Full) {
        let message = "ON of a RIGHT or FULL join takes only equalities between its sides";
        return unsupported(join.relation.span(), message);
    }
    let right = filtered(right, on.of_right);
    if on.left.is_empty() {
        return Ok(filtered(left.cross_join(right, None), on.rest));
    }
    let frame = left
        .join_builder()
        .with(right)
        .left_on(on.left)
        .right_on(on.right)
        .how(how)
        .coalesce(JoinCoalesce::KeepColumns)
        .finish();
    Ok(filtered(frame, on.rest))
}

/// `USING (heap)`: an equality whose two columns appear as one. Returns the keys of the right side's columns, which then
/// have no name of their own.
fn using<'a>(
    names: impl Iterator<Item = &'a [ObjectNamePart]>,
    sides: Sides<'_>,
    on: &mut On,
    join: &Join,
) -> Result<Vec<PlSmallStr>, Unsupported> {
    let mut merged = Vec::new();
    for name in names {
        let [ObjectNamePart::Identifier(name)] = name else {
            return unsupported(join.relation.span(), "USING takes column names");
        };
        let typed = |scope: &Scope| match scope.bare(name)? {
            Some(typed) => Ok(typed),
            None => {
                let known = scope.columns.iter().map(|column| column.name.as_str());
                missing(name.span, "column", &name.value, known)
            }
        };
        let (one, other) = (typed(sides.left)?, typed(sides.right)?);
        let (one, other) = compared(&one, &other, &Expr::Identifier(name.clone()))?;
        on.left.push(one);
        on.right.push(other);
        let of_right = sides.right.columns.iter().filter(|column| same(&column.name, &name.value));
        merged.extend(of_right.map(|column| column.key.clone()));
    }
    Ok(merged)
}

fn combined_scope(mut one: Scope, other: Scope) -> Scope {
    one.columns.extend(other.columns);
    one
}

fn unlike_names(one: &Scope, other: &Scope, at: &TableFactor) -> Result<(), Unsupported> {
    match other.columns.iter().find(|column| one.has_table(&column.table)) {
        Some(column) => {
            let table = &column.table;
            unsupported(at.span(), format!("two tables are named `{table}`: use an alias (`{table} AS other`)"))
        }
        None => Ok(()),
    }
}

/// Renames a relation's columns according to a table alias.
pub(super) fn called_as(mut relation: Relation, alias: Option<&TableAlias>) -> Result<Relation, Unsupported> {
    let Some(alias) = alias.filter(|alias| !alias.columns.is_empty()) else { return Ok(relation) };
    if alias.columns.len() > relation.columns.len() {
        return unsupported(alias.name.span, "the alias has more columns than the table");
    }
    let mut renamed = Vec::new();
    for (place, (name, _)) in relation.columns.iter_mut().enumerate() {
        let old = name.clone();
        if let Some(new) = alias.columns.get(place) {
            name.clone_from(&new.name.value);
        }
        renamed.push(col(old).alias(name.as_str()));
    }
    relation.frame = relation.frame.select(renamed);
    Ok(relation)
}

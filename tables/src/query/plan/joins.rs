//! `FROM`: tables, subqueries, and how they are joined.

use super::expression::Expressions;
use super::operators::compared;
use super::refusal::{Refused, missing, refuse};
use super::scope::{Bound, Named, Relation, Scope, same};
use super::{Found, Planner};
use polars::prelude::{Expr as Column, JoinCoalesce, JoinType, LazyFrame, col};
use sqlparser::ast::{
    BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, ObjectNamePart, Spanned, TableAlias, TableFactor,
    TableWithJoins,
};
use sqlparser::tokenizer::Span;
use taut_schemas::nearest;

/// What is said of any other name of a table.
const PLAIN_NAME: &str = "a table has a plain name: `FROM resources`, or `FROM d3d12.CreateHeap`";

/// What a join is on.
#[derive(Default)]
struct On {
    left: Vec<Column>,
    right: Vec<Column>,
    /// Conditions on both that are no equality.
    rest: Vec<Column>,
    /// Conditions on the right side alone.
    of_right: Vec<Column>,
}

impl Planner<'_> {
    /// The rows of `FROM`.
    pub(super) fn from(
        &self,
        from: &[TableWithJoins],
        named: &Named,
        outer: &[Scope],
    ) -> Result<(LazyFrame, Scope), Refused> {
        let several = from.len() > 1 || from.iter().any(|one| !one.joins.is_empty());
        let mut number = 0;
        let mut whole: Option<(LazyFrame, Scope)> = None;
        for one in from {
            let mut rows = self.factor(&one.relation, named, outer, several.then_some(&mut number))?;
            for join in &one.joins {
                let right = self.factor(&join.relation, named, outer, Some(&mut number))?;
                rows = self.join(rows, right, join, named, outer)?;
            }
            whole = Some(match whole {
                Some((frame, scope)) => {
                    unlike_names(&scope, &rows.1, &one.relation)?;
                    (frame.cross_join(rows.0, None), beside(scope, rows.1))
                }
                None => rows,
            });
        }
        whole.map_or_else(|| refuse(Span::empty(), "FROM names nothing"), Ok)
    }

    /// A table or subquery; under column names of its own, if it stands among several.
    fn factor(
        &self,
        factor: &TableFactor,
        named: &Named,
        outer: &[Scope],
        number: Option<&mut usize>,
    ) -> Result<(LazyFrame, Scope), Refused> {
        let (name, mut relation) = match factor {
            TableFactor::Table { name, alias, args: None, sample: None, .. } => {
                let relation = self.table(&name.0, factor.span(), named)?;
                let Some(ObjectNamePart::Identifier(table)) = name.0.last() else {
                    return refuse(factor.span(), PLAIN_NAME);
                };
                let called = alias.as_ref().map_or(table, |alias| &alias.name);
                (called.value.clone(), called_as(relation, alias.as_ref())?)
            }
            TableFactor::Derived { lateral: false, subquery, alias, sample: None } => {
                let relation = self.question(subquery, named, outer)?;
                let called = alias.as_ref().map_or_else(|| "subquery".to_owned(), |alias| alias.name.value.clone());
                (called, called_as(relation, alias.as_ref())?)
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                return self.from(std::slice::from_ref(table_with_joins), named, outer);
            }
            _ => return refuse(factor.span(), "FROM takes tables, subqueries and joins"),
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
        Ok((relation.frame, scope))
    }

    /// The table of this name: `NAME`, or `PROVIDER.NAME`.
    pub(super) fn table(&self, parts: &[ObjectNamePart], at: Span, named: &Named) -> Result<Relation, Refused> {
        let (provider, name) = match parts {
            [ObjectNamePart::Identifier(name)] => (None, name),
            [ObjectNamePart::Identifier(provider), ObjectNamePart::Identifier(name)] => (Some(provider), name),
            _ => return refuse(at, PLAIN_NAME),
        };
        let of_question = named.iter().rev().find(|(known, _)| provider.is_none() && same(known, &name.value));
        if let Some((_, relation)) = of_question {
            return Ok(relation.clone());
        }
        match self.tables.find(provider.map(|provider| provider.value.as_str()), &name.value)? {
            Found::One(relation) => Ok(*relation),
            Found::Several(names) => {
                let which: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                refuse(name.span, format!("`{}` may be {}: say which", name.value, which.join(" or ")))
            }
            Found::None => {
                let asked = provider.map_or_else(|| name.value.clone(), |of| format!("{}.{}", of.value, name.value));
                let mut tables = self.tables.names();
                if nearest(&asked, tables.iter().map(String::as_str)).is_none() {
                    // Of the many, those of calls and marks are found by their names alone.
                    tables = self.tables.fixed();
                }
                let names = named.iter().map(|(name, _)| name.as_str()).chain(tables.iter().map(String::as_str));
                missing(name.span, "table", &asked, names)
            }
        }
    }

    fn join(
        &self,
        (left, left_scope): (LazyFrame, Scope),
        (right, right_scope): (LazyFrame, Scope),
        join: &Join,
        named: &Named,
        outer: &[Scope],
    ) -> Result<(LazyFrame, Scope), Refused> {
        use JoinOperator as Op;
        unlike_names(&left_scope, &right_scope, &join.relation)?;
        let (how, constraint) = match &join.join_operator {
            Op::Join(on) | Op::Inner(on) => (JoinType::Inner, on),
            Op::Left(on) | Op::LeftOuter(on) => (JoinType::Left, on),
            Op::Right(on) | Op::RightOuter(on) => (JoinType::Right, on),
            Op::FullOuter(on) => (JoinType::Full, on),
            Op::Semi(on) | Op::LeftSemi(on) => (JoinType::Semi, on),
            Op::Anti(on) | Op::LeftAnti(on) => (JoinType::Anti, on),
            Op::CrossJoin(JoinConstraint::None) => {
                return Ok((left.cross_join(right, None), beside(left_scope, right_scope)));
            }
            _ => return refuse(join.relation.span(), "joins are INNER, LEFT, RIGHT, FULL, CROSS, SEMI or ANTI"),
        };
        let both = beside(left_scope.clone(), right_scope.clone());
        let (on, scope) = match constraint {
            JoinConstraint::On(condition) => {
                let mut on = On::default();
                self.conditions(condition, (&left_scope, &right_scope, &both), &mut on, named, outer)?;
                (on, both)
            }
            JoinConstraint::Using(names) => {
                using(names.iter().map(|name| name.0.as_slice()), (&left_scope, &right_scope), both, &how, join)?
            }
            _ => return refuse(join.relation.span(), "a join needs ON or USING"),
        };
        let scope = if matches!(how, JoinType::Semi | JoinType::Anti) { left_scope } else { scope };
        joined(left, right, how, on, join).map(|frame| (frame, scope))
    }

    /// Sorts conditions by what they are of.
    fn conditions(
        &self,
        condition: &Expr,
        scopes: (&Scope, &Scope, &Scope),
        on: &mut On,
        named: &Named,
        outer: &[Scope],
    ) -> Result<(), Refused> {
        let (left_scope, right_scope, both) = scopes;
        match condition {
            Expr::Nested(inner) => return self.conditions(inner, scopes, on, named, outer),
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                self.conditions(left, scopes, on, named, outer)?;
                return self.conditions(right, scopes, on, named, outer);
            }
            _ => {}
        }
        let within = |scope: &Scope, expr: &Expr| rows(self, named, scope, outer).of(expr);
        // A name that both sides have, or none, is told of here.
        let whole = rows(self, named, both, outer).truth(condition)?;
        if let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition {
            let sides = [(left, right), (right, left)];
            for (one, other) in sides {
                if let (Ok(one), Ok(other)) = (within(left_scope, one), within(right_scope, other))
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
        match rows(self, named, right_scope, outer).truth(condition) {
            Ok(of_right) => on.of_right.push(of_right),
            Err(_) => on.rest.push(whole),
        }
        Ok(())
    }
}

fn rows<'a>(planner: &'a Planner, named: &'a Named, scope: &'a Scope, outer: &'a [Scope]) -> Expressions<'a> {
    Expressions {
        planner,
        named,
        scope,
        outer,
        aliases: &[],
        alias_first: false,
        grouping: None,
        windows: None,
        depth: 0,
    }
}

fn joined(left: LazyFrame, right: LazyFrame, how: JoinType, on: On, join: &Join) -> Result<LazyFrame, Refused> {
    let inner = how == JoinType::Inner;
    let filtered = |frame: LazyFrame, by: Vec<Column>| by.into_iter().fold(frame, LazyFrame::filter);
    if !inner && (!on.rest.is_empty() || on.left.is_empty()) {
        let message = "such a join is on equalities between its sides, and conditions on its right side alone";
        return refuse(join.relation.span(), message);
    }
    if !on.of_right.is_empty() && matches!(how, JoinType::Right | JoinType::Full) {
        let message = "ON of a RIGHT or FULL join takes equalities between its sides alone";
        return refuse(join.relation.span(), message);
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

/// `USING (heap)`: one column for both.
fn using<'a>(
    names: impl Iterator<Item = &'a [ObjectNamePart]>,
    (left, right): (&Scope, &Scope),
    mut both: Scope,
    how: &JoinType,
    join: &Join,
) -> Result<(On, Scope), Refused> {
    if matches!(how, JoinType::Right | JoinType::Full) {
        return refuse(join.relation.span(), "USING is for INNER and LEFT joins: write ON");
    }
    let mut on = On::default();
    for name in names {
        let [ObjectNamePart::Identifier(name)] = name else {
            return refuse(join.relation.span(), "USING takes plain names of columns");
        };
        for scope in [left, right] {
            if scope.bare(name)?.is_none() {
                let known = scope.columns.iter().map(|column| column.name.as_str());
                return missing(name.span, "column", &name.value, known);
            }
        }
        if let (Some(one), Some(other)) = (left.bare(name)?, right.bare(name)?) {
            let whole = Expr::Identifier(name.clone());
            let (one, other) = compared(&one, &other, &whole)?;
            on.left.push(one);
            on.right.push(other);
        }
        let of_right = |column: &&mut Bound| {
            right.columns.iter().any(|known| known.key == column.key) && same(&column.name, &name.value)
        };
        both.columns.iter_mut().filter(of_right).for_each(|column| column.merged = true);
    }
    Ok((on, both))
}

fn beside(mut one: Scope, other: Scope) -> Scope {
    one.columns.extend(other.columns);
    one
}

fn unlike_names(one: &Scope, other: &Scope, at: &TableFactor) -> Result<(), Refused> {
    match other.columns.iter().find(|column| one.has_table(&column.table)) {
        Some(column) => {
            let table = &column.table;
            refuse(at.span(), format!("two tables are called `{table}`: give one another name (`{table} AS other`)"))
        }
        None => Ok(()),
    }
}

/// A relation under the names that its alias gives its columns.
pub(super) fn called_as(mut relation: Relation, alias: Option<&TableAlias>) -> Result<Relation, Refused> {
    let Some(alias) = alias.filter(|alias| !alias.columns.is_empty()) else { return Ok(relation) };
    if alias.columns.len() > relation.columns.len() {
        return refuse(alias.name.span, "more columns are named than there are");
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

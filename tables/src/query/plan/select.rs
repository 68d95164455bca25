//! `SELECT`, and the order and number of its rows.

use super::Planner;
use super::expression::Expressions;
use super::grouping::{Grouping, has_aggregate};
use super::kind::{Kind, Typed};
use super::refusal::{Refused, missing, refuse};
use super::scope::{Named, Relation, Scope, same};
use super::windows::Windows;
use polars::prelude::{Expr as Column, IntoLazy, LazyFrame, NamedFrom, Series, SortMultipleOptions, col};
use sqlparser::ast::{
    Distinct, Expr, GroupByExpr, Ident, ObjectNamePart, OrderByExpr, OrderByOptions, Select, SelectItem,
    SelectItemQualifiedWildcardKind, Spanned, WildcardAdditionalOptions,
};

/// What rows are ordered by.
#[derive(Debug, Clone)]
pub(super) struct Direction {
    pub column: Column,
    descending: bool,
    nulls_last: bool,
}

impl Direction {
    /// Nulls come last, unless something else is said.
    pub fn new(column: Column, options: &OrderByOptions) -> Direction {
        let descending = options.asc == Some(false);
        Direction { column, descending, nulls_last: options.nulls_first != Some(true) }
    }
}

/// Rows in an order; those alike stay as they are.
pub(super) fn sorted(frame: LazyFrame, order: &[Direction]) -> LazyFrame {
    let columns: Vec<Column> = order.iter().map(|direction| direction.column.clone()).collect();
    let options = SortMultipleOptions::default()
        .with_order_descending_multi(order.iter().map(|direction| direction.descending))
        .with_nulls_last_multi(order.iter().map(|direction| direction.nulls_last))
        .with_maintain_order(true);
    frame.sort_by_exprs(columns, options)
}

/// A `SELECT` that is being planned.
struct Selecting<'a> {
    select: &'a Select,
    frame: LazyFrame,
    scope: Scope,
}

impl Planner<'_> {
    /// A `SELECT`, in the order of `order`.
    pub(super) fn select(
        &self,
        select: &Select,
        order: &[OrderByExpr],
        named: &Named,
        outer: &[Scope],
    ) -> Result<Relation, Refused> {
        plain(select)?;
        let (mut frame, scope) = if select.from.is_empty() {
            let one = Series::new("#one".into(), [1i64]);
            (one.into_frame().lazy(), Scope::default())
        } else {
            self.from(&select.from, named, outer)?
        };
        let aliases = select.projection.iter().filter_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } => Some((alias.clone(), expr.clone())),
            _ => None,
        });
        let aliases: Vec<(Ident, Expr)> = aliases.collect();
        let mut rows = Expressions {
            planner: self,
            named,
            scope: &scope,
            outer,
            aliases: &aliases,
            alias_first: false,
            grouping: None,
            windows: None,
            depth: 0,
        };
        if let Some(condition) = &select.selection {
            frame = frame.filter(rows.truth(condition)?);
        }
        let keys = keys(select, &mut rows)?;
        rows.grouping = keys.map(|keys| Grouping { keys, aggregates: Vec::new() });
        if rows.grouping.is_none() {
            let selected = select.projection.iter().filter_map(expression);
            let ordering = order.iter().map(|by| &by.expr);
            if selected.chain(&select.having).chain(ordering).any(has_aggregate) {
                rows.grouping = Some(Grouping::default());
            }
        }
        let having = select.having.as_ref().map(|having| rows.truth(having)).transpose()?;
        if having.is_some() && rows.grouping.is_none() {
            return refuse(select.span(), "HAVING is of groups, and there are none: use WHERE");
        }
        let selecting = Selecting { select, frame, scope: scope.clone() };
        selecting.finish(rows, having, order)
    }
}

impl Selecting<'_> {
    fn finish(
        self,
        mut rows: Expressions<'_>,
        having: Option<Column>,
        order: &[OrderByExpr],
    ) -> Result<Relation, Refused> {
        rows.windows = Some(Windows::default());
        let output = self.output(&mut rows)?;
        rows.alias_first = true;
        let distinct = match &self.select.distinct {
            None | Some(Distinct::All) => false,
            Some(Distinct::Distinct) => true,
            Some(Distinct::On(_)) => {
                return refuse(self.select.span(), "DISTINCT ON is not supported: use row_number() in a subquery");
            }
        };
        if distinct && output.iter().any(|(_, typed)| typed.kind == Kind::Nested) {
            return refuse(self.select.span(), "DISTINCT is of numbers and texts, and here is a list or struct");
        }
        let mut directions = Vec::new();
        for by in order {
            let Typed { expr: column, kind, .. } = match ordinal(&by.expr, output.len())? {
                Some(place) => output[place].1.clone(),
                None => rows.of(&by.expr)?,
            };
            if kind == Kind::Nested {
                return refuse(by.expr.span(), "rows are ordered by numbers and texts, and this is a list or struct");
            }
            if distinct && !output.iter().any(|(_, typed)| typed.expr == column) {
                return refuse(by.expr.span(), "with DISTINCT, rows are ordered by what SELECT names");
            }
            directions.push(Direction::new(column, &by.options));
        }
        let qualify = self.select.qualify.as_ref().map(|qualify| rows.truth(qualify)).transpose()?;
        let mut frame = self.frame;
        if let Some(grouping) = rows.grouping {
            frame = grouping.apply(frame);
        }
        if let Some(having) = having {
            frame = frame.filter(having);
        }
        frame = rows.windows.unwrap_or_default().apply(frame);
        if let Some(qualify) = qualify {
            frame = frame.filter(qualify);
        }
        Ok(projected(frame, output, directions, distinct, self.scope.columns.is_empty()))
    }

    /// What is selected, under names no two of which are alike.
    fn output(&self, rows: &mut Expressions<'_>) -> Result<Vec<(String, Typed)>, Refused> {
        let mut output: Vec<(String, Typed)> = Vec::new();
        for item in &self.select.projection {
            match item {
                SelectItem::UnnamedExpr(expr) => output.push((title(expr), rows.of(expr)?)),
                SelectItem::ExprWithAlias { expr, alias } => output.push((alias.value.clone(), rows.of(expr)?)),
                SelectItem::Wildcard(options) => self.all(None, options, rows, &mut output)?,
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                    let [ObjectNamePart::Identifier(table)] = name.0.as_slice() else {
                        return refuse(item.span(), "write `table.*`");
                    };
                    if !self.scope.has_table(&table.value) {
                        let tables = self.scope.columns.iter().map(|column| column.table.as_str());
                        return missing(table.span, "table", &table.value, tables);
                    }
                    self.all(Some(table), options, rows, &mut output)?;
                }
                _ => return refuse(item.span(), "this cannot be selected"),
            }
        }
        if output.is_empty() {
            return refuse(self.select.span(), "SELECT names nothing");
        }
        for place in 0..output.len() {
            let (before, from) = output.split_at_mut(place);
            let name = from[0].0.clone();
            let mut number = 0;
            while before.iter().any(|(known, _)| same(known, &from[0].0)) {
                number += 1;
                from[0].0 = format!("{name}_{number}");
            }
        }
        Ok(output)
    }

    /// `*`.
    fn all(
        &self,
        table: Option<&Ident>,
        options: &WildcardAdditionalOptions,
        rows: &mut Expressions<'_>,
        output: &mut Vec<(String, Typed)>,
    ) -> Result<(), Refused> {
        if *options != WildcardAdditionalOptions::default() {
            return refuse(options.wildcard_token.0.span, "after `*` nothing is supported: name the columns");
        }
        if self.scope.columns.is_empty() {
            return refuse(options.wildcard_token.0.span, "`*` needs a FROM");
        }
        for column in &self.scope.columns {
            let wanted = table.map_or(!column.merged, |table| same(&column.table, &table.value));
            if !wanted {
                continue;
            }
            if rows.grouping.is_some() {
                let name = Ident::with_span(options.wildcard_token.0.span, column.name.clone());
                let table = Ident::new(column.table.clone());
                output.push((column.name.clone(), rows.of(&Expr::CompoundIdentifier(vec![table, name]))?));
            } else {
                output.push((column.name.clone(), Typed::new(col(column.key.clone()), column.kind)));
            }
        }
        Ok(())
    }
}

/// The columns of an answer, in order.
fn projected(
    frame: LazyFrame,
    output: Vec<(String, Typed)>,
    order: Vec<Direction>,
    distinct: bool,
    one_row: bool,
) -> Relation {
    let named = |(place, (_, typed)): (usize, &(String, Typed))| {
        let column =
            if typed.kind == Kind::Null { typed.expr.clone().cast(Kind::Int.data_type()) } else { typed.expr.clone() };
        column.alias(format!("#out{place}"))
    };
    let columns: Vec<(String, Kind)> = output.iter().map(|(name, typed)| (name.clone(), typed.kind)).collect();
    let plain = order.is_empty() && !distinct;
    let literal_only = output.iter().all(|(_, typed)| is_constant(&typed.expr)) && !one_row;
    if plain && !literal_only {
        let exprs: Vec<Column> = output
            .iter()
            .map(|(name, typed)| {
                let column = if typed.kind == Kind::Null {
                    typed.expr.clone().cast(Kind::Int.data_type())
                } else {
                    typed.expr.clone()
                };
                column.alias(name.as_str())
            })
            .collect();
        return Relation { frame: frame.select(exprs), columns };
    }
    // Beside the columns that there are, so that a literal comes in every row and a key can be of any column.
    let keys =
        order.iter().enumerate().map(|(place, direction)| direction.column.clone().alias(format!("#order{place}")));
    let added: Vec<Column> = output.iter().enumerate().map(named).chain(keys).collect();
    let mut frame = frame.with_columns(added);
    let out: Vec<Column> = (0..output.len()).map(|place| col(format!("#out{place}"))).collect();
    if distinct {
        let keys = (0..order.len()).map(|place| col(format!("#order{place}")));
        frame = frame.select(out.iter().cloned().chain(keys).collect::<Vec<Column>>());
        frame = frame.unique_stable(None, polars::prelude::UniqueKeepStrategy::First);
    }
    if !order.is_empty() {
        let order: Vec<Direction> = order
            .into_iter()
            .enumerate()
            .map(|(place, direction)| Direction { column: col(format!("#order{place}")), ..direction })
            .collect();
        frame = sorted(frame, &order);
    }
    let out: Vec<Column> =
        out.into_iter().zip(&columns).map(|(column, (name, _))| column.alias(name.as_str())).collect();
    Relation { frame: frame.select(out), columns }
}

/// Whether an expression is of no column: polars takes it for one row, however many there are.
pub(super) fn is_constant(expr: &Column) -> bool {
    !expr.into_iter().any(|one| matches!(one, Column::Column(_) | Column::Len | Column::Agg(_)))
}

fn expression(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

/// The number of an output column, from 0, if an expression is one.
fn ordinal(expr: &Expr, columns: usize) -> Result<Option<usize>, Refused> {
    let Expr::Value(value) = expr else { return Ok(None) };
    let sqlparser::ast::Value::Number(text, _) = &value.value else {
        return refuse(expr.span(), "a constant orders and groups nothing: name a column or its number");
    };
    match text.parse::<usize>() {
        Ok(place) if (1..=columns).contains(&place) => Ok(Some(place - 1)),
        _ => refuse(expr.span(), format!("there is no column {text}: SELECT names {columns}")),
    }
}

/// The keys of groups; none if there are no groups.
fn keys(select: &Select, rows: &mut Expressions<'_>) -> Result<Option<Vec<Typed>>, Refused> {
    let by = match &select.group_by {
        GroupByExpr::All(modifiers) if modifiers.is_empty() => {
            select.projection.iter().filter_map(expression).filter(|expr| !has_aggregate(expr)).collect()
        }
        GroupByExpr::Expressions(by, modifiers) if modifiers.is_empty() => by.iter().collect::<Vec<&Expr>>(),
        _ => return refuse(select.span(), "GROUP BY takes columns and expressions"),
    };
    if by.is_empty() {
        return Ok(None);
    }
    let mut keys = Vec::new();
    for expr in by {
        let expr = match ordinal(expr, select.projection.len())? {
            Some(place) => match expression(&select.projection[place]) {
                Some(expr) => expr,
                None => return refuse(expr.span(), "a number in GROUP BY stands for an expression after SELECT"),
            },
            None => expr,
        };
        if has_aggregate(expr) {
            return refuse(expr.span(), "groups are made before aggregates: this cannot stand in GROUP BY");
        }
        let key = rows.of(expr)?;
        if key.kind == Kind::Nested {
            return refuse(expr.span(), "groups are made by numbers and texts, and this is a list or struct");
        }
        keys.push(key);
    }
    Ok(Some(keys))
}

/// What an unnamed expression is called.
fn title(expr: &Expr) -> String {
    match expr {
        Expr::Identifier(name) => name.value.clone(),
        Expr::CompoundIdentifier(parts) => parts.last().map(|name| name.value.clone()).unwrap_or_default(),
        Expr::Function(function) if has_aggregate(expr) || function.over.is_none() => {
            let text = expr.to_string();
            let (name, rest) = text.split_once('(').unwrap_or((&text, ""));
            match (name.to_ascii_lowercase().as_str(), rest) {
                ("count", "*)" | ")") => "count_star()".to_owned(),
                (name, rest) => format!("{name}({rest}"),
            }
        }
        _ => expr.to_string(),
    }
}

/// Refuses what other dialects have.
fn plain(select: &Select) -> Result<(), Refused> {
    let other = select.top.is_some()
        || select.into.is_some()
        || select.exclude.is_some()
        || select.prewhere.is_some()
        || select.value_table_mode.is_some()
        || !select.lateral_views.is_empty()
        || !select.cluster_by.is_empty()
        || !select.distribute_by.is_empty()
        || !select.sort_by.is_empty()
        || !select.connect_by.is_empty()
        || !select.named_window.is_empty();
    if other { refuse(select.span(), "this form of SELECT is not supported") } else { Ok(()) }
}

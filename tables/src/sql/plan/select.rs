//! `SELECT`, with ORDER BY and DISTINCT.

use super::Planner;
use super::expression::Expressions;
use super::grouping::{Grouping, has_aggregate};
use super::joins::Source;
use super::kind::{Kind, Typed};
use super::scope::{Bound, Named, Relation, Scope, same};
use super::windows::Windows;
use crate::sql::error::{Unsupported, missing, unsupported};
use polars::prelude::{Expr as Column, IntoLazy, LazyFrame, NamedFrom, Series, SortMultipleOptions, by_name, col};
use sqlparser::ast::{
    Distinct, ExcludeSelectItem, Expr, GroupByExpr, Ident, ObjectNamePart, OrderByExpr, OrderByOptions, Select,
    SelectItem, SelectItemQualifiedWildcardKind, Spanned, WildcardAdditionalOptions,
};
use std::collections::{HashMap, HashSet};

/// One key of ORDER BY.
#[derive(Debug, Clone)]
pub(super) struct Direction {
    pub column: Column,
    descending: bool,
    nulls_last: bool,
}

impl Direction {
    /// Creates a key; nulls come last unless `NULLS FIRST` is given.
    pub fn new(column: Column, options: &OrderByOptions) -> Direction {
        let descending = options.asc == Some(false);
        Direction { column, descending, nulls_last: options.nulls_first != Some(true) }
    }
}

/// Sorts rows; the sort is stable.
pub(super) fn sorted(frame: LazyFrame, order: &[Direction]) -> LazyFrame {
    let columns: Vec<Column> = order.iter().map(|direction| direction.column.clone()).collect();
    let options = SortMultipleOptions::default()
        .with_order_descending_multi(order.iter().map(|direction| direction.descending))
        .with_nulls_last_multi(order.iter().map(|direction| direction.nulls_last))
        .with_maintain_order(true);
    frame.sort_by_exprs(columns, options)
}

/// ORDER BY of a query.
#[derive(Clone, Copy)]
pub(super) enum Order<'a> {
    By(&'a [OrderByExpr]),
    /// `ORDER BY ALL`: by every output column, from left to right.
    All(&'a OrderByOptions),
}

impl<'a> Order<'a> {
    pub fn expressions(self) -> &'a [OrderByExpr] {
        match self {
            Order::By(by) => by,
            Order::All(_) => &[],
        }
    }
}

/// State of a `SELECT` being planned.
struct SelectPlan<'a> {
    select: &'a Select,
    frame: LazyFrame,
    scope: Scope,
}

impl Planner<'_> {
    /// Plans a `SELECT` with its ORDER BY.
    pub(super) fn select(
        &self,
        select: &Select,
        order: Order<'_>,
        named: &Named,
        outer: &[Scope],
    ) -> Result<Relation, Unsupported> {
        plain(select)?;
        let Source { mut frame, scope, .. } = if select.from.is_empty() {
            // A SELECT without FROM has one row.
            let one = Series::new("#one".into(), [1i64]);
            Source { frame: one.into_frame().lazy(), scope: Scope::default(), rows: Some(1.0) }
        } else {
            self.from(&select.from, select.selection.as_ref(), named, outer)?
        };
        let aliases = select.projection.iter().filter_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } => Some((alias.clone(), expr.clone())),
            _ => None,
        });
        let aliases: Vec<(Ident, Expr)> = aliases.collect();
        let mut rows = Expressions::new(self, named, &scope, outer);
        rows.aliases = &aliases;
        if let Some(condition) = &select.selection {
            frame = frame.filter(rows.truth(condition)?);
        }
        let keys = keys(select, &mut rows)?;
        rows.grouping = keys.map(|keys| Grouping { keys, aggregates: Vec::new() });
        if rows.grouping.is_none() {
            let selected = select.projection.iter().filter_map(expression);
            let ordering = order.expressions().iter().map(|by| &by.expr);
            if selected.chain(&select.having).chain(ordering).any(has_aggregate) {
                rows.grouping = Some(Grouping::default());
            }
        }
        let having = select.having.as_ref().map(|having| rows.truth(having)).transpose()?;
        if having.is_some() && rows.grouping.is_none() {
            return unsupported(select.span(), "HAVING needs groups: use WHERE");
        }
        let select_plan = SelectPlan { select, frame, scope: scope.clone() };
        select_plan.finish(rows, having, order)
    }
}

impl SelectPlan<'_> {
    fn finish(
        self,
        mut rows: Expressions<'_>,
        having: Option<Column>,
        order: Order<'_>,
    ) -> Result<Relation, Unsupported> {
        rows.windows = Some(Windows::default());
        let output = self.output(&mut rows)?;
        rows.alias_first = true;
        let distinct = match &self.select.distinct {
            None | Some(Distinct::All) => None,
            Some(Distinct::Distinct) => Some(Vec::new()),
            Some(Distinct::On(keys)) => {
                Some(keys.iter().map(|key| value(key, "DISTINCT ON", &output, &mut rows)).collect::<Result<_, _>>()?)
            }
        };
        let is_whole = distinct.as_ref().is_some_and(Vec::is_empty);
        if is_whole && output.iter().any(|(_, typed)| typed.kind == Kind::Nested) {
            return unsupported(self.select.span(), "DISTINCT takes numbers and texts, found a list or struct");
        }
        let mut directions = Vec::new();
        for by in order.expressions() {
            let column = value(&by.expr, "ORDER BY", &output, &mut rows)?;
            if is_whole && !output.iter().any(|(_, typed)| typed.expr == column) {
                return unsupported(by.expr.span(), "with DISTINCT, ORDER BY takes expressions of SELECT");
            }
            directions.push(Direction::new(column, &by.options));
        }
        if let Order::All(options) = order {
            for (name, typed) in &output {
                if typed.kind == Kind::Nested {
                    let message = format!("ORDER BY takes numbers and texts, found a list or struct in `{name}`");
                    return unsupported(self.select.span(), message);
                }
                directions.push(Direction::new(typed.expr.clone(), options));
            }
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

    /// Translates the selected expressions; duplicate names get a numeric suffix.
    fn output(&self, rows: &mut Expressions<'_>) -> Result<Vec<(String, Typed)>, Unsupported> {
        let mut output: Vec<(String, Typed)> = Vec::new();
        for item in &self.select.projection {
            match item {
                SelectItem::UnnamedExpr(expr) => output.push((title(expr), rows.of(expr)?)),
                SelectItem::ExprWithAlias { expr, alias } => output.push((alias.value.clone(), rows.of(expr)?)),
                SelectItem::Wildcard(options) => self.all(None, options, rows, &mut output)?,
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                    let [ObjectNamePart::Identifier(table)] = name.0.as_slice() else {
                        return unsupported(item.span(), "write `table.*`");
                    };
                    if !self.scope.has_table(&table.value) {
                        let tables = self.scope.columns.iter().map(|column| column.table.as_str());
                        return missing(table.span, "table", &table.value, tables);
                    }
                    self.all(Some(table), options, rows, &mut output)?;
                }
                _ => return unsupported(item.span(), format!("`{item}` is not supported: SELECT takes expressions")),
            }
        }
        if output.is_empty() {
            return unsupported(self.select.span(), "SELECT has no columns");
        }
        name_apart(output.iter_mut().map(|(name, _)| name));
        Ok(output)
    }

    /// Expands `*` or `table.*`.
    fn all(
        &self,
        table: Option<&Ident>,
        options: &WildcardAdditionalOptions,
        rows: &mut Expressions<'_>,
        output: &mut Vec<(String, Typed)>,
    ) -> Result<(), Unsupported> {
        let excluded = self.excluded(table, options)?;
        if self.scope.columns.is_empty() {
            return unsupported(options.wildcard_token.0.span, "`*` needs a FROM");
        }
        for column in &self.scope.columns {
            let wanted = table.map_or(!column.merged, |table| same(&column.table, &table.value));
            if !wanted || excluded.iter().any(|name| same(name, &column.name)) {
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

    /// Names after `* EXCLUDE`, each of which is a column that `*` stands for.
    fn excluded<'b>(
        &self,
        table: Option<&Ident>,
        options: &'b WildcardAdditionalOptions,
    ) -> Result<Vec<&'b str>, Unsupported> {
        let at = options.wildcard_token.0.span;
        let rest = WildcardAdditionalOptions { opt_exclude: None, ..options.clone() };
        if rest != WildcardAdditionalOptions::default() {
            let word = rest.to_string().split_whitespace().next().unwrap_or("*").to_owned();
            return unsupported(at, format!("`{word}` after `*` is not supported: name the columns"));
        }
        let names = match &options.opt_exclude {
            None => &[],
            Some(ExcludeSelectItem::Single(name)) => std::slice::from_ref(name),
            Some(ExcludeSelectItem::Multiple(names)) => names.as_slice(),
        };
        let mut excluded = Vec::new();
        for name in names {
            let [ObjectNamePart::Identifier(name)] = name.0.as_slice() else {
                return unsupported(at, "EXCLUDE takes names of columns");
            };
            let of_table = |column: &&Bound| table.is_none_or(|table| same(&column.table, &table.value));
            let known = self.scope.columns.iter().filter(of_table).map(|column| column.name.as_str());
            if !known.clone().any(|known| same(known, &name.value)) {
                return missing(name.span, "column", &name.value, known);
            }
            excluded.push(name.value.as_str());
        }
        Ok(excluded)
    }
}

/// Translates a key of ORDER BY or DISTINCT ON: an output column's number, or an expression.
fn value(
    expr: &Expr,
    clause: &str,
    output: &[(String, Typed)],
    rows: &mut Expressions<'_>,
) -> Result<Column, Unsupported> {
    let Typed { expr: column, kind, .. } = match ordinal(expr, output.len())? {
        Some(place) => output[place].1.clone(),
        None => rows.of(expr)?,
    };
    match kind {
        Kind::Nested => unsupported(expr.span(), format!("{clause} takes numbers and texts, found a list or struct")),
        _ => Ok(column),
    }
}

/// Gives names that are there already a number, so that no two are alike.
fn name_apart<'a>(names: impl Iterator<Item = &'a mut String>) {
    let mut known = HashSet::new();
    // The last number that a name got: thousands of columns may have the same.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for name in names {
        let first = name.to_ascii_lowercase();
        while !known.insert(name.to_ascii_lowercase()) {
            let number = numbers.entry(first.clone()).or_default();
            *number += 1;
            name.truncate(first.len());
            *name += &format!("_{number}");
        }
    }
}

/// Projects the output columns, in order. With `distinct`, only the first row for each value of these keys remains, or of
/// the whole output if there are none.
fn projected(
    frame: LazyFrame,
    output: Vec<(String, Typed)>,
    order: Vec<Direction>,
    distinct: Option<Vec<Column>>,
    one_row: bool,
) -> Relation {
    let columns: Vec<(String, Kind)> = output.iter().map(|(name, typed)| (name.clone(), typed.kind)).collect();
    let plain = order.is_empty() && distinct.is_none();
    let literal_only = output.iter().all(|(_, typed)| is_constant(&typed.expr)) && !one_row;
    if plain && !literal_only {
        let exprs = output.iter().map(|(name, typed)| typed.output().alias(name.as_str()));
        let exprs: Vec<Column> = exprs.collect();
        return Relation { frame: frame.select(exprs), columns };
    }
    // Output is added next to the input columns: a literal is then repeated in every row, and a key may use any column.
    let keys =
        order.iter().enumerate().map(|(place, direction)| direction.column.clone().alias(format!("#order{place}")));
    let outputs = output.iter().enumerate().map(|(place, (_, typed))| typed.output().alias(format!("#out{place}")));
    let on = distinct.as_deref().unwrap_or_default();
    let on = on.iter().enumerate().map(|(place, key)| key.clone().alias(format!("#on{place}")));
    let on: Vec<Column> = on.collect();
    let first_of = (!on.is_empty()).then(|| by_name((0..on.len()).map(|place| format!("#on{place}")), true, false));
    let added: Vec<Column> = outputs.chain(keys).chain(on).collect();
    let mut frame = frame.with_columns(added);
    let out: Vec<Column> = (0..output.len()).map(|place| col(format!("#out{place}"))).collect();
    if distinct.is_some() && first_of.is_none() {
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
    if first_of.is_some() {
        frame = frame.unique_stable(first_of, polars::prelude::UniqueKeepStrategy::First);
    }
    let out: Vec<Column> =
        out.into_iter().zip(&columns).map(|(column, (name, _))| column.alias(name.as_str())).collect();
    Relation { frame: frame.select(out), columns }
}

/// True if an expression reads no column: polars evaluates it to one row, however many there are.
pub(super) fn is_constant(expr: &Column) -> bool {
    !expr.into_iter().any(|one| matches!(one, Column::Column(_) | Column::Len | Column::Agg(_)))
}

fn expression(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

/// Index of the output column that an expression names by number, if it is a number.
fn ordinal(expr: &Expr, columns: usize) -> Result<Option<usize>, Unsupported> {
    let Expr::Value(value) = expr else { return Ok(None) };
    let sqlparser::ast::Value::Number(text, _) = &value.value else {
        return unsupported(expr.span(), "a constant does not order or group rows: use a column or its number");
    };
    match text.parse::<usize>() {
        Ok(place) if (1..=columns).contains(&place) => Ok(Some(place - 1)),
        _ => unsupported(expr.span(), format!("there is no column {text}: the number of columns is {columns}")),
    }
}

/// Translates the GROUP BY keys; `None` if there are none.
fn keys(select: &Select, rows: &mut Expressions<'_>) -> Result<Option<Vec<Typed>>, Unsupported> {
    let by = match &select.group_by {
        GroupByExpr::All(modifiers) if modifiers.is_empty() => {
            select.projection.iter().filter_map(expression).filter(|expr| !has_aggregate(expr)).collect()
        }
        GroupByExpr::Expressions(by, modifiers) if modifiers.is_empty() => by.iter().collect::<Vec<&Expr>>(),
        other => return unsupported(select.span(), format!("`{other}` is not supported: write the expressions")),
    };
    if by.is_empty() {
        return Ok(None);
    }
    let mut keys = Vec::new();
    for expr in by {
        let expr = match ordinal(expr, select.projection.len())? {
            Some(place) => match expression(&select.projection[place]) {
                Some(expr) => expr,
                None => {
                    return unsupported(expr.span(), "a number in GROUP BY is the position of an expression in SELECT");
                }
            },
            None => expr,
        };
        if has_aggregate(expr) {
            return unsupported(expr.span(), "GROUP BY takes no aggregates");
        }
        let key = rows.of(expr)?;
        if key.kind == Kind::Nested {
            return unsupported(expr.span(), "GROUP BY takes numbers and texts, found a list or struct");
        }
        keys.push(key);
    }
    Ok(Some(keys))
}

/// Column name of an expression without an alias, as DuckDB derives it.
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

/// Rejects clauses of other dialects.
fn plain(select: &Select) -> Result<(), Unsupported> {
    if !select.named_window.is_empty() {
        return unsupported(select.span(), "`WINDOW` is not supported: write OVER (…)");
    }
    let clauses = [
        (select.top.is_some(), "TOP"),
        (select.into.is_some(), "INTO"),
        (select.exclude.is_some(), "EXCLUDE"),
        (select.prewhere.is_some(), "PREWHERE"),
        (select.value_table_mode.is_some(), "AS STRUCT"),
        (!select.lateral_views.is_empty(), "LATERAL VIEW"),
        (!select.cluster_by.is_empty(), "CLUSTER BY"),
        (!select.distribute_by.is_empty(), "DISTRIBUTE BY"),
        (!select.sort_by.is_empty(), "SORT BY"),
        (!select.connect_by.is_empty(), "CONNECT BY"),
    ];
    match clauses.into_iter().find(|(is_used, _)| *is_used) {
        Some((_, word)) => unsupported(select.span(), format!("`{word}` is not supported")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_alike_get_numbers_whatever_their_case() {
        let mut names = ["a", "A", "b", "a_1", "a", "a_1", "a"].map(str::to_owned);
        name_apart(names.iter_mut());
        assert_eq!(names, ["a", "A_1", "b", "a_1_1", "a_2", "a_1_2", "a_3"]);
    }

    #[test]
    fn thousands_of_columns_of_one_name_take_no_time() {
        let mut names = vec!["x".to_owned(); 100_000];
        name_apart(names.iter_mut());
        assert_eq!(names[99_999], "x_99999");
    }
}

//! Window functions: `row_number() OVER (PARTITION BY thread ORDER BY start_stamp)`.
//!
//! Rows are put into the window's order first; then each step adds a column.

use super::expression::Expressions;
use super::kind::{Kind, Typed};
use super::operators::narrow;
use super::refusal::{Refused, refuse};
use super::select::{Direction, sorted};
use polars::prelude::{DataType, Expr as Column, LazyFrame, NULL, SortOptions, WindowMapping, col, lit, when};
use sqlparser::ast::{Expr, Function, Spanned, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowType};

/// Functions that there are of windows only.
pub(crate) const ONLY: &[&str] = &["dense_rank", "first_value", "lag", "lead", "rank", "row_number"];

/// The window functions of a `SELECT`.
#[derive(Debug, Clone, Default)]
pub(super) struct Windows(Vec<Window>);

#[derive(Debug, Clone)]
struct Window {
    order: Vec<Direction>,
    /// Columns to add, one after another.
    steps: Vec<(String, Column)>,
}

impl Windows {
    /// Adds a column for each.
    pub fn apply(self, frame: LazyFrame) -> LazyFrame {
        self.0.into_iter().fold(frame, |frame, window| {
            let frame = if window.order.is_empty() { frame } else { sorted(frame, &window.order) };
            window.steps.into_iter().fold(frame, |frame, (name, step)| frame.with_columns([step.alias(name)]))
        })
    }
}

/// Over the rows alike in these keys; over all rows, if there are none.
fn over(column: Column, keys: Vec<Column>) -> Column {
    let keys = if keys.is_empty() { vec![lit(1i64)] } else { keys };
    let (partition, order_by) = (Some(keys), None::<(Vec<Column>, SortOptions)>);
    // With a partition there is no error.
    column.clone().over_with_options(partition, order_by, WindowMapping::GroupsToRows).unwrap_or(column)
}

/// A window function in the making.
struct Making {
    number: usize,
    partition: Vec<Column>,
    order: Vec<Direction>,
    steps: Vec<(String, Column)>,
    /// Rows alike in order are taken together.
    peers: bool,
}

impl Making {
    fn step(&mut self, name: &str, column: Column) -> Column {
        let name = format!("#window{}{name}", self.number);
        self.steps.push((name.clone(), column));
        col(name)
    }

    /// Over the partition, or all rows.
    fn over(&self, column: Column) -> Column {
        over(column, self.partition.clone())
    }

    /// Over the rows that are alike in partition and order.
    fn over_peers(&self, column: Column) -> Column {
        let order = self.order.iter().map(|direction| direction.column.clone());
        let keys: Vec<Column> = self.partition.iter().cloned().chain(order).collect();
        over(column, keys)
    }

    /// A running value.
    fn running(&mut self, name: &str, column: Column) -> Column {
        let so_far = self.over(column);
        let so_far = self.step(name, so_far);
        if !self.peers {
            return so_far;
        }
        let last = self.over_peers(so_far.last());
        self.step(&format!("{name}last"), last)
    }

    fn row_number(&mut self) -> Column {
        let one = self.step("one", lit(1i64));
        let number = self.over(one.cum_sum(false));
        self.step("row", number)
    }

    fn rank(&mut self) -> Column {
        let row = self.row_number();
        let rank = self.over_peers(row.min());
        self.step("rank", rank)
    }
}

impl Expressions<'_> {
    pub fn window(&mut self, function: &Function, name: &str, whole: &Expr) -> Result<Typed, Refused> {
        let Some(WindowType::WindowSpec(spec)) = &function.over else {
            return refuse(whole.span(), "write the window itself after OVER, in parentheses");
        };
        let Some(number) = self.windows.as_ref().map(|windows| windows.0.len()) else {
            return refuse(
                whole.span(),
                "a window function stands only in SELECT, ORDER BY and QUALIFY: use a subquery",
            );
        };
        if spec.window_name.is_some() {
            return refuse(whole.span(), "write the window itself after OVER, in parentheses");
        }
        // Within a window there is none.
        let windows = self.windows.take();
        let made = self.made(function, name, spec, number, whole);
        self.windows = windows;
        let (making, typed) = made?;
        let column = if typed.kind == Kind::Null { typed.expr.cast(DataType::Int64) } else { typed.expr };
        if let Some(windows) = &mut self.windows {
            windows.0.push(Window { order: making.order.clone(), steps: making.steps.clone() });
        }
        Ok(Typed::new(column, typed.kind))
    }

    fn made(
        &mut self,
        function: &Function,
        name: &str,
        spec: &sqlparser::ast::WindowSpec,
        number: usize,
        whole: &Expr,
    ) -> Result<(Making, Typed), Refused> {
        let mut making = Making { number, partition: Vec::new(), order: Vec::new(), steps: Vec::new(), peers: true };
        for (place, by) in spec.partition_by.iter().enumerate() {
            let column = self.of(by)?.expr;
            let column = making.step(&format!("partition{place}"), column);
            making.partition.push(column);
        }
        for by in &spec.order_by {
            making.order.push(Direction::new(self.of(&by.expr)?.expr, &by.options));
        }
        making.peers = by_peers(spec.window_frame.as_ref(), whole)?;
        let column = if ONLY.contains(&name) {
            self.ordered_only(function, name, &mut making, whole)?
        } else if !super::aggregates::NAMES.contains(&name) {
            return refuse(whole.span(), format!("{name} is no window function"));
        } else {
            let aggregated = self.aggregated(function, name, whole)?;
            if making.order.is_empty() {
                let typed = aggregated.column(whole)?;
                let column = making.over(typed.expr);
                Typed::new(making.step("", column), typed.kind)
            } else if aggregated.distinct {
                return refuse(whole.span(), "DISTINCT in a window that has an order is not supported");
            } else {
                so_far(name, aggregated.value, &mut making, whole)?
            }
        };
        Ok((making, column))
    }

    fn ordered_only(
        &mut self,
        function: &Function,
        name: &str,
        making: &mut Making,
        whole: &Expr,
    ) -> Result<Typed, Refused> {
        let given = super::functions::arguments(function, whole)?;
        if making.order.is_empty() {
            return refuse(whole.span(), format!("{name} needs an ORDER BY in its window"));
        }
        let column = match (name, given.as_slice()) {
            ("row_number", []) => making.row_number(),
            ("rank", []) => making.rank(),
            ("dense_rank", []) => {
                let rank = making.rank();
                let first =
                    making.step("first", rank.eq(col(format!("#window{}row", making.number))).cast(DataType::Int64));
                let dense = making.over(first.cum_sum(false));
                making.step("dense", dense)
            }
            ("first_value", [value]) => {
                let value = self.of(value)?;
                let column = making.step("value", value.expr);
                let first = making.over(column.first());
                return Ok(Typed::new(making.step("first", first), value.kind));
            }
            ("lag" | "lead", [value, rest @ ..]) if rest.len() <= 1 => {
                let value = self.of(value)?;
                let by = rest.first().map_or(Ok(Some(1)), |by| self.of(by).map(|by| by.number))?;
                let Some(by) = by.and_then(|by| i64::try_from(by).ok()) else {
                    return refuse(whole.span(), format!("{name} takes a plain number of rows"));
                };
                let column = making.step("value", value.expr);
                let shifted = making.over(column.shift(lit(if name == "lag" { by } else { -by })));
                return Ok(Typed::new(making.step("shifted", shifted), value.kind));
            }
            _ => return refuse(whole.span(), format!("these are no arguments of {name}")),
        };
        Ok(Typed::new(column, Kind::Int))
    }
}

/// An aggregate of the rows up to each.
fn so_far(name: &str, value: Option<Typed>, making: &mut Making, whole: &Expr) -> Result<Typed, Refused> {
    let is_star = value.is_none();
    let value = value.unwrap_or_else(|| Typed::new(lit(1i64), Kind::Int));
    let column = making.step("value", value.expr);
    let known = making.step("known", column.clone().is_not_null().cast(DataType::Int64));
    let count = making.running("count", known.cum_sum(false));
    if name == "count" || is_star {
        return Ok(Typed::new(count, Kind::Int));
    }
    if value.kind != Kind::Int || !matches!(name, "sum" | "avg" | "mean") {
        return refuse(
            whole.span(),
            format!("in a window that has an order, {name} of {} is not supported", value.kind.word()),
        );
    }
    let wide = making.step("wide", column.fill_null(lit(0i64)).cast(DataType::Int128));
    let sum = making.running("sum", wide.cum_sum(false));
    let or_null = |of: Column| when(count.clone().gt(lit(0i64))).then(of).otherwise(lit(NULL));
    Ok(match name {
        "sum" => Typed::new(narrow(or_null(sum)), Kind::Int),
        _ => Typed::new(or_null(sum.cast(DataType::Float64) / count.clone().cast(DataType::Float64)), Kind::Real),
    })
}

/// Whether rows alike in order are taken together, as they are if nothing is said.
fn by_peers(frame: Option<&WindowFrame>, whole: &Expr) -> Result<bool, Refused> {
    match frame {
        None => Ok(true),
        Some(WindowFrame {
            units,
            start_bound: WindowFrameBound::Preceding(None),
            end_bound: None | Some(WindowFrameBound::CurrentRow),
        }) if *units != WindowFrameUnits::Groups => Ok(*units == WindowFrameUnits::Range),
        Some(_) => refuse(whole.span(), "of frames only UNBOUNDED PRECEDING to CURRENT ROW is supported"),
    }
}

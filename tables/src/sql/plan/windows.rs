//! Window functions: `row_number() OVER (PARTITION BY thread ORDER BY start_stamp)`.
//!
//! Rows are sorted into the window's order first; each step then adds a column.

use super::expression::Expressions;
use super::kind::{Kind, Typed};
use super::operators::narrow;
use super::select::{Direction, sorted};
use crate::sql::error::{Unsupported, unsupported};
use polars::prelude::{DataType, Expr as Column, LazyFrame, NULL, SortOptions, WindowMapping, col, lit, when};
use sqlparser::ast::{Expr, Function, Spanned, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowType};

/// Functions that exist as window functions only.
pub(crate) const ONLY: &[&str] = &["dense_rank", "first_value", "lag", "lead", "rank", "row_number"];

/// Window functions of a `SELECT`.
#[derive(Debug, Clone, Default)]
pub(super) struct Windows(Vec<Window>);

#[derive(Debug, Clone)]
struct Window {
    order: Vec<Direction>,
    /// Columns to add, in order: a step may read the previous ones.
    steps: Vec<(String, Column)>,
}

impl Windows {
    /// Adds the columns of each window to the frame.
    pub fn apply(self, frame: LazyFrame) -> LazyFrame {
        self.0.into_iter().fold(frame, |frame, window| {
            let frame = if window.order.is_empty() { frame } else { sorted(frame, &window.order) };
            window.steps.into_iter().fold(frame, |frame, (name, step)| frame.with_columns([step.alias(name)]))
        })
    }
}

/// Evaluates a column over the rows with equal keys; over all rows if there are no keys.
fn over(column: Column, keys: Vec<Column>) -> Column {
    // polars requires a partition key: a constant makes all rows one partition.
    let keys = if keys.is_empty() { vec![lit(1i64)] } else { keys };
    let (partition, order_by) = (Some(keys), None::<(Vec<Column>, SortOptions)>);
    // polars reports an error only if there is neither a partition nor an order.
    column.clone().over_with_options(partition, order_by, WindowMapping::GroupsToRows).unwrap_or(column)
}

/// Builder of one window function.
struct WindowBuilder {
    number: usize,
    partition: Vec<Column>,
    order: Vec<Direction>,
    steps: Vec<(String, Column)>,
    /// True if rows that are equal in the window's order (peers) get the same value.
    peers: bool,
}

impl WindowBuilder {
    fn step(&mut self, name: &str, column: Column) -> Column {
        let name = format!("#window{}{name}", self.number);
        self.steps.push((name.clone(), column));
        col(name)
    }

    /// Evaluates a column over the partition, or over all rows.
    fn over(&self, column: Column) -> Column {
        over(column, self.partition.clone())
    }

    /// Evaluates a column over the rows that are equal in partition and order.
    fn over_peers(&self, column: Column) -> Column {
        let order = self.order.iter().map(|direction| direction.column.clone());
        let keys: Vec<Column> = self.partition.iter().cloned().chain(order).collect();
        over(column, keys)
    }

    /// Running value; peers get that of their last row.
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
    pub fn window(&mut self, function: &Function, name: &str, whole: &Expr) -> Result<Typed, Unsupported> {
        let Some(WindowType::WindowSpec(spec)) = &function.over else {
            return unsupported(whole.span(), "`OVER name` is not supported: write OVER (…)");
        };
        let Some(number) = self.windows.as_ref().map(|windows| windows.0.len()) else {
            return unsupported(
                whole.span(),
                "a window function is allowed only in SELECT, ORDER BY and QUALIFY: use a subquery",
            );
        };
        if spec.window_name.is_some() {
            return unsupported(whole.span(), "`OVER name` is not supported: write OVER (…)");
        }
        // Window functions do not nest.
        let windows = self.windows.take();
        let built = self.built(function, name, spec, number, whole);
        self.windows = windows;
        let (builder, typed) = built?;
        let column = typed.output();
        if let Some(windows) = &mut self.windows {
            windows.0.push(Window { order: builder.order.clone(), steps: builder.steps.clone() });
        }
        Ok(Typed::new(column, typed.kind))
    }

    fn built(
        &mut self,
        function: &Function,
        name: &str,
        spec: &sqlparser::ast::WindowSpec,
        number: usize,
        whole: &Expr,
    ) -> Result<(WindowBuilder, Typed), Unsupported> {
        let mut builder =
            WindowBuilder { number, partition: Vec::new(), order: Vec::new(), steps: Vec::new(), peers: true };
        for (place, by) in spec.partition_by.iter().enumerate() {
            let column = self.of(by)?.expr;
            let column = builder.step(&format!("partition{place}"), column);
            builder.partition.push(column);
        }
        for by in &spec.order_by {
            builder.order.push(Direction::new(self.of(&by.expr)?.expr, &by.options));
        }
        builder.peers = by_peers(spec.window_frame.as_ref(), whole)?;
        let column = if ONLY.contains(&name) {
            self.ordered_only(function, name, &mut builder, whole)?
        } else if !super::aggregates::NAMES.contains(&name) {
            return unsupported(whole.span(), format!("`{name}` is not a window function"));
        } else {
            let aggregated = self.aggregated(function, name, whole)?;
            if builder.order.is_empty() {
                let typed = aggregated.column(whole)?;
                let column = builder.over(typed.expr);
                Typed::new(builder.step("", column), typed.kind)
            } else if aggregated.distinct {
                return unsupported(whole.span(), "`DISTINCT` in an ordered window is not supported");
            } else {
                so_far(name, aggregated.value, &mut builder, whole)?
            }
        };
        Ok((builder, column))
    }

    fn ordered_only(
        &mut self,
        function: &Function,
        name: &str,
        builder: &mut WindowBuilder,
        whole: &Expr,
    ) -> Result<Typed, Unsupported> {
        let call_args = super::functions::plain_arguments(function, whole)?;
        if builder.order.is_empty() {
            return unsupported(whole.span(), format!("{name} needs an ORDER BY in its window"));
        }
        let column = match (name, call_args.as_slice()) {
            ("row_number", []) => builder.row_number(),
            ("rank", []) => builder.rank(),
            ("dense_rank", []) => {
                let rank = builder.rank();
                let first =
                    builder.step("first", rank.eq(col(format!("#window{}row", builder.number))).cast(DataType::Int64));
                let dense = builder.over(first.cum_sum(false));
                builder.step("dense", dense)
            }
            ("first_value", [value]) => {
                let value = self.of(value)?;
                let column = builder.step("value", value.expr);
                let first = builder.over(column.first());
                return Ok(Typed::new(builder.step("first", first), value.kind));
            }
            ("lag" | "lead", [value, rest @ ..]) if rest.len() <= 1 => {
                let value = self.of(value)?;
                let by = rest.first().map_or(Ok(Some(1)), |by| self.of(by).map(|by| by.number))?;
                let Some(by) = by.and_then(|by| i64::try_from(by).ok()) else {
                    return unsupported(whole.span(), format!("{name} takes a constant number of rows"));
                };
                let column = builder.step("value", value.expr);
                let shifted = builder.over(column.shift(lit(if name == "lag" { by } else { -by })));
                return Ok(Typed::new(builder.step("shifted", shifted), value.kind));
            }
            _ => return unsupported(whole.span(), format!("`{name}` does not take these arguments")),
        };
        Ok(Typed::new(column, Kind::Int))
    }
}

/// Aggregate of the rows up to the current one.
fn so_far(name: &str, value: Option<Typed>, builder: &mut WindowBuilder, whole: &Expr) -> Result<Typed, Unsupported> {
    let is_star = value.is_none();
    let value = value.unwrap_or_else(|| Typed::new(lit(1i64), Kind::Int));
    let column = builder.step("value", value.expr);
    let known = builder.step("known", column.clone().is_not_null().cast(DataType::Int64));
    let count = builder.running("count", known.cum_sum(false));
    if name == "count" || is_star {
        return Ok(Typed::new(count, Kind::Int));
    }
    if value.kind != Kind::Int || !matches!(name, "sum" | "avg" | "mean") {
        return unsupported(
            whole.span(),
            format!("in an ordered window, {name} of {} is not supported", value.kind.word()),
        );
    }
    let wide = builder.step("wide", column.fill_null(lit(0i64)).cast(DataType::Int128));
    let sum = builder.running("sum", wide.cum_sum(false));
    let or_null = |of: Column| when(count.clone().gt(lit(0i64))).then(of).otherwise(lit(NULL));
    Ok(match name {
        "sum" => Typed::new(narrow(or_null(sum)), Kind::Int),
        _ => Typed::new(or_null(sum.cast(DataType::Float64) / count.clone().cast(DataType::Float64)), Kind::Real),
    })
}

/// True if the frame includes peers of the current row, as it does by default (RANGE).
fn by_peers(frame: Option<&WindowFrame>, whole: &Expr) -> Result<bool, Unsupported> {
    match frame {
        None => Ok(true),
        Some(WindowFrame {
            units,
            start_bound: WindowFrameBound::Preceding(None),
            end_bound: None | Some(WindowFrameBound::CurrentRow),
        }) if *units != WindowFrameUnits::Groups => Ok(*units == WindowFrameUnits::Range),
        Some(frame) => {
            let units = frame.units;
            unsupported(
                whole.span(),
                format!("this `{units}` frame is not supported: UNBOUNDED PRECEDING to CURRENT ROW is"),
            )
        }
    }
}

//! Aggregate functions.

use super::expression::Expressions;
use super::functions::arguments;
use super::kind::{Kind, Typed};
use super::operators::narrow;
use super::select::is_constant;
use super::size;
use crate::sql::error::{Unsupported, unsupported};
use polars::prelude::{DataType, Expr as Column, NULL, QuantileMethod, len, lit, when};
use sqlparser::ast::{DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned};

/// Names of the aggregate functions.
pub(crate) const NAMES: &[&str] = &[
    "avg",
    "bool_and",
    "bool_or",
    "count",
    "count_if",
    "count_star",
    "max",
    "mean",
    "median",
    "min",
    "quantile_cont",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "sum",
    "var_pop",
    "var_samp",
    "variance",
];

/// Parsed call of an aggregate function.
pub(super) struct Aggregated {
    pub name: String,
    /// Argument; `None` for `count(*)`.
    pub value: Option<Typed>,
    /// Quantile of `quantile_cont`, from 0 to 1.
    pub share: Option<f64>,
    pub distinct: bool,
}

impl Expressions<'_> {
    pub fn aggregate(&mut self, function: &Function, name: &str, whole: &Expr) -> Result<Typed, Unsupported> {
        let Some(grouping) = self.grouping.take() else {
            return unsupported(
                whole.span(),
                format!("the aggregate {name} is not allowed here: use HAVING or a subquery"),
            );
        };
        // The argument is evaluated per row, where grouping and windows do not apply.
        let windows = self.windows.take();
        let translated = self.aggregated(function, name, whole).and_then(|aggregated| aggregated.column(whole));
        self.windows = windows;
        let grouping = self.grouping.insert(grouping);
        translated.map(|translated| grouping.aggregate(translated))
    }

    /// Parses the call of an aggregate function.
    pub fn aggregated(&mut self, function: &Function, name: &str, whole: &Expr) -> Result<Aggregated, Unsupported> {
        let mut distinct = false;
        let mut is_star = name == "count_star";
        if let FunctionArguments::List(list) = &function.args {
            distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
            let star = |one: &FunctionArg| matches!(one, FunctionArg::Unnamed(FunctionArgExpr::Wildcard));
            is_star |= name == "count" && (list.args.is_empty() || list.args.iter().all(star));
        }
        if function.null_treatment.is_some() || !function.within_group.is_empty() {
            return unsupported(whole.span(), format!("this form of `{name}` is not supported"));
        }
        let call_args = if is_star { Vec::new() } else { arguments(function, whole)? };
        let mut value = match call_args.as_slice() {
            [] if is_star => None,
            [one] | [one, _] => {
                let value = self.of(one)?;
                // Compared and searched below.
                size::check_expression(&value.expr)?;
                Some(value)
            }
            _ => return unsupported(whole.span(), format!("`{name}` takes one argument")),
        };
        let share = match (name, call_args.get(1).copied()) {
            ("quantile_cont", Some(Expr::Value(share))) => share.value.to_string().parse().ok(),
            (_, None) => None,
            ("quantile_cont", _) => None,
            _ => return unsupported(whole.span(), format!("`{name}` takes one argument")),
        };
        if let Some(filter) = &function.filter {
            let truth = self.truth(filter)?;
            let of = value.unwrap_or_else(|| Typed::new(lit(true), Kind::Bool));
            value = Some(Typed::new(when(truth).then(of.expr).otherwise(lit(NULL)), of.kind));
        }
        Ok(Aggregated { name: name.to_owned(), value, share, distinct })
    }
}

impl Aggregated {
    /// Returns the aggregate as a column with one value per group.
    pub fn column(&self, whole: &Expr) -> Result<Typed, Unsupported> {
        let Some(value) = &self.value else {
            return Ok(Typed::new(len().cast(DataType::Int64), Kind::Int));
        };
        // polars evaluates a constant once and not per row of the group, so its aggregates would be wrong.
        if is_constant(&value.expr) {
            return match (self.name.as_str(), value.kind) {
                ("count", kind) if kind != Kind::Null => Ok(Typed::new(len().cast(DataType::Int64), Kind::Int)),
                _ => unsupported(
                    whole.span(),
                    format!("{} of a constant is not supported: aggregate a column", self.name),
                ),
            };
        }
        let mut column = value.output();
        if self.distinct && !matches!(self.name.as_str(), "min" | "max") {
            column = column.drop_nulls().unique();
        }
        let counted = column.clone().count();
        let known = || counted.clone();
        // SQL's sum of no values is NULL, polars' is 0.
        let or_null = |of: Column| when(known().gt(lit(0u32))).then(of).otherwise(lit(NULL));
        let wrong = |wanted: &str| {
            unsupported(whole.span(), format!("{} takes {wanted}, found {}", self.name, value.kind.word()))
        };
        let real = || value.kind.is_number().then(|| column.clone().cast(DataType::Float64));
        let translated = match (self.name.as_str(), value.kind) {
            ("count", Kind::Nested) if self.distinct => return wrong("numbers and texts"),
            ("count" | "count_star", _) => Typed::new(known().cast(DataType::Int64), Kind::Int),
            ("count_if", Kind::Bool) => Typed::new(column.cast(DataType::Int64).sum(), Kind::Int),
            ("sum", Kind::Int | Kind::Null) => {
                Typed::new(narrow(or_null(column.cast(DataType::Int128).sum())), Kind::Int)
            }
            ("sum", Kind::Real) => Typed::new(or_null(column.sum()), Kind::Real),
            ("avg" | "mean", Kind::Int | Kind::Null) => {
                let sum = column.clone().cast(DataType::Int128).sum().cast(DataType::Float64);
                Typed::new(or_null(sum / known().cast(DataType::Float64)), Kind::Real)
            }
            ("avg" | "mean", Kind::Real) => Typed::new(column.mean(), Kind::Real),
            ("min" | "max", Kind::Nested) => return wrong("numbers and texts"),
            ("min", kind) => Typed::new(column.min(), kind),
            ("max", kind) => Typed::new(column.max(), kind),
            ("bool_and", Kind::Bool) => {
                Typed::new(column.cast(DataType::Int64).min().cast(DataType::Boolean), Kind::Bool)
            }
            ("bool_or", Kind::Bool) => {
                Typed::new(column.cast(DataType::Int64).max().cast(DataType::Boolean), Kind::Bool)
            }
            ("bool_and" | "bool_or" | "count_if", _) => return wrong("conditions"),
            (name, _) => match (name, real()) {
                ("median", Some(real)) => Typed::new(real.median(), Kind::Real),
                ("quantile_cont", Some(real)) => match self.share {
                    Some(share) => Typed::new(real.quantile(lit(share), QuantileMethod::Linear), Kind::Real),
                    None => return unsupported(whole.span(), "`quantile_cont` takes a value and a share from 0 to 1"),
                },
                ("stddev" | "stddev_samp", Some(real)) => Typed::new(real.std(1), Kind::Real),
                ("stddev_pop", Some(real)) => Typed::new(real.std(0), Kind::Real),
                ("variance" | "var_samp", Some(real)) => Typed::new(real.var(1), Kind::Real),
                ("var_pop", Some(real)) => Typed::new(real.var(0), Kind::Real),
                _ => return wrong("numbers"),
            },
        };
        Ok(translated)
    }
}

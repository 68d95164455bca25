//! Steps that look at one row at a time, said in the columns of the table that they begin with.

use super::row_wise::is_of_one_row;
use polars::prelude::{DslPlan, Expr, LazyFrame, PlSmallStr, SchemaRef, col};
use std::sync::Arc;

/// What steps make of a table's rows.
pub(super) struct Flat {
    /// The columns, by their names, each in columns of the table.
    columns: Vec<(PlSmallStr, Expr)>,
    /// What is true of every row that is left.
    pub conditions: Vec<Expr>,
}

impl Flat {
    /// What a plan makes of its table; none if it is not known to look at one row at a time.
    pub fn of(plan: &DslPlan) -> Option<Flat> {
        match plan {
            DslPlan::IR { dsl, .. } => Flat::of(dsl),
            DslPlan::Scan { .. } => {
                let names = schema(plan)?;
                let columns = names.iter_names().map(|name| (name.clone(), col(name.clone())));
                Some(Flat { columns: columns.collect(), conditions: Vec::new() })
            }
            DslPlan::Filter { input, predicate } => {
                let mut flat = Flat::of(input)?;
                flat.conditions.push(flat.said(predicate)?);
                Some(flat)
            }
            DslPlan::Select { expr, input, .. } => {
                let flat = Flat::of(input)?;
                Some(Flat { columns: flat.named(expr, &schema(input)?)?, ..flat })
            }
            DslPlan::HStack { input, exprs, .. } => {
                let mut flat = Flat::of(input)?;
                for (name, expr) in flat.named(exprs, &schema(input)?)? {
                    match flat.columns.iter_mut().find(|(known, _)| *known == name) {
                        Some((_, known)) => *known = expr,
                        None => flat.columns.push((name, expr)),
                    }
                }
                Some(flat)
            }
            _ => None,
        }
    }

    /// Expressions over what the steps make, under their names, in columns of the table.
    pub fn named(&self, exprs: &[Expr], input: &SchemaRef) -> Option<Vec<(PlSmallStr, Expr)>> {
        exprs.iter().map(|expr| Some((expr.to_field(input).ok()?.name, self.said(expr)?))).collect()
    }

    /// An expression over what the steps make, in columns of the table.
    pub fn said(&self, expr: &Expr) -> Option<Expr> {
        let shared = |expr: &Arc<Expr>| self.said(expr).map(Arc::new);
        let all = |exprs: &[Expr]| -> Option<Vec<Expr>> { exprs.iter().map(|expr| self.said(expr)).collect() };
        Some(match expr {
            Expr::Column(name) => self.columns.iter().find(|(known, _)| known == name)?.1.clone(),
            Expr::Literal(_) => expr.clone(),
            Expr::Alias(inner, name) => Expr::Alias(shared(inner)?, name.clone()),
            Expr::Cast { expr, dtype, options } => {
                Expr::Cast { expr: shared(expr)?, dtype: dtype.clone(), options: *options }
            }
            Expr::BinaryExpr { left, op, right } => {
                Expr::BinaryExpr { left: shared(left)?, op: *op, right: shared(right)? }
            }
            Expr::Ternary { predicate, truthy, falsy } => {
                Expr::Ternary { predicate: shared(predicate)?, truthy: shared(truthy)?, falsy: shared(falsy)? }
            }
            Expr::AnonymousFunction { input, function, options, fmt_str } if options.is_elementwise() => {
                Expr::AnonymousFunction {
                    input: all(input)?,
                    function: function.clone(),
                    options: *options,
                    fmt_str: fmt_str.clone(),
                }
            }
            Expr::Function { input, function } if is_of_one_row(function) => {
                Expr::Function { input: all(input)?, function: function.clone() }
            }
            _ => return None,
        })
    }
}

/// The columns that a plan makes.
pub(super) fn schema(plan: &DslPlan) -> Option<SchemaRef> {
    LazyFrame::from(plan.clone()).collect_schema().ok()
}

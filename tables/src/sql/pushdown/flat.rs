//! Row-wise plan steps, flattened into expressions over the columns of the scanned table.

use super::class_scan::{ClassScan, and};
use super::row_wise::is_row_wise;
use crate::sql::depth::DEEP;
use crate::sql::plan_tree::schema;
use crate::sql::scan::Conditions;
use polars::error::PolarsError;
use polars::prelude::{DslPlan, Expr, PlSmallStr, SchemaRef, col};

/// Result of a chain of row-wise steps over a table.
pub(super) struct Flat {
    /// Output columns: name, and expression over the table's columns.
    columns: Vec<(PlSmallStr, Expr)>,
    /// Conditions that every remaining row meets.
    conditions: Vec<Expr>,
}

impl Flat {
    /// Flattens a plan. `None` if a step is not known to be row-wise.
    pub fn from_plan(plan: &DslPlan) -> Option<Flat> {
        match plan {
            DslPlan::Scan { .. } => {
                let names = schema(plan)?;
                let columns = names.iter_names().map(|name| (name.clone(), col(name.clone())));
                Some(Flat { columns: columns.collect(), conditions: Vec::new() })
            }
            DslPlan::Filter { input, predicate } => {
                let mut flat = Flat::from_plan(input)?;
                flat.conditions.push(flat.rewrite(predicate)?);
                Some(flat)
            }
            DslPlan::Select { expr, input, .. } => {
                let flat = Flat::from_plan(input)?;
                Some(Flat { columns: flat.named(expr, &schema(input)?)?, ..flat })
            }
            DslPlan::HStack { input, exprs, .. } => {
                let mut flat = Flat::from_plan(input)?;
                for (name, expr) in flat.named(exprs, &schema(input)?)? {
                    // Flattened, a deep expression would be deep again.
                    if name.starts_with(DEEP) {
                        return None;
                    }
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

    /// Rewrites expressions over the steps' output as expressions over the table's columns, with their names.
    pub fn named(&self, exprs: &[Expr], input: &SchemaRef) -> Option<Vec<(PlSmallStr, Expr)>> {
        exprs.iter().map(|expr| Some((expr.to_field(input).ok()?.name, self.rewrite(expr)?))).collect()
    }

    /// Rewrites an expression over the steps' output as one over the table's columns. `None` if it is not row-wise.
    pub fn rewrite(&self, expr: &Expr) -> Option<Expr> {
        if !is_row_wise(expr) {
            return None;
        }
        let rewritten = expr.clone().try_map_expr(|node| match node {
            Expr::Column(name) => {
                let found = self.columns.iter().find(|(known, _)| *known == name);
                found.map(|(_, expr)| expr.clone()).ok_or_else(|| PolarsError::ColumnNotFound(name.to_string().into()))
            }
            node => Ok(node),
        });
        rewritten.ok()
    }

    /// Splits the conditions of all steps into those over class columns alone and the rest.
    pub fn conditions(&self, classes: &ClassScan) -> Conditions {
        let mut all = Conditions::default();
        for condition in &self.conditions {
            let (of_classes, of_records) = classes.split(condition);
            all =
                Conditions { of_classes: and(all.of_classes, of_classes), of_records: and(all.of_records, of_records) };
        }
        all
    }
}

//! Table with one row per class of another table's records: their common values, and their number.

use super::row_wise::{columns, is_row_wise};
use crate::sql::leaf::Source;
use crate::sql::scan::TableScan;
use crate::tables::RECORDS;
use polars::error::PolarsResult;
use polars::prelude::{DataFrame, DataType, Expr, Operator, PlSmallStr, Schema, SchemaRef};
use std::sync::Arc;

/// Table with one row per class of another table's records.
pub(super) struct ClassScan {
    table: Arc<TableScan>,
    schema: SchemaRef,
}

impl ClassScan {
    /// Class table of a scan. `None` if the table has no classes.
    pub fn new(table: Arc<TableScan>) -> Option<ClassScan> {
        let columns = table.columns_of_classes();
        if columns.is_empty() {
            return None;
        }
        let all = table.schema();
        let fields = columns.iter().filter_map(|name| Some(((*name).into(), all.get(name)?.clone())));
        let mut schema = Schema::from_iter(fields);
        schema.with_column(RECORDS.into(), DataType::Int64);
        Some(ClassScan { schema: Arc::new(schema), table })
    }

    /// True if an expression is row-wise and reads class columns alone.
    pub fn has_all_of(&self, expr: &Expr) -> bool {
        is_row_wise(expr) && columns(expr).all(|name| self.has(name))
    }

    /// True if a name is a class column.
    pub fn has(&self, name: &str) -> bool {
        self.schema.contains(name)
    }

    /// Splits a condition into the part over class columns alone and the rest.
    pub fn split(&self, condition: &Expr) -> (Option<Expr>, Option<Expr>) {
        match condition {
            Expr::BinaryExpr { left, op: Operator::And | Operator::LogicalAnd, right } => {
                let ((one, rest), (other, other_rest)) = (self.split(left), self.split(right));
                (and(one, other), and(rest, other_rest))
            }
            condition if self.has_all_of(condition) => (Some(condition.clone()), None),
            condition => (None, Some(condition.clone())),
        }
    }
}

impl Source for ClassScan {
    fn title(&self) -> &'static str {
        "CLASSES"
    }

    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn read(&self, wanted: Option<&[PlSmallStr]>, _: Option<usize>) -> PolarsResult<DataFrame> {
        let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.iter().any(|known| known == name));
        let names = self.schema.iter_names().filter(|name| *name != RECORDS && is_wanted(name));
        let names: Vec<String> = names.map(ToString::to_string).collect();
        let frame = self.table.all_classes(&names)?;
        if is_wanted(RECORDS) { Ok(frame) } else { frame.drop(RECORDS) }
    }
}

/// Conjunction of two optional conditions.
pub(super) fn and(one: Option<Expr>, other: Option<Expr>) -> Option<Expr> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.and(other)),
        (one, other) => one.or(other),
    }
}

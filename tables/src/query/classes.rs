//! Questions that the classes of records answer: whatever looks at nothing but what a whole class has in common is asked of
//! one row for each class, with its number of records, and no record is read.

use super::row_wise::{is_of_one_row, is_row_wise};
use super::scan::TableScan;
use crate::tables::RECORDS;
use polars::error::{PolarsError, PolarsResult};
use polars::prelude::{
    AggExpr, AnonymousScan, AnonymousScanArgs, DataFrame, DataType, DslPlan, Expr, FunctionExpr, LazyFrame, Operator,
    ScanArgsAnonymous, Schema, SchemaRef, col, lit, when,
};
use std::any::Any;
use std::sync::Arc;

/// The classes of a table's records, as a table.
pub(super) struct ClassScan {
    table: Arc<dyn AnonymousScan>,
    schema: SchemaRef,
}

impl ClassScan {
    /// Those of a table that has classes.
    pub fn of(table: Arc<dyn AnonymousScan>) -> Option<ClassScan> {
        let scan = table.as_any().downcast_ref::<TableScan>()?;
        let columns = scan.columns_of_classes();
        if columns.is_empty() {
            return None;
        }
        let all = scan.schema_of_all();
        let fields = columns.iter().filter_map(|name| Some(((*name).into(), all.get(name)?.clone())));
        let mut schema = Schema::from_iter(fields);
        schema.with_column(RECORDS.into(), DataType::Int64);
        Some(ClassScan { schema: Arc::new(schema), table })
    }

    /// Whether an expression is over the columns of classes.
    pub fn has_all_of(&self, expr: &Expr) -> bool {
        columns_of(expr).is_some_and(|names| names.iter().all(|name| self.schema.contains(name)))
    }

    /// Whether it is a column of classes.
    pub fn has(&self, name: &str) -> bool {
        self.schema.contains(name)
    }

    /// As the start of a plan.
    pub fn plan(self) -> Option<DslPlan> {
        let args = ScanArgsAnonymous { schema: Some(self.schema.clone()), name: "CLASSES", ..Default::default() };
        Some(LazyFrame::anonymous_scan(Arc::new(self), args).ok()?.logical_plan)
    }
}

impl AnonymousScan for ClassScan {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn allows_projection_pushdown(&self) -> bool {
        true
    }

    fn schema(&self, _infer_schema_length: Option<usize>) -> PolarsResult<SchemaRef> {
        Ok(self.schema.clone())
    }

    fn scan(&self, options: AnonymousScanArgs) -> PolarsResult<DataFrame> {
        let table = self.table.as_any().downcast_ref::<TableScan>();
        let table = table.ok_or_else(|| PolarsError::ComputeError("classes of no table".into()))?;
        let wanted = options.with_columns.as_deref();
        let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.iter().any(|known| known == name));
        let names = self.schema.iter_names().filter(|name| *name != RECORDS && is_wanted(name));
        let names: Vec<String> = names.map(ToString::to_string).collect();
        let frame = table.all_classes(&names)?;
        if is_wanted(RECORDS) { Ok(frame) } else { frame.drop(RECORDS) }
    }
}

/// The columns that a row-wise expression names; none if they cannot be told.
pub(super) fn columns_of(expr: &Expr) -> Option<Vec<&str>> {
    let both = |left, right| -> Option<Vec<&str>> { Some([columns_of(left)?, columns_of(right)?].concat()) };
    match expr {
        Expr::Column(name) => Some(vec![name.as_str()]),
        Expr::Literal(_) => Some(Vec::new()),
        Expr::Alias(inner, _) => columns_of(inner),
        Expr::Cast { expr, .. } => columns_of(expr),
        Expr::BinaryExpr { left, right, .. } => both(left, right),
        Expr::Ternary { predicate, truthy, falsy } => {
            Some([columns_of(predicate)?, columns_of(truthy)?, columns_of(falsy)?].concat())
        }
        Expr::Function { input, .. } | Expr::AnonymousFunction { input, .. } => {
            let of_each: Option<Vec<Vec<&str>>> = input.iter().map(columns_of).collect();
            Some(of_each?.concat())
        }
        _ => None,
    }
}

/// The same steps, each row by itself, over classes, with the number of records in every step. What needs more than
/// classes have is left out: who asks for it finds it missing.
pub(super) fn over_classes(plan: &DslPlan, classes: &DslPlan) -> Option<DslPlan> {
    let made_of = |exprs: &[Expr], input: &DslPlan| -> Option<Vec<Expr>> {
        let schema = LazyFrame::from(input.clone()).collect_schema().ok()?;
        let has_all = |expr: &&Expr| {
            columns_of(expr).is_some_and(|names| names.iter().all(|name| *name != RECORDS && schema.contains(name)))
        };
        Some(exprs.iter().filter(has_all).cloned().collect())
    };
    match plan {
        DslPlan::IR { dsl, .. } => over_classes(dsl, classes),
        DslPlan::Filter { input, predicate } => {
            let input = Arc::new(over_classes(input, classes)?);
            Some(DslPlan::Filter { input, predicate: predicate.clone() })
        }
        DslPlan::Select { expr, input, options } => {
            let input = over_classes(input, classes)?;
            let mut expr = made_of(expr, &input)?;
            expr.push(col(RECORDS));
            Some(DslPlan::Select { expr, input: Arc::new(input), options: *options })
        }
        DslPlan::HStack { input, exprs, options } => {
            let input = over_classes(input, classes)?;
            let exprs = made_of(exprs, &input)?;
            Some(DslPlan::HStack { input: Arc::new(input), exprs, options: *options })
        }
        DslPlan::Scan { .. } => Some(classes.clone()),
        _ => None,
    }
}

/// Aggregates over classes in the place of those over records.
pub(super) struct Weighted<'a> {
    /// The records' columns.
    pub schema: &'a Schema,
}

impl Weighted<'_> {
    /// An aggregate over records as one over classes, under its own name; none if it is not known to be exact.
    pub fn aggregate(&self, expr: &Expr) -> Option<Expr> {
        let output = expr.to_field(self.schema).ok()?.name;
        Some(self.over(expr)?.alias(output))
    }

    fn over(&self, expr: &Expr) -> Option<Expr> {
        let of_count = |count: Expr| count.cast(DataType::UInt32);
        let records_where = |truth: Expr| of_count(when(truth).then(col(RECORDS)).otherwise(lit(0i64)).sum());
        match expr {
            Expr::Len => Some(of_count(col(RECORDS).sum())),
            // A class has one value: of different ones, its records do not count.
            Expr::Agg(AggExpr::Count { input, .. }) if is_unique(input) => Some(expr.clone()),
            Expr::Agg(AggExpr::Count { input, include_nulls: false }) if is_row_wise(input) => {
                Some(records_where(input.as_ref().clone().is_not_null()))
            }
            // Products of integers that wrap are the sums that wrap; those of 128 bits hold all.
            Expr::Agg(AggExpr::Sum(input)) if is_row_wise(input) => {
                let kind = input.to_field(self.schema).ok()?.dtype;
                let fits = matches!(kind, DataType::Int64 | DataType::Int128);
                fits.then(|| (input.as_ref().clone() * col(RECORDS).cast(kind)).sum())
            }
            Expr::Agg(AggExpr::Min { input, .. } | AggExpr::Max { input, .. }) if is_row_wise(input) => {
                Some(expr.clone())
            }
            Expr::Function { input, function: FunctionExpr::NullCount } if input.iter().all(is_row_wise) => {
                Some(records_where(input.first()?.clone().is_null()))
            }
            Expr::Literal(_) => Some(expr.clone()),
            Expr::Alias(inner, output) => Some(self.over(inner)?.alias(output.clone())),
            Expr::Cast { expr, dtype, options } => {
                Some(Expr::Cast { expr: Arc::new(self.over(expr)?), dtype: dtype.clone(), options: *options })
            }
            Expr::BinaryExpr { left, op, right } => self.both(left, *op, right),
            Expr::Ternary { predicate, truthy, falsy } => Some(Expr::Ternary {
                predicate: Arc::new(self.over(predicate)?),
                truthy: Arc::new(self.over(truthy)?),
                falsy: Arc::new(self.over(falsy)?),
            }),
            Expr::Function { input, function } if is_of_one_row(function) => {
                let input: Option<Vec<Expr>> = input.iter().map(|input| self.over(input)).collect();
                Some(Expr::Function { input: input?, function: function.clone() })
            }
            _ => None,
        }
    }

    fn both(&self, left: &Expr, op: Operator, right: &Expr) -> Option<Expr> {
        Some(Expr::BinaryExpr { left: Arc::new(self.over(left)?), op, right: Arc::new(self.over(right)?) })
    }
}

/// Different values of a row-wise expression.
fn is_unique(expr: &Expr) -> bool {
    let is_known = |expr: &Expr| match expr {
        Expr::Function { input, function: FunctionExpr::DropNulls } => input.iter().all(is_row_wise),
        expr => is_row_wise(expr),
    };
    matches!(expr, Expr::Function { input, function: FunctionExpr::Unique(_) } if input.iter().all(is_known))
}

/// What of a condition is over classes alone, and what is left of it.
pub(super) fn split(condition: &Expr, classes: &ClassScan) -> (Option<Expr>, Option<Expr>) {
    match condition {
        Expr::BinaryExpr { left, op: Operator::And | Operator::LogicalAnd, right } => {
            let ((one, rest), (other, other_rest)) = (split(left, classes), split(right, classes));
            (both(one, other), both(rest, other_rest))
        }
        condition if is_row_wise(condition) && classes.has_all_of(condition) => (Some(condition.clone()), None),
        condition => (None, Some(condition.clone())),
    }
}

/// Both conditions.
pub(super) fn both(one: Option<Expr>, other: Option<Expr>) -> Option<Expr> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.and(other)),
        (one, other) => one.or(other),
    }
}

//! Aggregates class by class: of records only what does not follow from their classes is read, in runs of the same class; all else
//! of the question, its words included, is asked once for each class and not for each record.

use super::classes::{ClassScan, both, columns_of, split};
use super::flat::{Flat, schema};
use super::scan::{BLOCK, ClassesAsked, Conditions, TableScan};
use crate::error::TableError;
use crate::tables::{CLASS, PLACE, RECORDS};
use polars::error::PolarsResult;
use polars::prelude::{
    AggExpr, AnonymousScan, DataFrame, DataType, DslPlan, Expr, FunctionExpr, IdxCa, IntoLazy, PlSmallStr, SchemaRef,
    SortMultipleOptions, UInt32Chunked, col, len, lit, when,
};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What is asked of records of the same class.
pub(super) struct ByClass {
    /// The output: names and types.
    schema: SchemaRef,
    conditions: Conditions,
    /// Keys and aggregates that are the same for a whole class, over the columns of classes.
    classes: Vec<(PlSmallStr, Expr)>,
    /// Aggregates of each class's records, over the table's columns.
    aggregates: Vec<(PlSmallStr, Expr)>,
    /// The columns of classes that these and the conditions over records need with every record.
    beside: Vec<String>,
}

impl ByClass {
    /// An aggregate of a part's rows, so that those of several parts make the whole's: groups, or all rows.
    pub fn of(table: &Arc<dyn AnonymousScan>, of_part: &DslPlan) -> Option<ByClass> {
        let classes = ClassScan::of(table.clone())?;
        let (input, keys, aggregates) = match of_part {
            DslPlan::GroupBy { input, keys, aggs, predicates, .. } if predicates.is_empty() => {
                (input, keys.as_slice(), aggs)
            }
            DslPlan::Select { expr, input, .. } => (input, [].as_slice(), expr),
            _ => return None,
        };
        let (flat, rows) = (Flat::of(input)?, schema(input)?);
        let mut asked = ByClass {
            schema: schema(of_part)?,
            conditions: conditions(&flat, &classes),
            classes: Vec::new(),
            aggregates: Vec::new(),
            beside: Vec::new(),
        };
        for (name, key) in flat.named(keys, &rows)? {
            // By other keys nearly every record may be a group of its class, where its part has few groups.
            if !classes.has_all_of(&key) {
                return None;
            }
            asked.classes.push((name, key));
        }
        for aggregate in aggregates {
            let name = aggregate.to_field(&rows).ok()?.name;
            asked.add(name, &said(&flat, aggregate)?, &classes)?;
        }
        // Names that groups have beside these.
        let is_known = |name: &&PlSmallStr| classes.has(name) || [CLASS, PLACE, BLOCK].contains(&name.as_str());
        if asked.schema.iter_names().any(|name| is_known(&name)) {
            return None;
        }
        let aggregates = asked.aggregates.iter().map(|(_, expr)| expr);
        for expr in asked.conditions.of_records.iter().chain(aggregates) {
            for name in columns_of_aggregate(expr)? {
                if classes.has(name) && !asked.beside.iter().any(|known| known == name) {
                    asked.beside.push(name.to_owned());
                }
            }
        }
        Some(asked)
    }

    fn add(&mut self, name: PlSmallStr, aggregate: &Expr, classes: &ClassScan) -> Option<()> {
        let kind = self.schema.get(&name)?.clone();
        match of_one_class(aggregate, &kind, classes) {
            Some(made) => self.classes.push((name, made)),
            None => self.aggregates.push((name, aggregate.clone())),
        }
        Some(())
    }

    /// Makes the wanted columns of each part, until `take` has had enough.
    ///
    /// # Errors
    /// A trace cannot be read, or `take` failed.
    pub fn each(
        &self,
        table: &TableScan,
        wanted: Option<&[PlSmallStr]>,
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> PolarsResult<()> {
        let places = self.conditions.of_records.is_some();
        let mut names = self.beside.clone();
        for (_, expr) in &self.classes {
            for name in columns_of(expr).unwrap_or_default() {
                if name != RECORDS && !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
        let asked = ClassesAsked { names: &names, conditions: &self.conditions, places };
        table.by_class(&asked, &|classes, part| self.made(classes, part, places, wanted), take)
    }

    /// The output of one part: `classes` has the columns of all classes, and each one's block.
    fn made(
        &self,
        classes: &DataFrame,
        mut part: DataFrame,
        places: bool,
        wanted: Option<&[PlSmallStr]>,
    ) -> Result<DataFrame, TableError> {
        if !self.beside.is_empty() {
            let beside = classes.select(self.beside.iter().map(String::as_str))?;
            part.hstack_mut(gathered(&beside, part.column(CLASS)?.u32()?)?.columns())?;
        }
        let mut rows = part.lazy();
        if let Some(condition) = &self.conditions.of_records {
            rows = rows.filter(condition.clone());
        }
        let named = |(name, expr): &(PlSmallStr, Expr)| expr.clone().alias(name.clone());
        let mut aggregates: Vec<Expr> = self.aggregates.iter().map(named).collect();
        aggregates.push(len().cast(DataType::Int64).alias(RECORDS));
        aggregates.extend(places.then(|| col(PLACE).min()));
        let groups = rows.group_by([col(CLASS)]).agg(aggregates).collect()?;
        let groups = groups.hstack(gathered(classes, groups.column(CLASS)?.u32()?)?.columns())?;
        // Groups come in the order of their first records.
        let order = if places { [BLOCK, PLACE].as_slice() } else { &[CLASS] };
        let groups = groups.sort(order.iter().copied(), SortMultipleOptions::default().with_maintain_order(true))?;
        let is_wanted = |name: &&PlSmallStr| wanted.is_none_or(|wanted| wanted.contains(*name));
        let output: Vec<Expr> = self.schema.iter_names().filter(is_wanted).cloned().map(col).collect();
        let of_classes: Vec<Expr> = self.classes.iter().filter(|(name, _)| is_wanted(&name)).map(named).collect();
        Ok(groups.lazy().with_columns(of_classes).select(output).collect()?)
    }
}

/// The conditions of all steps: what of them is over classes alone, and what is left.
pub(super) fn conditions(flat: &Flat, classes: &ClassScan) -> Conditions {
    let each = flat.conditions.iter().map(|condition| split(condition, classes));
    let (of_classes, of_records) = each.fold((None, None), |all, one| (both(all.0, one.0), both(all.1, one.1)));
    Conditions { of_classes, of_records }
}

/// The rows of a frame at these places.
fn gathered(frame: &DataFrame, places: &UInt32Chunked) -> PolarsResult<DataFrame> {
    frame.take(&IdxCa::from_vec(PlSmallStr::EMPTY, places.into_no_null_iter().collect()))
}

/// An aggregate of the kinds that parts have, in columns of the table.
fn said(flat: &Flat, aggregate: &Expr) -> Option<Expr> {
    let shared = |expr: &Arc<Expr>| flat.said(expr).map(Arc::new);
    Some(match aggregate {
        Expr::Len => Expr::Len,
        Expr::Alias(inner, name) => said(flat, inner)?.alias(name.clone()),
        Expr::Agg(AggExpr::Count { input, include_nulls }) => {
            Expr::Agg(AggExpr::Count { input: shared(input)?, include_nulls: *include_nulls })
        }
        Expr::Agg(AggExpr::Sum(input)) => Expr::Agg(AggExpr::Sum(shared(input)?)),
        Expr::Agg(AggExpr::Min { input, propagate_nans }) => {
            Expr::Agg(AggExpr::Min { input: shared(input)?, propagate_nans: *propagate_nans })
        }
        Expr::Agg(AggExpr::Max { input, propagate_nans }) => {
            Expr::Agg(AggExpr::Max { input: shared(input)?, propagate_nans: *propagate_nans })
        }
        Expr::Function { input, function: FunctionExpr::NullCount } => {
            let input: Option<Vec<Expr>> = input.iter().map(|input| flat.said(input)).collect();
            Expr::Function { input: input?, function: FunctionExpr::NullCount }
        }
        _ => return None,
    })
}

/// An aggregate of the records of one class, as one value of the class; none if it needs more of the records than their number.
fn of_one_class(aggregate: &Expr, kind: &DataType, classes: &ClassScan) -> Option<Expr> {
    let records = || col(RECORDS).cast(kind.clone());
    let records_where = |truth: Expr| when(truth).then(records()).otherwise(lit(0).cast(kind.clone()));
    match aggregate {
        Expr::Alias(inner, _) => of_one_class(inner, kind, classes),
        Expr::Len => Some(records()),
        Expr::Agg(AggExpr::Count { input, include_nulls }) if classes.has_all_of(input) => {
            if *include_nulls {
                Some(records())
            } else {
                Some(records_where(input.as_ref().clone().is_not_null()))
            }
        }
        Expr::Agg(AggExpr::Sum(input)) if classes.has_all_of(input) => {
            let fits = matches!(kind, DataType::Int64 | DataType::Int128);
            fits.then(|| input.as_ref().clone().cast(kind.clone()) * records())
        }
        Expr::Agg(AggExpr::Min { input, .. } | AggExpr::Max { input, .. }) if classes.has_all_of(input) => {
            Some(input.as_ref().clone())
        }
        Expr::Function { input, function: FunctionExpr::NullCount } => {
            let input = input.first().filter(|input| classes.has_all_of(input))?;
            Some(records_where(input.clone().is_null()))
        }
        _ => None,
    }
}

/// The columns that an expression or an aggregate names; none if they cannot be told.
fn columns_of_aggregate(aggregate: &Expr) -> Option<Vec<&str>> {
    match aggregate {
        Expr::Len => Some(Vec::new()),
        Expr::Alias(inner, _) => columns_of_aggregate(inner),
        Expr::Agg(
            AggExpr::Count { input, .. }
            | AggExpr::Sum(input)
            | AggExpr::Min { input, .. }
            | AggExpr::Max { input, .. },
        ) => columns_of(input),
        expr => columns_of(expr),
    }
}

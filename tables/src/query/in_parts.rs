//! Plans that go through a table a part at a time, so that the whole table is never in memory.
//!
//! Steps that look at one row at a time are taken on each part; of an aggregate over them, each part's is made, and the
//! whole's from these. Everything else polars does as it always does, on what comes of that.

use super::aggregate::Partial;
use super::by_class::{ByClass, conditions};
use super::classes::{ClassScan, Weighted, both, over_classes, split};
use super::flat::{Flat, schema};
use super::row_wise::{over, table};
use super::scan::{Conditions, TableScan, polars_error};
use crate::error::TableError;
use crate::tables::gathered;
use polars::error::{PolarsError, PolarsResult};
use polars::prelude::{
    AnonymousScan, AnonymousScanArgs, Column, DataFrame, DslPlan, Expr, IntoLazy, LazyFrame, PlSmallStr, Scalar,
    ScanArgsAnonymous, Schema, SchemaRef, col,
};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// The same plan, with what can be done on parts done on parts.
pub(super) fn in_parts(plan: &DslPlan) -> DslPlan {
    let rest = |input: &Arc<DslPlan>| Arc::new(in_parts(input));
    match plan {
        DslPlan::IR { dsl, .. } => in_parts(dsl),
        DslPlan::GroupBy { input, keys, predicates, aggs, maintain_order, options, apply } => {
            let simple = options.slice.is_none() && apply.is_none();
            let in_parts = || grouped(plan, input, (keys, predicates, aggs), *maintain_order);
            let grouped = if simple { aggregated_by_classes(plan, input).or_else(in_parts) } else { None };
            grouped.unwrap_or_else(|| DslPlan::GroupBy {
                input: rest(input),
                keys: keys.clone(),
                predicates: predicates.clone(),
                aggs: aggs.clone(),
                maintain_order: *maintain_order,
                options: options.clone(),
                apply: apply.clone(),
            })
        }
        DslPlan::Select { expr, input, options } => rows(plan)
            .or_else(|| aggregated_by_classes(plan, input))
            .or_else(|| selected(plan, input, expr))
            .unwrap_or_else(|| DslPlan::Select { expr: expr.clone(), input: rest(input), options: *options }),
        DslPlan::Filter { input, predicate } => {
            let other = || DslPlan::Filter { input: rest(input), predicate: predicate.clone() };
            rows(plan).unwrap_or_else(other)
        }
        DslPlan::HStack { input, exprs, options } => {
            let other = || DslPlan::HStack { input: rest(input), exprs: exprs.clone(), options: *options };
            rows(plan).unwrap_or_else(other)
        }
        DslPlan::Sort { input, by_column, slice, sort_options } => DslPlan::Sort {
            input: rest(input),
            by_column: by_column.clone(),
            slice: *slice,
            sort_options: sort_options.clone(),
        },
        DslPlan::Slice { input, offset, len } => DslPlan::Slice { input: rest(input), offset: *offset, len: *len },
        DslPlan::Distinct { input, options } => {
            let input = of_classes(input).map(Arc::new).unwrap_or_else(|| rest(input));
            DslPlan::Distinct { input, options: options.clone() }
        }
        DslPlan::MapFunction { input, function } => {
            DslPlan::MapFunction { input: rest(input), function: function.clone() }
        }
        DslPlan::Join { input_left, input_right, left_on, right_on, predicates, options } => DslPlan::Join {
            input_left: rest(input_left),
            input_right: rest(input_right),
            left_on: left_on.clone(),
            right_on: right_on.clone(),
            predicates: predicates.clone(),
            options: options.clone(),
        },
        DslPlan::Union { inputs, args } => {
            DslPlan::Union { inputs: inputs.iter().map(in_parts).collect(), args: *args }
        }
        other => other.clone(),
    }
}

/// One row for each class of records in the place of rows that say nothing else; in the order in which the classes come
/// first.
fn of_classes(plan: &DslPlan) -> Option<DslPlan> {
    let over = over_classes(plan, &ClassScan::of(table(plan)?)?.plan()?)?;
    let own: Vec<Expr> = schema(plan)?.iter_names().cloned().map(col).collect();
    let new = LazyFrame::from(over).select(own).logical_plan;
    (schema(&new)? == schema(plan)?).then_some(new)
}

/// An aggregate, by groups or over all rows, of classes in the place of records.
fn aggregated_by_classes(plan: &DslPlan, input: &DslPlan) -> Option<DslPlan> {
    let over = over_classes(input, &ClassScan::of(table(input)?)?.plan()?)?;
    let schema_of_rows = schema(input)?;
    let weighted = Weighted { schema: &schema_of_rows };
    let weigh = |exprs: &[Expr]| -> Option<Vec<Expr>> { exprs.iter().map(|expr| weighted.aggregate(expr)).collect() };
    let new = match plan {
        DslPlan::GroupBy { keys, predicates, aggs, maintain_order, .. } => {
            if !keys.iter().all(super::row_wise::is_row_wise) {
                return None;
            }
            let frame = LazyFrame::from(over);
            let mut groups = if *maintain_order { frame.group_by_stable(keys) } else { frame.group_by(keys) };
            for predicate in weigh(predicates)? {
                groups = groups.having(predicate);
            }
            groups.agg(weigh(aggs)?)
        }
        // Literals alone are one row whatever the table.
        DslPlan::Select { expr, .. } if !expr.iter().all(super::row_wise::is_row_wise) => {
            LazyFrame::from(over).select(weigh(expr)?)
        }
        _ => return None,
    };
    let new = new.logical_plan;
    (schema(&new)? == schema(plan)?).then_some(new)
}

/// Rows that are filtered: what is left of each part is kept.
fn rows(plan: &DslPlan) -> Option<DslPlan> {
    let filters = |mut plan: &DslPlan| {
        loop {
            match plan {
                DslPlan::Filter { .. } => return true,
                DslPlan::IR { dsl: input, .. } | DslPlan::Select { input, .. } | DslPlan::HStack { input, .. } => {
                    plan = input
                }
                _ => return false,
            }
        }
    };
    // Without a filter nothing is gained: polars asks the table itself.
    if !filters(plan) {
        return None;
    }
    Some(PartScan::new(table(plan)?, plan.clone())?.plan())
}

/// An aggregate over all rows.
fn selected(plan: &DslPlan, input: &DslPlan, exprs: &[Expr]) -> Option<DslPlan> {
    let (table, schema_of_rows) = (table(input)?, schema(input)?);
    let mut partial = Partial::new(&schema_of_rows);
    let whole: Option<Vec<Expr>> = exprs.iter().map(|expr| partial.whole(expr)).collect();
    let (whole, of_parts) = (whole?, partial.of_parts());
    // Literals alone are one row whatever the table.
    if of_parts.is_empty() {
        return None;
    }
    let of_part = LazyFrame::from(input.clone()).select(of_parts).logical_plan;
    let new = LazyFrame::from(PartScan::of_aggregates(table, of_part)?.plan()).select(whole).logical_plan;
    (schema(&new)? == schema(plan)?).then_some(new)
}

/// An aggregate by groups.
fn grouped(
    plan: &DslPlan,
    input: &DslPlan,
    (keys, predicates, aggs): (&[Expr], &[Expr], &[Expr]),
    maintain_order: bool,
) -> Option<DslPlan> {
    if !keys.iter().all(super::row_wise::is_row_wise) {
        return None;
    }
    let (table, schema_of_rows) = (table(input)?, schema(input)?);
    let mut partial = Partial::new(&schema_of_rows);
    let whole: Option<Vec<Expr>> = aggs.iter().map(|expr| partial.whole(expr)).collect();
    let having: Option<Vec<Expr>> = predicates.iter().map(|expr| partial.whole(expr)).collect();
    let (whole, having, of_parts) = (whole?, having?, partial.of_parts());
    let names: Option<Vec<PlSmallStr>> =
        keys.iter().map(|key| Some(key.to_field(&schema_of_rows).ok()?.name)).collect();
    let key_columns: Vec<Expr> = names?.into_iter().map(col).collect();
    let group = |frame: LazyFrame, keys: &[Expr]| {
        if maintain_order { frame.group_by_stable(keys) } else { frame.group_by(keys) }
    };
    let of_part = group(LazyFrame::from(input.clone()), keys).agg(of_parts).logical_plan;
    let parts = PartScan::of_aggregates(table, of_part)?.plan();
    let mut groups = group(LazyFrame::from(parts), &key_columns);
    for predicate in having {
        groups = groups.having(predicate);
    }
    let new = groups.agg(whole).logical_plan;
    (schema(&new)? == schema(plan)?).then_some(new)
}

/// What a plan makes of each part of a table, one after another.
pub(super) struct PartScan {
    table: Arc<dyn AnonymousScan>,
    /// The plan over the table.
    of_part: DslPlan,
    schema: SchemaRef,
    /// Which classes of the table's records the plan is over.
    conditions: Conditions,
    /// The plan as what is asked class by class, if it can be.
    by_class: Option<ByClass>,
}

impl PartScan {
    fn new(table: Arc<dyn AnonymousScan>, of_part: DslPlan) -> Option<PartScan> {
        let schema = schema(&of_part)?;
        let Some(classes) = ClassScan::of(table.clone()) else {
            return Some(PartScan { table, of_part, schema, conditions: Conditions::default(), by_class: None });
        };
        let of_records = rows_of(&of_part).and_then(|flat| conditions(&flat, &classes).of_records);
        let (of_part, of_classes) = without_filter(&of_part, &classes);
        Some(PartScan { table, of_part, schema, conditions: Conditions { of_classes, of_records }, by_class: None })
    }

    /// Of a plan that makes aggregates of each part.
    fn of_aggregates(table: Arc<dyn AnonymousScan>, of_part: DslPlan) -> Option<PartScan> {
        let by_class = ByClass::of(&table, &of_part);
        Some(PartScan { by_class, ..PartScan::new(table, of_part)? })
    }

    /// What a plan that looks at one row at a time makes of its table.
    pub fn of_rows(plan: &DslPlan) -> Option<PartScan> {
        PartScan::new(table(plan)?, plan.clone())
    }

    /// Makes the wanted columns of each part, until `take` has had enough; at first of a part without rows.
    ///
    /// # Errors
    /// A trace cannot be read, or `take` failed.
    pub fn each(
        &self,
        wanted: Option<&[PlSmallStr]>,
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> PolarsResult<()> {
        let table = self.table.as_any().downcast_ref::<TableScan>();
        let table = table.ok_or_else(|| PolarsError::ComputeError("parts of no table".into()))?;
        let (columns, empty) = self.probe(table, wanted)?;
        if take(empty).map_err(polars_error)?.is_break() {
            return Ok(());
        }
        if let Some(by_class) = &self.by_class {
            return by_class.each(table, wanted, take);
        }
        let schema = table.schema_of_all();
        let map = |part: DataFrame| Ok(self.over(complete(part, &schema)?.lazy(), wanted).collect()?);
        table.parts(&columns, &self.conditions, &map, take)
    }

    /// As the start of another plan.
    fn plan(self) -> DslPlan {
        let args = ScanArgsAnonymous { schema: Some(self.schema.clone()), name: "PARTS", ..Default::default() };
        let scan = LazyFrame::anonymous_scan(Arc::new(self), args);
        scan.map(|frame| frame.logical_plan).unwrap_or_default()
    }

    /// The plan over a part, or over anything with the table's columns.
    fn over(&self, part: LazyFrame, wanted: Option<&[PlSmallStr]>) -> LazyFrame {
        let frame = LazyFrame::from(replaced(&self.of_part, &part.logical_plan));
        match wanted {
            Some(wanted) => frame.select(wanted.iter().cloned().map(col).collect::<Vec<Expr>>()),
            None => frame,
        }
    }

    /// The columns of the table that the plan needs, and what it makes of a table without a row.
    fn probe(&self, table: &TableScan, wanted: Option<&[PlSmallStr]>) -> PolarsResult<(Vec<String>, DataFrame)> {
        let probe = Arc::new(Probe { schema: table.schema_of_all(), asked: Mutex::new(None) });
        let args = ScanArgsAnonymous { schema: Some(probe.schema.clone()), name: "PROBE", ..Default::default() };
        let empty = self.over(LazyFrame::anonymous_scan(probe.clone(), args)?, wanted).collect()?;
        let asked = probe.asked.lock().unwrap_or_else(PoisonError::into_inner).take();
        let all = || table.schema_of_all().iter_names().map(ToString::to_string).collect();
        Ok((asked.unwrap_or_else(all), empty))
    }
}

/// The rows that a plan goes through, or makes groups of.
fn rows_of(plan: &DslPlan) -> Option<Flat> {
    Flat::of(plan).or_else(|| match plan {
        DslPlan::GroupBy { input, .. } | DslPlan::Select { input, .. } => Flat::of(input),
        _ => None,
    })
}

/// A plan without those conditions on its table that are over classes alone, and these.
fn without_filter(plan: &DslPlan, classes: &ClassScan) -> (DslPlan, Option<Expr>) {
    match plan {
        DslPlan::IR { dsl, .. } => without_filter(dsl, classes),
        DslPlan::Filter { input, predicate } => {
            let (input, filter) = without_filter(input, classes);
            if !is_table(&input) {
                return (DslPlan::Filter { input: Arc::new(input), predicate: predicate.clone() }, filter);
            }
            let (of_classes, left) = split(predicate, classes);
            let plan = match left {
                Some(predicate) => DslPlan::Filter { input: Arc::new(input), predicate },
                None => input,
            };
            (plan, both(filter, of_classes))
        }
        DslPlan::Select { expr, input, options } => {
            let (input, filter) = without_filter(input, classes);
            (DslPlan::Select { expr: expr.clone(), input: Arc::new(input), options: *options }, filter)
        }
        DslPlan::HStack { input, exprs, options } => {
            let (input, filter) = without_filter(input, classes);
            (DslPlan::HStack { input: Arc::new(input), exprs: exprs.clone(), options: *options }, filter)
        }
        DslPlan::GroupBy { input, keys, predicates, aggs, maintain_order, options, apply } => {
            let (input, filter) = without_filter(input, classes);
            let plan = DslPlan::GroupBy {
                input: Arc::new(input),
                keys: keys.clone(),
                predicates: predicates.clone(),
                aggs: aggs.clone(),
                maintain_order: *maintain_order,
                options: options.clone(),
                apply: apply.clone(),
            };
            (plan, filter)
        }
        other => (other.clone(), None),
    }
}

/// Whether a plan is a table itself.
fn is_table(plan: &DslPlan) -> bool {
    match plan {
        DslPlan::IR { dsl, .. } => is_table(dsl),
        plan => matches!(plan, DslPlan::Scan { .. }),
    }
}

/// A part with the columns that it was not read with, which nothing asks the values of: a plan may still name them.
fn complete(mut part: DataFrame, schema: &Schema) -> PolarsResult<DataFrame> {
    let height = part.height();
    for (name, kind) in schema.iter() {
        if part.get_column_index(name).is_none() {
            part.with_column(Column::new_scalar(name.clone(), Scalar::null(kind.clone()), height))?;
        }
    }
    Ok(part)
}

/// A plan over another source: an aggregate, or steps that look at one row at a time.
fn replaced(plan: &DslPlan, source: &DslPlan) -> DslPlan {
    match plan {
        DslPlan::GroupBy { input, keys, predicates, aggs, maintain_order, options, apply } => DslPlan::GroupBy {
            input: Arc::new(over(input, source)),
            keys: keys.clone(),
            predicates: predicates.clone(),
            aggs: aggs.clone(),
            maintain_order: *maintain_order,
            options: options.clone(),
            apply: apply.clone(),
        },
        other => over(other, source),
    }
}

impl AnonymousScan for PartScan {
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
        let wanted = options.with_columns.as_deref().filter(|wanted| !wanted.is_empty());
        gathered(options.n_rows, |take| self.each(wanted, take))
    }
}

/// A table without rows that remembers which columns it was asked for.
struct Probe {
    schema: SchemaRef,
    asked: Mutex<Option<Vec<String>>>,
}

impl AnonymousScan for Probe {
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
        let Some(columns) = options.with_columns else { return Ok(DataFrame::empty_with_schema(&self.schema)) };
        let asked = columns.iter().map(ToString::to_string).collect();
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(asked);
        let fields = columns.iter().filter_map(|name| Some((name.clone(), self.schema.get(name)?.clone())));
        Ok(DataFrame::empty_with_schema(&Schema::from_iter(fields)))
    }
}

//! Scan that applies a plan to each part of a table in turn, so that the whole table is never in memory.

use super::class_aggregate::ClassAggregate;
use super::row_wise::with_source;
use crate::sql::leaf::{Source, leaf};
use crate::sql::plan_tree::schema;
use crate::sql::scan::{TableScan, polars_error};
use crate::tables::{Take, gathered};
use polars::error::PolarsResult;
use polars::prelude::{
    Column, DataFrame, DslPlan, Expr, IntoLazy, LazyFrame, PlSmallStr, Scalar, Schema, SchemaRef, col,
};
use std::sync::{Arc, Mutex, PoisonError};

/// Scan that applies a plan to each part of a table in turn.
pub(in crate::sql) struct ChunkedScan {
    table: Arc<TableScan>,
    /// Plan over the table: row-wise steps, or an aggregate over them.
    of_part: DslPlan,
    schema: SchemaRef,
    /// The plan as a class-by-class aggregate, where possible.
    class_aggregate: Option<ClassAggregate>,
}

impl ChunkedScan {
    /// Scan for a plan over its table.
    pub(super) fn new(table: Arc<TableScan>, of_part: DslPlan) -> Option<ChunkedScan> {
        Some(ChunkedScan { table, schema: schema(&of_part)?, of_part, class_aggregate: None })
    }

    /// Scan for a plan that computes partial aggregates of each part.
    pub(super) fn from_aggregates(table: Arc<TableScan>, of_part: DslPlan) -> Option<ChunkedScan> {
        let class_aggregate = ClassAggregate::new(&table, &of_part);
        Some(ChunkedScan { class_aggregate, ..ChunkedScan::new(table, of_part)? })
    }

    /// Description of how the table is read.
    pub(super) fn description(&self) -> String {
        let how = if self.class_aggregate.is_some() { "part by part, class by class" } else { "part by part" };
        let read = self.probe(None).map(|(columns, _)| (columns.len(), self.table.schema().len()));
        read.map_or_else(|_| how.to_owned(), |(read, of)| format!("{how}, {read} of {of} columns"))
    }

    /// Passes the wanted columns of each part to `take`, until `take` breaks. The first part is empty and carries the
    /// schema.
    ///
    /// # Errors
    /// A trace cannot be read, or `take` failed.
    pub fn each(&self, wanted: Option<&[PlSmallStr]>, take: &mut Take<'_>) -> PolarsResult<()> {
        let (columns, empty) = self.probe(wanted)?;
        if take(empty).map_err(polars_error)?.is_break() {
            return Ok(());
        }
        if let Some(class_aggregate) = &self.class_aggregate {
            return class_aggregate.each(&self.table, wanted, take);
        }
        let schema = self.table.schema();
        let map = |part: DataFrame| Ok(self.over(complete(part, &schema)?.lazy(), wanted).collect()?);
        self.table.parts(&columns, &map, take)
    }

    /// The plan with its table replaced by a part, or by any source with the table's columns.
    fn over(&self, part: LazyFrame, wanted: Option<&[PlSmallStr]>) -> LazyFrame {
        let frame = LazyFrame::from(with_source(&self.of_part, &part.logical_plan));
        match wanted {
            Some(wanted) => frame.select(wanted.iter().cloned().map(col).collect::<Vec<Expr>>()),
            None => frame,
        }
    }

    /// Determines the table's columns that the plan reads, and the plan's output for an empty table.
    fn probe(&self, wanted: Option<&[PlSmallStr]>) -> PolarsResult<(Vec<String>, DataFrame)> {
        let probe = Arc::new(Probe { schema: self.table.schema(), requested: Mutex::new(None) });
        let empty = self.over(leaf(probe.clone())?, wanted).collect()?;
        let requested = probe.requested.lock().unwrap_or_else(PoisonError::into_inner).take();
        let all = || probe.schema.iter_names().map(ToString::to_string).collect();
        Ok((requested.unwrap_or_else(all), empty))
    }
}

/// Adds null columns for those that a part was read without: no expression uses their values, but a plan may still
/// name them.
fn complete(mut part: DataFrame, schema: &Schema) -> PolarsResult<DataFrame> {
    let height = part.height();
    for (name, kind) in schema.iter() {
        if part.get_column_index(name).is_none() {
            part.with_column(Column::new_scalar(name.clone(), Scalar::null(kind.clone()), height))?;
        }
    }
    Ok(part)
}

impl Source for ChunkedScan {
    fn title(&self) -> &'static str {
        "PARTS"
    }

    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn read(&self, wanted: Option<&[PlSmallStr]>, rows: Option<usize>) -> PolarsResult<DataFrame> {
        gathered(rows, |take| self.each(wanted.filter(|wanted| !wanted.is_empty()), take))
    }
}

/// Empty table that records the columns requested by polars' projection pushdown.
struct Probe {
    schema: SchemaRef,
    requested: Mutex<Option<Vec<String>>>,
}

impl Source for Probe {
    fn title(&self) -> &'static str {
        "PROBE"
    }

    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn read(&self, wanted: Option<&[PlSmallStr]>, _: Option<usize>) -> PolarsResult<DataFrame> {
        let Some(columns) = wanted else { return Ok(DataFrame::empty_with_schema(&self.schema)) };
        let requested = columns.iter().map(ToString::to_string).collect();
        *self.requested.lock().unwrap_or_else(PoisonError::into_inner) = Some(requested);
        let fields = columns.iter().filter_map(|name| Some((name.clone(), self.schema.get(name)?.clone())));
        Ok(DataFrame::empty_with_schema(&Schema::from_iter(fields)))
    }
}

//! A table that is read when a query runs, and then only the columns it needs.

use super::NamedTrace;
use super::stamp_range::may_hold;
use crate::error::TableError;
use crate::formats::LakeTable;
use crate::tables::{AnyTable, Classes, ColumnKind, RECORDS, TableColumn, gathered};
use polars::error::{PolarsError, PolarsResult};
use polars::prelude::{
    AnonymousScan, AnonymousScanArgs, Column, DataFrame, Expr, IntoColumn, IntoLazy, LazyFrame, NamedFrom,
    ScanArgsAnonymous, Schema, SchemaRef, Series,
};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Column with the trace's name, where there are several.
const TRACE: &str = "trace";

/// What the rows of a table come from.
enum Rows {
    /// A table of each of these traces.
    OfTraces { table: AnyTable, traces: Arc<[NamedTrace]> },
    /// A table of a lake.
    OfLake(LakeTable),
}

/// What must be true of a row, as far as that says which classes of records are read.
#[derive(Debug, Clone, Default)]
pub(super) struct Conditions {
    /// Of a class: whoever reads rows need not ask again.
    pub of_classes: Option<Expr>,
    /// Of a record.
    pub of_records: Option<Expr>,
}

impl Conditions {
    fn are_none(&self) -> bool {
        self.of_classes.is_none() && self.of_records.is_none()
    }
}

/// What is asked of classes and of their records.
pub(super) struct ClassesAsked<'a> {
    /// Columns of classes.
    pub names: &'a [String],
    pub conditions: &'a Conditions,
    /// With the place of each record in its block.
    pub places: bool,
}

/// The column with the number of a class's block.
pub(super) const BLOCK: &str = "__TAUT_BLOCK";

/// One table of all traces.
pub(super) struct TableScan {
    rows: Rows,
    columns: Vec<TableColumn>,
    /// Nobody waits for the answer any more.
    ended: Arc<AtomicBool>,
}

/// The columns of a table over several traces: all that any of them has.
pub(super) fn columns(table: &AnyTable, traces: &[NamedTrace]) -> Vec<TableColumn> {
    let mut columns: Vec<TableColumn> = Vec::new();
    if traces.len() > 1 {
        let doc = "The trace the row is of.";
        columns.push(TableColumn::new(TRACE, ColumnKind::Text, doc));
    }
    for trace in traces {
        for column in table.columns_of(&trace.analysis) {
            if !columns.iter().any(|known| known.name == column.name) {
                columns.push(column);
            }
        }
    }
    columns
}

impl TableScan {
    pub fn new(table: AnyTable, traces: Arc<[NamedTrace]>, ended: Arc<AtomicBool>) -> TableScan {
        TableScan { columns: columns(&table, &traces), rows: Rows::OfTraces { table, traces }, ended }
    }

    /// A table of a lake.
    pub fn of_lake(table: LakeTable, ended: Arc<AtomicBool>) -> TableScan {
        TableScan { columns: table.columns().to_vec(), rows: Rows::OfLake(table), ended }
    }

    /// The scan as the start of a query.
    pub fn lazy(self) -> PolarsResult<LazyFrame> {
        let schema = self.schema_of_all();
        let name = match &self.rows {
            Rows::OfTraces { table: AnyTable::Made(table), .. } => table.name,
            Rows::OfTraces { table: AnyTable::OfEvent(_), .. } => "EVENT",
            Rows::OfLake(_) => "LAKE",
        };
        let args = ScanArgsAnonymous { schema: Some(schema), name, ..Default::default() };
        LazyFrame::anonymous_scan(Arc::new(self), args)
    }

    /// Its columns, of all traces.
    pub fn schema_of_all(&self) -> SchemaRef {
        let fields = self.columns.iter().map(|column| (column.name.as_str().into(), column.data_type()));
        Arc::new(Schema::from_iter(fields))
    }

    /// The columns that are the same in every class of the table's records; none if it has no classes.
    pub fn columns_of_classes(&self) -> Vec<&str> {
        let Rows::OfTraces { table, .. } = &self.rows else { return Vec::new() };
        let own = table.of_classes();
        let is_one = |name: &&str| !own.is_empty() && (*name == TRACE || own.contains(name));
        self.columns.iter().map(|column| column.name.as_str()).filter(is_one).collect()
    }

    /// The classes of one trace: the columns named, and their numbers of records.
    ///
    /// # Errors
    /// They do not make a frame.
    fn classes(
        &self,
        table: &AnyTable,
        trace: &NamedTrace,
        classes: &Classes,
        names: &[String],
    ) -> PolarsResult<DataFrame> {
        let named = |name: &String| self.columns.iter().find(|column| column.name == *name);
        let wanted: Vec<&TableColumn> = names.iter().filter_map(named).collect();
        let records = Series::new(RECORDS.into(), classes.records()).into_column();
        let own: Vec<String> = names.iter().filter(|name| *name != TRACE).cloned().collect();
        let frame = table.classes(&trace.analysis, classes, &own).map_err(polars_error)?;
        // Without a column there is no height to take over.
        let frame = if frame.width() == 0 { DataFrame::new(records.len(), Vec::new())? } else { frame };
        let mut frame = with_all(&frame, &wanted, &trace.name)?;
        frame.with_column(records)?;
        Ok(frame)
    }

    /// The classes of all traces: the columns named, and their numbers of records.
    ///
    /// # Errors
    /// They do not make a frame.
    pub fn all_classes(&self, names: &[String]) -> PolarsResult<DataFrame> {
        let Rows::OfTraces { table, traces } = &self.rows else { return Ok(DataFrame::empty()) };
        gathered(None, |take| {
            for trace in traces.iter() {
                let classes = Classes::of(&trace.analysis);
                if take(self.classes(table, trace, &classes, names)?).map_err(polars_error)?.is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Which classes of a trace may have records that are asked for; none if that is not known of any.
    fn kept(
        &self,
        table: &AnyTable,
        trace: &NamedTrace,
        classes: &Classes,
        conditions: &Conditions,
    ) -> PolarsResult<Option<Vec<bool>>> {
        let mut kept = match &conditions.of_classes {
            Some(filter) => Some(self.passing(table, trace, classes, filter)?),
            None => None,
        };
        if let Some(condition) = &conditions.of_records {
            let kept = kept.get_or_insert_with(|| vec![true; classes.records().len()]);
            for (kept, stamps) in kept.iter_mut().zip(classes.stamps()) {
                *kept = *kept && may_hold(condition, stamps);
            }
        }
        Ok(kept)
    }

    /// Which classes of a trace pass a filter over their columns.
    fn passing(
        &self,
        table: &AnyTable,
        trace: &NamedTrace,
        classes: &Classes,
        filter: &Expr,
    ) -> PolarsResult<Vec<bool>> {
        let names: Vec<String> = self.columns_of_classes().into_iter().map(ToOwned::to_owned).collect();
        let classes_of_all = self.classes(table, trace, classes, &names)?;
        let frame = classes_of_all.lazy().select([filter.clone().alias(RECORDS)]).collect()?;
        let truths = frame.column(RECORDS)?.bool()?;
        // A condition of constants alone has one value.
        let constant = truths.len() == 1;
        let truth = |class: usize| truths.get(if constant { 0 } else { class }).unwrap_or(false);
        Ok((0..classes.records().len()).map(truth).collect())
    }

    /// What is asked of the records of classes, a part of a trace at a time: `made` makes it of the columns of all classes, each
    /// with the number of its [`BLOCK`], and of those of a part's records. It goes in order to `take`, until that has had enough.
    ///
    /// # Errors
    /// A trace cannot be read, or `made` or `take` failed.
    pub fn by_class(
        &self,
        asked: &ClassesAsked<'_>,
        made: &(dyn Fn(&DataFrame, DataFrame) -> Result<DataFrame, TableError> + Sync),
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> PolarsResult<()> {
        let Rows::OfTraces { table, traces } = &self.rows else { return Ok(()) };
        let Some(read) = table.by_class() else { return Ok(()) };
        for trace in traces.iter() {
            let classes = Classes::of(&trace.analysis);
            let mut columns = self.classes(table, trace, &classes, asked.names)?.drop(RECORDS)?;
            let blocks = (0..).zip(classes.blocks());
            let blocks: Vec<u32> = blocks.flat_map(|(block, (_, codes))| vec![block; codes.len()]).collect();
            let blocks = Series::new(BLOCK.into(), blocks).into_column();
            columns = if columns.width() == 0 { DataFrame::empty_with_height(blocks.len()) } else { columns };
            columns.with_column(blocks)?;
            let kept = self.kept(table, trace, &classes, asked.conditions)?;
            let map = |part: DataFrame| {
                if self.ended.load(Ordering::Relaxed) { Err(TableError::Ended) } else { made(&columns, part) }
            };
            let parts = read(&trace.analysis, (&classes, kept.as_deref()), asked.places, &map).map_err(polars_error)?;
            for part in parts {
                if take(part).map_err(polars_error)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The columns named, a part of a trace at a time, without those classes of its records of which the conditions are not true:
    /// each part goes through `map`, maybe several at once, and then in order to `take`, until that has had enough.
    ///
    /// # Errors
    /// A trace cannot be read, or `map` or `take` failed.
    pub fn parts(
        &self,
        columns: &[String],
        conditions: &Conditions,
        map: &(dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> PolarsResult<()> {
        let named = |name: &String| self.columns.iter().find(|column| column.name == *name);
        let wanted: Vec<&TableColumn> = columns.iter().filter_map(named).collect();
        let whole = |part: DataFrame, trace: &str| {
            if self.ended.load(Ordering::Relaxed) {
                return Err(TableError::Ended);
            }
            map(with_all(&part, &wanted, trace)?)
        };
        match &self.rows {
            Rows::OfLake(table) => {
                table.parts(columns, &|part| whole(part, ""), take).map_err(polars_error)?;
            }
            Rows::OfTraces { table, traces } => {
                for trace in traces.iter() {
                    if self
                        .parts_of(table, trace, (&wanted, conditions), &|part| whole(part, &trace.name), take)?
                        .is_break()
                    {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// The same of one trace.
    fn parts_of(
        &self,
        table: &AnyTable,
        trace: &NamedTrace,
        (wanted, conditions): (&[&TableColumn], &Conditions),
        map: &(dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> PolarsResult<ControlFlow<()>> {
        let known = table.columns_of(&trace.analysis);
        let is_known = |column: &TableColumn| known.iter().any(|known| known.name == column.name);
        let mut names: Vec<String> =
            wanted.iter().filter(|column| is_known(column)).map(|column| column.name.clone()).collect();
        if names.is_empty() {
            // For its height. Threads are quickly read.
            let cheap = known.iter().find(|column| column.name == "thread").or(known.first());
            names.extend(cheap.map(|column| column.name.clone()));
        }
        let mut flow = ControlFlow::Continue(());
        let mut take = |part: DataFrame| {
            flow = take(part)?;
            Ok(flow)
        };
        let has_classes = !table.of_classes().is_empty();
        let read = match &trace.cached {
            // What is made of records as they are is as quickly made again.
            Some(cached) if !has_classes && !known.is_empty() => {
                cached.parts(table, &trace.analysis, &names, map, &mut take)
            }
            _ if has_classes && !conditions.are_none() => {
                let classes = Classes::of(&trace.analysis);
                let kept = self.kept(table, trace, &classes, conditions)?;
                let kept = kept.as_deref().map(|kept| (&classes, kept));
                table.kept_parts(&trace.analysis, Some(&names), kept, map, &mut take)
            }
            _ => table.kept_parts(&trace.analysis, Some(&names), None, map, &mut take),
        };
        read.map_err(polars_error)?;
        Ok(flow)
    }
}

/// Before what is said of a trace that cannot be read, to tell it from what polars says.
pub(super) const READING: &str = "the table: ";

/// An error as polars carries it.
pub(super) fn polars_error(error: TableError) -> PolarsError {
    match error {
        TableError::Frame(error) => error,
        other => PolarsError::ComputeError(format!("{READING}{other}").into()),
    }
}

/// The wanted columns in their order; null where the trace does not know one.
fn with_all(part: &DataFrame, wanted: &[&TableColumn], trace: &str) -> PolarsResult<DataFrame> {
    let height = part.height();
    let column = |column: &&TableColumn| {
        Ok(match part.column(&column.name) {
            // Another build's trace may take the field for another kind.
            Ok(found) if *found.dtype() != column.data_type() => return found.cast(&column.data_type()),
            Ok(found) => found.clone(),
            Err(_) if column.name == TRACE => Series::new(TRACE.into(), vec![trace; height]).into_column(),
            Err(_) => Series::full_null(column.name.as_str().into(), height, &column.data_type()).into_column(),
        })
    };
    DataFrame::new(height, wanted.iter().map(column).collect::<PolarsResult<Vec<Column>>>()?)
}

impl AnonymousScan for TableScan {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn allows_projection_pushdown(&self) -> bool {
        true
    }

    fn schema(&self, _infer_schema_length: Option<usize>) -> PolarsResult<SchemaRef> {
        Ok(self.schema_of_all())
    }

    fn scan(&self, options: AnonymousScanArgs) -> PolarsResult<DataFrame> {
        let wanted: Vec<String> = match &options.with_columns {
            Some(names) => names.iter().map(ToString::to_string).collect(),
            None => self.columns.iter().map(|column| column.name.clone()).collect(),
        };
        let rows = gathered(options.n_rows, |take| self.parts(&wanted, &Conditions::default(), &Ok, take))?;
        if rows.width() > 0 || wanted.is_empty() {
            return Ok(rows);
        }
        // No trace has a part of it.
        let named = |name: &String| self.columns.iter().find(|column| column.name == *name);
        with_all(&DataFrame::empty(), &wanted.iter().filter_map(named).collect::<Vec<_>>(), "")
    }
}

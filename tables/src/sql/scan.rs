//! Lazy table scan: reads a table when the query runs, and only the columns that the query needs.

use super::NamedTrace;
use super::leaf::Source;
use super::pushdown::may_hold;
use crate::error::TableError;
use crate::parquet::LakeTable;
use crate::tables::{AnyTable, Classes, ColumnKind, Map, RECORDS, SelectedClasses, TableColumn, Take, gathered};
use polars::error::{PolarsError, PolarsResult};
use polars::prelude::{
    Column, DataFrame, Expr, IntoColumn, IntoLazy, NamedFrom, PlSmallStr, Schema, SchemaRef, Series,
};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Traces whose worlds stay in memory from one table to the next. Of more, each is analyzed again for each table.
const MAX_CACHED_TRACES: usize = 16;

/// Column with the trace's name, present when several traces are queried.
const TRACE: &str = "trace";

/// Source of a table's rows.
#[derive(Clone)]
enum Rows {
    /// The same table of several traces.
    OfTraces { table: AnyTable, traces: Arc<[NamedTrace]> },
    /// Table of a lake.
    OfLake { name: &'static str, table: Arc<LakeTable> },
}

/// Conditions on rows, as far as they decide which classes of records are read.
#[derive(Debug, Clone, Default)]
pub(in crate::sql) struct Conditions {
    /// Condition over class columns; rows that are read meet it.
    pub of_classes: Option<Expr>,
    /// Condition over records, used for pruning only: rows that are read may not meet it.
    pub of_records: Option<Expr>,
}

impl Conditions {
    fn are_none(&self) -> bool {
        self.of_classes.is_none() && self.of_records.is_none()
    }
}

/// Request for class columns and the records of the classes.
pub(in crate::sql) struct ClassColumns<'a> {
    /// Class columns to read.
    pub names: &'a [String],
    pub conditions: &'a Conditions,
    /// True to add the index of each record in its block.
    pub places: bool,
}

/// Column with the number of a class's block.
pub(in crate::sql) const BLOCK: &str = "__TAUT_BLOCK";

/// Scan of one table over all traces.
#[derive(Clone)]
pub(in crate::sql) struct TableScan {
    rows: Rows,
    columns: Vec<TableColumn>,
    /// Conditions that decide which classes of records are read.
    conditions: Conditions,
    /// Cancellation flag: set when the result is no longer wanted.
    ended: Arc<AtomicBool>,
}

/// Union of a table's columns over several traces.
pub(in crate::sql) fn columns(table: &AnyTable, traces: &[NamedTrace]) -> Vec<TableColumn> {
    let mut columns: Vec<TableColumn> = Vec::new();
    if traces.len() > 1 {
        let doc = "Name of the row's trace.";
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
        let columns = columns(&table, &traces);
        TableScan { columns, rows: Rows::OfTraces { table, traces }, conditions: Conditions::default(), ended }
    }

    /// Scan of a lake's table.
    pub fn from_lake(name: &'static str, table: LakeTable, ended: Arc<AtomicBool>) -> TableScan {
        let columns = table.columns().to_vec();
        let rows = Rows::OfLake { name, table: Arc::new(table) };
        TableScan { columns, rows, conditions: Conditions::default(), ended }
    }

    /// Limits the scan to the classes of records that meet the conditions.
    pub fn limited(&self, conditions: Conditions) -> TableScan {
        TableScan { conditions, ..self.clone() }
    }

    /// True if not all classes of records are read.
    pub fn is_limited(&self) -> bool {
        !self.conditions.are_none()
    }

    /// Name of the table.
    pub fn name(&self) -> String {
        match &self.rows {
            Rows::OfTraces { table, .. } => table.full_name(),
            Rows::OfLake { name, .. } => (*name).to_owned(),
        }
    }

    /// Names of the columns with one value per class of records. Empty if the table has no classes.
    pub fn columns_of_classes(&self) -> Vec<&str> {
        let Rows::OfTraces { table, .. } = &self.rows else { return Vec::new() };
        let own = table.of_classes();
        let is_one = |name: &&str| !own.is_empty() && (*name == TRACE || own.contains(name));
        self.columns.iter().map(|column| column.name.as_str()).filter(is_one).collect()
    }

    /// Reads the named columns of one trace's classes, with their record counts.
    ///
    /// # Errors
    /// The columns do not make a frame.
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
        // A frame without columns has height 0, so the height is set explicitly.
        let frame = if frame.width() == 0 { DataFrame::new(records.len(), Vec::new())? } else { frame };
        let mut frame = with_all(&frame, &wanted, &trace.name)?;
        frame.with_column(records)?;
        Ok(frame)
    }

    /// Reads the named columns of all traces' classes, with their record counts.
    ///
    /// # Errors
    /// The columns do not make a frame.
    pub fn all_classes(&self, names: &[String]) -> PolarsResult<DataFrame> {
        let Rows::OfTraces { table, traces } = &self.rows else { return Ok(DataFrame::empty()) };
        gathered(None, |take| {
            for trace in traces.iter() {
                let classes = Classes::read(&trace.analysis);
                if take(self.classes(table, trace, &classes, names)?).map_err(polars_error)?.is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Selects the classes of a trace that meet the scan's conditions and may have records that meet further ones;
    /// `None` if no class can be excluded.
    fn selection(
        &self,
        table: &AnyTable,
        trace: &NamedTrace,
        classes: &Classes,
        conditions: &Conditions,
    ) -> PolarsResult<Option<Vec<bool>>> {
        let all = [&self.conditions, conditions];
        if all.iter().all(|conditions| conditions.are_none()) {
            return Ok(None);
        }
        let mut selection = vec![true; classes.records().len()];
        for Conditions { of_classes, of_records } in all {
            if let Some(filter) = of_classes {
                let passing = self.passing(table, trace, classes, filter)?;
                selection.iter_mut().zip(passing).for_each(|(selection, passes)| *selection = *selection && passes);
            }
            if let Some(condition) = of_records {
                for (selection, stamps) in selection.iter_mut().zip(classes.stamps()) {
                    *selection = *selection && may_hold(condition, stamps);
                }
            }
        }
        Ok(Some(selection))
    }

    /// Selects the classes of a trace that pass a filter over their columns.
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
        // polars evaluates a condition of constants to one row.
        let constant = truths.len() == 1;
        let truth = |class: usize| truths.get(if constant { 0 } else { class }).unwrap_or(false);
        Ok((0..classes.records().len()).map(truth).collect())
    }

    /// Aggregates the records of classes, one chunk of a trace at a time. `evaluate` gets the columns of all classes, each
    /// with the number of its [`BLOCK`], and the columns of the chunk's records. Its results go to `take` in order,
    /// until `take` breaks.
    ///
    /// # Errors
    /// A trace cannot be read, or `evaluate` or `take` failed.
    pub fn class_aggregate(
        &self,
        request: &ClassColumns<'_>,
        evaluate: &(dyn Fn(&DataFrame, DataFrame) -> Result<DataFrame, TableError> + Sync),
        take: &mut Take<'_>,
    ) -> PolarsResult<()> {
        let Rows::OfTraces { table, traces } = &self.rows else { return Ok(()) };
        let Some(read) = table.class_aggregate() else { return Ok(()) };
        for trace in traces.iter() {
            let classes = Classes::read(&trace.analysis);
            let mut columns = self.classes(table, trace, &classes, request.names)?.drop(RECORDS)?;
            let blocks = (0..).zip(classes.blocks());
            let blocks: Vec<u32> = blocks.flat_map(|(block, (_, codes))| vec![block; codes.len()]).collect();
            let blocks = Series::new(BLOCK.into(), blocks).into_column();
            columns = if columns.width() == 0 { DataFrame::empty_with_height(blocks.len()) } else { columns };
            columns.with_column(blocks)?;
            let selection = self.selection(table, trace, &classes, request.conditions)?;
            let selected = SelectedClasses { classes: &classes, selection: selection.as_deref() };
            let map = |part: DataFrame| {
                // Relaxed suffices: the flag is read per chunk, so a delay costs one more chunk at most.
                if self.ended.load(Ordering::Relaxed) { Err(TableError::Ended) } else { evaluate(&columns, part) }
            };
            let parts = read(&trace.analysis, selected, request.places, &map).map_err(polars_error)?;
            for part in parts {
                if take(part).map_err(polars_error)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Reads the named columns in chunks, without the classes of records that cannot meet the conditions. `map` converts
    /// the chunks, possibly several concurrently; `take` receives the results in order, until it returns a break.
    ///
    /// # Errors
    /// A trace cannot be read, or `map` or `take` failed.
    pub fn parts(&self, columns: &[String], map: &Map<'_>, take: &mut Take<'_>) -> PolarsResult<()> {
        let named = |name: &String| self.columns.iter().find(|column| column.name == *name);
        let wanted: Vec<&TableColumn> = columns.iter().filter_map(named).collect();
        let whole = |part: DataFrame, trace: &str| {
            if self.ended.load(Ordering::Relaxed) {
                return Err(TableError::Ended);
            }
            map(with_all(&part, &wanted, trace)?)
        };
        match &self.rows {
            Rows::OfLake { table, .. } => {
                table.parts(columns, &|part| whole(part, ""), take).map_err(polars_error)?;
            }
            Rows::OfTraces { table, traces } => {
                for trace in traces.iter() {
                    let unanalyzed = (traces.len() > MAX_CACHED_TRACES).then(|| trace.unanalyzed());
                    let trace = unanalyzed.as_ref().unwrap_or(trace);
                    if self.parts_of(table, trace, &wanted, &|part| whole(part, &trace.name), take)?.is_break() {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads one trace's chunks; see [`parts`](Self::parts).
    fn parts_of(
        &self,
        table: &AnyTable,
        trace: &NamedTrace,
        wanted: &[&TableColumn],
        map: &Map<'_>,
        take: &mut Take<'_>,
    ) -> PolarsResult<ControlFlow<()>> {
        let known = table.columns_of(&trace.analysis);
        let is_known = |column: &TableColumn| known.iter().any(|known| known.name == column.name);
        let mut names: Vec<String> =
            wanted.iter().filter(|column| is_known(column)).map(|column| column.name.clone()).collect();
        if names.is_empty() {
            // At least one column is read for the height of the chunk; `thread` is the cheapest.
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
            // Tables with classes are decoded from records directly: recomputing them is as fast as reading a cached
            // file.
            Some(cached) if !has_classes && !known.is_empty() => {
                cached.parts(table, &trace.analysis, &names, map, &mut take)
            }
            _ if has_classes && self.is_limited() => {
                let classes = Classes::read(&trace.analysis);
                let selection = self.selection(table, trace, &classes, &Conditions::default())?;
                let selected = SelectedClasses { classes: &classes, selection: selection.as_deref() };
                table.selected_parts(&trace.analysis, Some(&names), Some(selected), map, &mut take)
            }
            _ => table.selected_parts(&trace.analysis, Some(&names), None, map, &mut take),
        };
        read.map_err(polars_error)?;
        Ok(flow)
    }
}

/// Prefix of messages about unreadable traces, which distinguishes them from polars' own messages.
pub(in crate::sql) const READING: &str = "the table: ";

/// Wraps an error for transport through polars.
pub(in crate::sql) fn polars_error(error: TableError) -> PolarsError {
    match error {
        TableError::Frame(error) => error,
        other => PolarsError::ComputeError(format!("{READING}{other}").into()),
    }
}

/// The wanted columns in order; null where the trace does not have one.
fn with_all(part: &DataFrame, wanted: &[&TableColumn], trace: &str) -> PolarsResult<DataFrame> {
    let height = part.height();
    let column = |column: &&TableColumn| {
        Ok(match part.column(&column.name) {
            // A trace of another build may have recorded the field with another type.
            Ok(found) if *found.dtype() != column.data_type() => return found.cast(&column.data_type()),
            Ok(found) => found.clone(),
            Err(_) if column.name == TRACE => Series::new(TRACE.into(), vec![trace; height]).into_column(),
            Err(_) => Series::full_null(column.name.as_str().into(), height, &column.data_type()).into_column(),
        })
    };
    DataFrame::new(height, wanted.iter().map(column).collect::<PolarsResult<Vec<Column>>>()?)
}

impl Source for TableScan {
    fn title(&self) -> &'static str {
        match &self.rows {
            Rows::OfTraces { table: AnyTable::Fixed(table), .. } => table.name,
            Rows::OfTraces { table: AnyTable::Event(_), .. } => "EVENT",
            Rows::OfLake { .. } => "LAKE",
        }
    }

    /// Schema of the table, over all traces.
    fn schema(&self) -> SchemaRef {
        let fields = self.columns.iter().map(|column| (column.name.as_str().into(), column.data_type()));
        Arc::new(Schema::from_iter(fields))
    }

    fn read(&self, wanted: Option<&[PlSmallStr]>, rows: Option<usize>) -> PolarsResult<DataFrame> {
        let wanted: Vec<String> = match wanted {
            Some(names) => names.iter().map(ToString::to_string).collect(),
            None => self.columns.iter().map(|column| column.name.clone()).collect(),
        };
        let rows = gathered(rows, |take| self.parts(&wanted, &Ok, take))?;
        if rows.width() > 0 || wanted.is_empty() {
            return Ok(rows);
        }
        // No trace has rows of this table.
        let named = |name: &String| self.columns.iter().find(|column| column.name == *name);
        with_all(&DataFrame::empty(), &wanted.iter().filter_map(named).collect::<Vec<_>>(), "")
    }
}

//! A table that is read when a query runs, and then only the columns it needs.

use super::NamedTrace;
use crate::error::TableError;
use crate::tables::{ColumnKind, Table, TableColumn, gathered};
use polars::error::{PolarsError, PolarsResult};
use polars::prelude::{
    AnonymousScan, AnonymousScanArgs, Column, DataFrame, IntoColumn, LazyFrame, NamedFrom, ScanArgsAnonymous, Schema,
    SchemaRef, Series,
};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Column with the trace's name, where there are several.
const TRACE: &str = "trace";

/// One table of all traces.
pub(super) struct TableScan {
    table: &'static Table,
    traces: Arc<[NamedTrace]>,
    columns: Vec<TableColumn>,
}

/// The columns of a table over several traces: all that any of them has.
pub(super) fn columns(table: &Table, traces: &[NamedTrace]) -> Vec<TableColumn> {
    let mut columns: Vec<TableColumn> = Vec::new();
    if traces.len() > 1 {
        let doc = "The trace the row is of.".into();
        columns.push(TableColumn { name: TRACE.to_owned(), kind: ColumnKind::Text, doc });
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
    pub fn new(table: &'static Table, traces: Arc<[NamedTrace]>) -> TableScan {
        TableScan { table, columns: columns(table, &traces), traces }
    }

    /// The scan as the start of a query.
    pub fn lazy(self) -> PolarsResult<LazyFrame> {
        let schema = self.schema_of_all();
        let args = ScanArgsAnonymous { schema: Some(schema), name: self.table.name, ..Default::default() };
        LazyFrame::anonymous_scan(Arc::new(self), args)
    }

    /// Its columns, of all traces.
    pub fn schema_of_all(&self) -> SchemaRef {
        let fields = self.columns.iter().map(|column| (column.name.as_str().into(), column.kind.data_type()));
        Arc::new(Schema::from_iter(fields))
    }

    /// The columns named, a part of a trace at a time: each part goes through `map`, maybe several at once, and then in
    /// order to `take`, until that has had enough.
    ///
    /// # Errors
    /// A trace cannot be read, or `map` or `take` failed.
    pub fn parts(
        &self,
        columns: &[String],
        map: &(dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> PolarsResult<()> {
        let named = |name: &String| self.columns.iter().find(|column| column.name == *name);
        let wanted: Vec<&TableColumn> = columns.iter().filter_map(named).collect();
        let mut enough = false;
        for trace in self.traces.iter() {
            let known = self.table.columns_of(&trace.analysis);
            let is_known = |column: &TableColumn| known.iter().any(|known| known.name == column.name);
            let mut names: Vec<String> =
                wanted.iter().filter(|column| is_known(column)).map(|column| column.name.clone()).collect();
            if names.is_empty() {
                // For its height. Threads are quickly read.
                let cheap = known.iter().find(|column| column.name == "thread").or(known.first());
                names.extend(cheap.map(|column| column.name.clone()));
            }
            let whole = |part: DataFrame| map(with_all(&part, &wanted, &trace.name)?);
            let read = self.table.parts(&trace.analysis, Some(&names), &whole, &mut |part| {
                let flow = take(part)?;
                enough = flow.is_break();
                Ok(flow)
            });
            read.map_err(polars_error)?;
            if enough {
                break;
            }
        }
        Ok(())
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
            Ok(found) if *found.dtype() != column.kind.data_type() => return found.cast(&column.kind.data_type()),
            Ok(found) => found.clone(),
            Err(_) if column.name == TRACE => Series::new(TRACE.into(), vec![trace; height]).into_column(),
            Err(_) => Series::full_null(column.name.as_str().into(), height, &column.kind.data_type()).into_column(),
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
        gathered(options.n_rows, |take| self.parts(&wanted, &Ok, take))
    }
}

//! A table that is read when a query runs, and then only the columns it needs.

use super::NamedTrace;
use crate::tables::{ColumnKind, Table, TableColumn};
use polars::error::{PolarsError, PolarsResult};
use polars::prelude::{
    AnonymousScan, AnonymousScanArgs, Column, DataFrame, IntoColumn, LazyFrame, NamedFrom, PlSmallStr,
    ScanArgsAnonymous, Schema, SchemaRef, Series,
};
use std::any::Any;
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

    fn schema_of_all(&self) -> SchemaRef {
        let fields = self.columns.iter().map(|column| (column.name.as_str().into(), column.kind.data_type()));
        Arc::new(Schema::from_iter(fields))
    }

    /// The wanted columns of one trace; null where the trace does not know a column.
    fn of(&self, trace: &NamedTrace, wanted: &[&TableColumn]) -> PolarsResult<DataFrame> {
        let known = self.table.columns_of(&trace.analysis);
        let is_known = |column: &TableColumn| known.iter().any(|known| known.name == column.name);
        let mut names: Vec<String> =
            wanted.iter().filter(|column| is_known(column)).map(|column| column.name.clone()).collect();
        if names.is_empty() {
            // For its height.
            names.extend(known.first().map(|column| column.name.clone()));
        }
        let frame = self.table.frame(&trace.analysis, Some(&names));
        let frame = frame.map_err(|error| PolarsError::ComputeError(error.to_string().into()))?;
        let height = frame.height();
        let column = |column: &&TableColumn| -> PolarsResult<Column> {
            if column.name == TRACE && !is_known(column) {
                return Ok(Series::new(TRACE.into(), vec![trace.name.as_str(); height]).into_column());
            }
            match frame.column(&column.name) {
                Ok(found) => Ok(found.clone()),
                Err(_) => {
                    let nulls = Series::full_null(column.name.as_str().into(), height, &column.kind.data_type());
                    Ok(nulls.into_column())
                }
            }
        };
        DataFrame::new(height, wanted.iter().map(column).collect::<PolarsResult<_>>()?)
    }
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
        let named = |name: &PlSmallStr| self.columns.iter().find(|column| column.name == name.as_str());
        let wanted: Vec<&TableColumn> = match &options.with_columns {
            Some(names) => names.iter().filter_map(named).collect(),
            None => self.columns.iter().collect(),
        };
        let mut traces = self.traces.iter();
        let Some(first) = traces.next() else { return Ok(DataFrame::empty_with_schema(&self.schema_of_all())) };
        let mut whole = self.of(first, &wanted)?;
        for trace in traces {
            whole.vstack_mut(&self.of(trace, &wanted)?)?;
        }
        Ok(match options.n_rows {
            Some(rows) => whole.head(Some(rows)),
            None => whole,
        })
    }
}

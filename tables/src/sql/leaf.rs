//! Leaves of plans: sources of rows that polars reads.

use polars::error::PolarsResult;
use polars::prelude::{
    AnonymousScan, AnonymousScanArgs, DataFrame, LazyFrame, PlSmallStr, ScanArgsAnonymous, SchemaRef,
};
use std::any::Any;
use std::sync::Arc;

/// Source of rows.
pub(super) trait Source: Send + Sync + 'static {
    /// Name in polars' plans.
    fn title(&self) -> &'static str;
    fn schema(&self) -> SchemaRef;
    /// Reads the wanted columns, or all; where a number of rows is given, at most so many.
    ///
    /// # Errors
    /// The rows cannot be read.
    fn read(&self, wanted: Option<&[PlSmallStr]>, rows: Option<usize>) -> PolarsResult<DataFrame>;
}

/// A source as the leaf of a plan.
pub(super) struct Leaf<S>(pub Arc<S>);

/// Plan that reads a source.
///
/// # Errors
/// polars does not accept the schema.
pub(super) fn leaf<S: Source>(source: Arc<S>) -> PolarsResult<LazyFrame> {
    let args = ScanArgsAnonymous { schema: Some(source.schema()), name: source.title(), ..Default::default() };
    LazyFrame::anonymous_scan(Arc::new(Leaf(source)), args)
}

impl<S: Source> AnonymousScan for Leaf<S> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn allows_projection_pushdown(&self) -> bool {
        true
    }

    fn schema(&self, _infer_schema_length: Option<usize>) -> PolarsResult<SchemaRef> {
        Ok(self.0.schema())
    }

    fn scan(&self, options: AnonymousScanArgs) -> PolarsResult<DataFrame> {
        self.0.read(options.with_columns.as_deref(), options.n_rows)
    }
}

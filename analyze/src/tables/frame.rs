//! Puts a frame together, column by column.

use crate::error::AnalyzeError;
use crate::world::Moment;
use polars::prelude::{Column, DataFrame, IntoColumn, NamedFrom, Series};

/// Columns of a frame in the making. All have the same number of rows.
#[derive(Debug, Default)]
pub(super) struct Frame {
    columns: Vec<Column>,
}

impl Frame {
    /// Adds a column: anything that polars makes a series of, such as `Vec<u64>`, `Vec<Option<u64>>`, `Vec<&str>`.
    pub fn column<V, T: ?Sized>(&mut self, name: &str, values: V)
    where
        Series: NamedFrom<V, T>,
    {
        self.columns.push(Series::new(name.into(), values).into_column());
    }

    /// Adds a column whose name comes from the trace. A name that is taken gets `arg_` before it.
    pub fn named_by_trace<V, T: ?Sized>(&mut self, name: &str, values: V)
    where
        Series: NamedFrom<V, T>,
    {
        let mut name = name.to_owned();
        while self.columns.iter().any(|column| column.name().as_str() == name) {
            name.insert_str(0, "arg_");
        }
        self.column(&name, values);
    }

    /// Adds a moment's columns, named `PREFIXstamp`, `PREFIXseq` and `PREFIXthread`; null where there is no moment.
    pub fn moments(&mut self, prefix: &str, moments: impl Iterator<Item = Option<Moment>> + Clone) {
        let of = |field: fn(Moment) -> Option<u64>| moments.clone().map(|moment| field(moment?)).collect::<Vec<_>>();
        self.column(&format!("{prefix}stamp"), of(|moment| Some(moment.stamp)));
        self.column(&format!("{prefix}seq"), of(|moment| moment.seq));
        let threads: Vec<Option<u32>> = moments.clone().map(|moment| Some(moment?.thread)).collect();
        self.column(&format!("{prefix}thread"), threads);
    }

    /// The frame.
    ///
    /// # Errors
    /// Columns differ in length, or two have one name.
    pub fn finish(self) -> Result<DataFrame, AnalyzeError> {
        Ok(DataFrame::new_infer_height(self.columns)?)
    }
}

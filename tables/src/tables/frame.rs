//! Frame builder that computes only the wanted columns.

use crate::error::TableError;
use polars::prelude::{Column, DataFrame, IdxCa, IntoColumn, NamedFrom, Series};

/// Builder of a frame. All columns have the same number of rows.
#[derive(Debug, Default)]
pub(crate) struct Frame<'a> {
    /// Names of the wanted columns; `None` for all.
    wanted: Option<&'a [String]>,
    columns: Vec<Column>,
}

impl<'a> Frame<'a> {
    /// Creates a frame of the wanted columns, or of all.
    pub fn new(wanted: Option<&'a [String]>) -> Frame<'a> {
        Frame { wanted, columns: Vec::new() }
    }

    /// True if a column is wanted.
    pub fn wants(&self, name: &str) -> bool {
        self.wanted.is_none_or(|wanted| wanted.iter().any(|known| known == name))
    }

    /// Adds a column if it is wanted. Values are anything that polars converts to a series, such as `Vec<u64>`,
    /// `Vec<Option<u64>>` or `Vec<&str>`.
    pub fn column<V, T: ?Sized>(&mut self, name: &str, values: impl FnOnce() -> V)
    where
        Series: NamedFrom<V, T>,
    {
        if self.wants(name) {
            self.columns.push(Series::new(name.into(), values()).into_column());
        }
    }

    /// Adds columns that the caller has checked to be wanted.
    pub fn extend(&mut self, columns: Vec<Column>) {
        self.columns.extend(columns);
    }

    /// Adds a text column with few distinct values: each row holds the index of its text.
    pub fn words(&mut self, name: &str, words: &[&str], places: impl FnOnce() -> Vec<u32>) -> Result<(), TableError> {
        if self.wants(name) {
            let words = Series::new(name.into(), words);
            self.columns.push(words.take(&IdxCa::from_vec(name.into(), places()))?.into_column());
        }
        Ok(())
    }

    /// Returns the frame.
    ///
    /// # Errors
    /// Columns differ in length, or two have the same name.
    pub fn finish(self) -> Result<DataFrame, TableError> {
        Ok(DataFrame::new_infer_height(self.columns)?)
    }
}

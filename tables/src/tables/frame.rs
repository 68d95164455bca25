//! Puts a frame together, column by column, and only those that are wanted.

use crate::error::TableError;
use polars::prelude::{Column, DataFrame, IdxCa, IntoColumn, NamedFrom, Series};

/// Columns of a frame in the making. All have the same number of rows.
#[derive(Debug, Default)]
pub(crate) struct Frame<'a> {
    /// Names of the columns wanted; none for all.
    wanted: Option<&'a [String]>,
    columns: Vec<Column>,
}

impl<'a> Frame<'a> {
    /// A frame of these columns only; of all, if none are named.
    pub fn new(wanted: Option<&'a [String]>) -> Frame<'a> {
        Frame { wanted, columns: Vec::new() }
    }

    /// Whether a column is wanted.
    pub fn wants(&self, name: &str) -> bool {
        self.wanted.is_none_or(|wanted| wanted.iter().any(|known| known == name))
    }

    /// Adds a column if it is wanted: anything that polars makes a series of, such as `Vec<u64>`, `Vec<Option<u64>>`,
    /// `Vec<&str>`.
    pub fn column<V, T: ?Sized>(&mut self, name: &str, values: impl FnOnce() -> V)
    where
        Series: NamedFrom<V, T>,
    {
        if self.wants(name) {
            self.columns.push(Series::new(name.into(), values()).into_column());
        }
    }

    /// Adds columns that are wanted.
    pub fn extend(&mut self, columns: Vec<Column>) {
        self.columns.extend(columns);
    }

    /// Adds a column of words, of which there are few: each row has the place of its word.
    pub fn words(&mut self, name: &str, words: &[&str], places: impl FnOnce() -> Vec<u32>) -> Result<(), TableError> {
        if self.wants(name) {
            let words = Series::new(name.into(), words);
            self.columns.push(words.take(&IdxCa::from_vec(name.into(), places()))?.into_column());
        }
        Ok(())
    }

    /// The frame.
    ///
    /// # Errors
    /// Columns differ in length, or two have one name.
    pub fn finish(self) -> Result<DataFrame, TableError> {
        Ok(DataFrame::new_infer_height(self.columns)?)
    }
}

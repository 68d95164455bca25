//! Puts a frame together, column by column, and only those that are wanted.

use crate::error::TableError;
use polars::prelude::{Column, DataFrame, IdxCa, IntoColumn, NamedFrom, Series};
use taut_analyze::Analysis;
use taut_analyze::world::Moment;

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

    /// Adds a moment's columns, named `PREFIXstamp`, `PREFIXns`, `PREFIXseq` and `PREFIXthread`; null where there is no
    /// moment.
    pub fn moments(
        &mut self,
        analysis: &Analysis,
        prefix: &str,
        moments: impl Iterator<Item = Option<Moment>> + Clone,
    ) {
        let of =
            |field: &dyn Fn(Moment) -> Option<u64>| moments.clone().map(|moment| field(moment?)).collect::<Vec<_>>();
        self.column(&format!("{prefix}stamp"), || of(&|moment| Some(moment.stamp)));
        self.column(&format!("{prefix}ns"), || of(&|moment| analysis.since_start_ns(moment.stamp)));
        self.column(&format!("{prefix}seq"), || of(&|moment| moment.seq));
        let threads = || moments.clone().map(|moment| Some(moment?.thread)).collect::<Vec<Option<u32>>>();
        self.column(&format!("{prefix}thread"), threads);
    }

    /// The frame.
    ///
    /// # Errors
    /// Columns differ in length, or two have one name.
    pub fn finish(self) -> Result<DataFrame, TableError> {
        Ok(DataFrame::new_infer_height(self.columns)?)
    }
}

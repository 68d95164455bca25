//! A table a part at a time.

use super::classes::Classes;
use super::frame::Frame;
use crate::error::TableError;
use polars::error::PolarsError;
use polars::prelude::DataFrame;
use std::ops::ControlFlow;

/// Where the parts of a table go.
pub(crate) struct Parts<'a> {
    /// Names of the columns wanted; none for all.
    pub wanted: Option<&'a [String]>,
    /// The classes of the trace's records, and a truth for each that is kept; none for all.
    pub kept: Option<(&'a Classes, &'a [bool])>,
    /// What is done to each part; maybe to several at once.
    pub map: &'a (dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
    /// Takes what comes of them, in order, until it has had enough.
    pub take: &'a mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
}

impl<'a> Parts<'a> {
    /// An empty part.
    pub fn frame(&self) -> Frame<'a> {
        Frame::new(self.wanted)
    }

    /// Gives the next part.
    ///
    /// # Errors
    /// Its columns do not make a frame, or what is done to it failed.
    pub fn give(&mut self, frame: Frame<'_>) -> Result<ControlFlow<()>, TableError> {
        (self.take)((self.map)(frame.finish()?)?)
    }
}

/// What takes the parts of a table.
pub(crate) type Take<'a> = dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send + 'a;

/// The parts that `each` gives, together; no more than `rows` rows, if that is given.
///
/// # Errors
/// `each` failed, or its parts differ in their columns.
pub(crate) fn gathered<E: From<PolarsError>>(
    rows: Option<usize>,
    each: impl FnOnce(&mut Take<'_>) -> Result<(), E>,
) -> Result<DataFrame, E> {
    let mut whole: Option<DataFrame> = None;
    each(&mut |part| {
        match &mut whole {
            Some(whole) => {
                whole.vstack_mut(&part)?;
            }
            None => whole = Some(part),
        }
        let height = whole.as_ref().map_or(0, DataFrame::height);
        Ok(if rows.is_some_and(|rows| height >= rows) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    let whole = whole.unwrap_or_default();
    Ok(if rows.is_some() { whole.head(rows) } else { whole })
}

//! Tables in chunks.

use super::classes::SelectedClasses;
use super::frame::Frame;
use crate::error::TableError;
use polars::error::PolarsError;
use polars::prelude::DataFrame;
use std::ops::ControlFlow;

/// Destination of a table's chunks.
pub(crate) struct Parts<'a> {
    /// Names of the wanted columns; `None` for all.
    pub wanted: Option<&'a [String]>,
    /// Classes of the records to read; `None` for all.
    pub selection: Option<SelectedClasses<'a>>,
    /// Applied to each chunk, possibly to several at once.
    pub map: &'a Map<'a>,
    /// Receives the results in order, until it breaks.
    pub take: &'a mut Take<'a>,
}

impl<'a> Parts<'a> {
    /// Returns an empty chunk to fill.
    pub fn frame(&self) -> Frame<'a> {
        Frame::new(self.wanted)
    }

    /// Emits the next chunk.
    ///
    /// # Errors
    /// The columns do not make a frame, or processing it failed.
    pub fn give(&mut self, frame: Frame<'_>) -> Result<ControlFlow<()>, TableError> {
        (self.take)((self.map)(frame.finish()?)?)
    }
}

/// Function that each of a table's chunks goes through, possibly several at once.
pub(crate) type Map<'a> = dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync + 'a;

/// Consumer of a table's chunks.
pub(crate) type Take<'a> = dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send + 'a;

/// Concatenates the chunks that `each` emits, up to `rows` rows if that is set.
///
/// # Errors
/// `each` failed, or its chunks differ in their columns.
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

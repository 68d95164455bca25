//! A table a part at a time.

use super::frame::Frame;
use crate::error::TableError;
use polars::prelude::DataFrame;
use std::ops::ControlFlow;

/// Where the parts of a table go.
pub(crate) struct Parts<'a> {
    /// Names of the columns wanted; none for all.
    pub wanted: Option<&'a [String]>,
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

//! Types that a figure may have.

use super::{FigureLine, single_values};

/// Type of a figure.
pub(in crate::reports) trait FigureValue {
    /// Lines of the figures that a value or each of its elements consists of; empty for a single value.
    const LINES: &'static [FigureLine];
}

single_values!(bool, u32, u64, i64, usize, f64, String, &'static str);

impl<T: FigureValue> FigureValue for Option<T> {
    const LINES: &'static [FigureLine] = T::LINES;
}

impl<T: FigureValue> FigureValue for Vec<T> {
    const LINES: &'static [FigureLine] = T::LINES;
}

//! Figures of reports: one line each, with name, type, unit and sentence.
//!
//! [`figures!`] declares a struct of figures. Documentation, units of texts, contributors of budget limits and the nulls
//! of a snapshot follow from its lines, so that a new figure is one line and its computation.

mod line;
mod macros;
mod parts;
mod unit;
mod value;

pub(crate) use line::identifiers;
pub use line::{Definition, FigureLine, definitions_used};
pub(super) use line::{definitions, find, null_unknown, parts};
pub(super) use macros::{figures, single_values};
pub(super) use parts::{HeapState, Parts};
pub use unit::Unit;
pub(super) use value::FigureValue;

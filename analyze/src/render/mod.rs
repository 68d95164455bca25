//! Reports as text for people, before formatting: titles, sentences and tables of cells.
//!
//! The caller that prints a [`Document`] chooses widths, borders and colours.

mod document;
mod suggestion;
mod units;

pub use document::{Align, Document, Heading, Part, TextTable};
pub use suggestion::{did_you_mean, suggestion};
pub use units::{binary_bytes, binary_bytes_signed, counted, decimal_bytes, grouped, percent, percent_signed, span};

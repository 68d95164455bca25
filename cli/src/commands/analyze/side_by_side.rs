//! Text form of a comparison, for a terminal.

use super::document::table_text;
use taut_analyze::reports::Comparison;
use taut_console::printing::{bold, paragraph};

/// Formats the comparison as text: its sentence, then the table.
pub fn text(comparison: &Comparison) -> String {
    format!("{}\n\n{}\n{}", bold("Side by side"), paragraph(&comparison.sentence), table_text(&comparison.table()))
}

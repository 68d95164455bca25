//! What is wrong with a budget.

use thiserror::Error;

/// Why a budget cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BudgetError {
    /// The file is not as a budget is.
    #[error("line {line}, column {column}: {reason}")]
    File {
        /// Line of the file, from 1.
        line: usize,
        /// Column of the line, from 1.
        column: usize,
        /// What was expected and found.
        reason: String,
    },
    /// A limit is on a figure that its report does not have.
    #[error("line {line}: there is no figure `{figure}`: {known}")]
    Figure {
        /// Line of the file, from 1.
        line: usize,
        /// The figure.
        figure: String,
        /// The nearest figure, or those beside it.
        known: String,
    },
    /// A limit compares a figure with something of another kind.
    #[error("line {line}: `{figure}` is {found}: expected {expected}")]
    Kind {
        /// Line of the file, from 1.
        line: usize,
        /// The figure.
        figure: String,
        /// What it is.
        found: String,
        /// What could be compared with it.
        expected: &'static str,
    },
}

//! Errors in budgets.

use thiserror::Error;

/// Reason why a budget cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BudgetError {
    /// The file is not a valid budget.
    #[error("line {line}, column {column}: {reason}")]
    File {
        /// Line of the file, from 1.
        line: usize,
        /// Column of the line, from 1.
        column: usize,
        /// A text with what was expected and found.
        reason: String,
    },
    /// A limit is on a figure that its report does not have.
    #[error("line {line}: there is no figure `{figure}`: {known}")]
    Figure {
        /// Line of the file, from 1.
        line: usize,
        figure: String,
        /// The nearest figure, or figures of the same group.
        known: String,
    },
    /// A limit compares a figure with a value of another type.
    #[error("line {line}: `{figure}` is {found}: expected {expected}")]
    Kind {
        /// Line of the file, from 1.
        line: usize,
        figure: String,
        /// Description of the figure's value.
        found: String,
        /// Description of a valid operand.
        expected: &'static str,
    },
    /// A limit is on a report for which an imported trace has no events.
    #[error("line {line}: `{figure}`: report `{report}` is not available for a trace of Windows: {why}")]
    Imported {
        /// Line of the file, from 1.
        line: usize,
        figure: String,
        report: String,
        why: String,
    },
    /// A limit is on a figure over wall-clock time, which differs between equal runs.
    #[error(
        "line {line}: `{figure}` is a figure over wall-clock time, which differs between recordings of the same work: \
         record {trace} with `--clock logical`, or limit `{instead}`{exception}"
    )]
    WallClock {
        /// Line of the file, from 1.
        line: usize,
        figure: String,
        /// The trace or the baseline.
        trace: &'static str,
        /// The figure at peak.
        instead: String,
        /// The setting that allows the limit, for a trace that may have it; else empty.
        exception: &'static str,
    },
}

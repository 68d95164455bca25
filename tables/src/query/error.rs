//! Why a question has no answer, and where in its text.

use super::scan::READING;
use polars::error::PolarsError;
use thiserror::Error;

/// Why a query failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QueryError {
    /// The text is no SQL, or SQL that is not supported.
    #[error("SQL{}: {message}", place(*.line, *.column))]
    Sql {
        /// Line in the text, from 1; 0 if it is not known.
        line: usize,
        /// Column in the line, from 1; 0 if it is not known.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// There is no such table, column or function.
    #[error("SQL{}: there is no {what} `{found}`: {known}", place(*.line, *.column))]
    Name {
        /// Line in the text, from 1; 0 if it is not known.
        line: usize,
        /// Column in the line, from 1; 0 if it is not known.
        column: usize,
        /// `table`, `column` or `function`.
        what: &'static str,
        /// The name.
        found: String,
        /// The nearest name, or all there are.
        known: String,
    },
    /// A trace or a lake could not be read.
    #[error("{0}")]
    Data(String),
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(", line {line}, column {column}") }
}

impl QueryError {
    /// Where in the text, both from 1; `None` if it is not known.
    pub fn position(&self) -> Option<(usize, usize)> {
        match self {
            QueryError::Sql { line, column, .. } | QueryError::Name { line, column, .. } => {
                (*line > 0).then_some((*line, *column))
            }
            QueryError::Data(_) => None,
        }
    }

    /// What went wrong while a question was answered, in our words.
    pub(super) fn of(error: &PolarsError) -> QueryError {
        let text = message(error);
        let message = match text.split_once(READING) {
            Some((_, reading)) => return QueryError::Data(reading.to_owned()),
            None if text.contains("conversion from") && text.contains("`str`") => {
                "CAST: a text is no number of this kind".to_owned()
            }
            None if text.contains("conversion from") => {
                "a number does not fit into 64 bits (or the type it is cast to), or is divided by 0".to_owned()
            }
            None => "this question could not be answered; asked in smaller steps (WITH …) it may be".to_owned(),
        };
        QueryError::Sql { line: 0, column: 0, message }
    }
}

/// The message without polars' own context around it.
fn message(error: &PolarsError) -> String {
    match error {
        PolarsError::Context { error, .. } => message(error),
        other => other.to_string(),
    }
}

//! Query errors, with their position in the text.

use super::scan::READING;
use polars::error::PolarsError;
use sqlparser::tokenizer::Span;
use taut_analyze::render::suggestion;
use thiserror::Error;

/// Reason why a query failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QueryError {
    /// The text is not SQL, or uses SQL that is not supported.
    #[error("SQL{}: {message}", place(*.line, *.column))]
    Sql {
        /// Line in the text, from 1; 0 if unknown.
        line: usize,
        /// Column in the line, from 1; 0 if unknown.
        column: usize,
        /// Description of the error.
        message: String,
    },
    /// A table, column or function does not exist.
    #[error("SQL{}: there is no {what} `{found}`: {known}", place(*.line, *.column))]
    Name {
        /// Line in the text, from 1; 0 if unknown.
        line: usize,
        /// Column in the line, from 1; 0 if unknown.
        column: usize,
        /// `table`, `column` or `function`.
        what: &'static str,
        /// The name that was not found.
        found: String,
        /// The nearest existing name, or all existing names.
        known: String,
    },
    /// The query exceeds a time or memory limit.
    #[error("{0}")]
    Limit(String),
    /// A trace or a lake could not be read.
    #[error("{0}")]
    Data(String),
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(", line {line}, column {column}") }
}

impl QueryError {
    /// Position in the text, as line and column from 1; `None` if unknown.
    pub fn position(&self) -> Option<(usize, usize)> {
        match self {
            QueryError::Sql { line, column, .. } | QueryError::Name { line, column, .. } => {
                (*line > 0).then_some((*line, *column))
            }
            QueryError::Data(_) | QueryError::Limit(_) => None,
        }
    }

    /// The error with the words in backquotes spelled as in the query.
    pub(super) fn spelled_as_in(mut self, sql: &str) -> QueryError {
        // Has the same byte positions as the query.
        let lower = sql.to_ascii_lowercase();
        let spelled = |word: &str| match lower.find(&word.to_ascii_lowercase()) {
            Some(at) => sql[at..at + word.len()].to_owned(),
            None => word.to_owned(),
        };
        match &mut self {
            QueryError::Sql { message, .. } => {
                let parts = message.split('`').enumerate();
                let parts: Vec<String> =
                    parts.map(|(place, part)| if place % 2 == 1 { spelled(part) } else { part.to_owned() }).collect();
                *message = parts.join("`");
            }
            QueryError::Name { found, .. } => *found = spelled(found),
            QueryError::Limit(_) | QueryError::Data(_) => {}
        }
        self
    }

    /// Translates a polars error raised during execution. Its own wording refers to plan nodes that the user never
    /// wrote.
    pub(super) fn from_polars(error: &PolarsError) -> QueryError {
        let text = message(error);
        let message = match text.split_once(READING) {
            Some((_, reading)) => return QueryError::Data(reading.to_owned()),
            // The source type in polars' message is all that distinguishes a malformed text from a number out of range.
            None if text.contains("conversion from") && text.contains("`str`") => {
                "CAST: a text is not a number of this type".to_owned()
            }
            None if text.contains("conversion from") => {
                "a number does not fit into 64 bits or the type of a cast, or a divisor is 0".to_owned()
            }
            None => "the query could not be executed; smaller steps (WITH …) may help".to_owned(),
        };
        QueryError::Sql { line: 0, column: 0, message }
    }
}

/// The message without polars' context wrappers.
fn message(error: &PolarsError) -> String {
    match error {
        PolarsError::Context { error, .. } => message(error),
        other => other.to_string(),
    }
}

/// Error of a query that cannot be planned.
pub(in crate::sql) type Unsupported = QueryError;

/// Returns an error for SQL that is not supported, with its position.
pub(in crate::sql) fn unsupported<T>(at: Span, message: impl Into<String>) -> Result<T, Unsupported> {
    let (line, column) = (at.start.line as usize, at.start.column as usize);
    Err(QueryError::Sql { line, column, message: message.into() })
}

/// Returns an error for a name that does not exist, with suggestions.
pub(in crate::sql) fn missing<'a, T>(
    at: Span,
    what: &'static str,
    found: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<T, Unsupported> {
    let (line, column) = (at.start.line as usize, at.start.column as usize);
    Err(QueryError::Name { line, column, what, found: found.to_owned(), known: suggestion(found, known) })
}

//! What is wrong with a question, in one sentence.

use crate::query::QueryError;
use sqlparser::tokenizer::Span;
use taut_analyze::render::suggestion;

/// A question that is not answered.
pub(super) type Refused = QueryError;

/// Says why not, and where.
pub(super) fn refuse<T>(at: Span, message: impl Into<String>) -> Result<T, Refused> {
    let (line, column) = (at.start.line as usize, at.start.column as usize);
    Err(QueryError::Sql { line, column, message: message.into() })
}

/// Something is named that is not there.
pub(super) fn missing<'a, T>(
    at: Span,
    what: &'static str,
    found: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<T, Refused> {
    let (line, column) = (at.start.line as usize, at.start.column as usize);
    Err(QueryError::Name { line, column, what, found: found.to_owned(), known: suggestion(found, known) })
}

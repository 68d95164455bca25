//! What is wrong with a question, in one sentence.

use crate::query::QueryError;
use sqlparser::tokenizer::Span;
use taut_schemas::nearest;

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
    let known_text = match nearest(found, known.clone()) {
        Some(other) => format!("did you mean `{other}`?"),
        None => {
            let mut names: Vec<&str> = Vec::new();
            known.for_each(|name| {
                if !names.contains(&name) {
                    names.push(name);
                }
            });
            format!("expected one of {}", names.join(", "))
        }
    };
    let (line, column) = (at.start.line as usize, at.start.column as usize);
    Err(QueryError::Name { line, column, what, found: found.to_owned(), known: known_text })
}

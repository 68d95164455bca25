//! Parsing of a query's text into one statement, within limits.

mod backtracking;
mod from_first;
mod statement_kind;
mod text_limits;

use super::error::{Unsupported, unsupported};
use sqlparser::ast::Statement;
use sqlparser::dialect::DuckDbDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Span};

pub(super) use statement_kind::STATEMENTS;
pub(super) use text_limits::MAX_CHAIN;

/// Parses a text that holds one statement. `SUMMARIZE table` is parsed as `DESCRIBE table` and true.
///
/// # Errors
/// The text is longer or deeper than the limits, is not SQL, or holds no statement or several.
pub(super) fn statement(sql: &str) -> Result<(Statement, bool), Unsupported> {
    text_limits::check_length(sql)?;
    let mut tokens = text_limits::tokens(sql);
    text_limits::check(&tokens)?;
    let is_summary = statement_kind::described(&mut tokens);
    statement_kind::check(&tokens)?;
    backtracking::check(&tokens)?;
    from_first::check(&tokens)?;
    from_first::complete(&mut tokens);
    let statements = if tokens.is_empty() {
        // Parsed from text to get the tokenizer's error with its position.
        Parser::parse_sql(&DuckDbDialect, sql)
    } else {
        Parser::new(&DuckDbDialect).with_tokens_with_locations(tokens).parse_statements()
    };
    let mut statements = statements.or_else(|error| unreadable(&error, sql))?;
    let statement = statements.pop().map_or_else(|| unsupported(Span::empty(), "there is no query"), Ok)?;
    Ok((statement, is_summary))
}

/// Error for a text that is not SQL, at the position where parsing stopped.
fn unreadable<T>(error: &ParserError, sql: &str) -> Result<T, Unsupported> {
    let text = match error {
        ParserError::TokenizerError(text) | ParserError::ParserError(text) => text.as_str(),
        ParserError::RecursionLimitExceeded => return unsupported(Span::empty(), "the query is nested too deeply"),
    };
    let end = || {
        let last = sql.lines().next_back().unwrap_or_default();
        (sql.lines().count().max(1), last.trim_end().chars().count() + 1)
    };
    let (message, (line, column)) = match text.rsplit_once(" at Line: ") {
        Some((message, place)) => {
            let mut numbers = place.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
            (message, (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default()))
        }
        None if text.ends_with("found: EOF") => (text, end()),
        None => (text, (0, 0)),
    };
    let message = match message.split_once(", found: ") {
        // LIMIT of a percentage is read as the remainder of a division.
        Some((_, "EOF")) if sql.trim_end_matches([';', ' ', '\n']).ends_with('%') => {
            "`%` of LIMIT is not supported: expected a number of rows".to_owned()
        }
        Some((_, "EOF")) => "the query ends too early".to_owned(),
        Some((wanted, found)) if wanted.to_ascii_lowercase().contains("an sql statement") => {
            format!("`{found}` is not a statement: expected {STATEMENTS}")
        }
        Some((_, found)) => format!("`{found}` is not expected here"),
        None => message.to_owned(),
    };
    let at = Location { line: line as u64, column: column as u64 };
    unsupported(Span::new(at, at), message)
}

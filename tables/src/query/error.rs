//! Why a question has no answer, and where in its text.

use super::words::words;
use crate::tables::TableColumn;
use polars::error::PolarsError;
use taut_schemas::nearest;
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
        /// What was expected and found.
        message: String,
    },
    /// There is no such table or column.
    #[error("SQL{}: there is no {what} `{found}`: {known}", place(*.line, *.column))]
    Name {
        /// Line in the text, from 1; 0 if it is not known.
        line: usize,
        /// Column in the line, from 1; 0 if it is not known.
        column: usize,
        /// `table` or `column`.
        what: &'static str,
        /// The name.
        found: String,
        /// The nearest name, or all there are.
        known: String,
    },
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(", line {line}, column {column}") }
}

impl QueryError {
    /// Where in the text, both from 1; `None` if it is not known.
    pub fn position(&self) -> Option<(usize, usize)> {
        let (QueryError::Sql { line, column, .. } | QueryError::Name { line, column, .. }) = self;
        (*line > 0).then_some((*line, *column))
    }

    /// What polars says, in our words.
    pub(super) fn of(error: &PolarsError, sql: &str, tables: &[(&'static str, Vec<TableColumn>)]) -> QueryError {
        let text = message(error);
        if let Some(table) = between(&text, "relation '", "' was not found") {
            let (line, column) = position(sql, table);
            let known = tables.iter().map(|(name, _)| *name);
            let known = suggestion(table, known.clone(), known);
            return QueryError::Name { line, column, what: "table", found: table.to_owned(), known };
        }
        if let Some(found) = missing_column(error, &text) {
            let (line, column) = position(sql, &found);
            // The columns of the tables that the text names; of all, if it names none.
            let named = words(sql);
            let named = |table: &str| named.iter().any(|word| word.text.eq_ignore_ascii_case(table));
            let all = || tables.iter().flat_map(|(_, columns)| columns.iter().map(|column| column.name.as_str()));
            let of_named: Vec<&str> = tables
                .iter()
                .filter(|(table, _)| named(table))
                .flat_map(|(_, columns)| columns.iter().map(|column| column.name.as_str()))
                .collect();
            let known = if of_named.is_empty() { all().collect() } else { of_named };
            let known = suggestion(&found, known.iter().copied(), known.iter().copied());
            return QueryError::Name { line, column, what: "column", found, known };
        }
        // sqlparser ends its messages with the place.
        let (message, line, column) = match text.rsplit_once(" at Line: ") {
            Some((message, place)) => {
                let mut numbers = place.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
                (message, numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default())
            }
            // At the end of the text it gives none.
            None if text.ends_with("found: EOF") => {
                let last = sql.lines().next_back().unwrap_or_default();
                (text.as_str(), sql.lines().count().max(1), last.trim_end().chars().count() + 1)
            }
            None => (text.as_str(), 0, 0),
        };
        let message = message.trim_start_matches("sql parser error: ").trim_start_matches("ParserError: ");
        QueryError::Sql { line, column, message: message.to_owned() }
    }
}

/// The message without polars' own context around it.
fn message(error: &PolarsError) -> String {
    match error {
        PolarsError::Context { error, .. } => message(error),
        PolarsError::SQLInterface(text)
        | PolarsError::SQLSyntax(text)
        | PolarsError::ComputeError(text)
        | PolarsError::ColumnNotFound(text)
        | PolarsError::SchemaFieldNotFound(text)
        | PolarsError::InvalidOperation(text) => text.to_string(),
        other => other.to_string(),
    }
}

/// The column that an error says is missing.
fn missing_column(error: &PolarsError, text: &str) -> Option<String> {
    match error {
        PolarsError::Context { error, .. } => return missing_column(error, text),
        PolarsError::ColumnNotFound(_) | PolarsError::SchemaFieldNotFound(_) | PolarsError::SQLInterface(_) => {}
        _ => return None,
    }
    let found = between(text, "unable to find column \"", "\"")
        .or_else(|| between(text, "unable to find column '", "'"))
        .or_else(|| between(text, "no column named '", "'"));
    match (found, error) {
        (Some(found), _) => Some(found.to_owned()),
        (None, PolarsError::ColumnNotFound(_) | PolarsError::SchemaFieldNotFound(_)) => {
            let first = text.split([';', ',', '\n']).next().unwrap_or_default();
            let name = first.trim().trim_matches(['"', '\'', '`']);
            (!name.is_empty() && !name.contains(' ')).then(|| name.to_owned())
        }
        _ => None,
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found)
}

fn position(sql: &str, name: &str) -> (usize, usize) {
    let found = words(sql).into_iter().find(|word| word.text.eq_ignore_ascii_case(name));
    found.map_or((0, 0), |word| (word.line, word.column))
}

fn suggestion<'a>(name: &str, near: impl Iterator<Item = &'a str>, known: impl Iterator<Item = &'a str>) -> String {
    match nearest(name, near) {
        Some(other) => format!("did you mean `{other}`?"),
        None => format!("expected one of {}", known.collect::<Vec<_>>().join(", ")),
    }
}

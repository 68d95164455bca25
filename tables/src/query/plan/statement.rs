//! One statement: a question, or what can be asked.

use super::Planner;
use super::kind::Kind;
use super::nesting;
use super::refusal::{Refused, refuse};
use super::scope::Relation;
use polars::prelude::{DataFrame, DataType, IntoColumn, IntoLazy, NamedFrom, Series};
use sqlparser::ast::{DescribeAlias, Spanned, Statement};
use sqlparser::dialect::DuckDbDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Span};

impl Planner<'_> {
    /// The plan of a text.
    pub fn plan(&self, sql: &str) -> Result<Relation, Refused> {
        nesting::check(&nesting::tokens(sql))?;
        let statements = Parser::parse_sql(&DuckDbDialect, sql).or_else(|error| unreadable(&error, sql))?;
        match statements.as_slice() {
            [] => refuse(Span::empty(), "there is no question"),
            [one] => self.statement(one),
            [_, second, ..] => refuse(second.span(), "one question at a time"),
        }
    }

    fn statement(&self, statement: &Statement) -> Result<Relation, Refused> {
        match statement {
            Statement::Query(query) => self.question(query, &Vec::new(), &[]),
            Statement::ShowTables { .. } => texts(vec![("name", self.tables.shown())], statement),
            Statement::ExplainTable {
                describe_alias: DescribeAlias::Describe | DescribeAlias::Desc,
                table_name,
                ..
            } => {
                let mut relation = self.table(&table_name.0, statement.span(), &Vec::new())?;
                let schema = relation.frame.collect_schema().map_err(|error| Refused::of(&error))?;
                let names = relation.columns.iter().map(|(name, _)| name.clone()).collect();
                let kind = |(name, kind): &(String, Kind)| match schema.get(name) {
                    Some(nested) if *kind == Kind::Nested => nested_name(nested),
                    _ => type_name(*kind).to_owned(),
                };
                let kinds = relation.columns.iter().map(kind).collect();
                texts(vec![("column_name", names), ("column_type", kinds)], statement)
            }
            Statement::Explain { .. } => refuse(statement.span(), "--explain says how a question would be answered"),
            _ => refuse(statement.span(), "only questions are answered: SELECT …, DESCRIBE table, SHOW TABLES"),
        }
    }
}

/// What DuckDB calls the type of a list or struct.
fn nested_name(kind: &DataType) -> String {
    match kind {
        DataType::List(inner) => format!("{}[]", nested_name(inner)),
        DataType::Struct(fields) => {
            let fields = fields.iter().map(|field| format!("{} {}", field.name, nested_name(&field.dtype)));
            format!("STRUCT({})", fields.collect::<Vec<_>>().join(", "))
        }
        plain => type_name(Kind::of(plain)).to_owned(),
    }
}

/// What DuckDB calls a column's type.
fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Int | Kind::Null => "BIGINT",
        Kind::Id => "UBIGINT",
        Kind::Real => "DOUBLE",
        Kind::Bool => "BOOLEAN",
        Kind::Text => "VARCHAR",
        Kind::Nested => "STRUCT",
    }
}

fn texts(columns: Vec<(&str, Vec<String>)>, statement: &Statement) -> Result<Relation, Refused> {
    let names = columns.iter().map(|(name, _)| ((*name).to_owned(), Kind::Text)).collect();
    let columns = columns.into_iter().map(|(name, texts)| Series::new(name.into(), texts).into_column());
    match DataFrame::new_infer_height(columns.collect()) {
        Ok(frame) => Ok(Relation { frame: frame.lazy(), columns: names }),
        Err(_) => refuse(statement.span(), "this cannot be shown"),
    }
}

/// What is no SQL, and where it stops being.
fn unreadable<T>(error: &ParserError, sql: &str) -> Result<T, Refused> {
    let text = match error {
        ParserError::TokenizerError(text) | ParserError::ParserError(text) => text.as_str(),
        ParserError::RecursionLimitExceeded => return refuse(Span::empty(), "the question is nested too deeply"),
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
        Some((_, "EOF")) => "the question ends too early".to_owned(),
        Some((wanted, found)) if wanted.to_ascii_lowercase().contains("an sql statement") => {
            format!("`{found}` begins no question: SELECT …, DESCRIBE table, SHOW TABLES")
        }
        Some((_, found)) => format!("`{found}` is not expected here"),
        None => message.to_owned(),
    };
    let at = Location { line: line as u64, column: column as u64 };
    refuse(Span::new(at, at), message)
}

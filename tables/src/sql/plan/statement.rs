//! Statements: queries, SHOW TABLES and DESCRIBE.

use super::Planner;
use super::kind::Kind;
use super::scope::Relation;
use super::size;
use crate::sql::error::{Unsupported, unsupported};
use crate::sql::parse;
use polars::prelude::{DataFrame, DataType, IntoColumn, IntoLazy, NamedFrom, Series};
use sqlparser::ast::{DescribeAlias, Spanned, Statement};

impl Planner<'_> {
    /// Parses and plans one statement.
    pub fn plan(&self, sql: &str) -> Result<Relation, Unsupported> {
        let relation = self.statement(&parse::statement(sql)?)?;
        size::check(&relation.frame.logical_plan)?;
        Ok(relation)
    }

    fn statement(&self, statement: &Statement) -> Result<Relation, Unsupported> {
        match statement {
            Statement::Query(query) => self.plan_query(query, &Vec::new(), &[]),
            Statement::ShowTables { .. } => {
                texts(vec![("name", self.tables.names(|table| table.records != Some(0)))], statement)
            }
            Statement::ExplainTable {
                describe_alias: DescribeAlias::Describe | DescribeAlias::Desc,
                table_name,
                ..
            } => {
                let mut relation = self.table(&table_name.0, statement.span(), &Vec::new())?;
                let schema = relation.frame.collect_schema().map_err(|error| Unsupported::from_polars(&error))?;
                let names = relation.columns.iter().map(|(name, _)| name.clone()).collect();
                let kind = |(name, kind): &(String, Kind)| match schema.get(name) {
                    Some(nested) if *kind == Kind::Nested => nested_name(nested),
                    _ => type_name(*kind).to_owned(),
                };
                let kinds = relation.columns.iter().map(kind).collect();
                texts(vec![("column_name", names), ("column_type", kinds)], statement)
            }
            Statement::Explain { .. } => {
                unsupported(statement.span(), "EXPLAIN is not supported: use the option --explain")
            }
            _ => unsupported(statement.span(), "only queries are supported: SELECT …, DESCRIBE table, SHOW TABLES"),
        }
    }
}

/// DuckDB's name of a list or struct type.
fn nested_name(kind: &DataType) -> String {
    match kind {
        DataType::List(inner) => format!("{}[]", nested_name(inner)),
        DataType::Struct(fields) => {
            let fields = fields.iter().map(|field| format!("{} {}", field.name, nested_name(&field.dtype)));
            format!("STRUCT({})", fields.collect::<Vec<_>>().join(", "))
        }
        plain => type_name(Kind::from_data_type(plain)).to_owned(),
    }
}

/// DuckDB's name of a column's type.
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

fn texts(columns: Vec<(&str, Vec<String>)>, statement: &Statement) -> Result<Relation, Unsupported> {
    let names = columns.iter().map(|(name, _)| ((*name).to_owned(), Kind::Text)).collect();
    let columns = columns.into_iter().map(|(name, texts)| Series::new(name.into(), texts).into_column());
    match DataFrame::new_infer_height(columns.collect()) {
        Ok(frame) => Ok(Relation { frame: frame.lazy(), columns: names }),
        Err(_) => unsupported(statement.span(), "the result cannot be shown"),
    }
}

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
        self.planned(sql).map_err(|error| error.spelled_as_in(sql))
    }

    fn planned(&self, sql: &str) -> Result<Relation, Unsupported> {
        let statement = match parse::statement(sql)? {
            (described, true) => parse::statement(&self.summary(&described)?)?.0,
            (statement, false) => statement,
        };
        let relation = self.statement(&statement)?;
        size::check(&relation.frame.logical_plan)?;
        Ok(relation)
    }

    /// The query that `SUMMARIZE table` stands for: a row for each column. The quartiles and the number of values are
    /// exact, where DuckDB estimates them.
    fn summary(&self, described: &Statement) -> Result<String, Unsupported> {
        let Statement::ExplainTable { table_name, .. } = described else {
            return unsupported(described.span(), "`SUMMARIZE` takes the name of a table");
        };
        let relation = self.table(&table_name.0, described.span(), &Vec::new())?;
        let row = |(name, kind): &(String, Kind)| {
            let (text, column) = (name.replace('\'', "''"), format!("\"{}\"", name.replace('"', "\"\"")));
            let of = |is_known: bool, call: String, kind: &str| match is_known {
                true => call,
                false => format!("CAST(NULL AS {kind})"),
            };
            let bound = |name: &str| {
                let has_text = !matches!(kind, Kind::Real | Kind::Nested);
                of(has_text, format!("CAST({name}({column}) AS VARCHAR)"), "VARCHAR")
            };
            let number = |call: String| of(kind.is_number(), call, "DOUBLE");
            let quartile = |share: &str| number(format!("quantile_cont({column}, {share})"));
            format!(
                "SELECT '{text}' AS column_name, '{}' AS column_type, {} AS min, {} AS max, {} AS approx_unique, \
                 {} AS avg, {} AS std, {} AS q25, {} AS q50, {} AS q75, count(*) AS count, \
                 if(count(*) = 0, NULL, 100.0 * (count(*) - count({column})) / count(*)) AS null_percentage FROM {table_name}",
                type_name(*kind),
                bound("min"),
                bound("max"),
                of(*kind != Kind::Nested, format!("count(DISTINCT {column})"), "BIGINT"),
                number(format!("avg({column})")),
                number(format!("stddev({column})")),
                quartile("0.25"),
                quartile("0.5"),
                quartile("0.75"),
            )
        };
        let rows: Vec<String> = relation.columns.iter().map(row).collect();
        Ok(rows.join(" UNION ALL "))
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
            Statement::Explain { describe_alias: DescribeAlias::Describe | DescribeAlias::Desc, .. } => {
                unsupported(statement.span(), "`DESCRIBE` of a query is not supported: name a table")
            }
            Statement::Explain { .. } => {
                unsupported(statement.span(), "`EXPLAIN` is not supported: use the option --explain")
            }
            _ => {
                unsupported(statement.span(), format!("`{statement}` is not supported: expected {}", parse::STATEMENTS))
            }
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

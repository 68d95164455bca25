//! SQL of the views that make the tables of traces, or of a lake, visible to DuckDB.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Name of the database of the views. A database that the user names as an argument stays as it is.
const DATABASE: &str = "taut";

/// Views of a lake over its files, for tables whose files hold less than the table.
const LAKE_VIEWS: &str = include_str!("../../../fleet/views.sql");

/// Schemas that every database has.
const RESERVED_SCHEMAS: [&str; 3] = ["main", "information_schema", "pg_catalog"];

/// A table of a trace, in a Parquet file.
pub struct TableFile {
    /// Provider of an event whose name needs one.
    pub provider: Option<String>,
    pub name: String,
    pub file: PathBuf,
}

/// SQL for the tables of one trace, or of several, each with its name: then each trace has a schema, and the views of all
/// traces have a first column `trace`.
pub fn of_traces(traces: &[(String, Vec<TableFile>)]) -> String {
    let mut sql = database();
    if let [(_, tables)] = traces {
        for table in tables {
            let view = view_name(&mut sql, table);
            sql += &format!(
                "CREATE VIEW {view} AS SELECT * FROM read_parquet({});\n",
                text(&table.file.to_string_lossy())
            );
        }
        return sql;
    }
    let mut views: Vec<(&TableFile, Vec<String>)> = Vec::new();
    let mut schemas: Vec<String> = RESERVED_SCHEMAS.map(str::to_owned).to_vec();
    for (trace, tables) in traces {
        let schema = schema_name(trace, &schemas);
        schemas.push(schema.to_lowercase());
        sql += &format!("CREATE SCHEMA {};\n", name(&schema));
        for table in tables {
            let full = table.provider.as_ref().map_or_else(|| table.name.clone(), |of| format!("{of}.{}", table.name));
            let own = format!("{}.{}", name(&schema), name(&full));
            sql +=
                &format!("CREATE VIEW {own} AS SELECT * FROM read_parquet({});\n", text(&table.file.to_string_lossy()));
            let part = format!("SELECT {} AS trace, * FROM {own}", text(trace));
            match views.iter_mut().find(|(known, _)| known.provider == table.provider && known.name == table.name) {
                Some((_, parts)) => parts.push(part),
                None => views.push((table, vec![part])),
            }
        }
    }
    for (table, parts) in views {
        let view = view_name(&mut sql, table);
        sql += &format!("CREATE VIEW {view} AS {};\n", parts.join(" UNION ALL BY NAME "));
    }
    sql
}

/// Schema of a trace: its name, with a line below if DuckDB, which ignores case, has that schema already.
fn schema_name(trace: &str, taken: &[String]) -> String {
    let mut schema = trace.to_owned();
    while taken.contains(&schema.to_lowercase()) {
        schema.push('_');
    }
    schema
}

/// SQL for the tables of a lake whose folders exist.
pub fn of_lake(lake: &Path, tables: &[&str]) -> String {
    let mut sql = database();
    let views: Vec<(&str, &str)> = LAKE_VIEWS.split(';').filter_map(view).collect();
    let derived: BTreeSet<&str> = views.iter().map(|(name, _)| *name).collect();
    let sources_of_views = views.iter().flat_map(|(_, view)| sources(view));
    let stored: BTreeSet<&str> =
        tables.iter().copied().chain(sources_of_views).filter(|table| lake.join(table).is_dir()).collect();
    let read = |table: &str| {
        let files = lake.join(table).join("trace=*").join(format!("{table}.parquet"));
        let options = "hive_partitioning = true, hive_types_autocast = false, union_by_name = true";
        format!("SELECT * FROM read_parquet({}, {options})", text(&files.to_string_lossy()))
    };
    for table in &stored {
        sql += &format!("CREATE VIEW {} AS {};\n", name(&format!("stored_{table}")), read(table));
        if tables.contains(table) && !derived.contains(table) {
            sql += &format!("CREATE VIEW {} AS {};\n", name(table), read(table));
        }
    }
    for (_, view) in views.iter().filter(|(_, view)| sources(view).all(|source| stored.contains(source))) {
        sql += &format!("{view};\n");
    }
    sql
}

fn database() -> String {
    format!("ATTACH ':memory:' AS {DATABASE};\nUSE {DATABASE};\n")
}

/// Name of a view and its statement, without comments.
fn view(statement: &str) -> Option<(&str, &str)> {
    let (before, rest) = statement.split_once("CREATE VIEW ")?;
    let name = rest.split_whitespace().next()?;
    Some((name, &statement[before.len()..]))
}

/// The stored tables that a view reads.
fn sources(view: &str) -> impl Iterator<Item = &str> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    view.split(move |letter| !is_word(letter)).filter_map(|word| word.strip_prefix("stored_"))
}

/// Name of the view of a table; adds the schema of its provider.
fn view_name(sql: &mut String, table: &TableFile) -> String {
    match &table.provider {
        None => name(&table.name),
        Some(provider) => {
            *sql += &format!("CREATE SCHEMA IF NOT EXISTS {};\n", name(provider));
            format!("{}.{}", name(provider), name(&table.name))
        }
    }
}

/// Quotes a name.
pub fn name(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Quotes a text.
pub fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(provider: Option<&str>, name: &str) -> TableFile {
        TableFile { provider: provider.map(str::to_owned), name: name.to_owned(), file: PathBuf::from("it's.parquet") }
    }

    #[test]
    fn names_and_paths_are_quoted_and_a_provider_is_a_schema() {
        let sql = of_traces(&[("a".to_owned(), vec![table(None, "calls"), table(Some("my \"own\""), "Tile")])]);
        assert!(sql.contains("CREATE VIEW \"calls\" AS SELECT * FROM read_parquet('it''s.parquet');"), "{sql}");
        assert!(sql.contains("CREATE VIEW \"my \"\"own\"\"\".\"Tile\" AS"), "{sql}");
    }

    #[test]
    fn several_traces_have_a_schema_each_and_views_with_a_column_trace() {
        let sql = of_traces(&[
            ("a".to_owned(), vec![table(None, "calls")]),
            ("b".to_owned(), vec![table(None, "calls"), table(None, "heaps")]),
        ]);
        let all = "CREATE VIEW \"calls\" AS SELECT 'a' AS trace, * FROM \"a\".\"calls\" UNION ALL BY NAME SELECT 'b' AS trace, * \
                   FROM \"b\".\"calls\";";
        assert!(sql.contains(all), "{sql}");
        let sql = of_traces(&["main", "A", "a"].map(|trace| (trace.to_owned(), vec![table(None, "calls")])));
        assert!(
            ["\"main_\"", "\"A\"", "\"a_\""].iter().all(|schema| sql.contains(&format!("CREATE SCHEMA {schema};"))),
            "{sql}"
        );
    }

    #[test]
    fn every_view_of_a_lake_has_a_name_and_reads_stored_tables() {
        let views: Vec<(&str, &str)> = LAKE_VIEWS.split(';').filter_map(view).collect();
        assert!(views.len() > 4 && views.iter().all(|(name, view)| !name.is_empty() && sources(view).count() > 0));
    }
}

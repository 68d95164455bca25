//! Completion of words: tables and columns of the schema, SQL keywords and functions, shell commands.

use super::dot_commands::COMMANDS;
use taut_tables::docs::sql_words;
use taut_tables::sql::ListedTable;

/// Completer.
pub struct Completer {
    tables: Vec<ListedTable>,
}

impl Completer {
    pub fn new(tables: Vec<ListedTable>) -> Completer {
        Completer { tables }
    }

    /// Start of the word before `at`, and its candidates; columns of the tables named in the text come first.
    pub fn of(&self, text: &str, at: usize) -> (usize, Vec<String>) {
        let before = &text[..at];
        let is_of_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
        let start = before
            .rfind(|letter| !is_of_word(letter))
            .map_or(0, |place| place + before[place..].chars().next().map_or(1, char::len_utf8));
        let word = before[start..].to_ascii_lowercase();
        let begins = |name: &str| name.to_ascii_lowercase().starts_with(&word);
        if start == 0 && word.starts_with('.') {
            return (start, COMMANDS.iter().map(|(name, ..)| (*name).to_owned()).filter(|name| begins(name)).collect());
        }
        let mut found: Vec<String> = Vec::new();
        let mut add = |names: &mut dyn Iterator<Item = &str>| {
            let mut names: Vec<&str> = names.filter(|name| begins(name)).collect();
            names.sort_unstable();
            for name in names {
                if !found.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                    found.push(name.to_owned());
                }
            }
        };
        let last = before[..start].split_whitespace().last().unwrap_or_default().to_ascii_lowercase();
        let names = |table: &'_ ListedTable| std::iter::once(table.name.clone()).chain(table.full_name.clone());
        let all: Vec<String> = self.tables.iter().flat_map(names).collect();
        if matches!(last.as_str(), "from" | "join" | "describe" | ".schema" | ".tables") {
            add(&mut all.iter().map(String::as_str));
            return (start, found);
        }
        let named: Vec<String> = text.split(|letter| !is_of_word(letter)).map(str::to_ascii_lowercase).collect();
        let is_named = |table: &&ListedTable| {
            let full = table.full_name.as_ref().map(|name| name.to_ascii_lowercase());
            let name = table.name.to_ascii_lowercase();
            named.iter().any(|word| *word == name || Some(word) == full.as_ref())
        };
        let of_named = self.tables.iter().filter(is_named).flat_map(|table| &table.columns);
        add(&mut of_named.map(|column| column.name.as_str()));
        if !word.is_empty() {
            add(&mut sql_words().into_iter());
            add(&mut all.iter().map(String::as_str));
            let columns = self.tables.iter().filter(|table| table.full_name.is_none()).flat_map(|table| &table.columns);
            add(&mut columns.map(|column| column.name.as_str()));
        }
        (start, found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_analyze::Analysis;
    use taut_schemas::SchemaTable;
    use taut_tables::sql::{NamedTrace, Query};
    use taut_traces::{Header, Trace, TraceWriter, WriteOptions};

    fn completing() -> Completer {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nothing.taut");
        let header = Header { schema: SchemaTable::current(), ..Header::default() };
        TraceWriter::create(&path, header, WriteOptions::default()).unwrap().finish().unwrap();
        let analysis = std::sync::Arc::new(Analysis::new(Trace::open(&path).unwrap()).unwrap());
        Completer::new(Query::new(vec![NamedTrace::new("nothing", analysis)]).tables())
    }

    #[test]
    fn words_become_tables_columns_and_commands_where_these_can_stand() {
        let completing = completing();
        let of = |text: &str| completing.of(text, text.len());
        assert_eq!(of("SELECT 1 FROM resources"), (14, vec!["resources".to_owned()]));
        assert_eq!(of("SELECT * FROM CreatePlacedResource WHERE desc_wi").1[0], "desc_width");
        assert!(of("SELECT * FROM d3d12.CreateH").1.contains(&"d3d12.CreateHeap".to_owned()));
        assert_eq!(of(".sch"), (0, vec![".schema".to_owned()]));
        assert_eq!(of(".schema heaps").1[0], "heaps");
        assert!(of("sel").1.contains(&"SELECT".to_owned()));
        let text = "SELECT covered_by FROM heaps";
        assert_eq!(completing.of(text, 17).1[0], "covered_bytes");
    }

    /// Completion and documentation use the same definitions.
    #[test]
    fn every_documented_table_and_column_completes() {
        let completing = completing();
        for table in taut_tables::TABLES {
            assert!(completing.of(&format!("FROM {}", table.name), 5).1.contains(&table.name.to_owned()));
            for column in table.columns {
                let text = format!("{} FROM {}", column.name, table.name);
                assert!(completing.of(&text, 0).1.contains(&column.name.to_owned()), "{text}");
            }
        }
    }
}

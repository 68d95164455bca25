//! Commands of the shell, which begin with a dot.

use super::Next;
use super::session::Session;
use clap::ValueEnum;
use taut_console::args::QueryFormat;
use taut_console::outcome::Failure;
use taut_console::printing::{print, table, unknown};
use taut_tables::sql::ListedTable;

/// Commands, with their arguments and effects.
pub const COMMANDS: [(&str, &str, &str); 10] = [
    (".duckdb", "", "switches to DuckDB with the same files"),
    (".format", "table|csv|json", "sets the output format"),
    (".help", "", "lists the commands"),
    (".quit", "", "ends the shell, as Ctrl-D does"),
    (".rows", "N", "sets the max number of rows of a table"),
    (".save", "FILE", "writes the last result, as .parquet, .csv or .json by extension"),
    (".schema", "TABLE", "lists the columns of a table with their meaning"),
    (".tables", "[WORD]", "lists the tables, or those with WORD in the name"),
    (".timing", "on|off", "prints the duration of each query, or not"),
    (".traces", "", "lists the traces"),
];

/// Commands of other shells: what they are called here, or what to use instead.
const OTHERS: [(&str, &str); 13] = [
    (".timer", ".timing"),
    (".exit", ".quit"),
    ("\\d", ".schema"),
    ("\\dt", ".tables"),
    ("\\q", ".quit"),
    ("\\?", ".help"),
    ("\\timing", ".timing"),
    (".mode", ".format"),
    (".output", "after a query, .save FILE writes its result; taut query -o FILE writes that of one query"),
    (".once", "after a query, .save FILE writes its result"),
    (".headers", "tables and CSV have headers always"),
    (".read", "taut shell FILE < SCRIPT"),
    (".open", "taut shell FILE"),
];

/// Modes of other shells that a format stands for.
const MODES: [(&str, &[&str]); 3] = [
    ("table", &["duckbox", "box", "column", "columns", "ascii", "markdown", "psql"]),
    ("csv", &["tabs", "list", "tsv"]),
    ("json", &["jsonlines", "line", "lines"]),
];

/// Runs a command.
///
/// # Errors
/// The command does not exist, or its arguments are wrong, or it failed.
pub fn run(session: &mut Session<'_>, line: &str) -> Result<Next, Failure> {
    let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim().trim_end_matches(';').trim();
    let other = OTHERS.iter().find(|(name, _)| *name == command);
    let command = match other {
        // psql lists the tables without a name.
        Some(("\\d", _)) if rest.is_empty() => ".tables",
        Some((_, own)) if own.starts_with('.') && !own.contains(' ') => own,
        Some((name, instead)) => return Err(Failure::usage(format_args!("there is no {name}: {instead}"))),
        None => command,
    };
    match command {
        ".quit" => return Ok(Next::End),
        ".duckdb" => return Ok(Next::Duckdb),
        ".help" => {
            let rows = COMMANDS.map(|(name, takes, what)| [format!("{name} {takes}"), what.to_owned()]);
            print(&table(&["Command", "Effect"], &[], rows))?;
        }
        ".tables" => tables(session, rest)?,
        ".schema" if rest.is_empty() => {
            return Err(Failure::usage(".schema takes a table: .schema heaps; .tables lists them"));
        }
        ".schema" => schema(session, rest)?,
        ".save" if !rest.is_empty() => session.save(rest)?,
        ".save" => return Err(Failure::usage(".save takes a file: .save out.parquet")),
        ".traces" => {
            print(&table(&["Trace", "Records"], &[1], session.opened().listed()))?;
        }
        ".timing" => match rest {
            "on" => session.timing = true,
            "off" => session.timing = false,
            _ => return Err(Failure::usage(".timing takes on or off")),
        },
        ".rows" => match rest.parse() {
            Ok(rows) => session.rows = rows,
            Err(_) => return Err(Failure::usage(".rows takes a number")),
        },
        ".format" => match QueryFormat::from_str(rest, true) {
            Ok(form) if form != QueryFormat::Parquet => session.form = form,
            _ => {
                let known = MODES.iter().find(|(_, modes)| modes.contains(&rest));
                let instead = known.map_or_else(String::new, |(own, _)| format!(": .format {own} is the nearest"));
                return Err(Failure::usage(format_args!(".format takes table, csv or json{instead}")));
            }
        },
        other => {
            let names: Vec<&str> = COMMANDS.iter().map(|(name, ..)| *name).collect();
            return Err(Failure::usage(unknown("command", other, &names)));
        }
    }
    Ok(Next::Line)
}

fn tables(session: &Session<'_>, word: &str) -> Result<(), Failure> {
    let word = word.to_ascii_lowercase();
    let is_meant = |table: &ListedTable| {
        let full = table.full_name.as_ref().unwrap_or(&table.name);
        // Without a word, tables without records are left out.
        if word.is_empty() { table.records != Some(0) } else { full.to_ascii_lowercase().contains(&word) }
    };
    let listed = session.query().tables();
    let row = |table: &ListedTable| {
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let records = table.records.map_or_else(String::new, taut_analyze::render::grouped);
        [table.name.clone(), records, columns.join(", ")]
    };
    print(&table(&["Table", "Records", "Columns"], &[1], listed.iter().filter(|table| is_meant(table)).map(row)))
}

fn schema(session: &Session<'_>, name: &str) -> Result<(), Failure> {
    let listed = session.query().tables();
    let is_it = |table: &&ListedTable| {
        let full = table.full_name.as_ref().is_some_and(|full| full.eq_ignore_ascii_case(name));
        full || table.name.eq_ignore_ascii_case(name)
    };
    let Some(found) = listed.iter().find(is_it) else {
        let names: Vec<&str> = listed.iter().map(|table| table.name.as_str()).collect();
        return Err(Failure::usage(unknown("table", name, &names)));
    };
    let row = |column: &taut_tables::TableColumn| {
        [column.name.clone(), column.kind.name().to_owned(), column.doc.to_string()]
    };
    print(&table(&["Column", "Type", "Meaning"], &[], found.columns.iter().map(row)))
}

//! `taut query`: SQL over a trace's tables.

use super::opened::Opened;
use std::io::{Error as IoError, ErrorKind, IsTerminal};
use std::ops::ControlFlow;
use std::path::PathBuf;
use taut_analyze::export::trace_keys;
use taut_analyze::render::Align;
use taut_console::args::{Common, Query, QueryFormat};
use taut_console::outcome::{Failure, Outcome};
use taut_console::output::{Kind, Output, Outputs, is_stdio};
use taut_console::printing::{for_a_file, print_message, table};
use taut_console::traces::check_stdin;
use taut_schemas::counted;
use taut_tables::sql::{MAX_TEXT_BYTES, QueryError, QueryResult, ResultFormat, ResultStyle, ResultWriter};
use taut_traces::read_stream_limited;

/// Characters shown on either side of the position of an error.
const CONTEXT_CHARS: usize = 60;

/// Maximum length of a query that a hint repeats.
const MAX_HINT_BYTES: usize = 400;

/// Runs the query.
pub fn run(query: &Query, common: Common) -> Outcome {
    let Some((files, sql)) = query.files_and_sql() else {
        return Err(Failure::usage("expected a trace and a query: taut query FILE \"SELECT …\""));
    };
    check_stdin(files.iter().map(|file| file.as_os_str()).chain([sql.as_ref()]))?;
    let form = if common.json { QueryFormat::Json } else { query.format };
    let mut outputs = Outputs::new(files.iter().map(PathBuf::as_path), common.force);
    let output = outputs.open_or_stdout(query.output.as_deref(), kind(query, form))?;
    let opened = Opened::open(files, query.no_cache)?;
    let sql = text(sql)?;
    let tables = opened.query();
    let style = ResultStyle {
        csv_safe: query.csv_safe,
        for_terminal: output_is_stdout(query) && std::io::stdout().is_terminal(),
    };
    match (query.explain, form) {
        (true, _) => {
            let plan = tables.explain(&sql).map_err(|error| refused(error, &sql, files))?;
            output.finish_with_text(&plan)?;
        }
        (_, QueryFormat::Table) => {
            let result = tables.run(&sql).map_err(|error| refused(error, &sql, files))?;
            if query.output.is_some() {
                for_a_file();
            }
            output.finish_with_text(&shown(query, common, &result))?;
        }
        (_, QueryFormat::Csv) => write(output, ResultFormat::Csv, style, &tables, &sql, files, &opened)?,
        (_, QueryFormat::Json) => write(output, ResultFormat::Json, style, &tables, &sql, files, &opened)?,
        (_, QueryFormat::Parquet) => write(output, ResultFormat::Parquet, style, &tables, &sql, files, &opened)?,
    }
    Ok(opened.damage())
}

fn output_is_stdout(query: &Query) -> bool {
    query.output.as_deref().is_none_or(is_stdio)
}

/// Text of the query; `-` reads standard input.
fn text(sql: &str) -> Result<String, Failure> {
    if sql != "-" {
        return Ok(sql.to_owned());
    }
    let bytes = read_stream_limited(std::io::stdin(), MAX_TEXT_BYTES);
    let text = bytes.and_then(|bytes| {
        String::from_utf8(bytes).map_err(|error| IoError::new(ErrorKind::InvalidData, error.utf8_error()))
    });
    let text = text.map_err(|error| Failure::reading(error.kind(), error).context("standard input"))?;
    // Some editors begin a text with a byte order mark.
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// Formats a query error as [`wrong`], with the command that gives the query to DuckDB unless the trace is the reason.
pub fn refused(error: QueryError, sql: &str, files: &[PathBuf]) -> Failure {
    let hint = in_duckdb(sql, files);
    match error {
        QueryError::Data(_) => wrong(error, sql),
        QueryError::Limit(_) => Failure::limit(format_args!("{error}\n  {hint}")),
        QueryError::Sql { .. } | QueryError::Name { .. } => {
            Failure::usage(format_args!("{}\n  {hint}", with_position(&error, sql)))
        }
    }
}

/// The command that gives a query to DuckDB, quoted for a shell; a long query is read from a file.
fn in_duckdb(sql: &str, files: &[PathBuf]) -> String {
    let files: Vec<String> = files.iter().map(|file| shell_word(&file.to_string_lossy())).collect();
    let files = files.join(" ");
    match sql.len() {
        ..=MAX_HINT_BYTES => format!("run it with `taut duckdb {files} -- -c {}`", shell_word(sql)),
        _ => format!("run it with `taut duckdb {files} < QUERY.sql`"),
    }
}

/// Quotes a word for a shell if it needs quotes.
fn shell_word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./=:,+@%".contains(letter);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// Formats a query error, with the line of the query and a mark under the position.
pub fn wrong(error: QueryError, sql: &str) -> Failure {
    match error {
        QueryError::Data(_) => Failure::input(error),
        QueryError::Limit(_) => Failure::limit(error),
        QueryError::Sql { .. } | QueryError::Name { .. } => Failure::usage(with_position(&error, sql)),
    }
}

fn with_position(error: &QueryError, sql: &str) -> String {
    let shown = error.position().and_then(|(line, column)| {
        let (line, column) = around(sql.lines().nth(line - 1)?, column.saturating_sub(1));
        Some(format!("\n  {line}\n  {}^", " ".repeat(column)))
    });
    format!("{error}{}", shown.unwrap_or_default())
}

/// Excerpt of a line around a position, and the position in the excerpt: a generated query may be one long line.
fn around(line: &str, place: usize) -> (String, usize) {
    let from = place.saturating_sub(CONTEXT_CHARS);
    let mut characters = line.chars().skip(from);
    let shown: String = characters.by_ref().take(2 * CONTEXT_CHARS).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if characters.next().is_some() { "…" } else { "" };
    (format!("{before}{shown}{after}"), place - from + before.chars().count())
}

fn kind(query: &Query, form: QueryFormat) -> Kind {
    match form {
        _ if query.explain => Kind::Text,
        QueryFormat::Table => Kind::Text,
        QueryFormat::Csv => Kind::Csv,
        QueryFormat::Json => Kind::Json,
        QueryFormat::Parquet => Kind::Parquet,
    }
}

/// Writes a result in chunks, as they are computed.
fn write(
    mut out: Output,
    form: ResultFormat,
    style: ResultStyle,
    tables: &taut_tables::sql::Query,
    sql: &str,
    files: &[PathBuf],
    opened: &Opened,
) -> Result<(), Failure> {
    let keys = opened.one().map_or_else(Vec::new, |analysis| trace_keys(analysis.trace()));
    let mut writer = ResultWriter::new(form, &mut out, keys).styled(style);
    let mut pushed = Ok(());
    let answered = tables.each(sql, &mut |part| {
        pushed = writer.push(part);
        if pushed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    answered.map_err(|error| refused(error, sql, files))?;
    pushed.and_then(|()| writer.finish()).map_err(Failure::io)?;
    out.finish()?;
    Ok(())
}

/// Formats the first rows as a text table.
fn shown(query: &Query, common: Common, result: &QueryResult) -> String {
    let part = result.table(query.rows);
    let headings: Vec<&str> = part.headings.iter().map(|heading| heading.title.as_str()).collect();
    let right: Vec<usize> = (0..headings.len()).filter(|column| part.headings[*column].align == Align::Right).collect();
    let more = result.height().saturating_sub(query.rows);
    if more > 0 && !common.quiet {
        print_message(format_args!("and {}: --rows N shows more, --format csv all", counted(more as u64, "more row")));
    }
    table(&headings, &right, part.rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_quotes_the_query_for_a_shell() {
        let files = [PathBuf::from("a b.taut"), PathBuf::from("c.taut")];
        let hint = in_duckdb("SELECT 'x'", &files);
        assert_eq!(hint, r"run it with `taut duckdb 'a b.taut' c.taut -- -c 'SELECT '\''x'\'''`");
        assert!(in_duckdb(&"x".repeat(MAX_HINT_BYTES + 1), &files).ends_with("< QUERY.sql`"));
    }

    #[test]
    fn an_excerpt_of_a_long_line_shows_the_position() {
        assert_eq!(around("SELECT x", 7), ("SELECT x".to_owned(), 7));
        let long = format!("{}?{}", "a".repeat(1 << 20), "b".repeat(1 << 20));
        let (shown, place) = around(&long, 1 << 20);
        assert_eq!((shown.chars().nth(place), shown.chars().count()), (Some('?'), 2 * CONTEXT_CHARS + 2));
        assert!(shown.starts_with("…a") && shown.ends_with("b…"));
    }
}

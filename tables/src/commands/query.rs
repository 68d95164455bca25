//! `taut query`: SQL over a trace's tables.

use super::opened::Opened;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;
use taut_analyze::formats::trace_keys;
use taut_analyze::render::Align;
use taut_console::args::{Common, Query, QueryForm};
use taut_console::outcome::{Failure, Outcome};
use taut_console::output::{Kind, Output, Outputs};
use taut_console::printing::{for_a_file, table, tell};
use taut_console::traces::check_stdin;
use taut_schemas::counted;
use taut_tables::query::{AnswerForm, AnswerWriter, QueryError, QueryResult};

/// Characters of a wrong question that are shown on either side of the place.
const BESIDE: usize = 60;

/// Answers the question.
pub fn run(query: &Query, common: Common) -> Outcome {
    let Some((files, sql)) = query.files_and_sql() else {
        return Err(Failure::usage("a trace and a question are needed: taut query FILE \"SELECT …\""));
    };
    check_stdin(files.iter().map(|file| file.as_os_str()).chain([sql.as_ref()]))?;
    let form = if common.json { QueryForm::Json } else { query.format };
    let mut outputs = Outputs::new(files.iter().map(PathBuf::as_path), common.force);
    let output = outputs.open_or_stdout(query.output.as_deref(), kind(query, form))?;
    let opened = Opened::open(files, query.no_cache)?;
    let sql = text(sql)?;
    let tables = opened.query();
    match (query.explain, form) {
        (true, _) => {
            let plan = tables.explain(&sql).map_err(|error| wrong(error, &sql))?;
            output.finish_with_text(&plan)?;
        }
        (_, QueryForm::Table) => {
            let result = tables.run(&sql).map_err(|error| wrong(error, &sql))?;
            if query.output.is_some() {
                for_a_file();
            }
            output.finish_with_text(&shown(query, common, &result))?;
        }
        (_, QueryForm::Csv) => write(output, AnswerForm::Csv, &tables, &sql, &opened)?,
        (_, QueryForm::Json) => write(output, AnswerForm::Json, &tables, &sql, &opened)?,
        (_, QueryForm::Parquet) => write(output, AnswerForm::Parquet, &tables, &sql, &opened)?,
    }
    Ok(opened.damage())
}

/// The question; `-` stands for standard input.
fn text(sql: &str) -> Result<String, Failure> {
    if sql != "-" {
        return Ok(sql.to_owned());
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| Failure::io(error).context("standard input"))?;
    // Some editors begin a text with a mark of its byte order.
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// What is wrong with the question, and the line it is in with a mark under the place.
pub fn wrong(error: QueryError, sql: &str) -> Failure {
    if let QueryError::Data(_) = error {
        return Failure::input(error);
    }
    let shown = error.position().and_then(|(line, column)| {
        let (line, column) = around(sql.lines().nth(line - 1)?, column.saturating_sub(1));
        Some(format!("\n  {line}\n  {}^", " ".repeat(column)))
    });
    Failure::usage(format!("{error}{}", shown.unwrap_or_default()))
}

/// What of a line is shown around a place in it, and the place in that: a question made by a program may be one long line.
fn around(line: &str, place: usize) -> (String, usize) {
    let from = place.saturating_sub(BESIDE);
    let mut characters = line.chars().skip(from);
    let shown: String = characters.by_ref().take(2 * BESIDE).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if characters.next().is_some() { "…" } else { "" };
    (format!("{before}{shown}{after}"), place - from + before.chars().count())
}

fn kind(query: &Query, form: QueryForm) -> Kind {
    match form {
        _ if query.explain => Kind::Text,
        QueryForm::Table => Kind::Text,
        QueryForm::Csv => Kind::Csv,
        QueryForm::Json => Kind::Json,
        QueryForm::Parquet => Kind::Parquet,
    }
}

/// Writes an answer as it comes.
fn write(
    mut out: Output,
    form: AnswerForm,
    tables: &taut_tables::query::Query,
    sql: &str,
    opened: &Opened,
) -> Result<(), Failure> {
    let keys = opened.one().map_or_else(Vec::new, |analysis| trace_keys(analysis.trace()));
    let mut writer = AnswerWriter::new(form, &mut out, keys);
    let mut pushed = Ok(());
    let answered = tables.each(sql, &mut |part| {
        pushed = writer.push(part);
        if pushed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    answered.map_err(|error| wrong(error, sql))?;
    pushed.and_then(|()| writer.finish()).map_err(Failure::io)?;
    out.finish()?;
    Ok(())
}

/// The first rows for people.
fn shown(query: &Query, common: Common, result: &QueryResult) -> String {
    let part = result.table(query.rows);
    let headings: Vec<&str> = part.headings.iter().map(|heading| heading.title.as_str()).collect();
    let right: Vec<usize> = (0..headings.len()).filter(|column| part.headings[*column].align == Align::Right).collect();
    let more = result.height().saturating_sub(query.rows);
    if more > 0 && !common.quiet {
        tell(format_args!("and {}: --rows N shows more, --format csv all", counted(more as u64, "more row")));
    }
    table(&headings, &right, part.rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_line_the_place_is_shown() {
        assert_eq!(around("SELECT x", 7), ("SELECT x".to_owned(), 7));
        let long = format!("{}?{}", "a".repeat(1 << 20), "b".repeat(1 << 20));
        let (shown, place) = around(&long, 1 << 20);
        assert_eq!((shown.chars().nth(place), shown.chars().count()), (Some('?'), 2 * BESIDE + 2));
        assert!(shown.starts_with("…a") && shown.ends_with("b…"));
    }
}

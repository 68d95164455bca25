//! `taut query`: SQL over a trace's tables.

use std::io::{IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_analyze::formats::trace_keys;
use taut_analyze::render::Align;
use taut_console::args::{Common, Query, QueryForm};
use taut_console::destination::Destination;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{for_a_file, print, table, tell};
use taut_console::traces::{names, open, tell_damage};
use taut_schemas::counted;
use taut_tables::query::{AnswerForm, AnswerWriter, NamedTrace, QueryError, QueryResult};

/// Answers the question.
pub fn run(query: &Query, common: Common) -> Outcome {
    let Some((files, sql)) = query.files_and_sql() else {
        return Err(Failure::usage("a trace and a question are needed: taut query FILE \"SELECT …\""));
    };
    let mut traces = Vec::with_capacity(files.len());
    for (file, name) in files.iter().zip(names(files)) {
        let failure = |error| Failure::input(error).context(file.display().to_string());
        let analysis = Arc::new(Analysis::new(open(file)?).map_err(failure)?);
        traces.push(NamedTrace { name, analysis });
    }
    let sql = text(sql)?;
    let tables = taut_tables::query::Query::new(traces.clone());
    let form = if common.json { QueryForm::Json } else { query.format };
    match (query.explain, form) {
        (true, _) => print_or_write(query, &tables.explain(&sql).map_err(|error| wrong(error, &sql))?)?,
        (_, QueryForm::Table) => {
            let result = tables.run(&sql).map_err(|error| wrong(error, &sql))?;
            if query.output.is_some() {
                for_a_file();
            }
            print_or_write(query, &shown(query, common, &result))?;
        }
        (_, QueryForm::Csv) => write(query, AnswerForm::Csv, &tables, &sql, &traces)?,
        (_, QueryForm::Json) => write(query, AnswerForm::Json, &tables, &sql, &traces)?,
        (_, QueryForm::Parquet) => {
            if query.output.is_none() && std::io::stdout().is_terminal() {
                return Err(Failure::usage("Parquet is not for terminals: say where to with -o FILE"));
            }
            write(query, AnswerForm::Parquet, &tables, &sql, &traces)?;
        }
    }
    let status = files
        .iter()
        .zip(&traces)
        .map(|(file, trace)| tell_damage(file, trace.analysis.trace(), &trace.analysis.damage_met()));
    Ok(status.max().unwrap_or(Status::Fine))
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
fn wrong(error: QueryError, sql: &str) -> Failure {
    let shown = error.position().and_then(|(line, column)| {
        let line = sql.lines().nth(line - 1)?;
        Some(format!("\n  {line}\n  {}^", " ".repeat(column.saturating_sub(1))))
    });
    Failure::usage(format!("{error}{}", shown.unwrap_or_default()))
}

fn print_or_write(query: &Query, answer: &str) -> Result<(), Failure> {
    match &query.output {
        Some(path) => {
            std::fs::write(path, answer).map_err(|error| Failure::io(error).context(path.display().to_string()))
        }
        None => print(answer),
    }
}

/// Writes an answer as it comes. No file is made for a question without one.
fn write(
    query: &Query,
    form: AnswerForm,
    tables: &taut_tables::query::Query,
    sql: &str,
    traces: &[NamedTrace],
) -> Result<(), Failure> {
    let keys = match traces {
        [trace] => trace_keys(trace.analysis.trace()),
        _ => Vec::new(),
    };
    let mut out = Destination::new(query.output.as_deref());
    let mut writer = AnswerWriter::new(form, &mut out, keys);
    let mut pushed = Ok(());
    let answered = tables.each(sql, &mut |part| {
        pushed = writer.push(part);
        if pushed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    answered.map_err(|error| wrong(error, sql))?;
    pushed.and_then(|()| writer.finish()).map_err(Failure::io)?;
    Ok(out.flush()?)
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

//! `taut query`: SQL over a trace's tables.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_analyze::formats::trace_keys;
use taut_analyze::render::{Align, grouped};
use taut_console::args::{Common, Query, QueryForm};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Output, Outputs};
use taut_console::printing::table;
use taut_console::traces::{check_stdin, name, open, stem, tell_damage};
use taut_tables::query::{AnswerForm, AnswerWriter, NamedTrace, QueryError, QueryResult};

/// Answers the question.
pub fn run(query: &Query, common: Common) -> Outcome {
    let names = query.files.iter().map(|file| file.as_os_str());
    check_stdin(names.chain([query.sql.as_ref()]))?;
    let form = if common.json { QueryForm::Json } else { query.format };
    let mut outputs = Outputs::new(query.files.iter().map(PathBuf::as_path), common.force);
    let output = outputs.open_or_stdout(query.output.as_deref(), kind(query, form))?;
    let mut traces = Vec::with_capacity(query.files.len());
    for file in &query.files {
        let failure = |error| Failure::input(error).context(name(file));
        let analysis = Arc::new(Analysis::new(open(file)?).map_err(failure)?);
        traces.push(NamedTrace { name: stem(file), analysis });
    }
    let sql = text(&query.sql)?;
    let tables = taut_tables::query::Query::new(traces.clone());
    match (query.explain, form) {
        (true, _) => {
            let plan = tables.explain(&sql).map_err(|error| wrong(error, &sql))?;
            output.finish_with(plan.as_bytes())?;
        }
        (_, QueryForm::Table) => {
            let result = tables.run(&sql).map_err(|error| wrong(error, &sql))?;
            output.finish_with(shown(query, common, &result).as_bytes())?;
        }
        (_, QueryForm::Csv) => write(output, AnswerForm::Csv, &tables, &sql, &traces)?,
        (_, QueryForm::Json) => write(output, AnswerForm::Json, &tables, &sql, &traces)?,
        (_, QueryForm::Parquet) => write(output, AnswerForm::Parquet, &tables, &sql, &traces)?,
    }
    let status = query
        .files
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
    Ok(text)
}

/// What is wrong with the question, and the line it is in with a mark under the place.
fn wrong(error: QueryError, sql: &str) -> Failure {
    let shown = error.position().and_then(|(line, column)| {
        let line = sql.lines().nth(line - 1)?;
        Some(format!("\n  {line}\n  {}^", " ".repeat(column.saturating_sub(1))))
    });
    Failure::usage(format!("{error}{}", shown.unwrap_or_default()))
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
    traces: &[NamedTrace],
) -> Result<(), Failure> {
    let keys = match traces {
        [trace] => trace_keys(trace.analysis.trace()),
        _ => Vec::new(),
    };
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
        eprintln!("taut: and {} more rows: --rows N shows more, --format csv all", grouped(more as u64));
    }
    table(&headings, &right, part.rows)
}

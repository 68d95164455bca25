//! Worker: a process that executes a shell's queries, so that a query that exceeds memory or stack ends the worker
//! only.
//!
//! Requests are lines of JSON on standard input: `{"query": SQL, "form": …, "rows": N, …}`, `{"save": SQL, "path": …}` and
//! `{"damage": true}`. Each line is answered by messages on standard output, of which `Failed` or `Done` is the last; a
//! line that is no request fails.

use super::messages::{ByteMessages, Message};
use crate::commands::opened::Opened;
use crate::commands::query::refused;
use serde_json::{Value, json};
use std::io::{BufRead, BufWriter, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use taut_analyze::render::Align;
use taut_console::args::{Common, Shell};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Outputs};
use taut_tables::sql::{QueryResult, ResultFormat, ResultStyle, ResultWriter};

struct Worker<'a> {
    files: &'a [PathBuf],
    force: bool,
    opened: Opened,
    /// The last query that succeeded, with its result.
    last: Option<(String, QueryResult)>,
}

/// Processes requests until standard input ends.
pub fn work(shell: &Shell, common: Common) -> Outcome {
    let opened = Opened::open(&shell.files, shell.no_cache)?;
    let mut worker = Worker { files: &shell.files, force: common.force, opened, last: None };
    for request in requests()? {
        let mut out = std::io::stdout().lock();
        let answered = request.and_then(|request| worker.answer(&request, &mut out));
        let message = match answered {
            Ok(height) => Message::Done(height),
            Err(failure) => match failure.report() {
                Some((code, why)) => Message::Failed(code, why),
                None => Message::Done(0),
            },
        };
        message.write(&mut out)?;
    }
    Ok(Status::Fine)
}

/// Starts a thread that reads requests, so that the end of the shell also ends a busy worker.
fn requests() -> Result<Receiver<Result<Value, Failure>>, Failure> {
    let (send, requests) = channel();
    let read = move || {
        for line in std::io::stdin().lock().split(b'\n').map_while(Result::ok) {
            let request = serde_json::from_slice(&line);
            let malformed = |error| Failure::usage(error).context("a request is one line of JSON");
            // The receiver lives as long as the process.
            let _ = send.send(request.map_err(malformed));
        }
        taut_console::end(0);
    };
    std::thread::Builder::new().name("taut-requests".to_owned()).spawn(read)?;
    Ok(requests)
}

impl Worker<'_> {
    /// Processes a request; returns the number of rows.
    fn answer(&mut self, request: &Value, out: &mut impl Write) -> Result<u64, Failure> {
        let text = |key: &str| request[key].as_str().unwrap_or_default();
        if request["damage"] == true {
            return Ok(self.opened.damage() as u64);
        }
        if let Some(sql) = request["save"].as_str() {
            let (files, force) = (self.files, self.force);
            let result = self.result(sql)?;
            save(&PathBuf::from(text("path")), result, files, force)?;
            return Ok(result.height() as u64);
        }
        let Some(sql) = request["query"].as_str() else {
            return Err(Failure::usage("a request has `query`, `save` or `damage`"));
        };
        // Each result must reflect the traces' present state, so a repeated query is executed again.
        self.last = None;
        let result = self.result(sql)?;
        let style = ResultStyle { csv_safe: request["csv_safe"] == true, for_terminal: request["terminal"] == true };
        match text("form") {
            "csv" => write(result, ResultFormat::Csv, style, out)?,
            "json" => write(result, ResultFormat::Json, style, out)?,
            _ => Message::Table(table(result, request["rows"].as_u64().unwrap_or_default())).write(out)?,
        }
        Ok(result.height() as u64)
    }

    /// Result of a query: the last one if it is of the same query.
    fn result(&mut self, sql: &str) -> Result<&QueryResult, Failure> {
        if self.last.as_ref().is_none_or(|(known, _)| known != sql) {
            // Frees the memory of the last result first.
            self.last = None;
            let result = self.opened.query().run(sql).map_err(|error| refused(error, sql, self.files))?;
            self.last = Some((sql.to_owned(), result));
        }
        match &self.last {
            Some((_, result)) => Ok(result),
            None => Err(Failure::usage("there is no result")),
        }
    }
}

fn table(result: &QueryResult, rows: u64) -> Value {
    let part = result.table(usize::try_from(rows).unwrap_or(usize::MAX));
    let headings: Vec<&str> = part.headings.iter().map(|heading| heading.title.as_str()).collect();
    let right: Vec<usize> = (0..headings.len()).filter(|column| part.headings[*column].align == Align::Right).collect();
    json!({"headings": headings, "right": right, "rows": part.rows, "height": result.height()})
}

fn write(result: &QueryResult, form: ResultFormat, style: ResultStyle, out: &mut impl Write) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, ByteMessages(out));
    let mut writer = ResultWriter::new(form, &mut out, Vec::new()).styled(style);
    writer.push(result.frame().clone()).and_then(|()| writer.finish()).map_err(Failure::io)?;
    Ok(out.flush()?)
}

/// Writes a result to a file, in the format of its extension.
fn save(path: &std::path::Path, result: &QueryResult, files: &[PathBuf], force: bool) -> Result<(), Failure> {
    let (form, kind) = form_of(path)?;
    let mut outputs = Outputs::new(files.iter().map(PathBuf::as_path), force);
    let mut output = outputs.open(path, kind)?;
    let mut writer = ResultWriter::new(form, &mut output, Vec::new());
    writer.push(result.frame().clone()).and_then(|()| writer.finish()).map_err(Failure::io)?;
    output.finish()?;
    Ok(())
}

/// Output format and kind for a file's extension.
pub fn form_of(path: &std::path::Path) -> Result<(ResultFormat, Kind), Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "parquet" => Ok((ResultFormat::Parquet, Kind::Parquet)),
        "csv" => Ok((ResultFormat::Csv, Kind::Csv)),
        "json" => Ok((ResultFormat::Json, Kind::Json)),
        _ => Err(Failure::usage(".save takes a file that ends with .parquet, .csv or .json")),
    }
}

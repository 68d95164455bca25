//! State of a shell session.

use super::connection::{Connection, Ended};
use super::messages::Message;
use super::{Next, paging, worker};
use crate::commands::opened::Opened;
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use taut_console::args::{Common, QueryFormat, Shell};
use taut_console::child_end::describe_signal;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{print, print_bytes, print_message, table};
use taut_schemas::counted;
use taut_tables::sql::Query;

/// State of a shell session.
pub struct Session<'a> {
    shell: &'a Shell,
    common: Common,
    /// Opened traces, for listings and completion; queries are executed by a worker.
    opened: Opened,
    worker: Option<Connection>,
    /// The last query that succeeded.
    last: Option<String>,
    /// Maximum number of rows shown.
    pub rows: usize,
    pub form: QueryFormat,
    /// True if the duration of each query is printed.
    pub timing: bool,
    /// True if the shell runs on a terminal.
    pub interactive: bool,
    /// Number of statements that failed, without those of a terminal that printed an error message.
    failed: u64,
    /// Highest exit code of those statements.
    failed_code: u8,
}

/// Outcome of a request.
enum RequestOutcome {
    /// Number of rows of the result.
    Rows(u64),
    /// No result: the message was printed, and the shell continues.
    Nothing,
}

impl<'a> Session<'a> {
    /// Opens the traces or the lake.
    ///
    /// # Errors
    /// As [`Opened::open`].
    pub fn open(shell: &'a Shell, common: Common) -> Result<Session<'a>, Failure> {
        let opened = Opened::open(&shell.files, shell.no_cache)?;
        let form = if common.json { QueryFormat::Json } else { QueryFormat::Table };
        Ok(Session {
            shell,
            common,
            opened,
            worker: None,
            last: None,
            rows: shell.rows,
            form,
            timing: false,
            interactive: false,
            failed: 0,
            failed_code: 0,
        })
    }

    /// Returns the opened traces or lake.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// Returns the tables, for listings and completion.
    pub fn query(&self) -> Query {
        self.opened.query()
    }

    /// Reports the failure of a statement from a pipe, after which the shell continues.
    ///
    /// # Errors
    /// The failure ends the shell (`--bail`, or its own input or output failed), or a terminal reports it.
    pub fn after_failure(&mut self, failure: Failure) -> Result<Next, Failure> {
        if self.interactive || self.shell.bail || failure.system_error().is_some() {
            return Err(failure);
        }
        taut_console::report_failure(&failure);
        self.count_failure(failure.code());
        Ok(Next::Line)
    }

    /// True if a statement failed and `--bail` is set.
    pub fn has_to_end(&self) -> bool {
        self.shell.bail && !self.interactive && self.failed > 0
    }

    fn count_failure(&mut self, code: u8) {
        self.failed += 1;
        self.failed_code = self.failed_code.max(code);
    }

    /// Executes a query and prints its result. A query that exceeds memory or stack ends its worker, and prints a
    /// message instead.
    ///
    /// # Errors
    /// The query is wrong, or its answer cannot be shown.
    pub fn run_query(&mut self, sql: &str) -> Result<(), Failure> {
        if self.opened.has_changed() {
            // The recording continues, or the trace was replaced: results must be of the present file.
            self.opened = Opened::open(&self.shell.files, self.shell.no_cache)?;
            self.worker = None;
        }
        let form = match self.form {
            QueryFormat::Table => "table",
            QueryFormat::Csv => "csv",
            QueryFormat::Json => "json",
            QueryFormat::Parquet => return Err(Failure::usage("Parquet cannot be shown: use .save FILE.parquet")),
        };
        let terminal = std::io::stdout().is_terminal();
        let request = json!({"query": sql, "form": form, "rows": self.rows, "csv_safe": self.shell.csv_safe, "terminal": terminal});
        let began = Instant::now();
        match self.request(&request, began)? {
            RequestOutcome::Nothing => {}
            RequestOutcome::Rows(rows) => {
                self.last = Some(sql.to_owned());
                if self.timing && self.form != QueryFormat::Table {
                    print(&timing_text(rows, rows, began.elapsed()))?;
                }
            }
        }
        Ok(())
    }

    /// Sends a request to the worker and prints its responses.
    fn request(&mut self, request: &Value, began: Instant) -> Result<RequestOutcome, Failure> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => {
                Connection::start(self.shell, self.common).map_err(|error| Failure::io(error).context("taut-tables"))?
            }
        };
        let mut shown: Result<(), Failure> = Ok(());
        let mut height = 0;
        let mut failed = None;
        let ended = worker.request(request, &mut |message| {
            match message {
                // If printing failed, the rest is still read, so that the next response starts at a message boundary.
                Message::Table(_) | Message::Bytes(_) if shown.is_err() => {}
                Message::Table(table) => shown = self.show_table(&table, began.elapsed()),
                Message::Bytes(bytes) => shown = print_bytes(&bytes),
                Message::Failed(code, why) => {
                    failed = Some(Failure::with_code(code, why));
                    return true;
                }
                Message::Done(rows) => {
                    height = rows;
                    return true;
                }
            }
            false
        });
        match (ended, failed) {
            (Err(ended), _) => {
                self.lost(ended);
                return Ok(RequestOutcome::Nothing);
            }
            // A query that exceeds a limit is treated like one that exceeds its memory.
            (Ok(()), Some(failure)) if failure.code() == 1 => {
                taut_console::report_failure(&failure);
                self.count_failure(failure.code());
                self.worker = Some(worker);
                return Ok(RequestOutcome::Nothing);
            }
            (Ok(()), failed) => {
                self.worker = Some(worker);
                failed.map_or(Ok(()), Err)?;
            }
        }
        shown.map(|()| RequestOutcome::Rows(height))
    }

    /// Reports the end of a worker.
    fn lost(&mut self, ended: Ended) {
        let status = match ended {
            Ended::Interrupted => return print_message("the query was cancelled; the shell continues"),
            Ended::Worker(status) => status,
        };
        match (describe_signal("taut-tables", status), status.code()) {
            (Some(ended), _) => {
                print_message(format_args!("{ended}; the shell continues"));
                self.count_failure(Failure::IO_CODE);
            }
            // The worker has already reported that the memory limit was exceeded.
            (None, Some(1)) => self.count_failure(1),
            (None, _) => {
                print_message("the query ended without a result; the shell continues");
                self.count_failure(Failure::IO_CODE);
            }
        }
    }

    /// Prints the first rows of a result as a table.
    fn show_table(&self, answer: &Value, took: Duration) -> Result<(), Failure> {
        let texts = |values: &Value| -> Vec<String> {
            values.as_array().into_iter().flatten().map(|value| value.as_str().unwrap_or_default().to_owned()).collect()
        };
        let headings = texts(&answer["headings"]);
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        let right: Vec<usize> = answer["right"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_u64)
            .map(|place| place as usize)
            .collect();
        let rows: Vec<Vec<String>> = answer["rows"].as_array().into_iter().flatten().map(texts).collect();
        let (height, shown) = (answer["height"].as_u64().unwrap_or_default(), rows.len() as u64);
        let mut text = table(&headings, &right, rows);
        if self.timing {
            text += &timing_text(height, shown, took);
        } else if shown < height {
            print_message(format_args!("and {}", counted(height - shown, "more row")));
        }
        if self.interactive { paging::show(&text) } else { print(&text) }
    }

    /// Writes the last result to a file, in the format of its extension. If its worker has ended, the query is executed
    /// again.
    ///
    /// # Errors
    /// There is no result, the extension is unknown, or the file cannot be written.
    pub fn save(&mut self, path: &str) -> Result<(), Failure> {
        let Some(last) = self.last.clone() else {
            return Err(Failure::usage("there is no result to save: run a query first"));
        };
        worker::form_of(Path::new(path))?;
        match self.request(&json!({"save": last, "path": path}), Instant::now())? {
            RequestOutcome::Rows(rows) => {
                print(&format!("{}: {}\n", PathBuf::from(path).display(), counted(rows, "row")))
            }
            RequestOutcome::Nothing => Ok(()),
        }
    }

    /// Ends the session: reports damage, and returns the worst outcome of its statements.
    pub fn finish(mut self) -> Outcome {
        // The worker knows the damage that queries met. If it was lost, only the damage found on opening is known.
        let status = match self.worker.take() {
            Some(worker) => {
                self.worker = Some(worker);
                match self.request(&json!({"damage": true}), Instant::now())? {
                    RequestOutcome::Rows(status) if status == Status::Incomplete as u64 => Status::Incomplete,
                    _ => Status::Fine,
                }
            }
            None => self.opened.damage(),
        };
        if self.failed == 0 {
            return Ok(status);
        }
        let code = self.failed_code.max(status as u8);
        Err(Failure::with_code(code, format_args!("{} failed", counted(self.failed, "statement"))))
    }
}

/// Text with the number of rows and the duration of a query.
fn timing_text(rows: u64, shown: u64, took: Duration) -> String {
    let some = if shown < rows { format!(", {shown} shown") } else { String::new() };
    format!("{}{some}, {:.3} s\n", counted(rows, "row"), took.as_secs_f64())
}

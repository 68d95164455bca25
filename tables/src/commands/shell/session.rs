//! What the shell knows from one question to the next.

use super::answering::{self, Answered};
use super::paging;
use crate::commands::opened::Opened;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use taut_analyze::render::Align;
use taut_console::args::{Common, QueryForm, Shell};
use taut_console::outcome::{Failure, Status};
use taut_console::output::{Kind, Outputs};
use taut_console::printing::{print, print_bytes, table, tell};
use taut_schemas::counted;
use taut_tables::query::{AnswerForm, AnswerWriter, Query, QueryResult};

/// What the shell knows from one question to the next.
pub struct Session {
    files: Vec<PathBuf>,
    opened: Opened,
    no_cache: bool,
    force: bool,
    /// The last answer.
    last: Option<QueryResult>,
    /// Rows that an answer shows.
    pub rows: usize,
    pub form: QueryForm,
    /// Whether it is told how long an answer took.
    pub timing: bool,
    /// Somebody sits before it.
    pub interactive: bool,
}

impl Session {
    /// Opens what is asked.
    ///
    /// # Errors
    /// As [`Opened::open`].
    pub fn open(shell: &Shell, common: Common) -> Result<Session, Failure> {
        let opened = Opened::open(&shell.files, shell.no_cache)?;
        let form = if common.json { QueryForm::Json } else { QueryForm::Table };
        Ok(Session {
            files: shell.files.clone(),
            opened,
            no_cache: shell.no_cache,
            force: common.force,
            last: None,
            rows: shell.rows,
            form,
            timing: false,
            interactive: false,
        })
    }

    /// What is asked.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The tables, for lists and completion.
    pub fn query(&self) -> Query {
        self.opened.query()
    }

    /// Answers a question and shows the answer.
    ///
    /// # Errors
    /// It has no answer, or that cannot be shown.
    pub fn ask(&mut self, sql: &str) -> Result<(), Failure> {
        if self.opened.has_changed() {
            // A recording that goes on, or another trace in its place: answers are of what is there now.
            self.opened = Opened::open(&self.files, self.no_cache)?;
        }
        let began = Instant::now();
        match answering::answer(self.query(), sql)? {
            Answered::Interrupted => tell("the question was ended; the shell goes on"),
            Answered::Result(result) => {
                let took = began.elapsed();
                self.show(&result, took)?;
                self.last = Some(result);
            }
        }
        Ok(())
    }

    fn show(&self, result: &QueryResult, took: Duration) -> Result<(), Failure> {
        let form = match self.form {
            QueryForm::Table => return self.show_table(result, took),
            QueryForm::Csv => AnswerForm::Csv,
            QueryForm::Json => AnswerForm::Json,
            QueryForm::Parquet => return Err(Failure::usage("Parquet is not shown: .save FILE.parquet writes it")),
        };
        let mut text = Vec::new();
        let mut writer = AnswerWriter::new(form, &mut text, Vec::new());
        writer.push(result.frame().clone()).and_then(|()| writer.finish()).map_err(Failure::io)?;
        print_bytes(&text)?;
        if self.timing { print(&told(result.height(), result.height(), took)) } else { Ok(()) }
    }

    fn show_table(&self, result: &QueryResult, took: Duration) -> Result<(), Failure> {
        let part = result.table(self.rows);
        let headings: Vec<&str> = part.headings.iter().map(|heading| heading.title.as_str()).collect();
        let right: Vec<usize> =
            (0..headings.len()).filter(|column| part.headings[*column].align == Align::Right).collect();
        let shown = part.rows.len();
        let mut text = table(&headings, &right, part.rows);
        if self.timing {
            text += &told(result.height(), shown, took);
        } else if shown < result.height() {
            tell(format_args!("and {}", counted((result.height() - shown) as u64, "more row")));
        }
        if self.interactive { paging::show(&text) } else { print(&text) }
    }

    /// Writes the last answer to a file, whose ending says in which form.
    ///
    /// # Errors
    /// There is none, the ending says no form, or it cannot be written there.
    pub fn save(&self, path: &str) -> Result<(), Failure> {
        let Some(last) = &self.last else {
            return Err(Failure::usage("there is no answer to save: ask first"));
        };
        let path = PathBuf::from(path);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let (form, kind) = match ending.as_str() {
            "parquet" => (AnswerForm::Parquet, Kind::Parquet),
            "csv" => (AnswerForm::Csv, Kind::Csv),
            "json" => (AnswerForm::Json, Kind::Json),
            _ => return Err(Failure::usage(".save takes a file that ends with .parquet, .csv or .json")),
        };
        let mut outputs = Outputs::new(self.files.iter().map(PathBuf::as_path), self.force);
        let mut output = outputs.open(&path, kind)?;
        let mut writer = AnswerWriter::new(form, &mut output, Vec::new());
        writer.push(last.frame().clone()).and_then(|()| writer.finish()).map_err(Failure::io)?;
        output.finish()?;
        print(&format!("{}: {}\n", path.display(), counted(last.height() as u64, "row")))
    }

    /// Tells the damage that was met.
    pub fn damage(&self) -> Status {
        self.opened.damage()
    }
}

/// How many rows an answer has, and how long it took.
fn told(rows: usize, shown: usize, took: Duration) -> String {
    let some = if shown < rows { format!(", {shown} shown") } else { String::new() };
    format!("{}{some}, {:.3} s\n", counted(rows as u64, "row"), took.as_secs_f64())
}

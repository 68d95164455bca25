//! Errors of operations as exceptions of the package.

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::io;
use std::path::Path;
use taut_app::Error;
use taut_console::outcome;
use taut_schemas::nearest;
use taut_tables::TableError;
use taut_tables::parquet::LakeError;
use taut_tables::sql::QueryError;
use taut_traces::{Damage, ReadError, WriteError};

/// Exception of the package that is not built yet, as a thread without the interpreter has it.
#[derive(Debug)]
pub struct Failure(Box<Exception>);

/// Class and content of an exception.
#[derive(Debug, Default)]
struct Exception {
    /// Name of the class.
    class: Class,
    message: String,
    path: Option<String>,
    damage: Option<Damage>,
    /// Line and column in a query.
    position: Option<(usize, usize)>,
    /// Names that exist.
    known: Vec<String>,
    system: Option<System>,
}

/// Error number and message of the system.
#[derive(Debug)]
struct System {
    errno: Option<i32>,
    message: String,
}

/// Class of an exception.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Class {
    #[default]
    Taut,
    Trace,
    Query,
    Option,
    Output,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Class::Taut => "TautError",
            Class::Trace => "TraceError",
            Class::Query => "QueryError",
            Class::Option => "OptionError",
            Class::Output => "OutputError",
        }
    }
}

impl Failure {
    /// Wrong option.
    pub fn option(message: impl ToString) -> Failure {
        Exception { class: Class::Option, message: message.to_string(), ..Exception::default() }.into()
    }

    /// Error that none of the other classes describes.
    pub fn other(message: impl ToString) -> Failure {
        Exception { message: message.to_string(), ..Exception::default() }.into()
    }

    /// Error of a query of a text.
    pub fn query(error: &QueryError) -> Failure {
        let class = match error {
            QueryError::Data(_) => Class::Trace,
            QueryError::Limit(_) | QueryError::Sql { .. } | QueryError::Name { .. } => Class::Query,
        };
        let known = match error {
            QueryError::Name { known, .. } => vec![known.clone()],
            _ => Vec::new(),
        };
        Exception { class, message: error.to_string(), position: error.position(), known, ..Exception::default() }
            .into()
    }

    /// Error of reading a trace.
    pub fn read(error: ReadError, path: &Path) -> Failure {
        let name = path.to_string_lossy().into_owned();
        // The system's message names the file already.
        let message = match &error {
            ReadError::Io { .. } => error.to_string(),
            _ => format!("{name}: {error}"),
        };
        let failure = Exception { class: Class::Trace, message, path: Some(name), ..Exception::default() };
        let failure = match error {
            ReadError::Io { source, .. } => Exception { system: Some(System::from(&source)), ..failure },
            ReadError::Head(damage) => Exception { damage: Some(damage), ..failure },
            ReadError::Header { offset, source } => {
                let found = source.to_string();
                let expected = "a valid header".to_owned();
                let damage = Damage { offset, what: "header", expected, found, events_lost: None };
                Exception { damage: Some(damage), ..failure }
            }
            ReadError::Version { found, known } => {
                let expected = format!("a version up to {known}");
                // The version is the first field after the magic number.
                let offset = taut_traces::MAGIC.len() as u64;
                let damage = Damage { offset, what: "version", expected, found: found.to_string(), events_lost: None };
                Exception { damage: Some(damage), ..failure }
            }
            _ => failure,
        };
        failure.into()
    }

    /// Message of the exception.
    pub fn text(&self) -> &str {
        &self.0.message
    }

    /// Adds the path of the file.
    pub fn of_file(mut self, path: &Path) -> Failure {
        self.0.path.get_or_insert_with(|| path.to_string_lossy().into_owned());
        self
    }

    /// Builds the exception.
    pub fn raise(self, py: Python<'_>) -> PyErr {
        self.0.build(py).unwrap_or_else(|error| error)
    }
}

impl Exception {
    fn build(self, py: Python<'_>) -> PyResult<PyErr> {
        let fields = PyDict::new(py);
        let class = self.class;
        if class == Class::Trace {
            fields.set_item("path", self.path.as_deref())?;
            if let Some(Damage { offset, what, expected, found, .. }) = &self.damage {
                fields.set_item("offset", offset)?;
                fields.set_item("what", what)?;
                fields.set_item("expected", expected)?;
                fields.set_item("found", found)?;
            }
        }
        if class == Class::Query {
            fields.set_item("line", self.position.map(|(line, _)| line))?;
            fields.set_item("column", self.position.map(|(_, column)| column))?;
        }
        if matches!(class, Class::Query | Class::Option) {
            fields.set_item("known", self.known)?;
        }
        if class == Class::Output {
            fields.set_item("errno", self.system.as_ref().and_then(|system| system.errno))?;
            fields.set_item("path", self.path.as_deref())?;
        }
        let built = py.import("tautline._errors")?.getattr(class.name())?.call((self.message,), Some(&fields))?;
        let error = PyErr::from_value(built);
        if let Some(System { errno, message }) = self.system {
            let cause = PyOSError::new_err((errno.unwrap_or_default(), message, self.path.unwrap_or_default()));
            error.set_cause(py, Some(cause));
        }
        Ok(error)
    }
}

impl From<Exception> for Failure {
    fn from(exception: Exception) -> Failure {
        Failure(Box::new(exception))
    }
}

impl From<&io::Error> for System {
    fn from(error: &io::Error) -> System {
        System { errno: error.raw_os_error(), message: error.to_string() }
    }
}

/// Exception for a defect of this module.
pub fn internal(what: &str) -> PyErr {
    PyRuntimeError::new_err(format!("internal error: {what}"))
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let message = with_causes(&error);
        let mut failure = classified(error);
        failure.0.message = message;
        failure
    }
}

/// Message of an error and of those that caused it. An error that repeats its cause is named once.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !message.ends_with(&text) {
            message = format!("{message}: {text}");
        }
        cause = error.source();
    }
    message
}

/// Exception without its message.
fn classified(error: Error) -> Failure {
    match error {
        Error::UnknownName { ref name, ref known, .. } => {
            let known: Vec<String> = match nearest(name, known.iter().map(String::as_str)) {
                Some(nearest) => vec![nearest.to_owned()],
                None => known.clone(),
            };
            Exception { class: Class::Option, known, ..Exception::default() }.into()
        }
        Error::Usage(_) => Failure::option(""),
        Error::Limit(_) => Failure::other(""),
        Error::Read(ReadError::Io { path, source }) => {
            Failure::read(ReadError::Io { path: path.clone(), source }, &path)
        }
        Error::Read(error) => Failure::read(error, Path::new("")),
        Error::Write(error) => error.into(),
        Error::Input(_) => Exception { class: Class::Trace, ..Exception::default() }.into(),
        Error::Io(source) => {
            let errno = source.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
            let system = Some(System { errno, message: source.to_string() });
            Exception { class: Class::Output, system, ..Exception::default() }.into()
        }
        Error::In { context, source } => classified(*source).of_file(Path::new(&context)),
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        let message = error.to_string();
        let system = match error {
            WriteError::Output { source, .. } => Some(System::from(&source)),
            _ => None,
        };
        Exception { class: Class::Output, message, system, ..Exception::default() }.into()
    }
}

impl From<outcome::Failure> for Failure {
    fn from(failure: outcome::Failure) -> Failure {
        let class = match failure.code() {
            2 => Class::Option,
            3 => Class::Trace,
            outcome::Failure::IO_CODE => Class::Output,
            _ => Class::Taut,
        };
        let system = failure.system_error().map(System::from);
        let message = failure.report().map(|(_, message)| message).unwrap_or_else(|| "the reader is gone".to_owned());
        Exception { class, message, system, ..Exception::default() }.into()
    }
}

impl From<LakeError> for Failure {
    fn from(error: LakeError) -> Failure {
        Exception { class: Class::Trace, message: error.to_string(), ..Exception::default() }.into()
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Exception { class: Class::Trace, message: error.to_string(), ..Exception::default() }.into()
    }
}

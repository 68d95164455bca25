//! Queries, and their results in batches.

use crate::arrow::{RequestedText, stream};
use crate::failure::{Failure, internal};
use crate::trace::{OpenLake, OpenTrace};
use crate::work::{check_process, panic_text, receive, start};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use taut_tables::parquet::ReadLake;
use taut_tables::polars::prelude::{DataFrame, PolarsError, PolarsResult};
use taut_tables::sql::{NamedTrace, Query};

/// Batches that a query computes in advance.
const BATCHES_AHEAD: usize = 1;

/// Tables that a query reads.
enum Source {
    Traces(Vec<NamedTrace>),
    Lake(Arc<ReadLake>),
}

/// Message of the thread that runs a query.
enum Message {
    Rows(DataFrame),
    Failed(Failure),
    Panicked(String),
    /// The result is complete. A thread that ends without this message has failed.
    End,
}

/// A query that runs on a thread of its own.
pub struct Running {
    messages: Mutex<Receiver<Message>>,
    ended: Arc<AtomicBool>,
    is_over: AtomicBool,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

impl Running {
    fn start(source: Source, sql: String) -> Result<Running, Failure> {
        let (sender, messages) = sync_channel(BATCHES_AHEAD);
        let ended = Arc::new(AtomicBool::new(false));
        let of_thread = Arc::clone(&ended);
        start(move || {
            let run = AssertUnwindSafe(|| answer(source, &sql, of_thread, &sender));
            let last = match catch_unwind(run) {
                Ok(Ok(())) => Message::End,
                Ok(Err(failure)) => Message::Failed(failure),
                Err(panic) => Message::Panicked(panic_text(&*panic).to_owned()),
            };
            // A reader that has been dropped needs no end.
            let _ = sender.send(last);
        })?;
        Ok(Running { messages: Mutex::new(messages), ended, is_over: AtomicBool::new(false) })
    }

    /// Next rows, for a caller that has the interpreter; `None` at the end.
    fn next(&self, py: Python<'_>) -> PyResult<Option<DataFrame>> {
        if self.is_over.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let message = receive(py, &self.messages)?;
        self.is_over.store(!matches!(message, Some(Message::Rows(_))), Ordering::Relaxed);
        match message {
            Some(Message::Rows(rows)) => Ok(Some(rows)),
            Some(Message::End) => Ok(None),
            Some(Message::Failed(failure)) => Err(failure.raise(py)),
            Some(Message::Panicked(text)) => Err(internal(&text)),
            None => Err(internal("a query has ended without a result")),
        }
    }
}

/// Batches for a reader of a C stream, which may or may not have the interpreter.
impl Iterator for Running {
    type Item = PolarsResult<DataFrame>;

    fn next(&mut self) -> Option<PolarsResult<DataFrame>> {
        if self.is_over.load(Ordering::Relaxed) {
            return None;
        }
        let message = self.messages.lock().unwrap_or_else(PoisonError::into_inner).recv();
        self.is_over.store(!matches!(message, Ok(Message::Rows(_))), Ordering::Relaxed);
        let failed = |text: String| Some(Err(PolarsError::ComputeError(text.into())));
        match message {
            Ok(Message::Rows(rows)) => Some(Ok(rows)),
            Ok(Message::End) => None,
            Ok(Message::Failed(failure)) => failed(failure.text().to_owned()),
            Ok(Message::Panicked(text)) => failed(format!("internal error: {text}")),
            Err(_) => failed("internal error: a query has ended without a result".to_owned()),
        }
    }
}

/// Runs a query and sends its rows.
fn answer(source: Source, sql: &str, ended: Arc<AtomicBool>, rows: &SyncSender<Message>) -> Result<(), Failure> {
    let query = match source {
        Source::Traces(traces) => Query::new(traces),
        Source::Lake(lake) => Query::from_lake(lake),
    };
    let query = query.ended_by(ended);
    let answered = query.each(sql, &mut |part| match rows.send(Message::Rows(part)) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    });
    answered.map_err(|error| Failure::query(&error))
}

/// Starts a query over traces with their names, or over a lake.
///
/// # Errors
/// The process is a fork, or the system gives no thread.
#[pyfunction]
pub fn query(
    py: Python<'_>,
    traces: Vec<(String, PyRef<'_, OpenTrace>)>,
    lake: Option<PyRef<'_, OpenLake>>,
    sql: String,
) -> PyResult<Batches> {
    check_process(py)?;
    let source = match lake {
        Some(lake) => Source::Lake(lake.lake()),
        None => {
            let named = traces.into_iter().map(|(name, trace)| NamedTrace::new(name, trace.analysis()));
            Source::Traces(named.collect())
        }
    };
    let running = Running::start(source, sql).map_err(|error| error.raise(py))?;
    Ok(Batches { running: Mutex::new(Some(running)) })
}

/// Result of a query, in batches.
#[pyclass(frozen)]
pub struct Batches {
    /// `None` once a stream has taken the rest.
    running: Mutex<Option<Running>>,
}

impl Batches {
    /// Removes the query, while a batch is received or for good.
    fn take(&self) -> PyResult<Running> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        running.ok_or_else(|| internal("these batches are read by another thread, or belong to a stream"))
    }
}

#[pymethods]
impl Batches {
    /// Next batch; `None` at the end.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let running = self.take()?;
        let rows = running.next(py)?;
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(running);
        Ok(rows.map(|frame| Batch { frame }))
    }

    /// Capsule of an Arrow C stream of all batches. Waits for the first one, so that an error of the query is raised here.
    /// `text` has the formats of the requested types, by column.
    fn stream<'py>(&self, py: Python<'py>, text: HashMap<String, String>) -> PyResult<Bound<'py, PyCapsule>> {
        let running = self.take()?;
        let first = running.next(py)?.ok_or_else(|| internal("a query has no columns"))?;
        stream(py, RequestedText::new(text), first, running)
    }
}

/// Rows of a query.
#[pyclass(frozen)]
pub struct Batch {
    frame: DataFrame,
}

#[pymethods]
impl Batch {
    fn __len__(&self) -> usize {
        self.frame.height()
    }

    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.frame.columns().iter().map(|column| column.name().to_string()).collect()
    }

    /// Capsule of an Arrow C stream of the rows. `text` has the formats of the requested types, by column.
    fn stream<'py>(&self, py: Python<'py>, text: HashMap<String, String>) -> PyResult<Bound<'py, PyCapsule>> {
        stream(py, RequestedText::new(text), self.frame.clone(), std::iter::empty())
    }

    /// Capsule of an Arrow C stream of the rows of several batches of one query.
    #[staticmethod]
    fn stream_of<'py>(py: Python<'py>, batches: Vec<PyRef<'py, Batch>>) -> PyResult<Bound<'py, PyCapsule>> {
        let mut frames: Vec<DataFrame> = batches.iter().map(|batch| batch.frame.clone()).collect();
        if frames.is_empty() {
            return Err(internal("a stream has at least one batch"));
        }
        let first = frames.remove(0);
        stream(py, RequestedText::default(), first, frames.into_iter().map(Ok))
    }

    /// The first rows as text, for a page.
    fn texts(&self, rows: usize) -> Vec<Vec<String>> {
        taut_tables::sql::QueryResult::from(self.frame.head(Some(rows))).table(rows).rows
    }
}

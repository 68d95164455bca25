//! Export of a trace for another tool.

use crate::failure::Failure;
use crate::progress::{Meter, with_progress};
use crate::trace::OpenTrace;
use crate::work::AfterStop;
use pyo3::prelude::*;
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use taut_app::export::{Export, ExportForm};
use taut_console::output::{Kind, Output, Outputs};

/// Writer that fails once the caller was interrupted.
pub struct Interruptible<'a> {
    pub output: &'a mut Output,
    pub is_stopped: &'a AtomicBool,
}

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_stopped.load(Ordering::Relaxed) {
            return Err(io::Error::other("interrupted"));
        }
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Writes a trace in the format of another tool. Returns JSON text of the path and the size, and the damage.
#[pyfunction]
pub fn export(
    py: Python<'_>,
    trace: PyRef<'_, OpenTrace>,
    form: &str,
    output: PathBuf,
    force: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let (form, kind) = match form {
        "jsonl" => (ExportForm::Jsonl, Kind::Records),
        "etl" => (ExportForm::Etl, Kind::Etl),
        "perfetto" => (ExportForm::Perfetto, Kind::Perfetto),
        other => return Err(Failure::option(format!("to={other}: expected jsonl, perfetto or etl")).raise(py)),
    };
    let (path, trace) = trace.file();
    let work = move |meter: &Meter, is_stopped: &AtomicBool| {
        let mut outputs = Outputs::new([path.as_path()], force);
        let mut file = outputs.open(&output, kind)?;
        let source = Export::new(path.to_string_lossy().into_owned(), trace)?;
        let gaps = source.write(form, &mut Interruptible { output: &mut file, is_stopped }, meter)?;
        let bytes = file.finish()?;
        let left_out = gaps.left_out_text();
        let mut damage = gaps.damage;
        damage.extend(left_out);
        Ok((json!({"path": output, "bytes": bytes}).to_string(), damage))
    };
    with_progress(py, progress, work, || AfterStop::Waits)
}

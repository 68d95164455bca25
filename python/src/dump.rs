//! Events of a trace as values.

use crate::failure::Failure;
use crate::progress::{Meter, with_progress};
use crate::trace::OpenTrace;
use crate::work::AfterStop;
use pyo3::prelude::*;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use taut_app::dump::{DumpOptions, event_json};
use taut_traces::{Row, Trace, fields};

/// Options that select events, with the names of `taut dump`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct DumpArguments {
    from: Option<u64>,
    to: Option<u64>,
    around: Option<u64>,
    thread: Option<u32>,
    event: Option<String>,
    limit: Option<usize>,
}

/// JSON text of events: a list.
#[pyfunction]
pub fn dump(py: Python<'_>, trace: PyRef<'_, OpenTrace>, arguments: Bound<'_, PyAny>) -> PyResult<String> {
    let DumpArguments { from, to, around, thread, event, limit } = arguments.extract()?;
    let options = DumpOptions { from, to, around, thread, event, limit };
    let (path, trace) = trace.file();
    let work = move |_: &Meter, is_stopped: &AtomicBool| {
        let events = events(&options, &trace, is_stopped).map_err(|failure| failure.of_file(&path))?;
        Ok(Value::from(events).to_string())
    };
    with_progress(py, None, work, || AfterStop::Abandons)
}

fn events(options: &DumpOptions, trace: &Trace, is_stopped: &AtomicBool) -> Result<Vec<Value>, Failure> {
    if options.around.is_some() && (options.from.is_some() || options.to.is_some()) {
        return Err(Failure::option("around excludes from_ and to"));
    }
    options.check_stamps()?;
    options.check_event(trace)?;
    let schema = &trace.header().schema;
    let event = |row: &Row<'_>| {
        if is_stopped.load(Ordering::Relaxed) {
            return Err(Failure::other("interrupted"));
        }
        let fields = fields(schema, row.code, row.payload).map_err(taut_app::Error::from)?;
        Ok(event_json(schema, row, fields))
    };
    let mut events = Vec::new();
    options.each(trace, options.rows(trace).rows, event, |event| {
        events.push(event.clone());
        Ok(())
    })?;
    Ok(events)
}

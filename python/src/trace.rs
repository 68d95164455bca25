//! Open traces and lakes.

use crate::failure::Failure;
use crate::work::run;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_app::info::{Inspection, json};
use taut_tables::parquet::ReadLake;
use taut_tables::sql::{NamedTrace, Query};
use taut_traces::{Damage, Trace};

/// A trace that was read into memory, so that a file that is shortened later raises no signal.
#[pyclass(frozen)]
pub struct OpenTrace {
    path: PathBuf,
    trace: Arc<Trace>,
    analysis: Arc<Analysis>,
}

impl OpenTrace {
    /// The analysis, whose results all queries of the trace share.
    pub fn analysis(&self) -> Arc<Analysis> {
        Arc::clone(&self.analysis)
    }

    /// Path and trace.
    pub fn file(&self) -> (PathBuf, Arc<Trace>) {
        (self.path.clone(), Arc::clone(&self.trace))
    }
}

/// A folder of exported traces.
#[pyclass(frozen)]
pub struct OpenLake(Arc<ReadLake>);

impl OpenLake {
    /// The lake.
    pub fn lake(&self) -> Arc<ReadLake> {
        Arc::clone(&self.0)
    }
}

/// Reads a trace.
///
/// # Errors
/// The file cannot be read, or is not a trace.
pub fn read(path: &PathBuf) -> Result<Trace, Failure> {
    Trace::open_in_memory(path).map_err(|error| Failure::read(error, path))
}

/// Opens a trace.
#[pyfunction]
pub fn open(py: Python<'_>, path: PathBuf) -> PyResult<OpenTrace> {
    run(py, move || {
        let trace = Arc::new(read(&path)?);
        let analysis = Analysis::new(Arc::clone(&trace));
        let analysis = analysis.map_err(|error| Failure::from(taut_app::Error::from(error)).of_file(&path))?;
        Ok(OpenTrace { path, trace, analysis: Arc::new(analysis) })
    })
}

/// Opens a lake.
#[pyfunction]
pub fn open_lake(py: Python<'_>, path: PathBuf) -> PyResult<OpenLake> {
    run(py, move || Ok(OpenLake(Arc::new(ReadLake::open(&path)?))))
}

fn damage_json(damage: &Damage) -> Value {
    let Damage { offset, what, expected, found, events_lost } = damage;
    json!({"offset": offset, "what": what, "expected": expected, "found": found, "events_lost": events_lost})
}

#[pymethods]
impl OpenTrace {
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// JSON text of `taut info`. With `verify`, every block is checked, without a limit of size.
    fn info(&self, py: Python<'_>, verify: bool) -> PyResult<String> {
        let analysis = self.analysis();
        run(py, move || {
            let trace = analysis.trace();
            Ok(json(trace, &Inspection::new(trace, verify)).to_string())
        })
    }

    /// JSON text of the damaged parts: a list.
    fn damage(&self, py: Python<'_>) -> PyResult<String> {
        let analysis = self.analysis();
        run(py, move || Ok(Value::from_iter(analysis.trace().check().iter().map(damage_json)).to_string()))
    }

    /// Sentences on the damage that opening and queries have met so far.
    fn damage_met(&self) -> Vec<String> {
        let of_open = self.analysis.trace().damage().iter().map(ToString::to_string);
        let mut met: Vec<String> = of_open.chain(self.analysis.damage_met()).collect();
        met.dedup();
        met
    }

    /// JSON text of the tables: name, columns and number of records.
    fn tables(&self) -> String {
        listed(&Query::new(vec![NamedTrace::new("trace", self.analysis())]))
    }
}

#[pymethods]
impl OpenLake {
    /// Ids of the traces.
    #[getter]
    fn traces(&self) -> Vec<String> {
        self.0.traces().to_vec()
    }

    /// JSON text of the tables: name, columns and number of records.
    fn tables(&self) -> String {
        listed(&Query::from_lake(self.lake()))
    }
}

fn listed(query: &Query) -> String {
    let tables = query.tables().into_iter().map(|table| {
        let columns = table.columns.iter().map(|column| column.name.clone());
        json!({"name": table.name, "full_name": table.full_name, "columns": columns.collect::<Vec<_>>(),
               "records": table.records})
    });
    Value::from_iter(tables).to_string()
}

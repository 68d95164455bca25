//! Export of a trace in formats of other tools.

use crate::progress::watched;
use crate::{Error, Progress, Step};
use std::io::Write;
use std::sync::Arc;
use taut_analyze::export::{write_jsonl, write_perfetto};
use taut_analyze::{Analysis, AnalyzeError};
use taut_traces::Trace;

/// Format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportForm {
    /// One record a line.
    Jsonl,
    /// A timeline for Perfetto.
    Perfetto,
}

/// A trace that can be exported.
pub struct Export {
    /// Name in errors.
    name: String,
    analysis: Analysis,
}

impl Export {
    /// Opens the trace. Errors name it `name`.
    ///
    /// # Errors
    /// The trace lacks a field that it must have.
    pub fn new(name: String, trace: impl Into<Arc<Trace>>) -> Result<Export, Error> {
        let analysis = Analysis::new(trace).map_err(|error| export_error(error, &name))?;
        Ok(Export { name, analysis })
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        self.analysis.trace()
    }

    /// Writes the trace. Returns its damage, one sentence each.
    ///
    /// # Errors
    /// The trace cannot be read, or the output cannot be written.
    pub fn write(
        &self,
        form: ExportForm,
        out: &mut (impl Write + Send),
        progress: &dyn Progress,
    ) -> Result<Vec<String>, Error> {
        let trace = self.trace();
        let total = trace.summary().events;
        let step = Step { total, name: "exporting", done: &|| trace.records_read() };
        let written = watched(progress, step, || match form {
            ExportForm::Jsonl => write_jsonl(trace, out),
            ExportForm::Perfetto => write_perfetto(&self.analysis, out).map(|()| Vec::new()),
        });
        let damage = written.map_err(|error| export_error(error, &self.name))?;
        let mut damage: Vec<String> = damage.iter().map(ToString::to_string).collect();
        damage.extend(self.analysis.damage_met());
        damage.dedup();
        Ok(damage)
    }
}

fn export_error(error: AnalyzeError, name: &str) -> Error {
    match error {
        AnalyzeError::Io(_) => Error::io(error),
        error => Error::input(error).context(name),
    }
}

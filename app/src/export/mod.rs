//! Export of a trace in formats of other tools.

mod etl;
#[cfg(test)]
mod tests;

use crate::progress::watched;
use crate::{Error, Progress, Step};
use std::io::Write;
use std::sync::Arc;
use taut_analyze::export::{write_jsonl, write_perfetto};
use taut_analyze::{Analysis, AnalyzeError};
use taut_schemas::counted;
use taut_traces::{Damage, Trace};

/// Format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportForm {
    /// One record a line.
    Jsonl,
    /// A timeline for Perfetto.
    Perfetto,
    /// A Windows trace with TraceLogging events.
    Etl,
}

/// Parts of a trace that its export lacks.
#[derive(Debug, Default)]
pub struct ExportGaps {
    /// Damage of the trace, one sentence each.
    pub damage: Vec<String>,
    /// Events that the format cannot hold.
    pub left_out: u64,
}

impl ExportGaps {
    /// Sentence about the events that the format cannot hold; `None` if there are none.
    pub fn left_out_text(&self) -> Option<String> {
        let (verb, these) = if self.left_out == 1 { ("does", "it is") } else { ("do", "they are") };
        let events = counted(self.left_out, "event");
        let why = format!("{events} {verb} not fit into a buffer of 64 KiB: {these} not in the output");
        (self.left_out > 0).then_some(why)
    }
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

    /// Writes the trace. Returns what the output lacks.
    ///
    /// # Errors
    /// The trace cannot be read, or the output cannot be written.
    pub fn write(
        &self,
        form: ExportForm,
        out: &mut (impl Write + Send),
        progress: &dyn Progress,
    ) -> Result<ExportGaps, Error> {
        let trace = self.trace();
        let total = trace.summary().events;
        let step = Step { total, name: "exporting", done: &|| trace.records_read() };
        let analyzed = |damage: Result<Vec<Damage>, AnalyzeError>| {
            let damage = damage.map_err(|error| export_error(error, &self.name))?;
            Ok(etl::Exported { damage, left_out: 0 })
        };
        let written = watched(progress, step, || match form {
            ExportForm::Jsonl => analyzed(write_jsonl(trace, out)),
            ExportForm::Perfetto => analyzed(write_perfetto(&self.analysis, out).map(|()| Vec::new())),
            ExportForm::Etl => etl::write(trace, out).map_err(|error| error.context(&self.name)),
        })?;
        let mut damage: Vec<String> = written.damage.iter().map(ToString::to_string).collect();
        damage.extend(self.analysis.damage_met());
        damage.dedup();
        Ok(ExportGaps { damage, left_out: written.left_out })
    }
}

fn export_error(error: AnalyzeError, name: &str) -> Error {
    match error {
        AnalyzeError::Io(_) => Error::io(error),
        error => Error::input(error).context(name),
    }
}

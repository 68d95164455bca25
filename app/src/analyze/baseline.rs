//! Baseline of a comparison: the trace that others are compared with.

use super::{Reporter, TraceFile};
use crate::{Error, advised};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use taut_analyze::Analysis;
use taut_analyze::reports::Comparison;
use taut_traces::Trace;

/// A baseline trace and the figures of its reports.
pub struct Baseline {
    file: PathBuf,
    analysis: Analysis,
    reports: Value,
}

impl Baseline {
    /// Runs the reports on the trace.
    pub(super) fn new(trace: TraceFile, reporter: &Reporter) -> Result<Baseline, Error> {
        let TraceFile { file, trace, .. } = trace;
        let named = || file.display().to_string();
        let analysis = advised(trace).map_err(|error| Error::from(error).context(named()))?;
        let analysis = reporter.options.settings(analysis);
        let findings = reporter.findings(&analysis).map_err(|error| Error::from(error).context(named()))?;
        Ok(Baseline { reports: findings.reports(), file, analysis })
    }

    /// Path of the trace.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        self.analysis.trace()
    }

    /// Names of the drivers; `None` if the trace cannot be read.
    pub fn driver(&self) -> Option<&str> {
        self.analysis.head().ok().map(|head| head.driver.as_str())
    }

    /// Damage that the reports found, one sentence each.
    pub fn damage(&self) -> Vec<String> {
        self.analysis.damage_met()
    }

    /// Figures of the reports.
    pub(super) fn reports(&self) -> &Value {
        &self.reports
    }

    /// Comparison of one trace with the baseline, as JSON.
    pub(super) fn json(&self, trace: &str, reports: &Value) -> Value {
        let comparison = Comparison::of(&[("baseline".to_owned(), &self.reports), (trace.to_owned(), reports)]);
        json!({"file": self.file.to_string_lossy(), "comparison": comparison})
    }
}

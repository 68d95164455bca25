//! A trace that others are measured against.

use super::chosen;
use crate::analysis::advised;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use taut_analyze::Analysis;
use taut_analyze::background::FitSettings;
use taut_analyze::handles::HandleSettings;
use taut_analyze::presents::PresentSettings;
use taut_analyze::reports::Comparison;
use taut_console::outcome::{Failure, Status};
use taut_console::traces::{open, tell_damage};

/// A trace that others are measured against, and what its reports say.
pub struct Baseline {
    file: PathBuf,
    analysis: Analysis,
    reports: Value,
}

impl Baseline {
    /// Reads the trace and makes the reports named, or all that apply, and those in `more`, by these settings of what is fit to measure.
    pub fn read(
        file: &Path,
        (names, more): (&[String], &[&str]),
        (fit, handles, presents): (FitSettings, Option<HandleSettings>, PresentSettings),
    ) -> Result<Baseline, Failure> {
        let named = || file.display().to_string();
        let analysis = advised(open(file)?).map_err(|error| Failure::input(error).context(named()))?;
        let handles = handles.unwrap_or(analysis.handle_settings());
        let analysis = analysis.with_fit_settings(fit).with_handle_settings(handles).with_present_settings(presents);
        let findings = chosen(&analysis, names, more).map_err(|error| error.context(named()))?;
        Ok(Baseline { file: file.to_owned(), analysis, reports: findings.reports() })
    }

    /// Its file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What its reports say.
    pub fn reports(&self) -> &Value {
        &self.reports
    }

    /// Figures of one trace against it, for scripts.
    pub fn json(&self, trace: &str, reports: &Value) -> Value {
        let comparison = Comparison::of(&[("baseline".to_owned(), &self.reports), (trace.to_owned(), reports)]);
        json!({"file": self.file.to_string_lossy(), "comparison": comparison})
    }

    /// Says what could not be read of it.
    pub fn tell_damage(&self) -> Status {
        tell_damage(&self.file, self.analysis.trace(), &self.analysis.damage_met())
    }
}

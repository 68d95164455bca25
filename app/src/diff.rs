//! Differences between two traces.

use crate::{Error, advised};
use serde_json::Value;
use std::sync::Arc;
use taut_analyze::diff::{FigureDiff, SwapChainDiff, TraceDiff, diff_calls, diff_figures, diff_presents};
use taut_analyze::{AnalyzeError, Findings, Verdict, applicable_reports};
use taut_traces::Trace;

/// A trace and its names.
pub struct ComparedTrace {
    /// Path, for the verdict.
    pub path: String,
    /// Name in errors.
    pub name: String,
    pub trace: Arc<Trace>,
}

/// Differences, and their verdict.
pub struct Differences {
    pub found: TraceDiff,
    pub verdict: Verdict,
}

/// Compares two traces.
///
/// # Errors
/// A trace cannot be analyzed.
pub fn compare(a: &ComparedTrace, b: &ComparedTrace) -> Result<Differences, Error> {
    // Calls and figures are independent, so they are compared in parallel.
    let (reports, calls) = std::thread::scope(|scope| {
        let compared = || compared_reports(a, b);
        let reports = std::thread::Builder::new().spawn_scoped(scope, compared);
        let calls = diff_calls(&a.trace, &b.trace);
        let reports = match reports {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // No thread could be created: the figures are compared after the calls.
            Err(_) => compared(),
        };
        Ok::<_, Error>((reports?, calls?))
    })?;
    let ReportDiff { presents, figures, is_whole } = reports;
    let found = TraceDiff { calls, presents, figures };
    let verdict = found.verdict(&a.path, &b.path, is_whole);
    Ok(Differences { found, verdict })
}

/// Differences of the figures of reports.
struct ReportDiff {
    presents: Vec<SwapChainDiff>,
    /// Differences of other figures.
    figures: Vec<FigureDiff>,
    /// True if both traces are whole.
    is_whole: bool,
}

fn compared_reports(a: &ComparedTrace, b: &ComparedTrace) -> Result<ReportDiff, Error> {
    let (a, b) = (reports(a)?, reports(b)?);
    let (figures_a, figures_b) = (a.reports(), b.reports());
    Ok(ReportDiff {
        presents: diff_presents(&figures_a, &figures_b),
        figures: diff_figures(&figures_a, &figures_b),
        is_whole: a.head.is_whole() && b.head.is_whole(),
    })
}

/// Runs all reports that apply to a trace.
fn reports(compared: &ComparedTrace) -> Result<Findings, Error> {
    let failed = |error: AnalyzeError| Error::from(error).context(compared.name.clone());
    let analysis = advised(Arc::clone(&compared.trace)).map_err(failed)?;
    let reports = applicable_reports(&analysis).map_err(failed)?;
    Findings::of(&analysis, &reports).map_err(failed)
}

impl Differences {
    /// The differences as JSON.
    ///
    /// # Errors
    /// A figure is not representable in JSON.
    pub fn json(&self) -> Result<Value, Error> {
        let mut document = serde_json::to_value(&self.found).map_err(Error::input)?;
        document["identical"] = self.found.is_identical().into();
        document["verdict"] = serde_json::to_value(&self.verdict).map_err(Error::input)?;
        Ok(document)
    }
}

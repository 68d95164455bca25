//! Reports on traces, their comparison with a baseline, and the check of a budget.

mod baseline;
mod budget;
mod markdown;
mod settings;

pub use baseline::Baseline;
pub use budget::BudgetCheck;
pub use settings::{energy, fit_settings, heap_type, scan_out_ratio};

use crate::progress::watched;
use crate::{Error, Progress, Step, advised};
use markdown::markdown;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use taut_analyze::background::FitSettings;
use taut_analyze::export::{FlatFigure, flat_figures, trace_keys};
use taut_analyze::handles::HandleSettings;
use taut_analyze::memory::HeapBudgets;
use taut_analyze::page::{PageContext, page};
use taut_analyze::presents::PresentSettings;
use taut_analyze::reports::Comparison;
use taut_analyze::{Analysis, AnalyzeError, Findings, REPORTS, Report, applicable_reports};
use taut_traces::Trace;

/// Options of reports.
#[derive(Debug, Clone)]
pub struct ReportOptions {
    /// Names of the reports; all that apply if empty.
    pub reports: Vec<String>,
    /// Conditions for a run that is fit for measurements.
    pub fit: FitSettings,
    /// Cache lines by which handles are counted; `None` for the cache lines of the trace.
    pub handles: Option<HandleSettings>,
    pub presents: PresentSettings,
    pub heap_budgets: HeapBudgets,
    /// True to store the data of a page in addition to the findings.
    pub for_page: bool,
}

impl ReportOptions {
    /// Applies the settings that a baseline has, too.
    fn settings(&self, analysis: Analysis) -> Analysis {
        let handles = self.handles.unwrap_or(analysis.handle_settings());
        analysis.with_fit_settings(self.fit).with_handle_settings(handles).with_present_settings(self.presents)
    }
}

/// Short names of the traces, all different.
#[derive(Debug, Clone)]
pub struct ShortNames {
    pub traces: Vec<String>,
    /// Names for comparisons: the name of the baseline, if there is one, and the names of the traces.
    pub compared: Vec<String>,
}

/// A trace that was opened.
pub struct TraceFile {
    pub file: PathBuf,
    /// Name in messages.
    pub name: String,
    pub trace: Arc<Trace>,
}

/// A trace and the results of its reports.
pub struct TraceReport {
    pub file: PathBuf,
    /// Name in messages.
    pub name: String,
    pub findings: Findings,
    analysis: Analysis,
}

impl TraceReport {
    /// The trace.
    pub fn trace(&self) -> &Trace {
        self.analysis.trace()
    }

    /// Damage that the reports found, one sentence each.
    pub fn damage(&self) -> Vec<String> {
        self.analysis.damage_met()
    }
}

/// Reports on traces, one trace after another.
pub struct Reporter {
    options: ReportOptions,
    /// Names of further reports, on whose figures the budget has limits.
    more: Vec<String>,
    /// True if several traces are analyzed: then only their findings stay in memory.
    keeps_findings_only: bool,
    reports: Reports,
}

/// Results of reports.
pub struct Reports {
    names: ShortNames,
    pub traces: Vec<TraceReport>,
    pub baseline: Option<Baseline>,
    pub budget: Option<BudgetCheck>,
}

impl Reporter {
    /// Checks the names of the reports, and reads the budget. `names` are the names of the traces that will be
    /// analyzed.
    ///
    /// # Errors
    /// There is no such report, or the budget cannot be read.
    pub fn new(options: ReportOptions, budget: Option<&Path>, names: ShortNames) -> Result<Reporter, Error> {
        check_report_names(&options.reports)?;
        let budget = budget.map(BudgetCheck::read).transpose()?;
        let more = budget.as_ref().map(BudgetCheck::reports).unwrap_or_default();
        let more = more.into_iter().map(str::to_owned).collect();
        let keeps_findings_only = !options.for_page && names.traces.len() > 1;
        let reports = Reports { names, traces: Vec::new(), baseline: None, budget };
        Ok(Reporter { options, more, keeps_findings_only, reports })
    }

    /// Runs the reports on the baseline.
    ///
    /// # Errors
    /// The trace cannot be analyzed.
    pub fn set_baseline(&mut self, trace: TraceFile) -> Result<(), Error> {
        self.reports.baseline = Some(Baseline::new(trace, self)?);
        Ok(())
    }

    /// Runs the reports on a trace, and checks its figures.
    ///
    /// # Errors
    /// The trace cannot be analyzed, or a limit of the budget names no figure.
    pub fn add(&mut self, trace: TraceFile, progress: &dyn Progress) -> Result<(), Error> {
        let TraceFile { file, name, trace } = trace;
        let named = |error: AnalyzeError| Error::from(error).context(name.clone());
        let analysis = self.options.settings(advised(trace).map_err(named)?);
        let analysis = analysis.with_heap_budgets(self.options.heap_budgets.clone());
        let trace = analysis.trace();
        let total = trace.summary().events;
        let step = Step { total, name: "analyzing", done: &|| trace.records_read() };
        let findings = watched(progress, step, || self.findings(&analysis)).map_err(named)?;
        let Reports { traces, baseline, budget, .. } = &mut self.reports;
        if let Some(budget) = budget {
            budget.check(&name, &analysis, &findings, baseline.as_ref())?;
        }
        let analysis = if self.keeps_findings_only { analysis.unanalyzed() } else { analysis };
        traces.push(TraceReport { file, name, analysis, findings });
        Ok(())
    }

    /// The results.
    pub fn finish(self) -> Reports {
        self.reports
    }

    fn findings(&self, analysis: &Analysis) -> Result<Findings, AnalyzeError> {
        chosen(analysis, &self.options.reports, &self.more)
    }
}

/// Checks that there is a report of each name.
///
/// # Errors
/// There is none.
pub fn check_report_names(names: &[String]) -> Result<(), Error> {
    let known = || REPORTS.iter().map(|report| report.name());
    match names.iter().find(|name| known().all(|known| known != name.as_str())) {
        Some(name) => Err(Error::unknown("report", name, known())),
        None => Ok(()),
    }
}

/// Runs the reports in `names` (if empty, all reports that apply) and the reports in `more`.
fn chosen(analysis: &Analysis, names: &[String], more: &[String]) -> Result<Findings, AnalyzeError> {
    let all = if names.is_empty() { applicable_reports(analysis)? } else { Vec::new() };
    let wanted = |report: &&'static dyn Report| {
        let name = report.name();
        names.iter().chain(more).any(|known| known == name) || all.iter().any(|known| known.name() == name)
    };
    let reports: Vec<&'static dyn Report> = REPORTS.iter().copied().filter(wanted).collect();
    Findings::of(analysis, &reports)
}

/// Runs all reports that apply to a trace.
///
/// # Errors
/// The trace cannot be analyzed.
pub fn all_findings(analysis: &Analysis) -> Result<Findings, Error> {
    Ok(chosen(analysis, &[], &[])?)
}

impl Reports {
    /// Comparison of the traces with the first one, which is the baseline if there is one. `None` for a single trace.
    pub fn comparison(&self) -> Option<Comparison> {
        let of_traces: Vec<Value> = self.traces.iter().map(|trace| trace.findings.reports()).collect();
        let reports = self.baseline.iter().map(Baseline::reports).chain(&of_traces);
        let named: Vec<(String, &Value)> = self.names.compared.iter().cloned().zip(reports).collect();
        let drivers = self.baseline.iter().filter_map(Baseline::driver);
        let of_traces = self.traces.iter().map(|trace| trace.findings.head.driver.as_str());
        let drivers: Vec<String> = drivers.chain(of_traces).map(str::to_owned).collect();
        Comparison::of(&named).map(|comparison| comparison.with_drivers(drivers))
    }

    /// The results as JSON: an object for a single trace, else a list.
    pub fn json(&self) -> Value {
        let mut documents: Vec<Value> = Vec::with_capacity(self.traces.len());
        for (number, trace) in self.traces.iter().enumerate() {
            let mut document = json!({"file": trace.file.to_string_lossy(), "reports": trace.findings.reports()});
            document["health"] = serde_json::to_value(&trace.findings.head).unwrap_or_default();
            if let Some(baseline) = &self.baseline {
                document["baseline"] = baseline.json(&trace.name, &document["reports"]);
            }
            if let Some(budget) = &self.budget {
                document["budget"] = budget.json(number);
            }
            documents.push(document);
        }
        // A single trace is one object instead of a list, because scripts rely on it.
        if documents.len() == 1 { documents.remove(0) } else { Value::from(documents) }
    }

    /// The results as Markdown.
    pub fn markdown(&self) -> String {
        markdown(self)
    }

    /// Every figure of every trace.
    pub fn figures(&self) -> Vec<FlatFigure> {
        let named = self.names.traces.iter().zip(&self.traces);
        named.flat_map(|(name, trace)| flat_figures(name, &trace.findings.reports())).collect()
    }

    /// Facts of a single trace for the metadata of a file; empty for several.
    pub fn keys(&self) -> Vec<(String, String)> {
        match &self.traces[..] {
            [trace] => trace_keys(trace.trace()),
            _ => Vec::new(),
        }
    }

    /// The results as a page for a browser. `origin` has the version, the command and the date.
    ///
    /// # Errors
    /// A trace cannot be analyzed.
    pub fn page(&self, origin: PageContext) -> Result<String, Error> {
        let budget = self.budget.as_ref().map(|budget| budget.checked().to_vec());
        let context = PageContext { budget, compared: self.comparison(), ..origin };
        let traces: Vec<(String, &Analysis, &Findings)> = self
            .names
            .traces
            .iter()
            .zip(&self.traces)
            .map(|(name, trace)| (name.clone(), &trace.analysis, &trace.findings))
            .collect();
        Ok(page(&traces, &context)?)
    }

    /// True if no trace has a clock with time: such recordings can be repeated byte for byte, and so can their page.
    pub fn is_repeatable(&self) -> bool {
        self.traces.iter().all(|trace| trace.analysis.ticks_to_ns(1).is_none())
    }
}

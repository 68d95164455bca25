//! Operations that write no file: reports, comparison of traces, conformance kit.

use crate::failure::Failure;
use crate::trace::{OpenTrace, read};
use crate::work::run;
use pyo3::prelude::*;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use taut_analyze::handles::HandleSettings;
use taut_analyze::page::PageContext;
use taut_analyze::presents::PresentSettings;
use taut_app::NoProgress;
use taut_app::analyze::{
    ReportOptions, Reporter, Reports, ShortNames, TraceFile, energy, fit_settings, heap_type, scan_out_ratio,
};
use taut_app::diff::{ComparedTrace, compare};
use taut_app::hlk::HlkOptions;
use taut_app::hlk_grid::GridOptions;
use taut_app::world::{RulesOptions, WorldOptions};
use taut_console::traces::names;
use taut_traces::Trace;

/// Options of reports, with the names of `taut analyze`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ReportArguments {
    report: Vec<String>,
    budget: Option<PathBuf>,
    baseline: Option<PathBuf>,
    fit_frames: Option<u64>,
    fit_tolerance: Option<f64>,
    cache_geometry: Option<String>,
    scan_out_ratio: f64,
    memory_pj_per_byte: Option<f64>,
    link_pj_per_byte: Option<f64>,
    heap_budget: HashMap<String, u64>,
}

/// Form of the results of reports.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Markdown,
    Page,
}

impl ReportArguments {
    fn options(&self, form: Form) -> Result<ReportOptions, Failure> {
        let geometry = |text: &String| {
            let parsed: Result<HandleSettings, _> = text.parse();
            parsed.map_err(|error| Failure::option(format!("cache_geometry={text}: {error}")))
        };
        let wrong = |option: &'static str| move |why: String| Failure::option(format!("{option}: {why}"));
        let energy = |option, value: Option<f64>| value.map(energy).transpose().map_err(wrong(option));
        let budget = |(name, bytes): (&String, &u64)| Ok((heap_type(name).map_err(wrong("heap_budget"))?, *bytes));
        Ok(ReportOptions {
            reports: self.report.clone(),
            fit: fit_settings(self.fit_frames, self.fit_tolerance),
            handles: self.cache_geometry.as_ref().map(geometry).transpose()?,
            presents: PresentSettings {
                compression_ratio: scan_out_ratio(self.scan_out_ratio).map_err(wrong("scan_out_ratio"))?,
                memory_pj_per_byte: energy("memory_pj_per_byte", self.memory_pj_per_byte)?,
                link_pj_per_byte: energy("link_pj_per_byte", self.link_pj_per_byte)?,
            },
            heap_budgets: self.heap_budget.iter().map(budget).collect::<Result<_, Failure>>()?,
            for_page: form == Form::Page,
        })
    }

    fn run(&self, form: Form, file: &PathBuf, trace: Arc<Trace>) -> Result<Reports, Failure> {
        let compared: Vec<PathBuf> = self.baseline.iter().chain([file]).cloned().collect();
        let short = ShortNames { traces: names(std::slice::from_ref(file)), compared: names(&compared) };
        let mut reporter = Reporter::new(self.options(form)?, self.budget.as_deref(), short)?;
        if let Some(baseline) = &self.baseline {
            reporter.set_baseline(trace_file(baseline, read(baseline)?.into()))?;
        }
        reporter.add(trace_file(file, trace), &NoProgress)?;
        Ok(reporter.finish())
    }
}

fn trace_file(file: &Path, trace: Arc<Trace>) -> TraceFile {
    TraceFile { file: file.to_owned(), name: display(file), trace }
}

fn display(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Results of reports as text: `json`, `markdown` or `html`; and the verdicts, one line each.
#[pyfunction]
pub fn report(
    py: Python<'_>,
    trace: PyRef<'_, OpenTrace>,
    arguments: Bound<'_, PyAny>,
    form: &str,
) -> PyResult<(String, String)> {
    let arguments: ReportArguments = arguments.extract()?;
    let (file, trace) = trace.file();
    let form = match form {
        "json" => Form::Json,
        "markdown" => Form::Markdown,
        "html" => Form::Page,
        other => {
            let known = "expected json, markdown or html";
            return Err(Failure::option(format!("form={other}: {known}")).raise(py));
        }
    };
    run(py, move || {
        let reports = arguments.run(form, &file, trace)?;
        let text = match form {
            Form::Json => reports.json().to_string(),
            Form::Markdown => reports.markdown(),
            Form::Page => reports.page(origin())?,
        };
        Ok((text, verdicts(&reports)))
    })
}

fn origin() -> PageContext {
    PageContext { version: env!("CARGO_PKG_VERSION").to_owned(), ..PageContext::default() }
}

fn verdicts(reports: &Reports) -> String {
    let results = reports.traces.iter().flat_map(|trace| &trace.findings.results);
    let lines = results.filter_map(|(_, result)| {
        let verdict = result.verdict.as_ref()?;
        Some(format!("{}: {}", result.document.title, verdict.text()))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Differences of two traces as JSON text, and their verdict.
#[pyfunction]
pub fn diff(py: Python<'_>, a: PyRef<'_, OpenTrace>, b: PyRef<'_, OpenTrace>) -> PyResult<(String, String)> {
    let (a, b) = (a.file(), b.file());
    run(py, move || {
        let compared = |(path, trace): (PathBuf, Arc<Trace>)| {
            let path = display(&path);
            ComparedTrace { name: path.clone(), path, trace }
        };
        let differences = compare(&compared(a), &compared(b))?;
        Ok((differences.json()?.to_string(), differences.verdict.text()))
    })
}

/// Results of the conformance kit, or of a file of cases, as JSON text.
#[pyfunction]
pub fn hlk(
    py: Python<'_>,
    driver: Option<String>,
    rules: String,
    setting: Vec<String>,
    check: Option<String>,
    cases: Option<PathBuf>,
    machine: Option<String>,
) -> PyResult<String> {
    let rules = RulesOptions { rules, settings: setting };
    let options = HlkOptions { world: WorldOptions { driver, rules }, check };
    run(py, move || {
        if let Some(machine) = machine {
            if options.check.is_some() || cases.is_some() {
                return Err(Failure::option("machine excludes check and cases"));
            }
            let options = GridOptions { world: options.world, machine };
            return Ok(taut_app::hlk_grid::run(&options, &NoProgress)?.json().to_string());
        }
        if let Some(cases) = cases {
            if options.check.is_some() {
                return Err(Failure::option("cases excludes check"));
            }
            return Ok(taut_app::cases::run(&cases, &options.world)?.json().to_string());
        }
        let results: Value = taut_app::hlk::run(&options, &NoProgress)?.json();
        Ok(results.to_string())
    })
}

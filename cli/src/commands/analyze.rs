//! `taut analyze`: reports on what traces hold.

mod baseline;
mod budget;
mod document;
mod markdown;
mod page;
mod side_by_side;

pub use document::verdict_text;
pub use page::origin;

use crate::analysis::advised;
use crate::args::{Analyze, AnalyzeForm, Common};
use baseline::Baseline;
use budget::Budgeted;
use document::report_text;
use markdown::markdown;
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::PathBuf;
use taut_analyze::formats::{flat_csv, flat_figures, trace_keys};
use taut_analyze::{Analysis, Findings, REPORTS, Report, applying};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Outputs, is_stdio};
use taut_console::printing::{bold, for_a_file, json_document, unknown};
use taut_console::progress;
use taut_console::traces::{check_stdin, name, names, open, tell_damage};

/// A trace and what its reports say.
struct Reported {
    file: PathBuf,
    analysis: Analysis,
    findings: Findings,
}

impl Reported {
    fn name(&self) -> String {
        name(&self.file)
    }
}

/// Makes the reports.
pub fn run(analyze: &Analyze, common: Common) -> Outcome {
    check_names(&analyze.report)?;
    let form = if common.json { AnalyzeForm::Json } else { analyze.format };
    check_stdin(analyze.files.iter().map(|file| file.as_os_str()))?;
    let inputs = analyze.files.iter().chain(&analyze.budget).chain(&analyze.baseline).map(PathBuf::as_path);
    let mut outputs = Outputs::new(inputs, common.force);
    let output = outputs.open_or_stdout(analyze.output.as_deref(), kind(form))?;
    let junit = outputs.open_if(analyze.junit.as_deref(), Kind::Junit)?;
    let mut budgeted = analyze.budget.as_deref().map(Budgeted::read).transpose()?;
    let more = budgeted.as_ref().map(Budgeted::reports).unwrap_or_default();
    let settings = (analyze.fit.settings(), analyze.handles.cache_line_bytes, analyze.presents.settings());
    let baseline =
        analyze.baseline.as_deref().map(|file| Baseline::read(file, (&analyze.report, &more), settings)).transpose()?;
    let mut traces = Vec::with_capacity(analyze.files.len());
    for file in &analyze.files {
        let failure = |error| Failure::input(error).context(name(file));
        let analysis = advised(open(file)?).map_err(failure)?;
        let analysis = analysis.with_fit_settings(settings.0);
        let handles = settings.1.unwrap_or(analysis.handle_settings());
        let analysis = analysis.with_handle_settings(handles);
        let analysis = analysis.with_present_settings(settings.2).with_heap_budgets(analyze.heap_budgets.budgets());
        let trace = analysis.trace();
        let findings = progress::beside(
            trace.summary().events,
            "analyzing",
            common.quiet,
            || trace.records_read(),
            || chosen(&analysis, &analyze.report, &more).map_err(|error| error.context(name(file))),
        )?;
        traces.push(Reported { file: file.clone(), analysis, findings });
    }
    if let Some(budgeted) = &mut budgeted {
        for trace in &traces {
            budgeted.check(
                &trace.name(),
                (&trace.analysis, &trace.findings),
                baseline.as_ref().map(Baseline::reports),
            )?;
        }
    }
    if analyze.output.is_some() {
        for_a_file();
    }
    let result = match form {
        AnalyzeForm::Table => text(&traces, baseline.as_ref(), budgeted.as_ref()).into_bytes(),
        AnalyzeForm::Json => json_text(&traces, baseline.as_ref(), budgeted.as_ref())?.into_bytes(),
        AnalyzeForm::Markdown => markdown(&traces, baseline.as_ref(), budgeted.as_ref()).into_bytes(),
        AnalyzeForm::Csv | AnalyzeForm::Parquet => flat(&traces, form)?,
        AnalyzeForm::Html => page::html(&traces, baseline.as_ref(), budgeted.as_ref())?.into_bytes(),
    };
    // A person reads it.
    let is_text = form == AnalyzeForm::Table || (form == AnalyzeForm::Csv && std::io::stdout().is_terminal());
    if is_text {
        output.finish_with_text(&String::from_utf8_lossy(&result))?;
    } else {
        output.finish_with(&result)?;
    }
    let mut status = baseline.as_ref().map_or(Status::Fine, Baseline::tell_damage);
    for trace in &traces {
        if trace.findings.contradicts() {
            status = status.max(Status::Found);
        }
        status = status.max(tell_damage(&trace.file, trace.analysis.trace(), &trace.analysis.damage_met()));
    }
    if let Some(budgeted) = &budgeted {
        if analyze.output.as_deref().is_some_and(|path| !is_stdio(path))
            || !matches!(form, AnalyzeForm::Table | AnalyzeForm::Json | AnalyzeForm::Markdown)
        {
            eprint!("{}", budgeted.text());
        }
        budgeted.write_junit(junit)?;
        status = status.max(budgeted.status());
    }
    Ok(status)
}

fn kind(form: AnalyzeForm) -> Kind {
    match form {
        AnalyzeForm::Table => Kind::Text,
        AnalyzeForm::Json => Kind::Json,
        AnalyzeForm::Csv => Kind::Csv,
        AnalyzeForm::Parquet => Kind::Parquet,
        AnalyzeForm::Html => Kind::Page,
        AnalyzeForm::Markdown => Kind::Markdown,
    }
}

fn check_names(names: &[String]) -> Result<(), Failure> {
    let known: Vec<&str> = REPORTS.iter().map(|report| report.name()).collect();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Failure::usage(unknown("report", name, &known))),
        None => Ok(()),
    }
}

/// What the reports named say, or all that apply, and those in `more`.
fn chosen(analysis: &Analysis, names: &[String], more: &[&str]) -> Result<Findings, Failure> {
    let all = if names.is_empty() { applying(analysis).map_err(Failure::input)? } else { Vec::new() };
    let wanted = |report: &&'static dyn Report| {
        let name = report.name();
        names.iter().any(|known| known == name) || more.contains(&name) || all.iter().any(|known| known.name() == name)
    };
    let reports: Vec<&'static dyn Report> = REPORTS.iter().copied().filter(wanted).collect();
    Findings::of(analysis, &reports).map_err(Failure::input)
}

/// What the reports named say, or all that apply.
pub fn findings(analysis: &Analysis, names: &[String]) -> Result<Findings, Failure> {
    chosen(analysis, names, &[])
}

fn text(traces: &[Reported], baseline: Option<&Baseline>, budgeted: Option<&Budgeted>) -> String {
    let mut text = String::new();
    if let Some(comparison) = side_by_side::compared(traces, baseline) {
        text += &format!("{}\n", side_by_side::text(&comparison));
    }
    for trace in traces {
        if traces.len() > 1 {
            text += &format!("{}\n", bold(&trace.name()));
        }
        text += &report_text(&trace.findings);
    }
    if let Some(budgeted) = budgeted {
        text += &format!("\n{}", budgeted.text());
    }
    text
}

fn json_text(traces: &[Reported], baseline: Option<&Baseline>, budgeted: Option<&Budgeted>) -> Result<String, Failure> {
    let mut documents: Vec<Value> = Vec::with_capacity(traces.len());
    for (number, trace) in traces.iter().enumerate() {
        let mut document = json!({"file": trace.file.to_string_lossy(), "reports": trace.findings.reports()});
        document["health"] = serde_json::to_value(&trace.findings.head).unwrap_or_default();
        if let Some(baseline) = baseline {
            document["baseline"] = baseline.json(&trace.name(), &document["reports"]);
        }
        if let Some(budgeted) = budgeted {
            document["budget"] = budgeted.json(number);
        }
        documents.push(document);
    }
    // One trace: one object, as scripts expect; several: a list of them.
    let whole = if documents.len() == 1 { documents.remove(0) } else { Value::from(documents) };
    json_document(&whole)
}

fn flat(traces: &[Reported], form: AnalyzeForm) -> Result<Vec<u8>, Failure> {
    let files: Vec<PathBuf> = traces.iter().map(|trace| trace.file.clone()).collect();
    let named = names(&files).into_iter().zip(traces);
    let figures: Vec<_> = named.flat_map(|(name, trace)| flat_figures(&name, &trace.findings.reports())).collect();
    let mut out = Vec::new();
    if form == AnalyzeForm::Csv {
        flat_csv(&figures, &mut out).map_err(Failure::io)?;
        return Ok(out);
    }
    let keys = match traces {
        [trace] => trace_keys(trace.analysis.trace()),
        _ => Vec::new(),
    };
    super::tables::parquet_of(&figures, &keys)
}

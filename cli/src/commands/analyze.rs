//! `taut analyze`: reports on what traces hold.

mod budget;
mod document;

pub use document::report_text;

use crate::args::{Analyze, AnalyzeForm, Common};
use budget::Budgeted;
use document::document_text;
use serde_json::{Value, json};
use std::path::PathBuf;
use taut_analyze::formats::{flat_csv, flat_figures, trace_keys};
use taut_analyze::render::Document;
use taut_analyze::reports::alignment::compared;
use taut_analyze::{Analysis, Findings, REPORTS, Report};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Outputs, is_stdio};
use taut_console::printing::{bold, unknown};
use taut_console::traces::{check_stdin, name, open, stem, tell_damage};

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
    let inputs = analyze.files.iter().chain(&analyze.budget).map(PathBuf::as_path);
    let mut outputs = Outputs::new(inputs, common.force);
    let output = outputs.open_or_stdout(analyze.output.as_deref(), kind(form))?;
    let junit = outputs.open_if(analyze.junit.as_deref(), Kind::Junit)?;
    let mut budgeted = analyze.budget.as_deref().map(Budgeted::read).transpose()?;
    let mut traces = Vec::with_capacity(analyze.files.len());
    for file in &analyze.files {
        let failure = |error| Failure::input(error).context(name(file));
        let analysis = Analysis::new(open(file)?).map_err(failure)?;
        let more = budgeted.as_ref().map(Budgeted::reports).unwrap_or_default();
        let findings = chosen(&analysis, &analyze.report, &more).map_err(|error| error.context(name(file)))?;
        traces.push(Reported { file: file.clone(), analysis, findings });
    }
    if let Some(budgeted) = &mut budgeted {
        for trace in &traces {
            budgeted.check(&trace.name(), &trace.findings)?;
        }
    }
    let result = match form {
        AnalyzeForm::Table => text(&traces, budgeted.as_ref()).into_bytes(),
        AnalyzeForm::Json => json_text(&traces, budgeted.as_ref()).into_bytes(),
        AnalyzeForm::Csv | AnalyzeForm::Parquet => flat(&traces, form)?,
        AnalyzeForm::Html => page(&traces)?.into_bytes(),
    };
    output.finish_with(&result)?;
    let mut status = Status::Fine;
    for trace in &traces {
        status = status.max(tell_damage(&trace.file, trace.analysis.trace(), &trace.analysis.damage_met()));
    }
    if let Some(budgeted) = &budgeted {
        if analyze.output.as_deref().is_some_and(|path| !is_stdio(path))
            || !matches!(form, AnalyzeForm::Table | AnalyzeForm::Json)
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
    let applying = if names.is_empty() { analysis.reports().map_err(Failure::input)? } else { Vec::new() };
    let wanted = |report: &&'static dyn Report| {
        let name = report.name();
        names.iter().any(|known| known == name)
            || more.contains(&name)
            || applying.iter().any(|known| known.name() == name)
    };
    let reports: Vec<&'static dyn Report> = REPORTS.iter().copied().filter(wanted).collect();
    Findings::of(analysis, &reports).map_err(Failure::input)
}

/// What the reports named say, or all that apply.
pub fn findings(analysis: &Analysis, names: &[String]) -> Result<Findings, Failure> {
    chosen(analysis, names, &[])
}

fn text(traces: &[Reported], budgeted: Option<&Budgeted>) -> String {
    let mut text = String::new();
    for trace in traces {
        if traces.len() > 1 {
            text += &format!("{}\n", bold(&trace.name()));
        }
        text += &report_text(&trace.findings);
    }
    let all: Vec<(String, Value)> = traces.iter().map(|trace| (stem(&trace.file), trace.findings.reports())).collect();
    let figures: Vec<(String, &Value)> =
        all.iter().filter_map(|(file, reports)| Some((file.clone(), reports.get("alignment")?))).collect();
    if figures.len() > 1 {
        let mut document = Document::new("Side by side");
        document.table(compared(&figures));
        text += &format!("\n{}", document_text(&document));
    }
    if let Some(budgeted) = budgeted {
        text += &format!("\n{}", budgeted.text());
    }
    text
}

fn json_text(traces: &[Reported], budgeted: Option<&Budgeted>) -> String {
    let mut documents: Vec<Value> = Vec::with_capacity(traces.len());
    for (number, trace) in traces.iter().enumerate() {
        let mut document = json!({"file": trace.file, "reports": trace.findings.reports()});
        document["health"] = serde_json::to_value(&trace.findings.head).unwrap_or_default();
        if let Some(budgeted) = budgeted {
            document["budget"] = budgeted.json(number);
        }
        documents.push(document);
    }
    // One trace: one object, as scripts expect; several: a list of them.
    let whole = if documents.len() == 1 { documents.remove(0) } else { Value::from(documents) };
    format!("{whole:#}\n")
}

fn flat(traces: &[Reported], form: AnalyzeForm) -> Result<Vec<u8>, Failure> {
    let figures: Vec<_> =
        traces.iter().flat_map(|trace| flat_figures(&stem(&trace.file), &trace.findings.reports())).collect();
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

fn page(traces: &[Reported]) -> Result<String, Failure> {
    let traces: Vec<(String, &Analysis, &Findings)> =
        traces.iter().map(|trace| (stem(&trace.file), &trace.analysis, &trace.findings)).collect();
    taut_analyze::html::page(&traces).map_err(Failure::input)
}

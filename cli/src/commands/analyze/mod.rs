//! `taut analyze`: runs reports on traces.

mod budget;
mod document;
mod page;
mod quiet;
mod side_by_side;

pub use document::verdict_text;
pub use page::origin;

use crate::args::{Analyze, AnalyzeForm, Common};
use crate::failure::failure;
use crate::progress_bar::ProgressBar;
use budget::budget_text;
use document::report_text;
use quiet::quiet_text;
use serde_json::Value;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use taut_analyze::export::{FlatFigure, flat_csv};
use taut_app::analyze::{ReportOptions, Reporter, Reports, ShortNames, TraceFile, check_report_names};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Outputs, is_stdio};
use taut_console::printing::{bold, csv_safe, for_a_file, is_for_people, json_document, paragraph, print_on_stderr};
use taut_console::traces::{check_stdin, name, names, open, report_damage};

/// Runs the reports and writes them in the requested form.
pub fn run(analyze: &Analyze, common: Common) -> Outcome {
    let form = if common.json { AnalyzeForm::Json } else { analyze.format };
    check_report_names(&analyze.report).map_err(failure)?;
    if analyze.csv_safe && form != AnalyzeForm::Csv {
        return Err(Failure::usage("--csv-safe: expected --format csv, found another form"));
    }
    check_stdin(analyze.files.iter().map(|file| file.as_os_str()))?;
    let inputs = analyze.files.iter().chain(&analyze.budget).chain(&analyze.baseline).map(PathBuf::as_path);
    let mut outputs = Outputs::new(inputs, common.force);
    let output = outputs.open_or_stdout(analyze.output.as_deref(), kind(form))?;
    let junit = outputs.open_if(analyze.junit.as_deref(), Kind::Junit)?;
    let reports = reports(analyze, form, common)?;
    if analyze.output.is_some() {
        for_a_file();
    }
    let result = match form {
        AnalyzeForm::Table if common.quiet => quiet_text(&reports).into_bytes(),
        _ => formatted(&reports, form, analyze.csv_safe)?,
    };
    // Output for a terminal is escaped, as names in a trace may hold control characters. JSON has its own escapes.
    let is_text = match form {
        AnalyzeForm::Table => true,
        AnalyzeForm::Csv | AnalyzeForm::Markdown => outputs.has_stdout() && is_for_people(),
        AnalyzeForm::Html => outputs.has_stdout() && std::io::stdout().is_terminal(),
        AnalyzeForm::Json | AnalyzeForm::Parquet => false,
    };
    if is_text {
        output.finish_with_text(&String::from_utf8_lossy(&result))?;
    } else {
        output.finish_with(&result)?;
    }
    let mut status = status(&reports);
    if let Some(budget) = &reports.budget {
        if analyze.output.as_deref().is_some_and(|path| !is_stdio(path))
            || !matches!(form, AnalyzeForm::Table | AnalyzeForm::Json | AnalyzeForm::Markdown)
        {
            print_on_stderr(&budget_text(budget));
        }
        if let Some(junit) = junit {
            junit.finish_with_text(&budget.junit())?;
        }
        status = status.max(if budget.is_broken() { Status::Found } else { Status::Fine });
    }
    Ok(status)
}

/// Opens the traces and runs the reports on them.
fn reports(analyze: &Analyze, form: AnalyzeForm, common: Common) -> Result<Reports, Failure> {
    let options = ReportOptions {
        reports: analyze.report.clone(),
        fit: analyze.fit.settings(),
        handles: analyze.handles.cache_geometry,
        presents: analyze.presents.settings(),
        heap_budgets: analyze.heap_budgets.budgets(),
        for_page: form == AnalyzeForm::Html,
    };
    let compared: Vec<PathBuf> = analyze.baseline.iter().chain(&analyze.files).cloned().collect();
    let short = ShortNames { traces: names(&analyze.files), compared: names(&compared) };
    let mut reporter = Reporter::new(options, analyze.budget.as_deref(), short).map_err(failure)?;
    if let Some(baseline) = &analyze.baseline {
        reporter.set_baseline(trace_file(baseline)?).map_err(failure)?;
    }
    for file in &analyze.files {
        reporter.add(trace_file(file)?, &ProgressBar { quiet: common.quiet }).map_err(failure)?;
    }
    Ok(reporter.finish())
}

fn trace_file(file: &Path) -> Result<TraceFile, Failure> {
    Ok(TraceFile { file: file.to_owned(), name: name(file), trace: open(file)?.into() })
}

fn formatted(reports: &Reports, form: AnalyzeForm, csv_safe: bool) -> Result<Vec<u8>, Failure> {
    Ok(match form {
        AnalyzeForm::Table => text(reports).into_bytes(),
        AnalyzeForm::Json => json_document(&reports.json())?.into_bytes(),
        AnalyzeForm::Markdown => reports.markdown().into_bytes(),
        AnalyzeForm::Csv => csv(reports.figures(), csv_safe)?,
        AnalyzeForm::Parquet => super::tables::parquet_of(&reports.figures(), &reports.keys())?,
        AnalyzeForm::Html => reports.page(origin(reports.is_repeatable())?).map_err(failure)?.into_bytes(),
    })
}

/// Reports damage of the traces on stderr. Returns the resulting status.
fn status(reports: &Reports) -> Status {
    let baseline = reports.baseline.as_ref();
    let mut status = baseline.map_or(Status::Fine, |trace| report_damage(trace.file(), trace.trace(), &trace.damage()));
    for trace in &reports.traces {
        if trace.findings.contradicts() {
            status = status.max(Status::Found);
        }
        status = status.max(report_damage(&trace.file, trace.trace(), &trace.damage()));
    }
    status
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

fn text(reports: &Reports) -> String {
    let mut text = String::new();
    if let Some(budget) = &reports.budget {
        text += &format!("{}\n", budget_text(budget));
    }
    if let Some(comparison) = reports.comparison() {
        text += &format!("{}\n", side_by_side::text(&comparison));
    }
    for trace in &reports.traces {
        if reports.traces.len() > 1 {
            text += &format!("{}\n", bold(&trace.name));
        }
        if trace.findings.head.imported_from.is_some() {
            text += &format!("{}\n", paragraph(&trace.findings.head.subject()));
        }
        text += &report_text(&trace.findings);
    }
    text
}

fn csv(mut figures: Vec<FlatFigure>, csv_safe: bool) -> Result<Vec<u8>, Failure> {
    if csv_safe {
        figures.iter_mut().for_each(make_safe);
    }
    let mut out = Vec::new();
    flat_csv(&figures, &mut out).map_err(Failure::io)?;
    Ok(out)
}

/// Escapes the texts of a figure, so that no spreadsheet evaluates them as formulas.
fn make_safe(figure: &mut FlatFigure) {
    for text in [&mut figure.trace, &mut figure.report, &mut figure.figure] {
        *text = csv_safe(text).into_owned();
    }
    if let Value::String(text) = &mut figure.value {
        *text = csv_safe(text).into_owned();
    }
}

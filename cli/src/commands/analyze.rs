//! `taut analyze`: reports on what traces hold.

use super::{open, tell_damage};
use crate::args::{Analyze, Common, ReportForm};
use crate::outcome::{Failure, Outcome, Status};
use crate::printing::{bold, print, table, unknown};
use serde_json::{Map, Value, json};
use taut_analyze::render::{Align, Document, Part};
use taut_analyze::{Analysis, REPORTS, Report};

/// Makes the reports.
pub fn run(analyze: &Analyze, common: Common) -> Outcome {
    check_names(&analyze.report)?;
    let as_json_wanted = common.json || analyze.format == ReportForm::Json;
    let (mut text, mut documents, mut status) = (String::new(), Vec::new(), Status::Fine);
    for file in &analyze.files {
        let trace = open(file)?;
        let failure = |error| Failure::input(error).context(file.display().to_string());
        let analysis = Analysis::new(&trace).map_err(failure)?;
        if as_json_wanted {
            let mut document = json!({"file": file, "reports": as_json(&analysis, &analyze.report)?});
            document["health"] = serde_json::to_value(analysis.head()).unwrap_or_default();
            documents.push(document);
        } else {
            let title = if analyze.files.len() > 1 {
                format!("{}\n", bold(&file.display().to_string()))
            } else {
                String::new()
            };
            text += &format!("{title}{}", rendered(&analysis, &analyze.report)?);
        }
        status = status.max(tell_damage(file, &trace, &analysis.head().damage));
    }
    if as_json_wanted {
        // One trace: one object, as scripts expect; several: a list of them.
        let whole = if documents.len() == 1 { documents.remove(0) } else { Value::from(documents) };
        text = format!("{whole:#}\n");
    }
    match &analyze.output {
        Some(path) => {
            std::fs::write(path, text).map_err(|error| Failure::io(error).context(path.display().to_string()))?
        }
        None => print(&text)?,
    }
    Ok(status)
}

fn check_names(names: &[String]) -> Result<(), Failure> {
    let known: Vec<&str> = REPORTS.iter().map(|report| report.name()).collect();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Failure::usage(unknown("report", name, &known))),
        None => Ok(()),
    }
}

/// The reports named, or all that apply.
fn chosen(analysis: &Analysis<'_>, names: &[String]) -> Vec<&'static dyn Report> {
    if names.is_empty() {
        return analysis.reports();
    }
    REPORTS.iter().copied().filter(|report| names.iter().any(|name| name == report.name())).collect()
}

/// The reports' figures, by report.
pub fn as_json(analysis: &Analysis<'_>, names: &[String]) -> Result<Value, Failure> {
    let mut reports = Map::new();
    for report in chosen(analysis, names) {
        let result = report.run(analysis).map_err(Failure::input)?;
        reports.insert(report.name().to_owned(), result.json);
    }
    Ok(Value::from(reports))
}

/// The reports for people.
pub fn rendered(analysis: &Analysis<'_>, names: &[String]) -> Result<String, Failure> {
    let reports = chosen(analysis, names);
    if reports.is_empty() {
        return Ok("nothing in this trace that a report is about\n".to_owned());
    }
    let mut text = String::new();
    for report in reports {
        text += &document(&report.run(analysis).map_err(Failure::input)?.document);
    }
    Ok(text)
}

fn document(document: &Document) -> String {
    let mut text = format!("{}\n", bold(&document.title));
    for part in &document.parts {
        match part {
            Part::Text(paragraph) => text += &format!("\n{paragraph}\n"),
            Part::Table(part) => {
                let headings: Vec<&str> = part.headings.iter().map(|heading| heading.title.as_str()).collect();
                let right: Vec<usize> =
                    (0..headings.len()).filter(|column| part.headings[*column].align == Align::Right).collect();
                text += &format!("\n{}\n{}", part.caption, table(&headings, &right, part.rows.clone()));
            }
        }
    }
    text
}

//! Figures of reports as one long table, for spreadsheets and dashboards.

use crate::error::AnalyzeError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::Write;

/// One figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FlatFigure {
    /// Name of the trace.
    pub trace: String,
    /// Name of the report.
    pub report: String,
    /// Path of the figure: `peak.allocated_bytes`, `worst.0.name`.
    pub figure: String,
    /// Value of the figure: a number, a text, a boolean or null.
    pub value: Value,
}

/// Flattens the figures of reports; `reports` is the result of [`Findings::reports`](crate::Findings::reports).
pub fn flat_figures(trace: &str, reports: &Value) -> Vec<FlatFigure> {
    let mut flat = Vec::new();
    for (report, figures) in reports.as_object().into_iter().flatten() {
        walk(figures, &mut String::new(), &mut |figure, value| {
            let (trace, report) = (trace.to_owned(), report.clone());
            flat.push(FlatFigure { trace, report, figure: figure.to_owned(), value: value.clone() });
        });
    }
    flat
}

fn walk(value: &Value, place: &mut String, visit: &mut dyn FnMut(&str, &Value)) {
    let length = place.len();
    let mut step = |place: &mut String, key: &str, value: &Value| {
        if length > 0 {
            place.push('.');
        }
        place.push_str(key);
        walk(value, place, visit);
        place.truncate(length);
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| step(place, key, value)),
        Value::Array(elements) => {
            (0..).zip(elements).for_each(|(number, value): (usize, _)| step(place, &number.to_string(), value));
        }
        leaf => visit(place, leaf),
    }
}

/// Writes the figures as comma-separated values: `trace,report,figure,value`.
///
/// # Errors
/// Writing failed.
pub fn flat_csv(figures: &[FlatFigure], out: impl Write) -> Result<(), AnalyzeError> {
    let mut csv = csv::Writer::from_writer(out);
    let written = |error: csv::Error| AnalyzeError::Io(error.into());
    csv.write_record(["trace", "report", "figure", "value"]).map_err(written)?;
    for figure in figures {
        let value = match &figure.value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        csv.write_record([&figure.trace, &figure.report, &figure.figure, &value]).map_err(written)?;
    }
    Ok(csv.flush()?)
}

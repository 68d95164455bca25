//! Figures of reports as one long table: for spreadsheets and dashboards.

use crate::error::AnalyzeError;
use crate::query::QueryResult;
use polars::prelude::{DataFrame, IntoColumn, NamedFrom, Series};
use serde_json::Value;
use std::io::Write;

/// One figure.
#[derive(Debug, Clone, PartialEq)]
pub struct FlatFigure {
    /// The trace it is of.
    pub trace: String,
    /// The report it is of.
    pub report: String,
    /// Its place: `peak.allocated_bytes`, `worst.0.name`.
    pub figure: String,
    /// The figure: a number, a text, a truth; null.
    pub value: Value,
}

/// The figures of reports, `reports` being what [`Findings::reports`](crate::Findings::reports) gives.
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

/// The figures as comma-separated values: `trace,report,figure,value`.
///
/// # Errors
/// Writing failed.
pub fn flat_csv(figures: &[FlatFigure], out: impl Write) -> Result<(), AnalyzeError> {
    let value = |figure: &FlatFigure| match &figure.value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let values = Series::new("value".into(), figures.iter().map(value).collect::<Vec<Option<String>>>());
    let frame = frame(figures, vec![values])?;
    QueryResult { frame }.write_csv(out)
}

/// The figures as Parquet: `trace`, `report`, `figure`, then the value as `integer` (exact), `real` or `text`; the
/// others are null.
///
/// # Errors
/// Writing failed.
pub fn flat_parquet(figures: &[FlatFigure], out: impl Write, keys: Vec<(String, String)>) -> Result<(), AnalyzeError> {
    let integers: Vec<Option<i64>> = figures.iter().map(|figure| figure.value.as_i64()).collect();
    let reals: Vec<Option<f64>> = figures.iter().map(|figure| figure.value.as_f64()).collect();
    let text = |figure: &FlatFigure| match &figure.value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    };
    let values = vec![
        Series::new("integer".into(), integers),
        Series::new("real".into(), reals),
        Series::new("text".into(), figures.iter().map(text).collect::<Vec<Option<String>>>()),
    ];
    super::write_parquet(frame(figures, values)?, out, keys)
}

fn frame(figures: &[FlatFigure], values: Vec<Series>) -> Result<DataFrame, AnalyzeError> {
    let texts = |name: &str, of: fn(&FlatFigure) -> &str| {
        Series::new(name.into(), figures.iter().map(of).collect::<Vec<&str>>()).into_column()
    };
    let mut columns = vec![
        texts("trace", |figure| &figure.trace),
        texts("report", |figure| &figure.report),
        texts("figure", |figure| &figure.figure),
    ];
    columns.extend(values.into_iter().map(IntoColumn::into_column));
    Ok(DataFrame::new_infer_height(columns)?)
}

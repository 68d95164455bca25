//! Report figures as one long Parquet table.

use crate::error::TableError;
use polars::prelude::{DataFrame, IntoColumn, NamedFrom, Series};
use serde_json::Value;
use std::io::Write;
use taut_analyze::export::FlatFigure;

/// Writes figures as Parquet: `trace`, `report`, `figure`, and the value as `integer` (exact), `real` or `text`; the
/// columns that do not apply are null.
///
/// # Errors
/// Writing failed.
pub fn flat_parquet(figures: &[FlatFigure], out: impl Write, keys: Vec<(String, String)>) -> Result<(), TableError> {
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

fn frame(figures: &[FlatFigure], values: Vec<Series>) -> Result<DataFrame, TableError> {
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

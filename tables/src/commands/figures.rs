//! `taut analyze --format parquet`: reads figures on standard input and writes Parquet on standard output.

use std::io::Write;
use taut_analyze::export::FlatFigure;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_tables::parquet::flat_parquet;

/// Converts the keys and figures that `taut` sends as JSON to Parquet.
pub fn run() -> Outcome {
    let (keys, figures): (Vec<(String, String)>, Vec<FlatFigure>) =
        serde_json::from_reader(std::io::stdin().lock()).map_err(Failure::input)?;
    let mut out = std::io::stdout().lock();
    flat_parquet(&figures, &mut out, keys).map_err(Failure::io)?;
    out.flush()?;
    Ok(Status::Fine)
}

//! `taut export`: a trace in forms that other tools read.

use crate::args::{Common, Export, ExportForm};
use serde_json::json;
use std::path::Path;
use taut_analyze::formats::{write_jsonl, write_perfetto};
use taut_analyze::{Analysis, AnalyzeError};
use taut_console::destination::Destination;
use taut_console::outcome::{Failure, Outcome};
use taut_console::printing::{print, print_json};
use taut_console::progress;
use taut_console::traces::{open, tell_damage};
use taut_schemas::counted;

/// Writes the trace.
pub fn run(export: &Export, common: Common) -> Outcome {
    if export.to == ExportForm::Parquet {
        return super::tables::run();
    }
    let file = &export.file;
    let analysis = Analysis::new(open(file)?).map_err(|error| failure(error, file))?;
    let ending = match export.to {
        ExportForm::Jsonl => "jsonl",
        ExportForm::Parquet | ExportForm::Perfetto => "perfetto.json",
    };
    let path = export.output.clone().unwrap_or_else(|| file.with_extension(ending));
    // `-` stands for standard output.
    let mut out = Destination::new(Some(path.as_path()).filter(|path| path.as_os_str() != "-"));
    let (trace, form) = (analysis.trace(), export.to);
    let written = progress::beside(
        trace.summary().events,
        "exporting",
        common.quiet,
        || trace.records_read(),
        || match form {
            ExportForm::Jsonl => write_jsonl(trace, &mut out),
            ExportForm::Parquet | ExportForm::Perfetto => write_perfetto(&analysis, &mut out).map(|()| Vec::new()),
        },
    );
    let mut damage: Vec<String> =
        written.map_err(|error| failure(error, file))?.iter().map(ToString::to_string).collect();
    damage.extend(analysis.damage_met());
    damage.dedup();
    if path.as_os_str() != "-" {
        let bytes = std::fs::metadata(&path).map(|metadata| metadata.len()).unwrap_or_default();
        match (common.json, common.quiet) {
            (true, _) => print_json(&json!({"path": path, "bytes": bytes}))?,
            (false, true) => {}
            (false, false) => print(&format!("wrote {}: {}\n", path.display(), counted(bytes, "byte")))?,
        }
    }
    Ok(tell_damage(file, analysis.trace(), &damage))
}

fn failure(error: AnalyzeError, file: &Path) -> Failure {
    match error {
        AnalyzeError::Io(_) => Failure::io(error),
        error => Failure::input(error).context(file.display().to_string()),
    }
}

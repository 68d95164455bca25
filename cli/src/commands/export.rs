//! `taut export`: a trace in forms that other tools read.

use super::{open, tell_damage};
use crate::args::{Common, Export, ExportForm};
use crate::destination::Destination;
use crate::outcome::{Failure, Outcome};
use crate::printing::{print, print_json, table};
use serde_json::json;
use std::path::{Path, PathBuf};
use taut_analyze::formats::{trace_id, write_jsonl, write_lake, write_perfetto};
use taut_analyze::render::grouped;
use taut_analyze::{Analysis, AnalyzeError};

/// Writes the trace.
pub fn run(export: &Export, common: Common) -> Outcome {
    let file = &export.file;
    let analysis = Analysis::new(open(file)?).map_err(|error| failure(error, file))?;
    let ending = match export.to {
        ExportForm::Parquet => return lake(export, common, &analysis),
        ExportForm::Jsonl => "jsonl",
        ExportForm::Perfetto => "perfetto.json",
    };
    let path = export.output.clone().unwrap_or_else(|| file.with_extension(ending));
    // `-` stands for standard output.
    let mut out = Destination::new(Some(path.as_path()).filter(|path| path.as_os_str() != "-"));
    let written = match export.to {
        ExportForm::Jsonl => write_jsonl(analysis.trace(), &mut out),
        ExportForm::Parquet | ExportForm::Perfetto => write_perfetto(&analysis, &mut out).map(|()| Vec::new()),
    };
    let mut damage: Vec<String> =
        written.map_err(|error| failure(error, file))?.iter().map(ToString::to_string).collect();
    damage.extend(analysis.damage_met());
    damage.dedup();
    if path.as_os_str() != "-" {
        let bytes = std::fs::metadata(&path).map(|metadata| metadata.len()).unwrap_or_default();
        match (common.json, common.quiet) {
            (true, _) => print_json(&json!({"path": path, "bytes": bytes}))?,
            (false, true) => {}
            (false, false) => print(&format!("wrote {}: {} bytes\n", path.display(), grouped(bytes)))?,
        }
    }
    Ok(tell_damage(file, analysis.trace(), &damage))
}

fn failure(error: AnalyzeError, file: &Path) -> Failure {
    match error {
        AnalyzeError::Write { .. } | AnalyzeError::Io(_) => Failure::io(error),
        error => Failure::input(error).context(file.display().to_string()),
    }
}

fn lake(export: &Export, common: Common, analysis: &Analysis) -> Outcome {
    let folder = export.output.clone().unwrap_or_else(|| PathBuf::from("lake"));
    let files = write_lake(analysis, &folder).map_err(|error| failure(error, &export.file))?;
    if common.json {
        let tables: Vec<_> =
            files.iter().map(|file| json!({"table": file.table, "rows": file.rows, "path": file.path})).collect();
        print_json(&json!({"trace_id": trace_id(analysis.trace()), "tables": tables}))?;
    } else if !common.quiet {
        let rows = files
            .iter()
            .map(|file| [file.table.to_owned(), grouped(file.rows as u64), file.path.display().to_string()]);
        print(&table(&["Table", "Rows", "File"], &[1], rows))?;
    }
    Ok(tell_damage(&export.file, analysis.trace(), &analysis.damage_met()))
}

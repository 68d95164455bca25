//! `taut export --to parquet`: the lake.

use serde_json::json;
use std::path::{Path, PathBuf};
use taut_analyze::Analysis;
use taut_analyze::formats::trace_id;
use taut_analyze::render::grouped;
use taut_console::args::{Common, Export};
use taut_console::outcome::{Failure, Outcome};
use taut_console::printing::{print, print_json, table};
use taut_console::traces::{open, tell_damage};
use taut_tables::TableError;
use taut_tables::formats::write_lake;

/// Writes all tables of the trace.
pub fn run(export: &Export, common: Common) -> Outcome {
    let file = &export.file;
    let analysis = Analysis::new(open(file)?).map_err(|error| failure(error.into(), file))?;
    let analysis = &analysis;
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

fn failure(error: TableError, file: &Path) -> Failure {
    match error {
        TableError::Write { .. } | TableError::Io(_) => Failure::io(error),
        error => Failure::input(error).context(file.display().to_string()),
    }
}

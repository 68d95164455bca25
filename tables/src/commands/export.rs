//! `taut export --to parquet`: the lake.

use serde_json::json;
use std::path::PathBuf;
use taut_analyze::Analysis;
use taut_analyze::formats::trace_id;
use taut_analyze::render::grouped;
use taut_console::args::{Common, Export};
use taut_console::outcome::{Failure, Outcome};
use taut_console::output::{Outputs, is_stdio};
use taut_console::printing::{print, print_json, table};
use taut_console::traces::{name, open, tell_damage};
use taut_tables::formats::write_lake;

/// Writes all tables of the trace.
pub fn run(export: &Export, common: Common) -> Outcome {
    let file = &export.file;
    let folder = export.output.clone().unwrap_or_else(|| PathBuf::from("lake"));
    if is_stdio(&folder) {
        return Err(Failure::usage("`-` is standard output, and Parquet is written into a folder: say -o DIR"));
    }
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::usage(format_args!("{}: this is a file; expected a folder", folder.display())));
    }
    let mut outputs = Outputs::new([file.as_path()], common.force);
    let analysis = Analysis::new(open(file)?).map_err(|error| Failure::input(error).context(name(file)))?;
    let analysis = &analysis;
    let files = write_lake(analysis, &folder, &mut outputs)?;
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

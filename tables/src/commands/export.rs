//! `taut export --to parquet`: writing a lake.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use taut_analyze::Analysis;
use taut_analyze::export::trace_id;
use taut_analyze::render::grouped;
use taut_console::args::{Common, Export};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Outputs, is_stdio};
use taut_console::printing::{print, print_json, print_message, table};
use taut_console::report_failure;
use taut_console::traces::{check_stdin, name, open, report_damage};
use taut_schemas::counted;
use taut_tables::parquet::{Lake, LakeFile, TraceSource};

/// Writes all tables of the traces that the lake does not have.
pub fn run(export: &Export, common: Common) -> Outcome {
    let folder = export.output.clone().unwrap_or_else(|| PathBuf::from("lake"));
    if is_stdio(&folder) {
        return Err(Failure::usage("`-` is standard output, but Parquet is written into a folder: use -o DIR"));
    }
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::usage(format_args!("{}: this is a file; expected a folder", folder.display())));
    }
    check_stdin(export.files.iter().map(|file| file.as_os_str()))?;
    check_tags(&export.tags)?;
    let mut lake = Lake::at(&folder)?;
    let mut exported = Vec::with_capacity(export.files.len());
    let mut failed: Option<Failure> = None;
    for file in &export.files {
        match one(export, file, &mut lake, common) {
            Ok(done) => exported.push(done),
            // A failure to write would affect the next trace too, so it ends the export; an unreadable trace does not
            // stop the others.
            Err(Stopped::AtLake(failure)) => return Err(failure),
            Err(Stopped::AtTrace(failure)) => {
                if let Some(before) = failed.replace(failure) {
                    report_failure(&before);
                }
            }
        }
    }
    if common.json {
        print_json(&as_json(export, &exported))?;
    } else if !common.quiet {
        print(&as_text(export, &exported))?;
    }
    let status = exported.iter().map(|trace| trace.status).max().unwrap_or(Status::Fine);
    failed.map_or(Ok(status), Err)
}

/// Reason why a trace was not exported: the trace or the lake.
enum Stopped {
    AtTrace(Failure),
    AtLake(Failure),
}

/// Result for one trace.
struct Exported {
    file: String,
    trace_id: String,
    /// Files that were written; `None` if the lake has the trace already.
    tables: Option<Vec<LakeFile>>,
    status: Status,
}

fn one(export: &Export, file: &Path, lake: &mut Lake, common: Common) -> Result<Exported, Stopped> {
    let trace = open(file).map_err(Stopped::AtTrace)?;
    let source = TraceSource { path: file.display().to_string(), tags: export.tags.clone() };
    let trace_id = trace_id(&trace);
    let exported = |tables, status| Exported { file: name(file), trace_id, tables, status };
    if lake.has(&trace, &source) {
        let status = report_damage(file, &trace, trace.damage());
        return Ok(exported(None, status));
    }
    let read = |error| Stopped::AtTrace(Failure::input(error).context(name(file)));
    let analysis = Analysis::new(trace).map_err(read)?;
    let mut outputs = Outputs::new([file], common.force);
    let files = lake.write(&analysis, &source, &mut outputs).map_err(Stopped::AtLake)?;
    Ok(exported(Some(files), report_damage(file, analysis.trace(), &analysis.damage_met())))
}

fn check_tags(tags: &[(String, String)]) -> Result<(), Failure> {
    let twice = tags.iter().enumerate().find(|(place, (key, _))| tags[..*place].iter().any(|(other, _)| other == key));
    twice.map_or(Ok(()), |(_, (key, _))| Err(Failure::usage(format_args!("--tag: duplicate key `{key}`"))))
}

fn as_json(export: &Export, exported: &[Exported]) -> Value {
    let one = |trace: &Exported| {
        let files = trace.tables.iter().flatten();
        let tables: Vec<_> =
            files.map(|file| json!({"table": file.table, "rows": file.rows, "path": file.path})).collect();
        let was_present = trace.tables.is_none();
        json!({"file": trace.file, "trace_id": trace.trace_id, "was_present": was_present, "tables": tables})
    };
    match (export.files.as_slice(), exported) {
        ([_], [trace]) => one(trace),
        _ => exported.iter().map(one).collect(),
    }
}

fn as_text(export: &Export, exported: &[Exported]) -> String {
    if let ([_], [Exported { tables: Some(files), .. }]) = (export.files.as_slice(), exported) {
        let rows = files
            .iter()
            .map(|file| [file.table.to_owned(), grouped(file.rows as u64), file.path.display().to_string()]);
        return table(&["Table", "Rows", "File"], &[1], rows);
    }
    let skipped = exported.iter().filter(|trace| trace.tables.is_none()).count() as u64;
    if skipped > 0 {
        print_message(format_args!("{} already in the lake", counted(skipped, "trace")));
    }
    let written = exported.iter().filter_map(|trace| trace.tables.as_ref().map(|files| (trace, files)));
    let rows: Vec<_> = written
        .map(|(trace, files)| {
            let rows = files.iter().map(|file| file.rows as u64).sum();
            [trace.file.clone(), trace.trace_id.clone(), grouped(rows)]
        })
        .collect();
    if rows.is_empty() { String::new() } else { table(&["Trace", "In the lake", "Rows"], &[2], rows) }
}

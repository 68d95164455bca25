//! `taut export`: a trace in forms that other tools read.

use crate::args::{Common, Export, ExportForm};
use serde_json::json;
use std::path::{Path, PathBuf};
use taut_analyze::formats::{write_jsonl, write_perfetto};
use taut_analyze::{Analysis, AnalyzeError};
use taut_console::outcome::{Failure, Outcome};
use taut_console::output::{Kind, Outputs, is_stdio};
use taut_console::printing::escaped;
use taut_console::progress;
use taut_console::traces::{name, open, tell_damage};
use taut_schemas::counted;

/// Writes the trace.
pub fn run(export: &Export, common: Common) -> Outcome {
    if export.to == ExportForm::Parquet {
        return super::tables::run();
    }
    let [file] = export.files.as_slice() else {
        return Err(Failure::usage("of several traces Parquet alone is written: say --to parquet, or name one trace"));
    };
    if !export.tags.is_empty() {
        return Err(Failure::usage("--tag: a lake alone has tags; say --to parquet"));
    }
    let (ending, kind) = match export.to {
        ExportForm::Jsonl => ("jsonl", Kind::Records),
        ExportForm::Parquet | ExportForm::Perfetto => ("pftrace", Kind::Perfetto),
    };
    // What comes from standard input has no name to be given on.
    let default = || if is_stdio(file) { PathBuf::from("-") } else { file.with_extension(ending) };
    let path = export.output.clone().unwrap_or_else(default);
    let mut outputs = Outputs::new([file.as_path()], common.force);
    let mut out = outputs.open(&path, kind)?;
    let analysis = Analysis::new(open(file)?).map_err(|error| failure(error, file))?;
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
    let bytes = out.finish()?;
    if !outputs.has_stdout() {
        match (common.json, common.quiet) {
            (true, _) => outputs.tell_json(&json!({"path": path, "bytes": bytes}))?,
            (false, true) => {}
            (false, false) => outputs.tell(&format!(
                "wrote {}: {}\n",
                escaped(&path.display().to_string()),
                counted(bytes, "byte")
            ))?,
        }
    }
    Ok(tell_damage(file, analysis.trace(), &damage))
}

fn failure(error: AnalyzeError, file: &Path) -> Failure {
    match error {
        AnalyzeError::Io(_) => Failure::io(error),
        error => Failure::input(error).context(name(file)),
    }
}

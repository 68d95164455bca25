//! `taut export`: writes a trace in formats of other tools.

use crate::args::{Common, Export, ExportFormat};
use crate::failure::failure;
use crate::progress_bar::ProgressBar;
use serde_json::json;
use std::path::PathBuf;
use taut_app::export::{self, ExportForm};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Outputs, is_stdio};
use taut_console::printing::{escaped, print_message};
use taut_console::traces::{name, open, report_damage};
use taut_schemas::counted;

/// Writes the trace.
pub fn run(export: &Export, common: Common) -> Outcome {
    if export.to == ExportFormat::Parquet {
        return super::tables::run();
    }
    let [file] = export.files.as_slice() else {
        return Err(Failure::usage("of several traces Parquet alone is written: say --to parquet, or name one trace"));
    };
    if !export.tags.is_empty() {
        return Err(Failure::usage("--tag: a lake alone has tags; say --to parquet"));
    }
    let (form, ending, kind) = match export.to {
        ExportFormat::Etl => (ExportForm::Etl, "etl", Kind::Etl),
        ExportFormat::Jsonl => (ExportForm::Jsonl, "jsonl", Kind::Records),
        ExportFormat::Parquet | ExportFormat::Perfetto => (ExportForm::Perfetto, "pftrace", Kind::Perfetto),
    };
    // A trace from standard input has no file name to derive the output's from.
    let default = || if is_stdio(file) { PathBuf::from("-") } else { file.with_extension(ending) };
    let path = export.output.clone().unwrap_or_else(default);
    let mut outputs = Outputs::new([file.as_path()], common.force);
    let mut out = outputs.open(&path, kind)?;
    let source = export::Export::new(name(file), open(file)?).map_err(failure)?;
    let gaps = source.write(form, &mut out, &ProgressBar { quiet: common.quiet }).map_err(failure)?;
    let bytes = out.finish()?;
    if !outputs.has_stdout() {
        match (common.json, common.quiet) {
            (true, _) => outputs.print_json_message(&json!({"path": path, "bytes": bytes}))?,
            (false, true) => {}
            (false, false) => outputs.print_message(&format!(
                "wrote {}: {}{}\n",
                escaped(&path.display().to_string()),
                counted(bytes, "byte"),
                if form == ExportForm::Perfetto { "; open it at https://ui.perfetto.dev" } else { "" }
            ))?,
        }
    }
    let status = report_damage(file, source.trace(), &gaps.damage);
    let Some(left_out) = gaps.left_out_text() else { return Ok(status) };
    print_message(format_args!("{}: {left_out}", name(file)));
    Ok(Status::Incomplete)
}

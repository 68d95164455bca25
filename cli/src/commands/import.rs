//! `taut import`: converts a Windows trace.

use super::etl::print_unsupported;
use crate::args::{Common, Import};
use crate::failure::failure;
use std::path::Path;
use taut_analyze::render::binary_bytes;
use taut_app::import::{self, ImportOptions, Imported};
use taut_console::outcome::{Outcome, Status};
use taut_console::output::{Kind, Outputs};
use taut_console::printing::{escaped, folded, print_message};
use taut_console::traces::name;
use taut_schemas::{counted, grouped};

/// Imports the file. The status is [`Status::Incomplete`] if a part of it could not be read.
pub fn run(arguments: &Import, common: Common) -> Outcome {
    let context = |error| failure(error).context(name(&arguments.file));
    let options = ImportOptions {
        file: arguments.file.clone(),
        providers: arguments.providers.clone(),
        processes: arguments.processes.clone(),
        from: arguments.from,
        to: arguments.to,
        all: arguments.all,
        manifests: arguments.manifests.clone(),
        redact: arguments.redact,
    };
    let path = arguments.output.clone().unwrap_or_else(|| arguments.file.with_extension("taut"));
    let mut import = import::Import::new(options).map_err(context)?;
    print_unsupported(&import.unsupported);
    let inputs = std::iter::once(&arguments.file).chain(&arguments.manifests).map(|file| file.as_path());
    let mut outputs = Outputs::new(inputs, common.force);
    let output = outputs.open(&path, Kind::Trace)?;
    let imported = import.write(|header| output.trace_writer(header)).map_err(context)?;
    let target = output.name().to_owned();
    output.finish()?;
    if common.json {
        outputs.print_json_message(&imported.json(&target))?;
    } else if !common.quiet {
        outputs.print_message(&folded(&to_text(&imported, &target, &outputs)))?;
    }
    imported.damage.iter().for_each(|damage| print_message(escaped(damage)));
    let unlisted = imported.damage_count - imported.damage.len() as u64;
    if unlisted > 0 {
        print_message(format_args!("{} further damages are not listed", grouped(unlisted)));
    }
    Ok(if imported.is_incomplete() { Status::Incomplete } else { Status::Fine })
}

fn to_text(imported: &Imported, target: &Path, outputs: &Outputs) -> String {
    let target = if outputs.has_stdout() { "to standard output".into() } else { target.display().to_string() };
    let mut text = format!(
        "imported {}: {} of {} on {}, {}\n",
        escaped(&target),
        grouped(imported.events),
        counted(imported.file_events, "event"),
        counted(imported.streams, "thread"),
        binary_bytes(imported.bytes),
    );
    let mut line = |count: u64, subject: &str| {
        if count > 0 {
            text += &format!("  {subject}: {}\n", grouped(count));
        }
    };
    line(imported.undescribed_events, "events without a description, counted only (`--all` imports their bytes)");
    line(imported.other_events, "events named `Other`, whose kinds exceed the lines of a trace");
    line(imported.threads_beyond, "threads that share the last stream");
    line(imported.before_zero, "events with a negative tick, which have the stamp 0");
    line(imported.invalid_units, "invalid characters, replaced by U+FFFD");
    line(imported.redacted_names, "replaced names");
    line(imported.removed_bytes, "removed byte strings");
    line(imported.windows_lost.0.into(), "events that Windows lost");
    line(imported.windows_lost.1.into(), "buffers that Windows lost");
    text
}

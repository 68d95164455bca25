//! Checks of the files that commands read as traces: a directory, or an input of `taut record`, is reported with the
//! command that takes it.

use crate::args::{Bench, Command};
use std::io::Read;
use std::path::{Path, PathBuf};
use taut_app::analyze::check_report_names;
use taut_console::outcome::Failure;
use taut_console::printing::escaped;
use taut_traces::{MAGIC, open_regular};
use taut_workloads::inputs::{Detected, detect};

/// Checks the traces that a command names. Files that cannot be opened are left to the command itself.
///
/// # Errors
/// A directory where a trace is expected: exit code 2. A file of a known other kind: exit code 3. A query before its
/// trace: exit code 2.
pub fn check(command: &Command) -> Result<(), Failure> {
    let (files, takes_lakes): (Vec<&PathBuf>, bool) = match command {
        Command::Analyze(analyze) => (analyze.files.iter().chain(&analyze.baseline).collect(), false),
        Command::Replay(replay) => ([&replay.file].into_iter().chain(&replay.placement_policy.more).collect(), false),
        Command::Diff(diff) => (vec![&diff.a, &diff.b], false),
        Command::Info(info) => (vec![&info.file], false),
        Command::Dump(dump) => (vec![&dump.file], false),
        Command::Recover(recover) => (vec![&recover.file], false),
        Command::Export(export) => (export.files.iter().collect(), false),
        Command::Bench(Bench::Replay(bench)) => (bench.file.iter().collect(), false),
        Command::Shell(shell) => (shell.files.iter().collect(), true),
        Command::Duckdb(duckdb) => (duckdb.files.iter().collect(), true),
        Command::Query(query) => {
            let Some((files, sql)) = query.files_and_sql() else { return Ok(()) };
            check_order(files, sql)?;
            (files.iter().collect(), true)
        }
        _ => return Ok(()),
    };
    files.into_iter().try_for_each(|path| check_trace(path, takes_lakes))
}

/// A query that precedes its trace names no file, and the trace takes its place.
fn check_order(files: &[PathBuf], sql: &str) -> Result<(), Failure> {
    match files {
        [first] if Path::new(sql).is_file() && !first.exists() => {
            let [sql, first] = [sql, &first.to_string_lossy()].map(|text| escaped(text).into_owned());
            Err(Failure::usage(format_args!("the trace comes before the query: taut query {sql} \"{first}\"")))
        }
        _ => Ok(()),
    }
}

fn check_trace(path: &Path, takes_lakes: bool) -> Result<(), Failure> {
    let name = escaped(&path.to_string_lossy()).into_owned();
    let Ok(found) = path.metadata() else { return check_not_a_report(&name) };
    if found.is_dir() && !takes_lakes {
        return Err(Failure::usage(format_args!(
            "{name} is a directory: name the traces in it, such as {}",
            escaped(&path.join("*.taut").to_string_lossy())
        )));
    }
    if !found.is_file() || begins_as_trace(path) {
        return Ok(());
    }
    match detect(path) {
        Ok(Detected::Input(format)) => Err(Failure::input(anyhow::anyhow!(
            "{name}: expected a Tautline trace, found {}; record it first: taut record {name}",
            format.name
        ))),
        Ok(Detected::Rejected(rejected)) if !rejected.advice.is_empty() => Err(Failure::input(anyhow::anyhow!(
            "{name}: expected a Tautline trace, found {}; {}",
            rejected.found,
            rejected.advice
        ))),
        _ => Ok(()),
    }
}

/// Checks that a missing file has not the name of a report, which is an option.
fn check_not_a_report(name: &str) -> Result<(), Failure> {
    match check_report_names(&[name.to_owned()]) {
        Ok(()) => {
            Err(Failure::usage(format_args!("{name}: no such file; of a trace: taut analyze TRACE --report {name}")))
        }
        Err(_) => Ok(()),
    }
}

fn begins_as_trace(path: &Path) -> bool {
    let mut start = Vec::with_capacity(MAGIC.len());
    let read = open_regular(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start));
    read.is_ok() && start == MAGIC
}

/// Failure for a file in the place of a command, with the command that takes the file.
pub fn file_for_command(file: &str) -> Failure {
    let (path, name) = (Path::new(file), escaped(file));
    let command = match detect(path) {
        Ok(Detected::Input(_)) if !begins_as_trace(path) => "record",
        _ => "info",
    };
    Failure::usage(format_args!("expected a command, found the file {name}: did you mean `taut {command} {name}`?"))
}

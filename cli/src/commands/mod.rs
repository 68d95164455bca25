//! One file per subcommand.

mod alloc_info;
mod analyze;
mod bench;
mod demo;
mod drivers;
mod dump;
mod info;
mod record;
mod replay;
mod schema;
mod workloads;

use crate::args::{Arguments, Command};
use crate::outcome::{Failure, Outcome, Status};
use std::path::Path;
use taut_traces::Trace;

/// Runs the command.
pub fn run(arguments: Arguments) -> Outcome {
    let common = arguments.common;
    match arguments.command {
        Command::Demo(demo) => demo::run(&demo, common),
        Command::Record(record) => record::run(&record, common),
        Command::Replay(replay) => replay::run(&replay, common),
        Command::Analyze(analyze) => analyze::run(&analyze, common),
        Command::Info(info) => info::run(&info, common),
        Command::Dump(dump) => dump::run(&dump, common),
        Command::AllocInfo(alloc_info) => alloc_info::run(&alloc_info),
        Command::Workloads => workloads::run(common),
        Command::Drivers(drivers) => drivers::run(&drivers, common),
        Command::Schema => schema::run(common),
        Command::Bench(bench) => bench::run(&bench, common),
    }
}

/// Opens a trace and says on stderr what is missing from it.
fn open(path: &Path, quiet: bool) -> Result<Trace, Failure> {
    let trace = Trace::open(path)?;
    if !quiet {
        warn(&trace, path);
    }
    Ok(trace)
}

fn warn(trace: &Trace, path: &Path) {
    for damage in trace.damage() {
        eprintln!("taut: {}: {damage}", path.display());
    }
    let lost = trace.summary().lost_events;
    if lost > 0 {
        eprintln!("taut: {}: {lost} events were lost while recording", path.display());
    }
}

/// Whether all of the trace could be read.
fn completeness(trace: &Trace) -> Status {
    if trace.damage().is_empty() { Status::Fine } else { Status::Incomplete }
}

//! One file per subcommand.

mod alloc_info;
mod analyze;
mod bench;
mod bench_record;
mod bench_tile;
mod completions;
mod demo;
mod diff;
mod drivers;
mod dump;
mod export;
mod hlk;
mod info;
mod man;
mod query;
mod record;
mod replay;
mod schema;
mod tile_info;
mod what_if;
mod workloads;

use crate::args::{Arguments, Command};
use crate::outcome::{Failure, Outcome, Status};
use std::fmt::Display;
use std::path::Path;
use taut_traces::{ReadError, Trace};

/// Runs the command.
pub fn run(arguments: Arguments) -> Outcome {
    let common = arguments.common;
    match arguments.command {
        Command::Demo(demo) => demo::run(&demo, common),
        Command::Record(record) => record::run(&record, common),
        Command::Replay(replay) => replay::run(&replay, common),
        Command::Analyze(analyze) => analyze::run(&analyze, common),
        Command::Diff(diff) => diff::run(&diff, common),
        Command::Query(query) => query::run(&query, common),
        Command::Export(export) => export::run(&export, common),
        Command::Info(info) => info::run(&info, common),
        Command::Dump(dump) => dump::run(&dump, common),
        Command::AllocInfo(alloc_info) => alloc_info::run(&alloc_info),
        Command::TileInfo(tile_info) => tile_info::run(&tile_info),
        Command::Hlk(hlk) => hlk::run(&hlk, common),
        Command::Workloads => workloads::run(common),
        Command::Drivers(drivers) => drivers::run(&drivers, common),
        Command::Schema => schema::run(common),
        Command::Bench(bench) => bench::run(&bench, common),
        Command::Completions(completions) => completions::run(&completions),
        Command::Man(man) => man::run(&man),
    }
}

/// Damage that is told one by one; the rest is counted.
const TOLD_DAMAGE: usize = 5;

/// Opens a trace.
fn open(path: &Path) -> Result<Trace, Failure> {
    Trace::open(path).map_err(|error| match error {
        // The system's own message names the file already.
        ReadError::Io { .. } => error.into(),
        error => Failure::from(error).context(path.display().to_string()),
    })
}

/// Says on stderr what could not be read of a trace, and whether anything could not.
fn tell_damage(path: &Path, trace: &Trace, damage: &[impl Display]) -> Status {
    let path = path.display();
    for damage in damage.iter().take(TOLD_DAMAGE) {
        eprintln!("taut: {path}: {damage}");
    }
    if damage.len() > TOLD_DAMAGE {
        eprintln!("taut: {path}: and {} more places", damage.len() - TOLD_DAMAGE);
    }
    let summary = trace.summary();
    if !summary.complete {
        eprintln!("taut: {path}: the recording did not end properly; {} events of it can be read", summary.events);
    }
    if summary.lost_events > 0 {
        eprintln!("taut: {path}: {} events were lost while recording", summary.lost_events);
    }
    if damage.is_empty() && summary.complete { Status::Fine } else { Status::Incomplete }
}

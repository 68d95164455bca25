//! One file per subcommand.

mod alloc_info;
mod analyze;
mod bench;
mod bench_contexts;
mod bench_present;
mod bench_record;
mod bench_tile;
mod cache;
mod cases;
mod completions;
mod control;
mod demo;
mod diff;
mod drivers;
mod dump;
mod export;
mod hlk;
mod info;
mod machines;
mod man;
mod place;
mod record;
mod record_drawing;
mod record_dump;
mod record_presents;
mod record_scenario;
mod recording;
mod recover;
mod replay;
mod schema;
mod sweep;
mod tables;
mod tile_info;
mod what_if;
mod workloads;

use crate::args::{Arguments, Command};
use taut_console::outcome::Outcome;

/// Runs the command.
pub fn run(arguments: Arguments) -> Outcome {
    let common = arguments.common;
    match arguments.command {
        Command::Demo(demo) => demo::run(&demo, common),
        Command::Record(record) => record::run(&record, common),
        Command::Control(control) => control::run(&control, common),
        Command::Recover(recover) => recover::run(&recover, common),
        Command::Replay(replay) => replay::run(&replay, common),
        Command::Analyze(analyze) => analyze::run(&analyze, common),
        Command::Diff(diff) => diff::run(&diff, common),
        Command::Query(_) | Command::Shell(_) => tables::run(),
        Command::Cache(cache) => cache::run(&cache, common),
        Command::Export(export) => export::run(&export, common),
        Command::Info(info) => info::run(&info, common),
        Command::Dump(dump) => dump::run(&dump, common),
        Command::AllocInfo(alloc_info) => alloc_info::run(&alloc_info),
        Command::TileInfo(tile_info) => tile_info::run(&tile_info),
        Command::Hlk(hlk) => hlk::run(&hlk, common),
        Command::Workloads(workloads) => workloads::run(&workloads, common),
        Command::Drivers(drivers) => drivers::run(&drivers, common),
        Command::Machines(machines) => machines::run(&machines, common),
        Command::Schema => schema::run(common),
        Command::Bench(bench) => bench::run(&bench, common),
        Command::Completions(completions) => completions::run(&completions),
        Command::Man(man) => man::run(&man, common),
    }
}

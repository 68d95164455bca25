//! Subcommands, one file each.

mod alloc_info;
mod analyze;
mod bench;
mod cache;
mod cases;
mod completions;
mod control;
mod demo;
mod diff;
mod driver_change;
mod drivers;
mod dump;
mod etl;
mod export;
mod foreground;
mod hlk;
mod hlk_grid;
mod import;
mod info;
mod machines;
mod man;
mod place;
mod record;
mod recording;
mod recover;
mod replay;
mod run;
mod schema;
mod sweep;
mod tables;
mod tile_info;
mod trace_inputs;
mod what_if;
mod workloads;

use crate::args::{Arguments, Bench, Command, ExportFormat};
use taut_console::outcome::Outcome;
use taut_console::threads;
pub use trace_inputs::file_for_command;

/// True if the whole command runs in another program. That program handles signals, and this process only forwards them.
pub fn runs_in_another_program(command: &Command) -> bool {
    match command {
        Command::Run(_) => true,
        Command::Query(_) | Command::Shell(_) | Command::Duckdb(_) => true,
        Command::Export(export) => export.to == ExportFormat::Parquet,
        Command::Bench(Bench::Read(_)) => true,
        _ => false,
    }
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Outcome {
    let common = arguments.common;
    trace_inputs::check(&arguments.command)?;
    if shares_work(&arguments.command) {
        threads::start()?;
    }
    match arguments.command {
        Command::Demo(demo) => demo::run(&demo, common),
        Command::Record(record) => record::run(&record, common),
        Command::Control(control) => control::run(&control, common),
        Command::Run(run) => run::run(&run, common),
        Command::Recover(recover) => recover::run(&recover, common),
        Command::Replay(replay) => replay::run(&replay, common),
        Command::Analyze(analyze) => analyze::run(&analyze, common),
        Command::Diff(diff) => diff::run(&diff, common),
        Command::Query(_) | Command::Shell(_) => tables::run(),
        Command::Duckdb(_) => tables::run_duckdb(),
        Command::Cache(cache) => cache::run(&cache, common),
        Command::Export(export) => export::run(&export, common),
        Command::Import(import) => import::run(&import, common),
        Command::Info(info) => info::run(&info, common),
        Command::Etl(command) => etl::run(&command, common),
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

/// True if a command distributes its work over threads. The other commands work even if the system cannot create a
/// thread.
pub fn shares_work(command: &Command) -> bool {
    !matches!(
        command,
        Command::Control(_)
            | Command::Run(_)
            | Command::Query(_)
            | Command::Shell(_)
            | Command::Duckdb(_)
            | Command::Cache(_)
            | Command::Etl(_)
            | Command::Import(_)
            | Command::AllocInfo(_)
            | Command::TileInfo(_)
            | Command::Workloads(_)
            | Command::Drivers(_)
            | Command::Machines(_)
            | Command::Schema
            | Command::Completions(_)
            | Command::Man(_)
    )
}

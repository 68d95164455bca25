//! `taut-tables`: the program that `taut` starts for SQL and Parquet.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod commands;
mod environment;
mod memory_limit;
mod panic_report;
mod parent;
mod shell;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use taut_console::args::{BenchRead, Common, Duckdb, Export, Query, Shell};
use taut_console::outcome::{Failure, Outcome};
use taut_console::{exit, interrupt, printing};

/// SQL and Parquet for `taut`, which starts this program; it takes the command lines that `taut` takes for them.
#[derive(Debug, Parser)]
#[command(name = "taut-tables", bin_name = "taut", version)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Asks traces in SQL
    Query(Query),
    /// Answers questions one after another
    Shell(Shell),
    /// Answers the shell's queries
    #[command(hide = true)]
    Worker(Shell),
    /// Starts DuckDB with views of all tables
    Duckdb(Duckdb),
    /// Writes a trace as Parquet
    Export(Export),
    /// Measures this machine
    #[command(subcommand)]
    Bench(Bench),
    /// Makes the tables of a trace that questions will need
    #[command(hide = true)]
    CacheTables {
        /// The trace
        file: PathBuf,
    },
    /// Turns figures into Parquet
    #[command(hide = true)]
    Figures,
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// Questions about events, beside a scan of mapped records
    Read(BenchRead),
}

/// Counts allocated bytes, to enforce `--memory`.
#[global_allocator]
static ALLOCATOR: memory_limit::CountingAllocator = memory_limit::CountingAllocator;

/// Stack size of the working thread. Queries are nested up to a limit (`taut_tables::sql`), and unoptimised builds of
/// the parser and of polars take up to 100 KiB per level. Only touched pages take memory.
const STACK_BYTES: usize = 128 << 20;

fn main() -> ExitCode {
    // Comes first, before any library has read its variables.
    environment::restart_without_unusable();
    let arguments = match taut_console::arguments::<Arguments>() {
        Ok(arguments) => arguments,
        Err(ended) => return ended,
    };
    interrupt::listen();
    parent::exit_when_parent_exits();
    printing::set_color(arguments.common.color);
    printing::set_wide(arguments.common.wide);
    let limit = arguments.command.memory().unwrap_or_else(memory_limit::default_limit);
    // Starts the reporter thread before any trace is opened.
    memory_limit::enforce(limit, arguments.command.subject());
    panic_report::report_panics();
    let worker = std::thread::Builder::new().name("taut-tables".to_owned()).stack_size(STACK_BYTES);
    match worker.spawn(move || run(arguments)).map(std::thread::JoinHandle::join) {
        Ok(Ok(outcome)) => exit(outcome),
        // The panic hook has reported it.
        Ok(Err(_)) => ExitCode::from(Failure::IO_CODE),
        Err(error) => exit(Err(Failure::io(error).context("starting a thread"))),
    }
}

fn run(arguments: Arguments) -> Outcome {
    let common = arguments.common;
    match arguments.command {
        Command::Query(query) => commands::query::run(&query, common),
        Command::Shell(shell) => shell::run(&shell, common),
        Command::Worker(shell) => shell::work(&shell, common),
        Command::Duckdb(duckdb) => commands::duckdb::run(&duckdb, common),
        Command::Export(export) => commands::export::run(&export, common),
        Command::Bench(Bench::Read(bench)) => commands::bench_read::run(&bench, common),
        Command::CacheTables { file } => commands::cache_tables::run(file),
        Command::Figures => commands::figures::run(),
    }
}

impl Command {
    /// Value of `--memory`.
    fn memory(&self) -> Option<u64> {
        match self {
            Command::Query(query) => query.memory.memory,
            Command::Worker(shell) => shell.memory.memory,
            Command::Duckdb(duckdb) => duckdb.memory.memory,
            _ => None,
        }
    }

    /// Subject of the message about exceeded memory.
    fn subject(&self) -> &'static str {
        match self {
            Command::Query(_) | Command::Worker(_) => "this query",
            _ => "this command",
        }
    }
}

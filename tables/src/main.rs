//! `taut-tables`: what `taut` starts for SQL and Parquet.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod commands;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use taut_console::args::{BenchRead, Common, Export, Query, Shell};
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
    /// Writes a trace as Parquet
    Export(Export),
    /// Measures this machine
    #[command(subcommand)]
    Bench(Bench),
    /// Makes the tables of a trace that questions will need
    #[command(hide = true)]
    Keep {
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

fn main() -> std::process::ExitCode {
    let arguments = match taut_console::arguments::<Arguments>() {
        Ok(arguments) => arguments,
        Err(ended) => return ended,
    };
    let common = arguments.common;
    interrupt::listen();
    printing::set_color(common.color);
    exit(match arguments.command {
        Command::Query(query) => commands::query::run(&query, common),
        Command::Shell(shell) => commands::shell::run(&shell, common),
        Command::Export(export) => commands::export::run(&export, common),
        Command::Bench(Bench::Read(bench)) => commands::bench_read::run(&bench, common),
        Command::Keep { file } => commands::keep::run(file),
        Command::Figures => commands::figures::run(),
    })
}

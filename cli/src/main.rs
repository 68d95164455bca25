//! `taut`: arguments, progress, printing. What it does is done in the libraries.

mod args;
mod commands;
mod world;

use clap::Parser;
use taut_console::{interrupt, outcome, printing};

fn main() -> std::process::ExitCode {
    let arguments = args::Arguments::parse();
    interrupt::listen();
    printing::set_color(arguments.common.color);
    outcome::exit(commands::run(arguments))
}

//! `taut`: arguments, progress, printing. What it does is done in the libraries.

mod args;
mod commands;
mod destination;
mod outcome;
mod printing;
mod progress;
mod world;

use clap::Parser;

fn main() -> std::process::ExitCode {
    let arguments = args::Arguments::parse();
    printing::set_color(arguments.common.color);
    outcome::exit(commands::run(arguments))
}

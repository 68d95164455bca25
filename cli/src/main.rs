//! `taut`: arguments, progress, printing. What it does is done in the libraries.

mod analysis;
mod args;
mod choices;
mod commands;
mod fit_options;
mod handle_options;
mod heap_budget_options;
mod placing_options;
mod policy_picture;
mod present_options;
mod recording_options;
mod sweep_options;
mod sweep_picture;
mod task_options;
mod world;

use clap::CommandFactory;
use taut_console::{exit, interrupt, printing};

fn main() -> std::process::ExitCode {
    // A shell that completes asks with an environment variable set, and gets its answer here.
    clap_complete::CompleteEnv::with_factory(args::Arguments::command).complete();
    let arguments = match taut_console::arguments::<args::Arguments>() {
        Ok(arguments) => arguments,
        Err(ended) => return ended,
    };
    interrupt::listen();
    printing::set_color(arguments.common.color);
    exit(commands::run(arguments))
}

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

/// A driver model's panic is told by the command that met it, in its answer; where it came from, only to who asks for it.
fn leave_caught_panics_to_answers() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_asked_for = std::env::var_os("RUST_BACKTRACE").is_some_and(|asked| asked != "0");
        if is_asked_for || !taut_runtime::is_caught() {
            tell(panic);
        }
    }));
}

fn main() -> std::process::ExitCode {
    // A shell that completes asks with an environment variable set, and gets its answer here.
    clap_complete::CompleteEnv::with_factory(args::Arguments::command).complete();
    let arguments = match taut_console::arguments::<args::Arguments>() {
        Ok(arguments) => arguments,
        Err(ended) => return ended,
    };
    leave_caught_panics_to_answers();
    interrupt::listen();
    printing::set_color(arguments.common.color);
    exit(commands::run(arguments))
}

//! `taut`, the command-line program: arguments, progress and printing. The libraries do the work.

mod args;
mod choices;
mod commands;
mod failure;
mod fit_options;
mod handle_options;
mod headings;
mod heap_budget_options;
mod placement_options;
mod present_options;
mod progress_bar;
mod recording_options;
mod sweep_options;
mod task_options;

use std::path::Path;
use taut_console::outcome::Status;
use taut_console::{address_space, exit, interrupt, printing};

/// Silences the panic hook for panics of driver models that are caught: the command reports them in its result. With
/// `RUST_BACKTRACE` the hook prints them too.
fn silence_caught_panics() {
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if address_space::is_for_lack_of_stack(&panic.to_string()) {
            // Rust aborts the process when this returns.
            printing::print_message("too little memory: the system gives none for the stack of another thread");
            taut_console::end(Status::Found as i32);
        }
        let is_requested = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
        if is_requested || !taut_runtime::is_caught() {
            default_hook(panic);
        }
    }));
}

fn main() -> std::process::ExitCode {
    // Answers a shell's request for completions, which an environment variable marks, and ends the process.
    clap_complete::CompleteEnv::with_factory(args::command).complete();
    let first = std::env::args_os().nth(1).and_then(|name| name.into_string().ok());
    let is_command = |name: &String| args::command().find_subcommand(name).is_some();
    if let Some(file) = first.filter(|name| Path::new(name).is_file() && !is_command(name)) {
        return exit(Err(commands::file_for_command(&file)));
    }
    let arguments = match taut_console::arguments_of::<args::Arguments>(args::command()) {
        Ok(arguments) => arguments,
        Err(ended) => return ended,
    };
    if commands::shares_work(&arguments.command) {
        address_space::restart_with_one_arena();
    }
    silence_caught_panics();
    if !commands::runs_in_another_program(&arguments.command) {
        interrupt::listen();
    }
    printing::set_color(arguments.common.color);
    printing::set_wide(arguments.common.wide);
    exit(commands::run(arguments))
}

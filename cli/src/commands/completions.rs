//! `taut completions`: a script that completes commands and options.

use crate::args::{Arguments, Completions};
use clap::CommandFactory;
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::print_bytes;

/// Prints the script.
pub fn run(completions: &Completions) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut Arguments::command(), "taut", &mut script);
    print_bytes(&script)?;
    Ok(Status::Fine)
}

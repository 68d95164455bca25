//! `taut completions`: a script that completes commands and options.

use crate::args::{Arguments, Completions};
use crate::outcome::{Outcome, Status};
use crate::printing::print_bytes;
use clap::CommandFactory;

/// Prints the script.
pub fn run(completions: &Completions) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut Arguments::command(), "taut", &mut script);
    print_bytes(&script)?;
    Ok(Status::Fine)
}

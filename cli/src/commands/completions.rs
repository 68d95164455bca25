//! `taut completions`: prints the script by which a shell queries this program for completions.

use crate::args::Completions;
use clap_complete::env::Shells;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::print_bytes;

/// Environment variable by which the script marks a request for completions: the default of `CompleteEnv`, which `main`
/// uses.
const COMPLETE_VARIABLE: &str = "COMPLETE";

/// Prints the script.
pub fn run(completions: &Completions) -> Outcome {
    let name = completions.shell.to_string();
    let shells = Shells::builtins();
    let shell = shells.completer(&name).ok_or_else(|| Failure::usage(format!("no completion for {name}")))?;
    let mut script = Vec::new();
    shell.write_registration(COMPLETE_VARIABLE, "taut", "taut", "taut", &mut script)?;
    print_bytes(&script)?;
    Ok(Status::Fine)
}

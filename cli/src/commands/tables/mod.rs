//! `taut query`, `taut shell` and Parquet: run by `taut-tables`, a separate program that links polars.

use super::foreground;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use taut_analyze::export::FlatFigure;
use taut_console::args::{SESSION_FOLDER, STARTED_BY};
use taut_console::child_end::{describe_signal, is_documented_code, is_end_request};
use taut_console::interrupt;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::print_message;

/// Name of the program.
const PROGRAM: &str = "taut-tables";

/// Runs the program with the command line of this process, and ends with its exit code.
///
/// This process waits for the program, because a signal that ends it can be reported only from outside.
pub fn run() -> Outcome {
    match run_with(program()?)? {
        // The program removes its unfinished files and prints its messages itself; only the exit code is passed on.
        Ended::Code(Some(code)) if is_documented_code(code) => std::process::exit(code),
        Ended::Code(code) => {
            let code = code.map_or_else(|| "no exit code".to_owned(), |code| format!("exit code {code}"));
            Err(Failure::io(anyhow::anyhow!("{PROGRAM} ended with {code}; expected 0, 1, 2, 3, 4 or 130")))
        }
        Ended::Interrupted => Ok(Status::Interrupted),
    }
}

/// Runs the program, which becomes DuckDB, in a folder for the files of this session; ends with DuckDB's exit code.
pub fn run_duckdb() -> Outcome {
    let session = tempfile::Builder::new().prefix("taut-duckdb-").tempdir()?;
    let mut command = program()?;
    command.env(SESSION_FOLDER, session.path());
    let ended = run_with(command);
    // Before the exit, which runs no destructors. What cannot be removed now is a temporary file.
    drop(session);
    match ended? {
        Ended::Code(code) => std::process::exit(code.unwrap_or(Failure::IO_CODE.into())),
        Ended::Interrupted => Ok(Status::Interrupted),
    }
}

/// End of the program.
enum Ended {
    /// Ended by itself, with this exit code.
    Code(Option<i32>),
    /// Ended by a request to end.
    Interrupted,
}

fn run_with(mut command: Command) -> Result<Ended, Failure> {
    command.args(std::env::args_os().skip(1)).env(STARTED_BY, std::process::id().to_string());
    let status =
        foreground::run(&mut command, interrupt::end_requests).map_err(|error| Failure::io(error).context(PROGRAM))?;
    match describe_signal(PROGRAM, status) {
        Some(_) if is_end_request(status) => Ok(Ended::Interrupted),
        Some(ended) => Err(Failure::io(anyhow::anyhow!(ended))),
        None => Ok(Ended::Code(status.code())),
    }
}

/// Builds the tables of a recorded trace. A failure is only reported, because the trace is whole without them.
pub fn build_tables(trace: &Path) {
    let built = program()
        .and_then(|mut program| Ok(program.arg("cache-tables").arg("--").arg(trace).stdin(Stdio::null()).status()?));
    match built {
        Ok(status) if status.success() => {}
        Ok(status) => {
            let why = describe_signal(PROGRAM, status).map_or_else(String::new, |why| format!(": {why}"));
            print_message(format_args!("{}: its tables were not made{why}", trace.display()));
        }
        Err(failure) => taut_console::report_failure(&failure),
    }
}

/// Converts figures to Parquet.
pub fn parquet_of(figures: &[FlatFigure], keys: &[(String, String)]) -> Result<Vec<u8>, Failure> {
    let mut child = program()?
        .arg("figures")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::io(error).context(PROGRAM))?;
    let text = serde_json::to_vec(&(keys, figures)).map_err(Failure::io)?;
    if let Some(mut stdin) = child.stdin.take() {
        // If the program has ended early, its exit status below has the cause.
        let _ = stdin.write_all(&text);
    }
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let why = describe_signal(PROGRAM, output.status).unwrap_or_else(|| format!("{PROGRAM} failed"));
    Err(Failure::io(anyhow::anyhow!(why)))
}

/// Finds the program: in the folder of this executable, as it is built and installed, or in PATH.
fn program() -> Result<Command, Failure> {
    let file = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let own = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    let sibling = own.as_deref().and_then(|own| own.parent()).map(|folder| folder.join(&file));
    let in_path = || std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect::<Vec<PathBuf>>();
    let places = sibling.into_iter().chain(in_path().into_iter().map(|folder| folder.join(&file)));
    places.into_iter().find(|place| place.is_file()).map(Command::new).ok_or_else(|| {
        Failure::io(anyhow::anyhow!(
            "{PROGRAM}, the program for SQL and Parquet, was found neither in the folder of taut nor in PATH: \
             `cargo build --release` builds both, `cargo install --path tables` installs it"
        ))
    })
}

//! `taut query` and Parquet: done by `taut-tables`, the program beside this one that knows polars.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use taut_analyze::formats::FlatFigure;
use taut_console::outcome::{Failure, Outcome};
use taut_console::printing::tell;

/// The program's name.
const PROGRAM: &str = "taut-tables";

/// Hands this process's own command line on; how that ends is how this ends.
pub fn run() -> Outcome {
    let mut command = program()?;
    command.args(std::env::args_os().skip(1));
    become_it(&mut command)
}

/// Makes the tables of a trace that was recorded. Without them it is as whole.
pub fn keep(trace: &Path) {
    let kept =
        program().and_then(|mut program| Ok(program.arg("keep").arg("--").arg(trace).stdin(Stdio::null()).status()?));
    match kept {
        Ok(status) if status.success() => {}
        Ok(_) => tell(format_args!("{}: its tables were not made", trace.display())),
        Err(failure) => taut_console::tell_failure(&failure),
    }
}

/// Turns figures into Parquet.
pub fn parquet_of(figures: &[FlatFigure], keys: &[(String, String)]) -> Result<Vec<u8>, Failure> {
    let mut child = program()?
        .arg("figures")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::io(error).context(PROGRAM))?;
    let text = serde_json::to_vec(&(keys, figures)).map_err(Failure::io)?;
    if let Some(mut stdin) = child.stdin.take() {
        // If it has gone away, how it ended says why.
        let _ = stdin.write_all(&text);
    }
    let output = child.wait_with_output()?;
    if output.status.success() { Ok(output.stdout) } else { Err(Failure::io(anyhow::anyhow!("{PROGRAM} failed"))) }
}

/// The program: beside this one, as it is built and installed, or where the shell would find it.
fn program() -> Result<Command, Failure> {
    let file = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let own = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    let beside = own.as_deref().and_then(|own| own.parent()).map(|folder| folder.join(&file));
    let in_path = || std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect::<Vec<PathBuf>>();
    let places = beside.into_iter().chain(in_path().into_iter().map(|folder| folder.join(&file)));
    places.into_iter().find(|place| place.is_file()).map(Command::new).ok_or_else(|| {
        Failure::usage(format!(
            "SQL and Parquet are done by {PROGRAM}, a program beside taut that is not there yet: `cargo build --release` \
             builds both"
        ))
    })
}

#[cfg(unix)]
fn become_it(command: &mut Command) -> Outcome {
    use std::os::unix::process::CommandExt;
    Err(Failure::io(command.exec()).context(PROGRAM))
}

#[cfg(not(unix))]
fn become_it(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| Failure::io(error).context(PROGRAM))?;
    std::process::exit(status.code().unwrap_or(4))
}

//! `.duckdb`: DuckDB takes over the shell's input, with the same files.

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};
use taut_console::args::{STARTED_BY, Shell};
use taut_console::outcome::{Failure, Outcome, Status};

/// Runs `taut duckdb` with the files of the shell and the rest of its input, and ends with its outcome.
pub fn run(shell: &Shell, interactive: bool) -> Outcome {
    let failure = |error| Failure::io(error).context("taut duckdb");
    // `taut` makes the folder of the session, and removes it afterwards.
    let name = format!("taut{}", std::env::consts::EXE_SUFFIX);
    let own = std::env::current_exe().ok();
    let sibling = own.as_deref().and_then(Path::parent).map(|folder| folder.join(&name)).filter(|file| file.is_file());
    let mut command = Command::new(sibling.unwrap_or_else(|| name.into()));
    command.arg("duckdb").env_remove(STARTED_BY);
    if let Some(bytes) = shell.memory.memory {
        command.arg("--memory").arg(bytes.to_string());
    }
    command.args(&shell.files);
    let status = if interactive {
        command.status().map_err(failure)?
    } else {
        let mut child = command.stdin(Stdio::piped()).spawn().map_err(failure)?;
        if let Some(mut stdin) = child.stdin.take() {
            match std::io::copy(&mut std::io::stdin().lock(), &mut stdin) {
                // DuckDB has ended before its input.
                Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(failure(error)),
                _ => {}
            }
        }
        child.wait().map_err(failure)?
    };
    match status.code().and_then(|code| u8::try_from(code).ok()) {
        Some(0) => Ok(Status::Fine),
        code => Err(Failure::with_code(code.unwrap_or(Failure::IO_CODE), "DuckDB ended with an error")),
    }
}

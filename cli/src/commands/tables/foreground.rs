//! Child process that does the work of this process, which waits for it and forwards requests to end.

use std::io::Result as IoResult;
use std::process::{Command, ExitStatus};

/// Runs the command to its end.
///
/// Ctrl-C on a terminal reaches the child by itself, because it is of the same process group; a signal sent to this process alone
/// is forwarded. Either way this process waits for the child, whose unfinished files nobody else removes.
///
/// # Errors
/// The command cannot be started or awaited.
#[cfg(unix)]
pub fn run(command: &mut Command) -> IoResult<ExitStatus> {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    // Listening begins before the child exists: otherwise a signal in between would end this process alone.
    let signals = taut_console::interrupt::end_requests();
    let mut child = command.spawn()?;
    if let (Ok(signals), Ok(pid)) = (signals, i32::try_from(child.id())) {
        let forward = move || {
            for signal in signals {
                let from_terminal = signal == Signal::SIGINT as i32 && is_in_foreground();
                if let (false, Ok(signal)) = (from_terminal, Signal::try_from(signal)) {
                    // A child that has ended needs no signal. This process ends right after it, so the id is not reused
                    // in between.
                    let _ = kill(Pid::from_raw(pid), signal);
                }
            }
        };
        // Without the thread only the terminal's signals reach the child.
        let _ = std::thread::Builder::new().name("taut-signals".to_owned()).spawn(forward);
    }
    child.wait()
}

/// Runs the command to its end. Other systems deliver Ctrl-C to both processes.
#[cfg(not(unix))]
pub fn run(command: &mut Command) -> IoResult<ExitStatus> {
    command.status()
}

/// True if this process is in the foreground group of the terminal, so that Ctrl-C reaches the child as well: a second
/// signal would end a shell that handles the first. The groups are fields 5 and 8 of `/proc/self/stat`.
#[cfg(unix)]
fn is_in_foreground() -> bool {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The program's name, in brackets, may hold spaces.
    let Some((_, fields)) = stat.rsplit_once(") ") else { return false };
    let fields: Vec<&str> = fields.split(' ').collect();
    matches!(fields.as_slice(), [_, _, group, _, _, foreground, ..] if group == foreground)
}

//! Child process that does the work of this process, which waits for it and forwards requests to end.

use std::io::Result as IoResult;
use std::process::{Command, ExitStatus};
#[cfg(unix)]
use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use taut_console::outcome::Status;

/// Runs the command to its end.
///
/// Ctrl-C on a terminal reaches the child by itself, because it is of the same process group; a signal sent to this process alone
/// is forwarded, if it is one of `signals`. Either way this process waits for the child, whose unfinished files nobody else
/// removes. A signal after the child's end ends this process.
///
/// # Errors
/// The command cannot be started or awaited.
#[cfg(unix)]
pub fn run<S: Iterator<Item = i32> + Send + 'static>(
    command: &mut Command,
    signals: impl FnOnce() -> IoResult<S>,
) -> IoResult<ExitStatus> {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    // Listening begins before the child exists: otherwise a signal in between would end this process alone.
    let signals = signals();
    let mut child = command.spawn()?;
    let has_ended = Arc::new(AtomicBool::new(false));
    let child_has_ended = Arc::clone(&has_ended);
    if let (Ok(signals), Ok(pid)) = (signals, i32::try_from(child.id())) {
        let forward = move || {
            for signal in signals {
                if child_has_ended.load(Ordering::Acquire) {
                    taut_console::end(Status::Interrupted as i32);
                }
                let is_of_terminal = [Signal::SIGINT as i32, Signal::SIGQUIT as i32].contains(&signal);
                let from_terminal = is_of_terminal && is_in_foreground();
                if let (false, Ok(signal)) = (from_terminal, Signal::try_from(signal)) {
                    // The child is not awaited yet, so its id is not reused.
                    let _ = kill(Pid::from_raw(pid), signal);
                }
            }
        };
        // Without the thread only the terminal's signals reach the child.
        let _ = std::thread::Builder::new().name("taut-signals".to_owned()).spawn(forward);
    }
    let status = child.wait();
    has_ended.store(true, Ordering::Release);
    status
}

/// Runs the command to its end. Windows delivers Ctrl-C to both processes, and `ignore` makes this one wait for the child.
#[cfg(not(unix))]
pub fn run<S>(command: &mut Command, ignore: impl FnOnce() -> IoResult<S>) -> IoResult<ExitStatus> {
    // Without the handler, this process ends before its child.
    let _ = ignore();
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

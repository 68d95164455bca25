//! Handling of Ctrl-C, Ctrl-Break, a closed terminal and other termination signals. Unfinished outputs are removed and the process
//! ends at once; a recording may install a handler that ends it in order. A second Ctrl-C always ends at once.
//!
//! A mapped file that is truncated ends the process with an error, on systems that report it (SIGBUS).

use crate::outcome::{Failure, Status};
use crate::printing::print_message;
use crate::unfinished::end;
use std::io::Result as IoResult;
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use taut_traces::{end_on_shortened_file, was_file_shortened};

type InterruptHandler = Box<dyn FnOnce() + Send>;

/// Handler that replaces the immediate end.
static HANDLER: Mutex<Option<InterruptHandler>> = Mutex::new(None);

fn current_handler() -> MutexGuard<'static, Option<InterruptHandler>> {
    HANDLER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs the handlers. If the system does not allow them, signals have their default action.
pub fn listen() {
    end_on_shortened_file(Failure::IO_CODE);
    fail_writes_at_size_limit();
    answer_on(Builder::new().name("taut-interrupt".to_owned()), signals);
}

/// Starts a thread that answers signals. Handlers are registered only once the thread runs: without it nothing would
/// answer, and Ctrl-C would be ignored instead of having its default action.
fn answer_on<S: Iterator<Item = ()> + Send + 'static>(thread: Builder, register: impl FnOnce() -> IoResult<S>) {
    let (send, registered) = sync_channel::<S>(1);
    let is_running = thread.spawn(move || registered.into_iter().flatten().for_each(|()| answer())).is_ok();
    if is_running && let Ok(signals) = register() {
        // The thread waits for this one value; where none comes, it ends.
        let _ = send.send(signals);
    }
}

/// Makes a write beyond the file size limit fail like a write to a full disk. By default SIGXFSZ ends the process, and
/// unfinished outputs remain.
pub(crate) fn fail_writes_at_size_limit() {
    #[cfg(unix)]
    {
        // A handled signal has no other effect; if it cannot be handled, the default action remains.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}

fn answer() {
    if was_file_shortened() {
        print_message("a file became shorter while it was read: the bytes after its new end are lost");
        end(Failure::IO_CODE.into());
    }
    // Taken, so that a second signal ends the process at once.
    let installed = current_handler().take();
    match installed {
        Some(handler) => handler(),
        None => end(Status::Interrupted as i32),
    }
}

/// Iterator over termination signals as they arrive. Signals that the process was started to ignore are left out:
/// `nohup` ignores SIGHUP, a script's `&` SIGINT.
///
/// # Errors
/// The system does not allow handlers.
#[cfg(unix)]
pub fn end_requests() -> IoResult<impl Iterator<Item = i32> + Send> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    arriving(&[SIGHUP, SIGINT, SIGTERM])
}

/// Iterator over the signals that a program may receive, as they arrive, for a process that forwards them; ignored ones
/// as in [`end_requests`].
///
/// # Errors
/// The system does not allow handlers.
#[cfg(unix)]
pub fn program_signals() -> IoResult<impl Iterator<Item = i32> + Send> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    arriving(&[SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2])
}

#[cfg(unix)]
fn arriving(wanted: &[i32]) -> IoResult<impl Iterator<Item = i32> + Send + use<>> {
    use signal_hook::consts::SIGHUP;
    use signal_hook::iterator::Signals;
    let ignored = ignored();
    // If the ignored signals are unknown, SIGHUP is not handled, because `nohup` may be in effect.
    let heeded = |signal: &i32| ignored.map_or(*signal != SIGHUP, |ignored| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(wanted.iter().copied().filter(heeded))?;
    Ok(std::iter::from_fn(move || signals.forever().next()))
}

#[cfg(unix)]
fn signals() -> IoResult<impl Iterator<Item = ()> + Send> {
    Ok(end_requests()?.map(|_| ()))
}

/// Bit mask of the signals that the process was started to ignore; bit 0 is signal 1. Only Linux reports it.
#[cfg(unix)]
fn ignored() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// No signals: Windows delivers Ctrl-C to all processes of a console. From here on it does not end this process, which
/// waits for its child.
///
/// # Errors
/// Windows registers no handler.
#[cfg(not(unix))]
pub fn end_requests() -> IoResult<impl Iterator<Item = i32> + Send> {
    crate::console_events::ignore_end_requests()?;
    program_signals()
}

/// No signals, as [`end_requests`].
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn program_signals() -> IoResult<impl Iterator<Item = i32> + Send> {
    Ok(std::iter::empty())
}

#[cfg(not(unix))]
use crate::console_events::end_requests as signals;

/// Installs `handler` as the handler of the first signal while the returned guard lives; it should make the work end soon.
pub fn handle_interrupt(handler: impl FnOnce() + Send + 'static) -> InterruptGuard {
    *current_handler() = Some(Box::new(handler));
    InterruptGuard(())
}

/// Guard of [`handle_interrupt`].
#[must_use]
pub struct InterruptGuard(());

impl Drop for InterruptGuard {
    fn drop(&mut self) {
        *current_handler() = None;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn signals_have_their_default_action_where_the_thread_cannot_start() {
        let is_registered = |thread: Builder| {
            let called = Cell::new(false);
            answer_on(thread, || {
                called.set(true);
                Ok(std::iter::empty())
            });
            called.get()
        };
        // No address space has room for this stack.
        assert!(!is_registered(Builder::new().stack_size(1 << 60)));
        assert!(is_registered(Builder::new()));
    }
}

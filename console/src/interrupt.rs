//! Ctrl-C, a terminal that closes, and other wishes that a process end. Unfinished outputs are removed, and the process ends at once; a recording
//! may ask to end by itself. A second Ctrl-C always ends at once.
//!
//! A file that becomes shorter while it is mapped ends the process as an error does, where the system tells (SIGBUS).

use crate::outcome::{Failure, Status};
use crate::printing::tell;
use crate::unfinished::end;
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_traces::{end_on_shortened_file, was_file_shortened};

type Ending = Box<dyn FnOnce() + Send>;

/// What is to be done instead of ending at once.
static ENDING: Mutex<Option<Ending>> = Mutex::new(None);

fn ending() -> MutexGuard<'static, Option<Ending>> {
    ENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens from now on. Where the system lets nobody listen, a signal ends the process as it does any other.
pub fn listen() {
    end_on_shortened_file(Failure::IO_CODE);
    have_writes_fail_at_size_limit();
    let thread = std::thread::Builder::new().name("taut-interrupt".to_owned());
    if let Ok(signals) = signals() {
        // Without a thread nobody would hear of a signal, so it is as if there were none to listen to.
        let _ = thread.spawn(move || signals.for_each(|()| answer()));
    }
}

/// A write beyond the size that the system allows for files fails as on a full disk. By default a signal ends the process there,
/// and unfinished outputs stay.
fn have_writes_fail_at_size_limit() {
    #[cfg(unix)]
    {
        // A signal that is heard does nothing more; where nobody can listen, it does what it did.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}

fn answer() {
    if was_file_shortened() {
        tell("a file became shorter while it was read: what it had behind its end is not there any more");
        end(Failure::IO_CODE.into());
    }
    let asked = ending().take();
    match asked {
        Some(ask) => ask(),
        None => end(Status::Interrupted as i32),
    }
}

/// One after another, the signals that wish for an end. Which of them are not to be heeded, who started the process has
/// said: `nohup` ignores SIGHUP, a script's `&` SIGINT.
#[cfg(unix)]
fn signals() -> std::io::Result<impl Iterator<Item = ()> + Send> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let ignored = ignored();
    // Where nothing tells what is ignored, SIGHUP is left as it is.
    let heeded = |signal: &i32| ignored.map_or(*signal != SIGHUP, |ignored| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM].into_iter().filter(heeded))?;
    Ok(std::iter::from_fn(move || signals.forever().next().map(|_| ())))
}

/// The signals that the process was started to ignore, a bit for each; the lowest is number 1. Linux tells.
#[cfg(unix)]
fn ignored() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// One after another, the signals that wish for an end. There is nothing to wait for them with, so they are looked for.
#[cfg(not(unix))]
fn signals() -> std::io::Result<impl Iterator<Item = ()> + Send> {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    let raised = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&raised))?;
    signal_hook::flag::register(signal_hook::consts::SIGTERM, Arc::clone(&raised))?;
    Ok(std::iter::from_fn(move || {
        while !raised.swap(false, Ordering::Relaxed) {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        Some(())
    }))
}

/// For as long as the value lives, the first signal is answered by `ask`, which makes the work end soon.
pub fn ask_instead(ask: impl FnOnce() + Send + 'static) -> Asking {
    *ending() = Some(Box::new(ask));
    Asking(())
}

/// See [`ask_instead`].
#[must_use]
pub struct Asking(());

impl Drop for Asking {
    fn drop(&mut self) {
        *ending() = None;
    }
}

//! File size limit that the system sets for a process (`RLIMIT_FSIZE`).

/// Makes a write beyond the limit fail on this thread as on a full disk. By default SIGXFSZ ends the process, so the
/// recorder would kill the program that it records.
#[cfg(unix)]
pub(crate) fn is_an_error() {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    // Failure leaves the signal's default action, which is acceptable.
    let _ = signals.thread_block();
}

/// No effect: the limit does not exist on this system.
#[cfg(not(unix))]
pub(crate) fn is_an_error() {}

//! A limit on the size of files that the system sets for a process.

/// Has a write beyond the limit fail on this thread as it does on a full disk; by default a signal ends the process, and
/// the recorder would kill the program that it records.
#[cfg(unix)]
pub(crate) fn is_an_error() {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    // Fails for no set of signals that there are; and then a signal is what it was.
    let _ = signals.thread_block();
}

/// Elsewhere there is no such limit.
#[cfg(not(unix))]
pub(crate) fn is_an_error() {}

//! Signals of the process: the session's own threads take none, because a program may handle them on its threads.

/// Runs `begin`, which starts threads, so that these block all signals but those that a thread causes by an error of
/// its own.
#[cfg(target_os = "linux")]
pub fn without_signals<T>(begin: impl FnOnce() -> T) -> T {
    use nix::sys::signal::{SigSet, SigmaskHow, Signal};
    let mut blocked = SigSet::all();
    [Signal::SIGBUS, Signal::SIGFPE, Signal::SIGILL, Signal::SIGSEGV, Signal::SIGTRAP]
        .into_iter()
        .for_each(|signal| blocked.remove(signal));
    // Without the mask the threads work as well; the call fails for no documented reason.
    let before = blocked.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let result = begin();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    result
}

/// Runs `begin`. Other systems have no signals that a program handles, or no programs that use the binary interface.
#[cfg(not(target_os = "linux"))]
pub fn without_signals<T>(begin: impl FnOnce() -> T) -> T {
    begin()
}

//! Handling of SIGBUS, which is raised when a mapped file is truncated by another process and then read past its new
//! end.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

static SHORTENED: AtomicBool = AtomicBool::new(false);

/// True if a mapped file was truncated. The file can no longer be read, and the thread that accessed the mapping does
/// not continue.
pub fn was_file_shortened() -> bool {
    SHORTENED.load(Ordering::Acquire)
}

/// Installs the handler: when a mapped file is truncated, the process receives SIGTERM, and exits with this code if it
/// does not end by that. [`was_file_shortened`] returns `true` from then on. Without the handler, SIGBUS ends the
/// process.
pub fn end_on_shortened_file(exit_code: u8) {
    #[cfg(unix)]
    unix::listen(exit_code);
    #[cfg(not(unix))]
    let _ = exit_code;
}

#[cfg(unix)]
mod unix {
    use super::{Ordering, SHORTENED};
    use nix::libc;
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    use std::sync::atomic::AtomicU8;

    static EXIT_CODE: AtomicU8 = AtomicU8::new(1);

    /// Time that a SIGTERM handler has to end the process, in seconds.
    const HANDLER_TIMEOUT_SECONDS: u32 = 5;

    extern "C" fn shortened(_: libc::c_int) {
        SHORTENED.store(true, Ordering::Release);
        // SAFETY: plain system calls, which POSIX permits in a signal handler.
        unsafe {
            libc::kill(libc::getpid(), libc::SIGTERM);
            // Returning would repeat the faulting read.
            let mut left = HANDLER_TIMEOUT_SECONDS;
            while left > 0 {
                left = libc::sleep(left);
            }
            libc::_exit(EXIT_CODE.load(Ordering::Relaxed).into());
        }
    }

    pub fn listen(exit_code: u8) {
        EXIT_CODE.store(exit_code, Ordering::Relaxed);
        let action = SigAction::new(SigHandler::Handler(shortened), SaFlags::SA_ONSTACK, SigSet::empty());
        // SAFETY: the handler makes only calls permitted in one. The default action, which it replaces, ends the
        // process and stays in place if the handler cannot be installed.
        let _ = unsafe { sigaction(Signal::SIGBUS, &action) };
    }
}

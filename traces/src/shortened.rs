//! A file that becomes shorter while it is mapped: who reads behind its new end is sent SIGBUS, which ends a process unless it
//! listens.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

static SHORTENED: AtomicBool = AtomicBool::new(false);

/// Whether some mapped file was found shorter than it was. Nothing more can be read of it; the thread that met its end does not
/// go on.
pub fn was_file_shortened() -> bool {
    SHORTENED.load(Ordering::Acquire)
}

/// Has a process that listens to SIGTERM end as it then does, and one that does not end with this exit code, when a mapped file
/// becomes shorter; [`was_file_shortened`] says so from then on. Without, the process ends by SIGBUS.
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

    /// How long whoever listens to SIGTERM has for it.
    const PATIENCE_SECONDS: u32 = 5;

    extern "C" fn shortened(_: libc::c_int) {
        SHORTENED.store(true, Ordering::Release);
        // SAFETY: each of these is a plain system call, which POSIX allows in a handler.
        unsafe {
            libc::kill(libc::getpid(), libc::SIGTERM);
            // To return would be to read there again.
            let mut left = PATIENCE_SECONDS;
            while left > 0 {
                left = libc::sleep(left);
            }
            libc::_exit(EXIT_CODE.load(Ordering::Relaxed).into());
        }
    }

    pub fn listen(exit_code: u8) {
        EXIT_CODE.store(exit_code, Ordering::Relaxed);
        let action = SigAction::new(SigHandler::Handler(shortened), SaFlags::SA_ONSTACK, SigSet::empty());
        // SAFETY: the handler does nothing but what is allowed in one. What stood there before ended the process. Where it cannot
        // be set, that remains.
        let _ = unsafe { sigaction(Signal::SIGBUS, &action) };
    }
}

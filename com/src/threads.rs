//! Threads of the program as threads of the session.

use crate::process;
use crate::unsafe_abi::is_main_thread;
use taut_capture::{SessionThread, Unrecorded};

/// Thread of a session.
// There is one per thread of the program, and an indirection would be followed in each call.
#[allow(clippy::large_enum_variant)]
pub enum Thread {
    /// Thread whose events are recorded.
    Recorded(SessionThread),
    /// Thread whose events are discarded.
    Unrecorded(SessionThread<Unrecorded>),
}

/// Thread of the session for the life of a thread of the program.
pub struct Registration {
    /// Generation of the session's process.
    pub generation: u32,
    thread: Option<Thread>,
}

impl Registration {
    /// Keeps a thread.
    pub fn new(generation: u32, thread: Thread) -> Registration {
        Registration { generation, thread: Some(thread) }
    }

    /// The thread.
    pub fn thread(&mut self) -> Option<&mut Thread> {
        self.thread.as_mut()
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let thread = self.thread.take();
        // The end of the main thread is the end of the process, at which the library does nothing: the trace is complete
        // without it. In a copy of the process the session belongs to the parent.
        if self.generation != process::generation() || is_main_thread() {
            std::mem::forget(thread);
        }
    }
}

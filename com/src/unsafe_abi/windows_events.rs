//! Events of Windows. A fence completes on a thread of the session, which is unknown to Windows and cannot call it: a
//! thread of Windows signals the events in its place.

use super::pointer::Opaque;
use super::windows_functions::WindowsFunctions;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

/// Handle of this process in calls of Windows.
const THIS_PROCESS: isize = -1;
/// EVENT_MODIFY_STATE.
const MODIFY_STATE: u32 = 2;

/// Duplicate of a client's event; its handle is closed after the last signal.
#[derive(Debug)]
pub struct WindowsEvent {
    handle: usize,
}

/// Work of the thread.
#[derive(Debug, Clone, Copy)]
enum Work {
    Signal(usize),
    Close(usize),
}

static WORK: Mutex<VecDeque<Work>> = Mutex::new(VecDeque::new());
static ADDED: Condvar = Condvar::new();

impl WindowsEvent {
    /// Signals the event.
    pub fn signal(&self) {
        add(Work::Signal(self.handle));
    }
}

impl Drop for WindowsEvent {
    fn drop(&mut self) {
        add(Work::Close(self.handle));
    }
}

fn add(work: Work) {
    WORK.lock().unwrap_or_else(PoisonError::into_inner).push_back(work);
    ADDED.notify_one();
}

/// Duplicates a client's event, on a thread of the client. `None` if the handle is none that can be signalled.
pub fn duplicate(handle: usize) -> Option<WindowsEvent> {
    let functions = WindowsFunctions::get().filter(|functions| has_thread(functions))?;
    let mut duplicate = 0;
    let result =
        (functions.duplicate_handle)(THIS_PROCESS, handle, THIS_PROCESS, Some(&mut duplicate), MODIFY_STATE, 0, 0);
    (result != 0).then_some(WindowsEvent { handle: duplicate })
}

/// Starts the thread once; false if Windows refuses it.
fn has_thread(functions: &WindowsFunctions) -> bool {
    static STARTED: OnceLock<bool> = OnceLock::new();
    *STARTED.get_or_init(|| {
        let thread = (functions.create_thread)(Opaque::NULL, 0, work, Opaque::NULL, 0, Opaque::NULL);
        if thread != 0 {
            (functions.close_handle)(thread);
        }
        thread != 0
    })
}

/// Signals and closes events until the process ends.
extern "win64" fn work(_: Opaque) -> u32 {
    let Some(functions) = WindowsFunctions::get() else { return 0 };
    let mut queue = WORK.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let Some(work) = queue.pop_front() else {
            queue = ADDED.wait(queue).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        drop(queue);
        // An event that cannot be signalled has nobody who waits for it.
        match work {
            Work::Signal(handle) => (functions.set_event)(handle),
            Work::Close(handle) => (functions.close_handle)(handle),
        };
        queue = WORK.lock().unwrap_or_else(PoisonError::into_inner);
    }
}

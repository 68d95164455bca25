//! Ctrl-C, Ctrl-Break and the end of the console on Windows.
#![allow(unsafe_code)]

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};

/// Receiver of the events; `None` if they have no effect.
static EVENTS: Mutex<Option<Sender<()>>> = Mutex::new(None);

/// Time that the process has to end after its console was closed or its user logged off; Windows grants 5 s to 20 s.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(30);

/// Handler, which Windows calls on a thread of its own for each event.
unsafe extern "system" fn on_event(event: u32) -> i32 {
    if let Some(events) = &*EVENTS.lock().unwrap_or_else(PoisonError::into_inner) {
        // A receiver that is gone belongs to a process that ends.
        let _ = events.send(());
    }
    if !matches!(event, CTRL_C_EVENT | CTRL_BREAK_EVENT) {
        // Windows ends the process when this returns.
        std::thread::sleep(CLOSE_TIMEOUT);
    }
    1
}

fn register() -> io::Result<()> {
    // SAFETY: the handler is a function of this program, and accesses only a locked static.
    match unsafe { SetConsoleCtrlHandler(Some(on_event), 1) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Iterator over requests to end, as they arrive.
///
/// # Errors
/// Windows does not register the handler.
pub(crate) fn end_requests() -> io::Result<impl Iterator<Item = ()> + Send> {
    let (send, received) = channel();
    *EVENTS.lock().unwrap_or_else(PoisonError::into_inner) = Some(send);
    register()?;
    Ok(received.into_iter())
}

/// Makes requests to end have no effect on this process: its child receives them too, and this process waits for it.
///
/// # Errors
/// Windows does not register the handler.
pub(crate) fn ignore_end_requests() -> io::Result<()> {
    register()
}

#[cfg(test)]
mod tests {
    use super::*;
    use windows_sys::Win32::System::Console::CTRL_CLOSE_EVENT;

    #[test]
    fn a_closed_console_requests_the_end_and_the_process_has_time_for_it() {
        let mut requests = end_requests().expect("Windows registers the handler");
        // SAFETY: the handler has no preconditions; Windows calls it in this way.
        let handler = std::thread::spawn(|| unsafe { on_event(CTRL_CLOSE_EVENT) });
        assert_eq!(requests.next(), Some(()));
        std::thread::sleep(Duration::from_millis(200));
        assert!(!handler.is_finished(), "Windows ends the process when the handler returns");
        // SAFETY: as above.
        assert_eq!(unsafe { on_event(CTRL_BREAK_EVENT) }, 1);
        assert_eq!(requests.next(), Some(()), "a second request is received while the first one waits");
    }
}

//! Ctrl-C, and other wishes that a process end. Unfinished outputs are removed, and the process ends at once; a recording
//! may ask to end by itself. A second Ctrl-C always ends at once.

use crate::outcome::Status;
use crate::output::end;
use std::sync::{Mutex, MutexGuard, PoisonError};

type Ending = Box<dyn FnOnce() + Send>;

/// What is to be done instead of ending at once.
static ENDING: Mutex<Option<Ending>> = Mutex::new(None);

fn ending() -> MutexGuard<'static, Option<Ending>> {
    ENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens from now on.
pub fn listen() {
    // Where the system lets nobody listen, a signal ends the process as it does any other.
    let _ = ctrlc::set_handler(|| {
        let asked = ending().take();
        match asked {
            Some(ask) => ask(),
            None => end(Status::Interrupted as i32),
        }
    });
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

//! Panics inside calls.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use taut_schemas::mark;

/// Maximum length of a recorded panic message in bytes.
const MESSAGE_BYTES: usize = 1024;

std::thread_local! {
    /// Nesting depth of [`catch`] on this thread.
    static CATCHING: Cell<u32> = const { Cell::new(0) };
}

/// Runs a call or work that may panic, as a driver model may. The caller reports the panic.
///
/// # Errors
/// The payload of the panic.
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    CATCHING.set(CATCHING.get() + 1);
    // The device is removed after a panic, so state that it left inconsistent is not used.
    let result = catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(CATCHING.get() - 1);
    result
}

/// True if a panic on this thread would be caught by [`catch`]; for a program's panic hook.
pub fn is_caught() -> bool {
    CATCHING.get() > 0
}

/// Returns the mark that is recorded instead of the stop.
pub fn panicked(panic: &(dyn Any + Send)) -> mark::CallPanicked {
    mark::CallPanicked { message: panic_message(panic) }
}

/// Returns the message of a panic, cut to 1,024 bytes.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without words");
    text[..text.floor_char_boundary(MESSAGE_BYTES)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_knows_whether_its_panics_are_caught() {
        assert!(!is_caught());
        assert_eq!(catch(|| (is_caught(), catch(is_caught).unwrap(), is_caught())).unwrap(), (true, true, true));
        let panic = catch(|| panic!("out of luck")).map_err(|panic| panic_message(&*panic));
        assert_eq!((panic, is_caught()), (Err::<(), _>("out of luck".to_owned()), false));
    }

    #[test]
    fn a_recorded_message_is_bounded_and_ends_between_characters() {
        assert_eq!(panic_message(&"out of luck"), "out of luck");
        assert_eq!(panic_message(&"é".repeat(1000)), "é".repeat(512));
        assert_eq!(panic_message(&format!("a{}", "é".repeat(1000))).len(), 1023);
        assert_eq!(panic_message(&7_u32), "a panic without words");
    }
}

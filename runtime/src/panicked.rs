//! What is told of a panic in a call.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use taut_schemas::mark;

/// Bytes of a panic's message that are kept.
const MESSAGE_BYTES: usize = 1024;

std::thread_local! {
    /// How many of these have a call on this thread.
    static CATCHING: Cell<u32> = const { Cell::new(0) };
}

/// Makes a call or does work that may panic, as a driver model does: whoever asks for it tells of the panic.
///
/// # Errors
/// What it panicked with.
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    CATCHING.set(CATCHING.get() + 1);
    let made = catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(CATCHING.get() - 1);
    made
}

/// Whether a panic on this thread would be caught and told of ([`catch`]), for a program's panic hook.
pub fn is_caught() -> bool {
    CATCHING.get() > 0
}

/// The mark that stands in the stop's place.
pub fn panicked(panic: &(dyn Any + Send)) -> mark::CallPanicked {
    mark::CallPanicked { message: panic_message(panic) }
}

/// What a panic said, as far as 1,024 bytes of it go.
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
    fn what_is_kept_of_a_message_is_bounded_and_ends_between_characters() {
        assert_eq!(panic_message(&"out of luck"), "out of luck");
        assert_eq!(panic_message(&"é".repeat(1000)), "é".repeat(512));
        assert_eq!(panic_message(&format!("a{}", "é".repeat(1000))).len(), 1023);
        assert_eq!(panic_message(&7_u32), "a panic without words");
    }
}

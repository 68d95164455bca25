//! What is told of a panic in a call.

use std::any::Any;
use taut_schemas::mark;

/// Bytes of a panic's message that are kept.
const MESSAGE_BYTES: usize = 1024;

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
    fn what_is_kept_of_a_message_is_bounded_and_ends_between_characters() {
        assert_eq!(panic_message(&"out of luck"), "out of luck");
        assert_eq!(panic_message(&"é".repeat(1000)), "é".repeat(512));
        assert_eq!(panic_message(&format!("a{}", "é".repeat(1000))).len(), 1023);
        assert_eq!(panic_message(&7_u32), "a panic without words");
    }
}

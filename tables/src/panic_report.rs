//! Panic hook: prints a panic as a message in one line. A panic for lack of file descriptors is reported as an error of
//! the system, not as an internal error.

use crate::memory_limit::EXIT_CODE;
use taut_console::address_space::is_for_lack_of_stack;
use taut_console::outcome::Failure;
use taut_console::printing::print_message;

/// Installs the panic hook. A panic for lack of file descriptors or of a stack ends the process, because threads that
/// wait for the panicked thread may wait for ever.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string().replace('\n', " ");
        if is_for_lack_of_descriptors(&text) {
            print_message(
                "too many open files: a query needs more file descriptors than the system allows (`ulimit -n`)",
            );
            taut_console::end(Failure::IO_CODE.into());
        }
        if is_for_lack_of_stack(&text) || is_for_lack_of_pool(&text) {
            print_message("too little memory: the system gives none for the stack of another thread");
            taut_console::end(EXIT_CODE);
        }
        print_message(format_args!("internal error: {text}"));
    }));
}

/// True if a panic's text contains the error EMFILE (24) or ENFILE (23). polars panics with this error if its runtime
/// cannot get a file descriptor, and has no other report.
fn is_for_lack_of_descriptors(text: &str) -> bool {
    cfg!(unix)
        && ["Os { code: 24,", "Os { code: 23,", "(os error 24)", "(os error 23)"].iter().any(|it| text.contains(it))
}

/// True if a panic's text is rayon's for a pool of threads that could not start: the first user of the pool gets the
/// system's error, later ones get this text.
fn is_for_lack_of_pool(text: &str) -> bool {
    text.contains("The global thread pool has not been initialized")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_panic_for_lack_of_descriptors_is_known_by_its_error() {
        for code in [23, 24] {
            let error = std::io::Error::from_raw_os_error(code);
            assert!(is_for_lack_of_descriptors(&format!("called `Result::unwrap()` on an `Err` value: {error:?}")));
            assert!(is_for_lack_of_descriptors(&error.to_string()));
        }
        assert!(!is_for_lack_of_descriptors(&format!("{:?}", std::io::Error::from_raw_os_error(2))));
    }
}

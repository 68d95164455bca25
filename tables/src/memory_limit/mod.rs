//! Memory limit of this program: a counting allocator ends a query that exceeds it with a message and exit code 1.
//!
//! polars has no fallible allocations: when one fails, Rust aborts the process. `RLIMIT_AS` alone causes such an abort,
//! and counts mapped traces, stacks and reserved address space, which grow with the number of processors. The allocator
//! counts exactly the bytes that tables and queries hold, on every system. A thread whose allocation exceeds the limit,
//! or that the system refuses, never returns from the allocation; the reporter thread, which is started before any
//! trace is opened, prints the message, removes unfinished outputs and ends the process. If the reporter cannot do so
//! within [`GRACE`], the process aborts, and its parent (`taut`, or the shell) reports the signal.

mod allocator;
mod available;

pub use allocator::{CountingAllocator, limit};
pub use available::default_limit;

use allocator::{Cause, enforce_bytes};
use std::time::Duration;
use taut_console::printing::print_message;

/// Exit code of a process whose query exceeded the limit. The worker of a shell uses it for nothing else.
pub const EXIT_CODE: i32 = 1;

/// Time that the reporter has to end the process: it may wait for a lock that a stopped thread holds.
const GRACE: Duration = Duration::from_secs(5);

/// Ends the process once it has allocated more than `bytes`; `subject` begins the message ("this query").
pub fn enforce(bytes: u64, subject: &'static str) {
    let reporter = std::thread::Builder::new().name("taut-memory".to_owned());
    let started = reporter.spawn(move || {
        let cause = allocator::wait_for_cause();
        let limit = size_text(bytes);
        match cause {
            Cause::Limit => {
                print_message(format_args!("{subject} needs more than {limit}; raise --memory or select less"));
            }
            Cause::System => {
                let used = size_text(allocator::allocated_bytes());
                print_message(format_args!(
                    "{subject} needs more memory than the system gives ({used} are in use, --memory is {limit}); select less"
                ));
            }
        }
        taut_console::end(EXIT_CODE);
    });
    // Without the reporter thread no limit is enforced.
    if let Ok(handle) = started {
        enforce_bytes(bytes, handle.thread().clone());
    }
}

/// Formats a size in the largest binary unit that is exact, or else with one decimal.
fn size_text(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let fits = |(_, unit): &&(&str, u64)| bytes >= *unit && bytes.is_multiple_of(*unit);
    if let Some((name, unit)) = UNITS.iter().find(fits) {
        return format!("{} {name}", bytes / unit);
    }
    match UNITS.iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_exact_or_have_one_decimal() {
        for (bytes, text) in [
            (512 << 20, "512 MiB"),
            (3 << 30, "3 GiB"),
            ((1 << 30) + (1 << 20), "1025 MiB"),
            (1536, "1.5 KiB"),
            (2048, "2 KiB"),
            (7, "7 bytes"),
        ] {
            assert_eq!(size_text(bytes), text);
        }
    }
}

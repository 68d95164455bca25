//! Address space of this process where the system limits it (`ulimit -v`). Linux tells limit and use in files.
//!
//! Under such a limit, work that starts threads must begin with enough left: Rust and glibc abort a process in which a new thread
//! gets no signal stack, or no memory for its destructors.

use crate::outcome::Failure;
use std::fs::read_to_string;

/// Variable that limits glibc's arenas. Each reserves 64 MiB of address space for the threads that share it.
const ARENAS: &str = "MALLOC_ARENA_MAX";

/// Address space that a recording needs: 2 MiB for the stack of each of some 30 threads, and their buffers. With less, a thread that
/// gets no memory may abort the process.
pub const RECORDING_BYTES: u64 = 96 << 20;

/// Returns what the limit leaves, in bytes; `None` where there is no limit.
pub fn free_bytes() -> Option<u64> {
    let limit = limit_bytes(&read_to_string("/proc/self/limits").ok()?)?;
    let status = read_to_string("/proc/self/status").ok()?;
    let used =
        status.lines().find_map(|line| line.strip_prefix("VmSize:")?.split_whitespace().next()?.parse::<u64>().ok());
    Some(limit.saturating_sub(used.unwrap_or_default().saturating_mul(1 << 10)))
}

/// The soft limit in a text as `/proc/self/limits` has it.
fn limit_bytes(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Checks that the limit leaves `bytes` for `what`.
///
/// # Errors
/// The limit leaves less.
pub fn require(bytes: u64, what: &str) -> Result<(), Failure> {
    match free_bytes() {
        Some(free) if free < bytes => Err(Failure::limit(format_args!(
            "{what} needs {} MiB of address space, and the limit leaves {} MiB (`ulimit -v`)",
            bytes.div_ceil(1 << 20),
            free >> 20
        ))),
        _ => Ok(()),
    }
}

/// Under a limit, starts the program again with one arena for all threads. Returns where there is no limit, the variable is set, or
/// the program cannot be started: then it continues as it is.
#[cfg(unix)]
pub fn restart_with_one_arena() {
    use std::os::unix::process::CommandExt;
    if std::env::var_os(ARENAS).is_some() || free_bytes().is_none() {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut arguments = std::env::args_os();
    let mut command = std::process::Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    // `exec` returns only with an error.
    let _ = command.args(arguments).env(ARENAS, "1").exec();
}

/// Does nothing: other systems have no such limit.
#[cfg(not(unix))]
pub fn restart_with_one_arena() {
    let _ = ARENAS;
}

/// True if a panic reports that a new thread got no signal stack. Rust aborts the process after it.
pub fn is_for_lack_of_stack(panic: &str) -> bool {
    panic.contains("failed to allocate an alternative stack") || panic.contains("failed to set up alternative stack")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_read_and_no_limit_is_none() {
        let text = |limit: &str| {
            format!("Limit  Soft Limit  Hard Limit  Units\nMax address space         {limit}  unlimited  bytes\n")
        };
        assert_eq!(limit_bytes(&text("163840000")), Some(163_840_000));
        assert_eq!(limit_bytes(&text("unlimited")), None);
        assert_eq!(limit_bytes(""), None);
    }

    #[test]
    fn what_fits_is_allowed() {
        assert!(require(0, "this").is_ok());
        if let Some(free) = free_bytes() {
            assert_eq!(require(free + (1 << 40), "this").map_err(|failure| failure.code()), Err(1));
        }
    }
}

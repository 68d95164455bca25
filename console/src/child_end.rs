//! Description of a child process's end by a signal, with the likely reason.

use std::process::ExitStatus;

/// Describes the end of a process by a signal: "taut-tables was ended by SIGKILL: probably out of memory". `None` if no
/// signal ended the process.
pub fn describe_signal(program: &str, status: ExitStatus) -> Option<String> {
    let signal = signal(status)?;
    let name = signal_name(signal).map_or_else(|| format!("signal {signal}"), str::to_owned);
    Some(match likely_reason(&name) {
        Some(reason) => format!("{program} was ended by {name}: {reason}"),
        None => format!("{program} was ended by {name}"),
    })
}

/// True if the signal that ended the process requests an end (Ctrl-C, `kill`, a closed terminal).
pub fn is_end_request(status: ExitStatus) -> bool {
    // The exit code of a process that does not handle Ctrl-C.
    #[cfg(windows)]
    if status.code() == Some(windows_sys::Win32::Foundation::STATUS_CONTROL_C_EXIT) {
        return true;
    }
    let name = signal(status).and_then(signal_name);
    name.is_some_and(|name| matches!(name, "SIGINT" | "SIGTERM" | "SIGHUP"))
}

/// True if an exit code is one that this project's programs use.
pub fn is_documented_code(code: i32) -> bool {
    matches!(code, 0..=4 | 130)
}

fn likely_reason(name: &str) -> Option<&'static str> {
    match name {
        // Sent by the kernel's out-of-memory killer, and by container managers at a memory limit.
        "SIGKILL" => Some("probably out of memory"),
        // Rust aborts on a failed allocation and on a stack overflow.
        "SIGABRT" => Some("probably out of memory or out of stack"),
        "SIGSEGV" => Some("probably out of stack"),
        "SIGBUS" => Some("probably a file that became shorter while it was read, or a full disk"),
        "SIGXCPU" => Some("the limit of processor time was reached"),
        "SIGXFSZ" => Some("the limit of file sizes was reached"),
        "SIGILL" | "SIGTRAP" | "SIGSYS" | "SIGFPE" => Some("probably an error of the program"),
        _ => None,
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(unix)]
fn signal_name(signal: i32) -> Option<&'static str> {
    signal_hook::low_level::signal_name(signal)
}

/// On other systems signals do not end processes.
#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

#[cfg(not(unix))]
fn signal_name(_: i32) -> Option<&'static str> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn a_signal_is_named_with_its_likely_reason() {
        let of = |signal| describe_signal("taut-tables", ExitStatus::from_raw(signal));
        assert_eq!(of(9).as_deref(), Some("taut-tables was ended by SIGKILL: probably out of memory"));
        assert_eq!(of(6).as_deref(), Some("taut-tables was ended by SIGABRT: probably out of memory or out of stack"));
        assert_eq!(of(15).as_deref(), Some("taut-tables was ended by SIGTERM"));
        assert_eq!(describe_signal("taut-tables", ExitStatus::from_raw(4 << 8)), None);
        assert!(
            is_documented_code(4) && is_documented_code(130) && !is_documented_code(77) && !is_documented_code(101)
        );
        assert!(is_end_request(ExitStatus::from_raw(2)) && !is_end_request(ExitStatus::from_raw(9)));
    }
}

//! Environment variables that libraries read: those that would end the program or change its behaviour are removed.

use std::ffi::OsString;

/// Maximum number of threads accepted from the environment: each takes address space for a stack, and more than there
/// are processors gain nothing.
const MAX_THREADS: u64 = 1024;

/// Maximum stack size accepted from the environment: larger stacks may not fit into the address space, and then no
/// thread starts.
const MAX_STACK_BYTES: u64 = 256 << 20;

/// True if the libraries can work with a variable's value.
///
/// polars panics with zero threads, rayon with more than the system starts. polars' other settings make it print to
/// stderr, write intermediate results to disk or choose another engine, and none of these is tested here.
fn is_usable(name: &str, value: &str) -> bool {
    let number = value.parse::<u64>().ok();
    match name {
        "POLARS_MAX_THREADS" => number.is_some_and(|threads| (1..=MAX_THREADS).contains(&threads)),
        "RAYON_NUM_THREADS" | "RAYON_RS_NUM_CPUS" => number.is_none_or(|threads| threads <= MAX_THREADS),
        "RUST_MIN_STACK" => number.is_none_or(|bytes| bytes <= MAX_STACK_BYTES),
        name => !name.starts_with("POLARS_"),
    }
}

/// Names of this process's variables that no library should read.
fn unusable() -> Vec<OsString> {
    let named =
        std::env::vars_os().filter(|(name, value)| !is_usable(&name.to_string_lossy(), &value.to_string_lossy()));
    named.map(|(name, _)| name).collect()
}

/// This program's command line without the unusable variables; `None` if there are none, or if the path of the program
/// is unknown.
fn without_unusable() -> Option<std::process::Command> {
    let unusable = unusable();
    let program = std::env::current_exe().ok().filter(|_| !unusable.is_empty())?;
    let mut command = std::process::Command::new(program);
    command.args(std::env::args_os().skip(1));
    for name in unusable {
        command.env_remove(name);
    }
    Some(command)
}

/// Restarts the program without the unusable variables. Returns if there are none, or if it cannot be started.
/// Variables of a running process cannot be changed safely: other threads may read them.
#[cfg(unix)]
pub fn restart_without_unusable() {
    use std::os::unix::process::CommandExt;
    // `exec` returns only on error; the program then continues with its present variables.
    let _ = without_unusable().map(|mut command| command.exec());
}

/// Variant for systems without `exec`: a child process does the work.
#[cfg(not(unix))]
pub fn restart_without_unusable() {
    if let Some(Ok(status)) = without_unusable().map(|mut command| command.status()) {
        std::process::exit(status.code().unwrap_or(4));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_libraries_cannot_work_with_are_unusable() {
        for (name, value) in [
            ("POLARS_MAX_THREADS", "0"),
            ("POLARS_MAX_THREADS", "many"),
            ("POLARS_MAX_THREADS", "100000000"),
            ("POLARS_VERBOSE", "1"),
            ("RAYON_NUM_THREADS", "100000000"),
            ("RUST_MIN_STACK", "1000000000000000"),
        ] {
            assert!(!is_usable(name, value), "{name}={value}");
        }
        for (name, value) in
            [("POLARS_MAX_THREADS", "4"), ("RAYON_NUM_THREADS", "0"), ("PATH", "0"), ("RUST_MIN_STACK", "8388608")]
        {
            assert!(is_usable(name, value), "{name}={value}");
        }
    }
}

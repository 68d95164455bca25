//! Exit of this process when the process that started it has exited.

/// Interval between two checks of the parent. An orphan works for at most this time.
#[cfg(unix)]
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_millis(200);

/// Starts a thread that exits this process once its parent process has exited. A parent requests this by setting
/// `TAUT_STARTED_BY` to the parent's own process id; otherwise this does nothing.
///
/// The thread is necessary because killing a process does not kill its children.
#[cfg(unix)]
pub fn exit_when_parent_exits() {
    use std::os::unix::process::parent_id;
    let started_by = std::env::var(taut_console::args::STARTED_BY).ok().and_then(|id| id.parse::<u32>().ok());
    // A process between the one that set the variable and this one may have passed the variable on.
    let Some(parent) = started_by.filter(|parent| *parent == parent_id()) else { return };
    let watch = move || {
        while parent_id() == parent {
            std::thread::sleep(POLL_INTERVAL);
        }
        taut_console::end(taut_console::outcome::Status::Interrupted as i32);
    };
    // If the system cannot create the thread, an orphan runs to its normal end.
    let _ = std::thread::Builder::new().name("taut-parent".to_owned()).spawn(watch);
}

/// Does nothing: the watch is implemented on Unix alone. On other systems an orphan runs to its normal end.
#[cfg(not(unix))]
pub fn exit_when_parent_exits() {}

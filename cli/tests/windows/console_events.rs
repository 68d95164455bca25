//! Ctrl-Break, as a program or a console sends it. Ctrl-C has the same handler, but Windows sends it to no new process
//! group.

#[cfg(windows)]
use crate::program::{Process, command, files, succeed};

#[test]
#[cfg_attr(not(windows), ignore = "on Windows: elsewhere SIGINT is sent")]
fn ctrl_break_ends_a_recording_with_a_complete_trace_and_exit_code_130() {
    #[cfg(windows)]
    {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["record", "streaming-world", "--set", "frames=1000000", "-o", "x.taut"];
        let mut recording = start(folder.path(), &arguments, "x.taut");
        std::thread::sleep(std::time::Duration::from_millis(200));
        if !send_break(recording.0.id()) {
            return;
        }
        assert_eq!(recording.code(), Some(130));
        assert_eq!(files(folder.path()), ["x.taut"]);
        let info: serde_json::Value =
            serde_json::from_str(&succeed(folder.path(), &["info", "x.taut", "--json"])).unwrap();
        assert_eq!(info["complete"], true, "{info}");
        succeed(folder.path(), &["replay", "x.taut"]);
    }
}

#[test]
#[cfg_attr(not(windows), ignore = "on Windows: elsewhere SIGINT is sent")]
fn ctrl_break_leaves_no_unfinished_output() {
    #[cfg(windows)]
    {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["record", "streaming-world", "--threads", "2", "--set", "frames=1500", "-o", "x.taut", "-q"];
        succeed(folder.path(), &arguments);
        let mut replay = start(folder.path(), &["replay", "x.taut", "--tight", "on", "-o", "y.taut"], "");
        std::thread::sleep(std::time::Duration::from_millis(100));
        if !send_break(replay.0.id()) {
            return;
        }
        let code = replay.code();
        assert!(code == Some(130) && files(folder.path()) == ["x.taut"], "{code:?} {:?}", files(folder.path()));
    }
}

/// Starts a command in a process group of its own, which is what console events are sent to.
#[cfg(windows)]
#[allow(unsafe_code)]
fn start(folder: &std::path::Path, arguments: &[&str], until: &str) -> Process {
    use std::os::windows::process::CommandExt;
    use windows_sys::Win32::System::{Console::AllocConsole, Threading::CREATE_NEW_PROCESS_GROUP};
    // SAFETY: a call without arguments. It fails if this process has a console already; the child inherits the console.
    unsafe { AllocConsole() };
    let mut command = command(folder);
    let mut process = Process::start(command.args(arguments).creation_flags(CREATE_NEW_PROCESS_GROUP));
    let begun = std::time::Instant::now();
    while !folder.join(until).exists() {
        assert!(begun.elapsed().as_secs() < 60 && process.0.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    process
}

/// Sends Ctrl-Break. False without a console: Wine creates none without a screen, and `tools/windows.sh` sends Ctrl-C there.
#[cfg(windows)]
#[allow(unsafe_code)]
fn send_break(process: u32) -> bool {
    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};
    // SAFETY: a call without pointers, to the process group of a child that has not been awaited.
    let is_sent = unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, process) } != 0;
    if !is_sent {
        eprintln!("skipped: no console: {}", std::io::Error::last_os_error());
    }
    is_sent
}

//! Control sequences and UTF-8 on the Windows console, which prints both as other text unless a program enables them.
#![allow(unsafe_code)]

use std::os::windows::io::AsRawHandle;
use windows_sys::Win32::System::Console::{
    ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, SetConsoleMode, SetConsoleOutputCP,
};

/// Code page of UTF-8.
const CP_UTF8: u32 = 65001;

/// Enables UTF-8 and control sequences on a console. False if this console has no sequences; true if the output is no
/// console, such as the pipe to a terminal emulator, which interprets them itself.
pub(crate) fn enable(output: &impl AsRawHandle) -> bool {
    let (handle, mut mode) = (output.as_raw_handle(), 0);
    // SAFETY: the handle is open while `output` is borrowed, and `mode` is a local integer.
    if unsafe { GetConsoleMode(handle, &raw mut mode) } == 0 {
        return true;
    }
    // SAFETY: calls without pointers, the second one on the same handle. Without the first one, the bytes of reports are
    // text of the system's code page.
    unsafe {
        SetConsoleOutputCP(CP_UTF8);
        SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0
    }
}

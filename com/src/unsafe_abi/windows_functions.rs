//! Functions of Windows that the library calls in a process of Wine, only on threads that Windows knows.

use super::convention::Convention;
use super::pointer::Opaque;
use std::sync::OnceLock;

/// Functions of kernel32.dll in the order in which the library's DLL imports them.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct WindowsFunctions {
    pub(super) create_thread:
        extern "win64" fn(Opaque, usize, extern "win64" fn(Opaque) -> u32, Opaque, u32, Opaque) -> usize,
    pub(super) duplicate_handle: extern "win64" fn(isize, usize, isize, Option<&mut usize>, u32, u32, u32) -> u32,
    pub(super) set_event: extern "win64" fn(usize) -> u32,
    pub(super) close_handle: extern "win64" fn(usize) -> u32,
}

impl WindowsFunctions {
    /// Names of the functions.
    pub const NAMES: [&str; 4] = ["CreateThread", "DuplicateHandle", "SetEvent", "CloseHandle"];

    /// The functions, if the process belongs to Wine.
    pub(super) fn get() -> Option<&'static WindowsFunctions> {
        FUNCTIONS.get()
    }
}

static FUNCTIONS: OnceLock<WindowsFunctions> = OnceLock::new();

/// Sets the functions, the first of which stay, and makes Windows' convention that of the process.
pub fn set_windows_functions(functions: &WindowsFunctions) {
    FUNCTIONS.get_or_init(|| *functions);
    Convention::use_windows();
}

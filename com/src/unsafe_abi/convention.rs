//! Calling conventions of clients: System V for programs of Linux, Microsoft's for programs of Windows under Wine. Tables of
//! functions exist for both; a process has clients of one.

use std::sync::atomic::{AtomicBool, Ordering};

/// Convention of the process's clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// Functions are `extern "C"`, wide characters have 32 bits, a HANDLE of an event is an eventfd.
    SystemV,
    /// Functions are `extern "win64"`, wide characters have 16 bits, events belong to Windows.
    Windows,
}

static IS_WINDOWS: AtomicBool = AtomicBool::new(false);

impl Convention {
    /// Convention of this process.
    pub fn current() -> Convention {
        if IS_WINDOWS.load(Ordering::Relaxed) { Convention::Windows } else { Convention::SystemV }
    }

    /// Makes Microsoft's the convention of this process, before its first call.
    pub fn use_windows() {
        IS_WINDOWS.store(true, Ordering::Relaxed);
    }
}

/// Function of a table. Its type is that of the slot, in the table's convention.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct Function(*const ());

// SAFETY: the address of a function, which is constant.
unsafe impl Sync for Function {}

impl Function {
    /// The function at an address.
    pub const fn new(function: *const ()) -> Function {
        Function(function)
    }

    /// The address.
    pub(super) fn address(self) -> *const () {
        self.0
    }
}

/// Tables of a class, one for each convention.
#[derive(Debug)]
pub struct Tables<T> {
    pub system_v: T,
    pub windows: T,
}

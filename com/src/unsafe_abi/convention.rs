//! Calling conventions of clients: System V for programs of Linux, Microsoft's for programs of Windows under Wine. Tables of
//! functions exist for both; a process has clients of one.

use super::instance::Interface;
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

    /// Calls a function without other arguments than the object: AddRef or Release.
    pub(super) fn count_references(self, this: Interface) -> u32 {
        // SAFETY: callers take the function from such a slot of a table in the process's convention.
        unsafe {
            match Convention::current() {
                Convention::SystemV => std::mem::transmute::<*const (), extern "C" fn(Interface) -> u32>(self.0)(this),
                Convention::Windows => {
                    std::mem::transmute::<*const (), extern "win64" fn(Interface) -> u32>(self.0)(this)
                }
            }
        }
    }

    /// The address.
    #[cfg(test)]
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

/// Function of a table in Microsoft's convention: a structure is returned through a pointer after `this`.
macro_rules! windows_function {
    ($Class:ident: $Interface:ident, $method:ident($($argument:ident: $Type:ty),*) -> [] [$Returned:ty]) => {{
        #[allow(clippy::too_many_arguments)]
        extern "win64" fn function<$Class: $Interface>(
            this: $crate::unsafe_abi::Interface,
            $($argument: $Type),*
        ) -> $Returned {
            $method::<$Class>(this, $($argument),*)
        }
        $crate::unsafe_abi::Function::new(function::<$Class> as *const ())
    }};
    ($Class:ident: $Interface:ident, $method:ident($($argument:ident: $Type:ty),*) -> [$Structure:ty] []) => {{
        extern "win64" fn function<$Class: $Interface>(
            this: $crate::unsafe_abi::Interface,
            returned: $crate::unsafe_abi::Out<$Structure>,
            $($argument: $Type),*
        ) -> $crate::unsafe_abi::Out<$Structure> {
            returned.set($method::<$Class>(this, $($argument),*));
            returned
        }
        $crate::unsafe_abi::Function::new(function::<$Class> as *const ())
    }};
}
pub(crate) use windows_function;

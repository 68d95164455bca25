//! d3dcommon.h: callbacks of an object's destruction.

use super::convention::Convention;
use super::plain::Guid;
use super::pointer::Opaque;
use taut_schemas::HResult;

/// IID of ID3DDestructionNotifier.
pub const DESTRUCTION_NOTIFIER: Guid = Guid::new(0xa06eb39a_50da_425b_8c31_4eecd6c270f3);

/// Callbacks of an object's destruction.
pub trait DestructionCallbacks {
    /// Registers a callback; returns its id.
    fn register(&self, callback: DestructionCallback) -> u32;

    /// Removes a callback.
    ///
    /// # Errors
    /// DXGI_ERROR_NOT_FOUND: no callback has the id.
    fn unregister(&self, id: u32) -> HResult<()>;
}

/// PFN_DESTRUCTION_CALLBACK; may be NULL.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct DestructionFunction(*const ());

/// Function of the client and its argument, called when an object is destroyed.
#[derive(Debug, Clone, Copy)]
pub struct DestructionCallback {
    function: DestructionFunction,
    data: Opaque,
}

// SAFETY: a function can be called on each thread; the library passes the argument to it and never follows it.
unsafe impl Send for DestructionCallback {}

impl DestructionCallback {
    /// `None` for a function that is NULL.
    pub fn new(function: DestructionFunction, data: Opaque) -> Option<DestructionCallback> {
        (!function.0.is_null()).then_some(DestructionCallback { function, data })
    }

    /// Calls the function.
    pub fn call(self) {
        let function = self.function.0;
        // SAFETY: a callback that is not NULL is a function of this type in the process's convention, by the method's
        // documentation.
        unsafe {
            match Convention::current() {
                Convention::SystemV => std::mem::transmute::<*const (), extern "C" fn(Opaque)>(function)(self.data),
                Convention::Windows => {
                    std::mem::transmute::<*const (), extern "win64" fn(Opaque)>(function)(self.data);
                }
            }
        }
    }
}

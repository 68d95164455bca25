//! d3dcommon.h: callbacks of an object's destruction.

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
pub struct DestructionFunction(Option<extern "C" fn(Opaque)>);

/// Function of the client and its argument, called when an object is destroyed.
#[derive(Debug, Clone, Copy)]
pub struct DestructionCallback {
    function: extern "C" fn(Opaque),
    data: Opaque,
}

// SAFETY: the library passes the argument to the client's function and never follows it.
unsafe impl Send for DestructionCallback {}

impl DestructionCallback {
    /// `None` for a function that is NULL.
    pub fn new(function: DestructionFunction, data: Opaque) -> Option<DestructionCallback> {
        function.0.map(|function| DestructionCallback { function, data })
    }

    /// Calls the function.
    pub fn call(self) {
        (self.function)(self.data);
    }
}

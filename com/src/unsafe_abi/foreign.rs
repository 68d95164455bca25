//! Interfaces of the client and of the library, used through their tables: the library holds references to both.

use super::convention::{Convention, Function};
#[cfg(test)]
use super::hresult::Hresult;
use super::instance::Interface;
#[cfg(test)]
use super::plain::Guid;
#[cfg(test)]
use super::pointer::{In, OutPointer};
use super::unknown::IUnknownTable;
#[cfg(test)]
use taut_schemas::HResultCode;

impl Interface {
    /// Functions of IUnknown; `None` for NULL.
    fn functions(self) -> Option<&'static IUnknownTable> {
        // SAFETY: each table begins with the functions of IUnknown. Callers have a reference, so the object and its table
        // exist.
        self.table().map(|table| unsafe { &*table.cast() })
    }

    /// Adds a reference; returns the new count, or 0 for NULL and for a released object of the library.
    pub fn add_reference(self) -> u32 {
        self.functions().map_or(0, |functions| change_references(functions.add_ref, self))
    }

    /// Removes a reference; returns the new count, or 0 for NULL and for a released object of the library.
    pub fn release(self) -> u32 {
        self.functions().map_or(0, |functions| change_references(functions.release, self))
    }

    /// QueryInterface of a test.
    #[cfg(test)]
    pub fn query_interface(self, id: &Guid) -> Result<Interface, HResultCode> {
        let functions = self.functions().ok_or(HResultCode::E_INVALIDARG)?;
        output(|out| {
            let query = functions.query_interface.address();
            // SAFETY: the function of this slot, in the convention of tests.
            let query: extern "C" fn(Interface, In<Guid>, OutPointer) -> Hresult =
                unsafe { std::mem::transmute(query) };
            query(self, In::to(id), out)
        })
    }
}

/// Calls AddRef or Release.
fn change_references(function: Function, this: Interface) -> u32 {
    let function = function.address();
    // SAFETY: callers take the function from such a slot of a table in the process's convention.
    unsafe {
        match Convention::current() {
            Convention::SystemV => std::mem::transmute::<*const (), extern "C" fn(Interface) -> u32>(function)(this),
            Convention::Windows => {
                std::mem::transmute::<*const (), extern "win64" fn(Interface) -> u32>(function)(this)
            }
        }
    }
}

/// The interface that a call of a test writes.
#[cfg(test)]
pub fn output(call: impl FnOnce(OutPointer) -> Hresult) -> Result<Interface, HResultCode> {
    let mut pointer = std::ptr::null_mut();
    let result = HResultCode::from(call(OutPointer::to(&mut pointer)));
    if result == HResultCode::S_OK { Ok(Interface::from_pointer(pointer)) } else { Err(result) }
}

/// A reference to an object of the client, released when it is dropped.
#[derive(Debug)]
pub struct Reference(Interface);

impl Reference {
    /// Adds a reference; NULL is a reference to nothing.
    pub fn new(interface: Interface) -> Reference {
        interface.add_reference();
        Reference(interface)
    }

    /// The interface.
    pub fn interface(&self) -> Interface {
        self.0
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        self.0.release();
    }
}

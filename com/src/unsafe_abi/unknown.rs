//! unknwn.h, IUnknown: the first three functions of each table.

use super::hresult::Hresult;
use super::instance::{Class, Interface, add_reference, enter_function, query_interface_of, release};
use super::plain::Guid;
use super::pointer::{In, OutPointer};

/// Base of the interfaces.
pub trait IUnknown: Class {}

impl<C: Class> IUnknown for C {}

/// Functions of IUnknown.
#[repr(C)]
#[allow(dead_code)]
pub struct IUnknownTable {
    query_interface: extern "C" fn(Interface, In<Guid>, OutPointer) -> Hresult,
    add_ref: extern "C" fn(Interface) -> u32,
    release: extern "C" fn(Interface) -> u32,
}

impl IUnknownTable {
    /// Functions of a class.
    pub const fn of<C: IUnknown>() -> IUnknownTable {
        IUnknownTable { query_interface: query::<C>, add_ref: add::<C>, release: remove::<C> }
    }
}

extern "C" fn query<C: Class>(this: Interface, id: In<Guid>, out: OutPointer) -> Hresult {
    enter_function(|| query_interface_of::<C>(this, id.get(), out))
}

extern "C" fn add<C: Class>(this: Interface) -> u32 {
    add_reference::<C>(this)
}

extern "C" fn remove<C: Class>(this: Interface) -> u32 {
    release::<C>(this)
}

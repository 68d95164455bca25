//! unknwn.h, IUnknown: the first three functions of each table.

use super::hooks::{called_after_release, queried};
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
    pub(super) query_interface: extern "C" fn(Interface, In<Guid>, OutPointer) -> Hresult,
    pub(super) add_ref: extern "C" fn(Interface) -> u32,
    pub(super) release: extern "C" fn(Interface) -> u32,
}

impl IUnknownTable {
    /// Functions of a class.
    pub const fn of<C: IUnknown>() -> IUnknownTable {
        IUnknownTable { query_interface: query::<C>, add_ref: add::<C>, release: remove::<C> }
    }
}

extern "C" fn query<C: Class>(this: Interface, id: In<Guid>, out: OutPointer) -> Hresult {
    enter_function(|| {
        let (id, is_alive) = (id.get(), this.class::<C>().is_some());
        let result = query_interface_of::<C>(this, id, out);
        match id {
            Some(id) if is_alive => queried(id, result),
            _ if !is_alive && !this.is_null() => called_after_release(0),
            _ => (),
        }
        result
    })
}

extern "C" fn add<C: Class>(this: Interface) -> u32 {
    let count = add_reference::<C>(this);
    if count == 0 {
        enter_function(|| called_after_release(1));
    }
    count
}

extern "C" fn remove<C: Class>(this: Interface) -> u32 {
    release::<C>(this, || called_after_release(2))
}

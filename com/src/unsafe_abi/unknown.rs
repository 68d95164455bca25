//! unknwn.h, IUnknown: the first three functions of each table.

use super::convention::{Function, Tables};
use super::hooks::{called_after_release, queried};
use super::hresult::Hresult;
use super::instance::{Class, Interface, add_reference, enter_function, query_interface_of, release};
use super::plain::Guid;
use super::pointer::{In, OutPointer};
use super::windows_function::windows_function;

/// Base of the interfaces.
pub trait IUnknown: Class {}

impl<C: Class> IUnknown for C {}

/// Functions of IUnknown.
#[repr(C)]
#[allow(dead_code)]
pub struct IUnknownTable {
    pub(super) query_interface: Function,
    pub(super) add_ref: Function,
    pub(super) release: Function,
}

impl IUnknownTable {
    /// Functions of a class.
    pub const fn of<C: IUnknown>() -> Tables<IUnknownTable> {
        Tables {
            system_v: IUnknownTable {
                query_interface: Function::new(query::<C> as *const ()),
                add_ref: Function::new(add::<C> as *const ()),
                release: Function::new(remove::<C> as *const ()),
            },
            windows: IUnknownTable {
                query_interface: windows_function!(C: Class, query(id: In<Guid>, out: OutPointer) -> [] [Hresult]),
                add_ref: windows_function!(C: Class, add() -> [] [u32]),
                release: windows_function!(C: Class, remove() -> [] [u32]),
            },
        }
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

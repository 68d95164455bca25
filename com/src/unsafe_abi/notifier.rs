//! d3dcommon.h, ID3DDestructionNotifier: the one interface of an object with a table of its own, which is a part of the
//! object.

use super::destruction::{DestructionCallback, DestructionFunction};
use super::hresult::Hresult;
use super::instance::{
    Class, Interface, TablePointer, add_reference, enter, enter_function, notifier_owner, query_interface_of, release,
};
use super::plain::Guid;
use super::pointer::{In, Opaque, Out, OutPointer};
use super::unknown::IUnknownTable;
use std::marker::PhantomData;
use taut_schemas::HResultCode;

/// Functions of ID3DDestructionNotifier.
#[repr(C)]
#[allow(dead_code)]
struct NotifierTable {
    base: IUnknownTable,
    register: extern "C" fn(Interface, DestructionFunction, Opaque, Out<u32>) -> Hresult,
    unregister: extern "C" fn(Interface, u32) -> Hresult,
}

/// The table of a class.
struct Notifier<C>(PhantomData<C>);

impl<C: Class> Notifier<C> {
    const TABLE: &'static NotifierTable = &NotifierTable::of::<C>();
}

/// Table of ID3DDestructionNotifier of a class that has destruction callbacks.
pub const fn notifier_table<C: Class>() -> TablePointer {
    TablePointer::new(Notifier::<C>::TABLE)
}

impl NotifierTable {
    /// Functions of a class.
    const fn of<C: Class>() -> NotifierTable {
        NotifierTable {
            base: IUnknownTable { query_interface: query::<C>, add_ref: add::<C>, release: remove::<C> },
            register: register::<C>,
            unregister: unregister::<C>,
        }
    }
}

extern "C" fn query<C: Class>(this: Interface, id: In<Guid>, out: OutPointer) -> Hresult {
    enter_function(|| query_interface_of::<C>(notifier_owner::<C>(this), id.get(), out))
}

extern "C" fn add<C: Class>(this: Interface) -> u32 {
    add_reference::<C>(notifier_owner::<C>(this))
}

extern "C" fn remove<C: Class>(this: Interface) -> u32 {
    release::<C>(notifier_owner::<C>(this), || ())
}

extern "C" fn register<C: Class>(
    this: Interface,
    function: DestructionFunction,
    data: Opaque,
    id: Out<u32>,
) -> Hresult {
    enter(
        notifier_owner::<C>(this),
        || (),
        |class: &C| {
            let Some(callback) = DestructionCallback::new(function, data) else {
                return HResultCode::DXGI_ERROR_INVALID_CALL.into();
            };
            let Some(callbacks) = class.destruction_callbacks() else { return HResultCode::E_NOINTERFACE.into() };
            id.set(callbacks.register(callback));
            HResultCode::S_OK.into()
        },
    )
}

extern "C" fn unregister<C: Class>(this: Interface, id: u32) -> Hresult {
    enter(
        notifier_owner::<C>(this),
        || (),
        |class: &C| match class.destruction_callbacks() {
            Some(callbacks) => callbacks.unregister(id).into(),
            None => HResultCode::E_NOINTERFACE.into(),
        },
    )
}

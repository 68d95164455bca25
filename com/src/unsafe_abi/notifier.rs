//! d3dcommon.h, ID3DDestructionNotifier: the one interface of an object with a table of its own, which is a part of the
//! object.

use super::convention::{Function, Tables};
use super::destruction::{DestructionCallback, DestructionFunction};
use super::hresult::Hresult;
use super::instance::{
    Class, Interface, TablePointer, add_reference, enter, enter_function, notifier_owner, query_interface_of, release,
};
use super::plain::Guid;
use super::pointer::{In, Opaque, Out, OutPointer};
use super::unknown::IUnknownTable;
use super::windows_function::windows_function;
use std::marker::PhantomData;
use taut_schemas::HResultCode;

/// Functions of ID3DDestructionNotifier.
#[repr(C)]
#[allow(dead_code)]
struct NotifierTable {
    base: IUnknownTable,
    register: Function,
    unregister: Function,
}

/// The tables of a class.
struct Notifier<C>(PhantomData<C>);

impl<C: Class> Notifier<C> {
    const TABLES: &'static Tables<NotifierTable> = &NotifierTable::of::<C>();
}

/// Tables of ID3DDestructionNotifier of a class that has destruction callbacks.
pub const fn notifier_table<C: Class>() -> TablePointer {
    TablePointer::new(Notifier::<C>::TABLES)
}

impl NotifierTable {
    /// Functions of a class.
    const fn of<C: Class>() -> Tables<NotifierTable> {
        let system_v = NotifierTable {
            base: IUnknownTable {
                query_interface: Function::new(query::<C> as *const ()),
                add_ref: Function::new(add::<C> as *const ()),
                release: Function::new(remove::<C> as *const ()),
            },
            register: Function::new(register::<C> as *const ()),
            unregister: Function::new(unregister::<C> as *const ()),
        };
        let windows = NotifierTable {
            base: IUnknownTable {
                query_interface: windows_function!(C: Class, query(id: In<Guid>, out: OutPointer) -> [] [Hresult]),
                add_ref: windows_function!(C: Class, add() -> [] [u32]),
                release: windows_function!(C: Class, remove() -> [] [u32]),
            },
            register: windows_function!(
                C: Class, register(function: DestructionFunction, data: Opaque, id: Out<u32>) -> [] [Hresult]
            ),
            unregister: windows_function!(C: Class, unregister(id: u32) -> [] [Hresult]),
        };
        Tables { system_v, windows }
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

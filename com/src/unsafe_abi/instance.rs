//! Objects as clients see them: a table of functions, and a count of references.
//!
//! All interfaces of an object have one table, in the process's convention, because each version of an interface begins with the one before it. Only
//! ID3DDestructionNotifier has another one.

use super::convention::{Convention, Tables};
use super::destruction::{DESTRUCTION_NOTIFIER, DestructionCallbacks};
use super::graveyard;
use super::hresult::{Hresult, Refusal};
use super::plain::{Guid, IUNKNOWN, Plain};
use super::pointer::OutPointer;
use std::ffi::c_void;
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use taut_schemas::HResultCode;

/// Tables of a class, each at one address.
#[derive(Debug, Clone, Copy)]
pub struct TablePointer {
    system_v: *const c_void,
    windows: *const c_void,
}

impl TablePointer {
    /// The addresses of tables.
    pub const fn new<T>(tables: &'static Tables<T>) -> TablePointer {
        TablePointer {
            system_v: std::ptr::from_ref(&tables.system_v).cast(),
            windows: std::ptr::from_ref(&tables.windows).cast(),
        }
    }

    /// The table in the process's convention.
    fn current(self) -> *const c_void {
        match Convention::current() {
            Convention::SystemV => self.system_v,
            Convention::Windows => self.windows,
        }
    }

    /// True for the address of one of the tables.
    fn contains(self, table: *const c_void) -> bool {
        table == self.system_v || table == self.windows
    }
}

/// Class of objects.
pub trait Class: Sized + Send + Sync + 'static {
    /// Interfaces for which QueryInterface succeeds, besides IUnknown.
    const INTERFACES: &'static [Guid];

    /// Tables of the class.
    fn table() -> TablePointer;

    /// Tables of the class's ID3DDestructionNotifier.
    fn notifier_table() -> TablePointer {
        TablePointer { system_v: std::ptr::null(), windows: std::ptr::null() }
    }

    /// Called once, when the last reference is released.
    fn released(&self) {}

    /// Callbacks of the object's destruction; `None` if the class has no ID3DDestructionNotifier.
    fn destruction_callbacks(&self) -> Option<&dyn DestructionCallbacks> {
        None
    }
}

/// An object: what an interface pointer points to.
#[repr(C)]
pub struct Instance<C> {
    table: *const c_void,
    references: AtomicU32,
    /// The object as an ID3DDestructionNotifier.
    notifier: *const c_void,
    class: C,
}

// SAFETY: the tables are constant, and the class can be shared between threads.
unsafe impl<C: Class> Send for Instance<C> {}
// SAFETY: as above.
unsafe impl<C: Class> Sync for Instance<C> {}

/// `this` of a method, or an interface that the client passes; may be null.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct Interface(*mut c_void);

// SAFETY: interfaces are passed in arrays of pointers, and any bytes are a pointer: it is followed only by `class`.
unsafe impl Plain for Interface {}

// SAFETY: the pointer is followed only by `class` and by functions of tables, and objects can be shared.
unsafe impl Send for Interface {}
// SAFETY: as above.
unsafe impl Sync for Interface {}

impl Interface {
    /// NULL.
    pub const NULL: Interface = Interface(std::ptr::null_mut());

    /// True if the client passed NULL.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Pointer that a call of a client wrote.
    pub(super) fn from_pointer(pointer: *mut c_void) -> Interface {
        Interface(pointer)
    }

    /// The pointer as a number.
    pub fn address(self) -> usize {
        self.0.expose_provenance()
    }

    /// Address of the table; `None` for NULL.
    pub(super) fn table(self) -> Option<*const c_void> {
        // SAFETY: an interface pointer points to a pointer to its table, whoever implements it.
        (!self.0.is_null()).then(|| unsafe { self.0.cast::<*const c_void>().read_unaligned() })
    }

    fn instance<C: Class>(self) -> Option<&'static Instance<C>> {
        let table = self.table()?;
        // SAFETY: only objects of this class have its table. Released objects stay in the graveyard, whose size exceeds
        // the number of releases that can happen during a call.
        C::table().contains(table).then(|| unsafe { &*self.0.cast::<Instance<C>>().cast_const() })
    }

    /// The object, if it is alive and of this class: other objects are foreign, or of another type.
    pub fn class<C: Class>(self) -> Option<&'static C> {
        let instance = self.instance::<C>()?;
        (instance.references.load(Ordering::Acquire) > 0).then_some(&instance.class)
    }
}

/// Creates an object with one reference, which the client owns.
pub fn create<C: Class>(class: C) -> Interface {
    let (table, notifier) = (C::table().current(), C::notifier_table().current());
    let instance = Instance { table, references: AtomicU32::new(1), notifier, class };
    Interface(Box::into_raw(Box::new(instance)).cast())
}

/// Gives a new object to the client under the interface `id`.
///
/// # Errors
/// E_NOINTERFACE: the class has no such interface; the object is released.
pub fn give<C: Class>(class: C, id: Option<Guid>, out: OutPointer) -> Hresult {
    let object = create(class);
    let result = query_interface_of::<C>(object, id, out);
    release::<C>(object, || ());
    result
}

/// The object whose ID3DDestructionNotifier `this` is; NULL for NULL.
pub fn notifier_owner<C: Class>(this: Interface) -> Interface {
    if this.is_null() {
        return this;
    }
    // Only tables of the class have the functions that call this one, and they are parts of its objects.
    Interface(this.0.wrapping_byte_sub(offset_of!(Instance<C>, notifier)))
}

/// Adds a reference if the object is alive, and gives it to the client under the interface `id`.
pub fn query_interface_of<C: Class>(this: Interface, id: Option<Guid>, out: OutPointer) -> Hresult {
    out.clear();
    let (Some(id), false) = (id, out.is_null()) else { return HResultCode::E_INVALIDARG.into() };
    let Some(instance) = this.instance::<C>() else { return HResultCode::E_INVALIDARG.into() };
    let is_known = id == IUNKNOWN || C::INTERFACES.contains(&id);
    let is_notifier = !is_known && id == DESTRUCTION_NOTIFIER && instance.class.destruction_callbacks().is_some();
    let is_alive = instance.references.load(Ordering::Acquire) > 0;
    let result = if is_alive && !is_known && !is_notifier {
        HResultCode::E_NOINTERFACE
    } else if !is_alive || add_reference::<C>(this) == 0 {
        HResultCode::E_HANDLE
    } else {
        let offset = if is_notifier { offset_of!(Instance<C>, notifier) } else { 0 };
        out.set(this.0.wrapping_byte_add(offset));
        HResultCode::S_OK
    };
    result.into()
}

/// Adds a reference; returns the new count, or 0 for an object that is not alive.
pub fn add_reference<C: Class>(this: Interface) -> u32 {
    let Some(instance) = this.instance::<C>() else { return 0 };
    let more = |count: u32| count.checked_add(1).filter(|_| count > 0);
    instance.references.fetch_update(Ordering::AcqRel, Ordering::Acquire, more).map_or(0, |count| count + 1)
}

/// Removes a reference; returns the new count. The last one releases the object. `released` is called for an object that
/// is released already.
pub fn release<C: Class>(this: Interface, released: impl FnOnce()) -> u32 {
    let Some(instance) = this.instance::<C>() else { return 0 };
    let less = |count: u32| count.checked_sub(1);
    let Ok(count) = instance.references.fetch_update(Ordering::AcqRel, Ordering::Acquire, less) else {
        let _ = catch_unwind(AssertUnwindSafe(released));
        return 0;
    };
    if count == 1 {
        // A panic of the runtime has removed the device; there is nothing left to release.
        let _ = catch_unwind(AssertUnwindSafe(|| instance.class.released()));
        // SAFETY: `create` made the pointer by Box::into_raw, and only the change of the count from 1 to 0 comes here.
        graveyard::bury(unsafe { Box::from_raw(this.0.cast::<Instance<C>>()) });
    }
    count - 1
}

/// Runs a method. NULL, a foreign or a released object, and a panic are refused; a panic has removed the device.
/// `released` is called for a released object.
pub fn enter<C: Class, R: Refusal>(this: Interface, released: impl FnOnce(), method: impl FnOnce(&C) -> R) -> R {
    let Some(instance) = this.instance::<C>() else { return R::refusal(HResultCode::E_INVALIDARG) };
    if instance.references.load(Ordering::Acquire) == 0 {
        // A panic here could only come from the report of the call.
        let _ = catch_unwind(AssertUnwindSafe(released));
        return R::refusal(HResultCode::E_HANDLE);
    }
    let result = catch_unwind(AssertUnwindSafe(|| method(&instance.class)));
    result.unwrap_or_else(|_| R::refusal(HResultCode::DXGI_ERROR_DEVICE_REMOVED))
}

/// Runs an exported function. A panic is refused.
pub fn enter_function<R: Refusal>(function: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(|_| R::refusal(HResultCode::E_FAIL))
}

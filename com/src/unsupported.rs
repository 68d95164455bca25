//! Counts of calls without a line in the schema lists, of calls of released objects, and of queries of interfaces.

use crate::interface_names::interface_name;
use crate::unsafe_abi::{Guid, Hresult, Refusal};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use taut_schemas::HResultCode;
use taut_schemas::mark::{InterfaceQuery, ReleasedObjectCall, UnsupportedCall};

/// Functions that are called at the first, second, fourth, eighth call of a kind and so on: the library writes nothing at
/// the end of the process, and a mark per call would be most of a trace.
#[derive(Debug)]
pub struct Receivers {
    pub unsupported: fn(UnsupportedCall),
    pub released: fn(ReleasedObjectCall),
    pub queried: fn(InterfaceQuery),
}

static RECEIVERS: OnceLock<Receivers> = OnceLock::new();

/// Sets the receivers of the counts; the first ones stay.
pub fn report_to(receivers: Receivers) {
    RECEIVERS.get_or_init(|| receivers);
}

/// The new count of a counter, if it is one that is reported.
fn reported(counter: &AtomicU64) -> Option<(u64, &'static Receivers)> {
    let count = counter.fetch_add(1, Ordering::Relaxed) + 1;
    RECEIVERS.get().filter(|_| count.is_power_of_two()).map(|receivers| (count, receivers))
}

/// A method and its calls that were not executed.
#[derive(Debug)]
pub struct Method {
    interface: &'static str,
    name: &'static str,
    slot: u32,
    calls: AtomicU64,
    calls_after_release: AtomicU64,
}

impl Method {
    /// Describes a method that was not called yet.
    pub const fn new(interface: &'static str, name: &'static str, slot: u32) -> Method {
        Method { interface, name, slot, calls: AtomicU64::new(0), calls_after_release: AtomicU64::new(0) }
    }

    /// Counts a call and refuses it.
    pub fn refuse<R: Refusal>(&self) -> R {
        self.count();
        R::refusal(HResultCode::E_NOTIMPL)
    }

    /// Counts a call without a line.
    pub fn count(&self) {
        if let Some((count, receivers)) = reported(&self.calls) {
            let Method { interface, name, slot, .. } = *self;
            let (interface, method) = (interface.to_owned(), name.to_owned());
            (receivers.unsupported)(UnsupportedCall { interface, method, slot, count });
        }
    }

    /// Counts a call of a released object.
    pub fn count_after_release(&self) {
        if let Some((count, receivers)) = reported(&self.calls_after_release) {
            let (interface, method) = (self.interface.to_owned(), self.name.to_owned());
            (receivers.released)(ReleasedObjectCall { interface, method, count });
        }
    }
}

/// Counts a call of the method of IUnknown with this slot on a released object.
pub fn count_unknown_after_release(slot: usize) {
    static METHODS: [Method; 3] = [
        Method::new("IUnknown", "QueryInterface", 0),
        Method::new("IUnknown", "AddRef", 1),
        Method::new("IUnknown", "Release", 2),
    ];
    if let Some(method) = METHODS.get(slot) {
        method.count_after_release();
    }
}

/// Counts a query of an interface. Not to be called in a copy of the process: another thread may have had the lock during
/// the fork.
pub fn count_query(id: Guid, result: Hresult) {
    static QUERIES: Mutex<BTreeMap<(Guid, u32), u64>> = Mutex::new(BTreeMap::new());
    let code = HResultCode::from(result);
    let mut queries = QUERIES.lock().unwrap_or_else(PoisonError::into_inner);
    let count = queries.entry((id, code.0)).or_default();
    *count += 1;
    let count = *count;
    drop(queries);
    if let Some(receivers) = RECEIVERS.get().filter(|_| count.is_power_of_two()) {
        (receivers.queried)(InterfaceQuery { interface: interface_name(id), query_result: code, count });
    }
}

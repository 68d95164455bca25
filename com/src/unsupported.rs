//! Counts of calls of methods without a line in the schema lists.

use crate::hresult::Refusal;
use crate::unsafe_abi::end_process;
use crate::world;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_schemas::{HResultCode, mark};

/// A method and the number of its calls that were not executed.
#[derive(Debug)]
pub struct Method {
    interface: &'static str,
    name: &'static str,
    slot: u32,
    calls: AtomicU64,
}

impl Method {
    /// Describes a method that was not called yet.
    pub const fn new(interface: &'static str, name: &'static str, slot: u32) -> Method {
        Method { interface, name, slot, calls: AtomicU64::new(0) }
    }

    /// Counts a call and refuses it.
    pub fn refuse<R: Refusal>(&self) -> R {
        self.count();
        R::refusal(HResultCode::E_NOTIMPL)
    }

    /// Counts a call. The first one is reported on stderr. The trace gets a mark at the first, second, fourth, eighth
    /// call and so on: the library writes nothing at the end of the process, and a mark per call would be most of a
    /// trace.
    pub fn count(&self) {
        let count = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if !count.is_power_of_two() {
            return;
        }
        let Some(world) = world::current() else { return };
        let Method { interface, name, slot, .. } = *self;
        let behaviour = world.behaviour();
        if count == 1 && behaviour.prints {
            let _ = writeln!(std::io::stderr(), "taut: {interface}::{name} is not executed");
        }
        world.mark(mark::UnsupportedCall { interface: interface.to_owned(), method: name.to_owned(), slot, count });
        if behaviour.is_strict {
            end_process(1);
        }
    }
}

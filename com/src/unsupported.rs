//! Counts of calls of methods without a line in the schema lists.

use crate::unsafe_abi::Refusal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_schemas::HResultCode;
use taut_schemas::mark::UnsupportedCall;

/// Receiver of the counts.
static REPORT: OnceLock<fn(UnsupportedCall)> = OnceLock::new();

/// Sets the function that is called at the first, second, fourth, eighth call of a method and so on: the library writes
/// nothing at the end of the process, and a mark per call would be most of a trace.
pub fn report_to(report: fn(UnsupportedCall)) {
    REPORT.get_or_init(|| report);
}

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

    /// Counts a call.
    pub fn count(&self) {
        let count = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if count.is_power_of_two()
            && let Some(report) = REPORT.get()
        {
            let Method { interface, name, slot, .. } = *self;
            report(UnsupportedCall { interface: interface.to_owned(), method: name.to_owned(), slot, count });
        }
    }
}

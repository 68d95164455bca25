//! DXGI calls of test cases.

mod adapter;
mod buffers;
mod chain;
mod create;
mod latency;
mod machine;
mod outputs;
mod windows;
mod words;

pub(super) use words::CALLS;

use super::arguments::Arguments;
use super::family::CallFamily;
use super::found::{Answer, Found};
use std::collections::BTreeMap;
use std::sync::Arc;
use taut_runtime::NullTap;
use taut_runtime::Settings;
use taut_runtime::{Execute, Machine};
use taut_schemas::{CommandQueueId, DeviceId, Driver, HResult, SwapChainId, SwapEffect};

/// Kind of an object in a case. Direct3D objects have their own ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
enum Kind {
    Direct3d = 0,
    Chain = 0x81,
    Buffer = 0x82,
    Window = 0x83,
    Waitable = 0x84,
    Output = 0x85,
    Adapter = 0x86,
    Factory = 0x87,
}

const KINDS: [Kind; 7] =
    [Kind::Chain, Kind::Buffer, Kind::Window, Kind::Waitable, Kind::Output, Kind::Adapter, Kind::Factory];
/// Bits of an object's number below its kind.
const NUMBER_BITS: u32 = 48;
/// Bits of a buffer's index below its swap chain.
const INDEX_BITS: u32 = 8;

impl Kind {
    /// Returns the id of an object in cases; 0 is null.
    fn object(self, number: u64) -> u64 {
        if number == 0 || self == Kind::Direct3d { number } else { (self as u64) << NUMBER_BITS | number }
    }
}

/// Returns kind and number of an object.
fn split(object: u64) -> (Kind, u64) {
    let found = KINDS.into_iter().find(|kind| object >> NUMBER_BITS == *kind as u64);
    found.map_or((Kind::Direct3d, object), |kind| (kind, object & ((1 << NUMBER_BITS) - 1)))
}

fn chain_of(object: u64) -> SwapChainId {
    match split(object) {
        (Kind::Chain, number) => SwapChainId(number),
        _ => SwapChainId::NULL,
    }
}

fn buffer_of(object: u64) -> (SwapChainId, u32) {
    match split(object) {
        (Kind::Buffer, number) => (SwapChainId(number >> INDEX_BITS), number as u32 & ((1 << INDEX_BITS) - 1)),
        _ => (SwapChainId::NULL, 0),
    }
}

/// Runtime on a machine with one display, with data of objects for later steps.
pub(super) struct Dxgi {
    machine: Machine<'static>,
    driver: Arc<dyn Driver>,
    /// Direct3D 12 device and queue; `None` on Direct3D 11.
    queue: Option<(DeviceId, CommandQueueId)>,
    now_ns: u64,
    /// Client areas of windows.
    windows: BTreeMap<u64, (u32, u32)>,
    /// Swap effects by chain.
    effects: BTreeMap<u64, SwapEffect>,
}

impl Dxgi {
    /// Creates a fresh runtime for Direct3D 11 or 12.
    pub fn new(driver: Arc<dyn Driver>, settings: Settings, is_12: bool) -> Dxgi {
        let has_kernel_driver = driver.dxgkddi().is_some();
        let mut dxgi = Dxgi {
            machine: Machine::new(settings, Arc::clone(&driver)),
            driver,
            queue: None,
            now_ns: 0,
            windows: BTreeMap::new(),
            effects: BTreeMap::new(),
        };
        dxgi.set_up_machine(has_kernel_driver);
        if is_12 {
            dxgi.queue = dxgi.create_d3d12_queue().ok();
        }
        dxgi
    }

    /// Returns the objects that a case can name without creating them.
    pub fn predefined(&self) -> [(String, Found); 2] {
        let queue = self.queue.map_or(0, |(_, queue)| queue.0);
        [("factory", Kind::Factory.object(1)), ("queue", queue)].map(|(name, object)| {
            let object = Found::Object(object);
            (name.to_owned(), object)
        })
    }

    /// Executes a call and returns its result.
    fn execute<C: Execute>(&mut self, call: &C) -> C::Output {
        self.machine.call(call, &mut NullTap)
    }
}

/// Returns an answer that has the HRESULT alone.
fn result_answer<T>(result: &HResult<T>) -> Answer {
    let code = result.as_ref().err().copied().unwrap_or_default();
    Answer::default().plain("hr", format!("{code:?}"))
}

/// Returns an answer with code and object of a creation.
fn created<T: Copy>(result: HResult<T>, object: impl Fn(T) -> u64) -> Answer {
    result_answer(&result).giving(result.map_or(0, object))
}

/// Returns an answer with a value, which is unchanged in an error.
fn valued<T>(result: HResult<T>, name: &'static str, value: impl FnOnce(T) -> Found) -> Answer {
    let answer = result_answer(&result);
    match result {
        Ok(found) => answer.with(name, value(found)),
        Err(_) => answer.with("data", Found::Unchanged),
    }
}

impl CallFamily for Dxgi {
    fn call(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Result<Answer, String> {
        let groups =
            [Self::create, Self::windows, Self::buffers, Self::chain, Self::outputs, Self::latency, Self::adapter];
        for group in groups {
            if let Some(answer) = group(self, call, on, arguments)? {
                return Ok(answer);
            }
        }
        Err(format!("{call} is a call that nothing here makes"))
    }
}

/// Result of a group's call; `None` if the call belongs to another group.
type Grouped = Result<Option<Answer>, String>;

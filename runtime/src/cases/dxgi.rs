//! The calls of DXGI, as cases name them.

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
use crate::context::Silent;
use crate::execute::{Execute, Machine};
use crate::settings::Settings;
use std::collections::BTreeMap;
use std::sync::Arc;
use taut_schemas::{CommandQueueId, DeviceId, Driver, HResult, SwapChainId, SwapEffect};

/// What an object of a case is. Those of Direct3D are themselves.
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
    /// An object of this kind as cases hold it; 0 is none.
    fn object(self, number: u64) -> u64 {
        if number == 0 || self == Kind::Direct3d { number } else { (self as u64) << NUMBER_BITS | number }
    }
}

/// An object's kind and number.
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

/// A runtime on a machine with one display, and what a step says of its objects besides.
pub(super) struct Dxgi {
    machine: Machine<'static>,
    /// Direct3D 12's device and queue; none on Direct3D 11.
    queue: Option<(DeviceId, CommandQueueId)>,
    now_ns: u64,
    /// Client areas of windows.
    windows: BTreeMap<u64, (u32, u32)>,
    /// What chains were created with.
    effects: BTreeMap<u64, SwapEffect>,
}

impl Dxgi {
    /// A fresh runtime for Direct3D 11 or 12.
    pub fn new(driver: Arc<dyn Driver>, settings: Settings, is_12: bool) -> Dxgi {
        let describes = driver.dxgkddi().is_some();
        let mut dxgi = Dxgi {
            machine: Machine::new(settings, driver),
            queue: None,
            now_ns: 0,
            windows: BTreeMap::new(),
            effects: BTreeMap::new(),
        };
        dxgi.describe(describes);
        if is_12 {
            dxgi.queue = dxgi.made_queue().ok();
        }
        dxgi
    }

    /// Names that no step gives.
    pub fn predefined(&self) -> [(String, Found); 2] {
        let queue = self.queue.map_or(0, |(_, queue)| queue.0);
        [("factory", Kind::Factory.object(1)), ("queue", queue)].map(|(name, object)| {
            let object = Found::Object(object);
            (name.to_owned(), object)
        })
    }

    fn made<C: Execute>(&mut self, call: &C) -> C::Output {
        self.machine.call(call, &mut Silent)
    }
}

/// What a result says: its code.
fn answered<T>(result: &HResult<T>) -> Answer {
    let code = result.as_ref().err().copied().unwrap_or_default();
    Answer::default().plain("hr", format!("{code:?}"))
}

/// The same of what makes an object.
fn created<T: Copy>(result: HResult<T>, object: impl Fn(T) -> u64) -> Answer {
    answered(&result).giving(result.map_or(0, object))
}

/// The same of a value, which is left as it was where there is none.
fn valued<T>(result: HResult<T>, name: &'static str, value: impl FnOnce(T) -> Found) -> Answer {
    let answer = answered(&result);
    match result {
        Ok(found) => answer.with(name, value(found)),
        Err(_) => answer.with("data", Found::Unchanged),
    }
}

impl CallFamily for Dxgi {
    fn call(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Result<Answer, String> {
        let groups = [Self::create, Self::windows, Self::buffers, Self::chain, Self::outputs, Self::latency];
        for group in groups {
            if let Some(answer) = group(self, (call, on), arguments)? {
                return Ok(answer);
            }
        }
        Err(format!("{call} is a call that nothing here makes"))
    }
}

/// A call of some group: nothing if it is another's.
type Grouped = Result<Option<Answer>, String>;

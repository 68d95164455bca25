//! The calls of Direct3D 11, as cases name them.

mod bindings;
mod contents;
mod create;
mod device;
mod recording;
mod states;
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
use taut_schemas::{D3d11DdiResourceDesc, Driver, HResult, HResultCode, QueryType};

/// What a creation without a place for the object gives, which is no call that a trace could hold.
const S_FALSE: &str = "S_FALSE";

/// A runtime, and what a step says of its objects besides.
pub(super) struct Direct3d11 {
    machine: Machine<'static>,
    /// Immediate contexts by their devices.
    immediate: BTreeMap<u64, u64>,
    /// Devices by what they created.
    devices: BTreeMap<u64, u64>,
    resources: BTreeMap<u64, D3d11DdiResourceDesc>,
    queries: BTreeMap<u64, QueryType>,
    /// What is stored in mapped memory, by context and resource.
    mapped: BTreeMap<(u64, u64), Vec<u8>>,
}

impl Direct3d11 {
    /// A fresh runtime.
    pub fn new(driver: Arc<dyn Driver>, settings: Settings) -> Direct3d11 {
        let (immediate, devices, resources) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let machine = Machine::new(settings, driver);
        Direct3d11 { machine, immediate, devices, resources, queries: BTreeMap::new(), mapped: BTreeMap::new() }
    }

    fn made<C: Execute>(&mut self, call: &C) -> C::Output {
        let output = self.machine.call(call, &mut Silent);
        if let Some(remove) = self.machine.removal(call) {
            let _ = self.machine.call(&remove, &mut Silent);
        }
        output
    }
}

/// What a result says: its code, and what it gives.
fn answered<T>(result: &HResult<T>) -> Answer {
    let code = result.as_ref().err().copied().unwrap_or_default();
    Answer::default().plain("hr", format!("{code:?}"))
}

/// The same of a creation.
fn created<T: Copy>(result: HResult<T>, number: impl Fn(T) -> u64) -> Answer {
    answered(&result).giving(result.map_or(0, number))
}

fn refused(code: &str) -> Result<Answer, String> {
    Ok(Answer::default().plain("hr", code).giving(0))
}

impl CallFamily for Direct3d11 {
    fn call(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Result<Answer, String> {
        let groups =
            [Self::device, Self::create, Self::states, Self::bindings, Self::asked, Self::recording, Self::contents];
        for group in groups {
            if let Some(answer) = group(self, (call, on), arguments)? {
                return Ok(answer);
            }
        }
        // What the runtime does not have is none that a driver could answer.
        Ok(Answer::default().plain("hr", format!("{:?}", HResultCode::E_NOTIMPL)).giving(0))
    }
}

/// A call of some group: nothing if it is another's.
type Grouped = Result<Option<Answer>, String>;

fn objects(found: Vec<u64>) -> Answer {
    Answer::default().with("objects", Found::Objects(found))
}

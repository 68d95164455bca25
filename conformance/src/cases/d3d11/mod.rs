//! Direct3D 11 calls of test cases.

mod bindings;
mod contents;
mod create;
mod device;
mod interface;
mod recording;
mod states;
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
use taut_schemas::{D3d11DdiResourceDesc, Driver, HResult, HResultCode, QueryType};

/// Result of a creation without an output parameter, which no trace can contain.
const S_FALSE: &str = "S_FALSE";

/// Runtime, with data of objects for later steps.
pub(super) struct Direct3d11 {
    machine: Machine<'static>,
    /// Immediate contexts by device.
    immediate: BTreeMap<u64, u64>,
    /// Devices by created object.
    devices: BTreeMap<u64, u64>,
    resources: BTreeMap<u64, D3d11DdiResourceDesc>,
    queries: BTreeMap<u64, QueryType>,
    /// Bytes stored in mapped memory, by context and resource.
    mapped: BTreeMap<(u64, u64), Vec<u8>>,
}

impl Direct3d11 {
    /// Creates a fresh runtime.
    pub fn new(driver: Arc<dyn Driver>, settings: Settings) -> Direct3d11 {
        let (immediate, devices, resources) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let machine = Machine::new(settings, driver);
        Direct3d11 { machine, immediate, devices, resources, queries: BTreeMap::new(), mapped: BTreeMap::new() }
    }

    fn execute<C: Execute>(&mut self, call: &C) -> C::Output {
        let output = self.machine.call(call, &mut NullTap);
        if let Some(remove) = self.machine.removal(call) {
            let _ = self.machine.call(&remove, &mut NullTap);
        }
        output
    }
}

/// Returns an answer with the result's code.
fn result_answer<T>(result: &HResult<T>) -> Answer {
    let code = result.as_ref().err().copied().unwrap_or_default();
    Answer::default().plain("hr", format!("{code:?}"))
}

/// Returns an answer with code and object of a creation.
fn created<T: Copy>(result: HResult<T>, number: impl Fn(T) -> u64) -> Answer {
    result_answer(&result).giving(result.map_or(0, number))
}

fn refused(code: &str) -> Result<Answer, String> {
    Ok(Answer::default().plain("hr", code).giving(0))
}

impl CallFamily for Direct3d11 {
    fn call(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Result<Answer, String> {
        let groups = [
            Self::device,
            Self::create,
            Self::states,
            Self::bindings,
            Self::binding_queries,
            Self::recording,
            Self::contents,
        ];
        for group in groups {
            if let Some(answer) = group(self, call, on, arguments)? {
                return Ok(answer);
            }
        }
        // A call that the runtime does not implement answers E_NOTIMPL.
        Ok(Answer::default().plain("hr", format!("{:?}", HResultCode::E_NOTIMPL)).giving(0))
    }
}

/// Result of a group's call; `None` if the call belongs to another group.
type Grouped = Result<Option<Answer>, String>;

fn objects(found: Vec<u64>) -> Answer {
    Answer::default().with("objects", Found::Objects(found))
}

//! A call of one deferred context that fails because the profile says so.

use super::contexts_model::{IS_DEFERRED, Memory, at, handles};
use super::model::Model;
use taut_schemas::{DriverHandle, HResultCode};

/// Where in a context's memory the number of its calls is, where one of them is to fail.
const CALLS: u64 = 56;
/// How far the memory of two contexts lies apart, and which of the numbers that gives are a device's contexts.
const CONTEXT_STRIDE: u64 = 1 << 32;
const CONTEXT_NUMBER: u64 = 0xf_ffff;

impl Model {
    /// Counts a call of a deferred context that may fail; the code, if it is the one at which the profile has it fail.
    pub(super) fn failure(&self, memory: Memory<'_>, deferred: DriverHandle) -> Option<HResultCode> {
        let handles = handles(self.profile()).filter(|handles| handles.fails_at_call > 0)?;
        let number = (deferred.0 / CONTEXT_STRIDE) & CONTEXT_NUMBER;
        if number != handles.fails_in_context || memory.read_u64(at(deferred, IS_DEFERRED)) == 0 {
            return None;
        }
        let calls = memory.read_u64(at(deferred, CALLS)).saturating_add(1);
        memory.write_u64(at(deferred, CALLS), calls);
        let removes = handles.failure_removes_device;
        let code = if removes { HResultCode::DXGI_ERROR_DEVICE_REMOVED } else { HResultCode::E_OUTOFMEMORY };
        (calls == handles.fails_at_call).then_some(code)
    }
}

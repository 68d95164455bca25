//! Injected failure of one deferred context's call, as configured by the profile.

use super::contexts_model::{IS_DEFERRED, Memory, at, handles};
use super::model::Model;
use taut_schemas::{DriverHandle, HResultCode};

/// Offset of the call counter in a context's memory. Used only by profiles with an injected failure.
const CALLS: u64 = 56;
// Must match `CONTEXT_BYTES` of runtime/src/memory: a driver identifies a context by the address of its memory.
/// Address distance between the memory of two contexts, and the mask of the context number in an address divided by it.
const CONTEXT_STRIDE: u64 = 1 << 32;
const CONTEXT_NUMBER: u64 = 0xf_ffff;

impl Model {
    /// Counts a call of a deferred context that may fail. Returns the error code if the profile injects a failure at
    /// this call.
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

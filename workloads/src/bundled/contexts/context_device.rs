//! Direct3D 11 device with its immediate context, and the calls that all workloads with contexts make.

use crate::bundled::WorkloadError;
use crate::bundled::refusal::required;
use taut_capture::Caller;
use taut_schemas::{D3d11CommandListId, D3d11ContextId, D3d11DeviceId, HResult, ObjectId, d3d11};

/// D3D_FEATURE_LEVEL_11_0.
const FEATURE_LEVEL: u32 = 0xb000;

/// Device and its immediate context.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContextDevice {
    pub device: D3d11DeviceId,
    pub immediate: D3d11ContextId,
}

impl ContextDevice {
    /// Creates the device.
    pub fn create<C: Caller>(caller: &mut C) -> Result<ContextDevice, WorkloadError> {
        let create = d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL, ..Default::default() };
        let finished = required("D3D11CreateDevice", caller.call(create))?;
        Ok(ContextDevice { device: finished.device, immediate: finished.immediate_context })
    }

    /// Creates a deferred context.
    pub fn context<C: Caller>(&self, caller: &mut C) -> Result<D3d11ContextId, WorkloadError> {
        required("CreateDeferredContext", caller.call(d3d11::CreateDeferredContext { device: self.device, flags: 0 }))
    }

    /// Unbinds everything and releases the device.
    pub fn release<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        required("ClearState", caller.call(d3d11::ClearState { context: self.immediate }))?;
        required("Flush", caller.call(d3d11::Flush { context: self.immediate }))?;
        release(caller, self.device)
    }
}

/// Releases an object.
pub(crate) fn release<C: Caller>(caller: &mut C, object: impl Into<ObjectId>) -> Result<(), WorkloadError> {
    required("Release", caller.call(d3d11::Release { object: object.into() })).map(drop)
}

/// Finishes a context's recording as a command list.
pub(crate) fn finish<C: Caller>(
    caller: &mut C,
    context: D3d11ContextId,
    restore_deferred_context_state: bool,
) -> HResult<D3d11CommandListId> {
    caller.call(d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list: true })
}

/// Executes a command list.
pub(crate) fn execute<C: Caller>(
    caller: &mut C,
    context: D3d11ContextId,
    command_list: D3d11CommandListId,
    restore_context_state: bool,
) -> Result<(), WorkloadError> {
    let execute = d3d11::ExecuteCommandList { context, command_list, restore_context_state };
    required("ExecuteCommandList", caller.call(execute))
}
